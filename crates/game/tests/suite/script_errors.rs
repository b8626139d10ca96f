//! Script errors: messages, places, and what continues to run.

use crate::folder::{Folder, on_large_stack};
use hangtime_core::sim::Value;
use hangtime_script::Tally;

#[test]
fn a_failing_hook_has_no_effect() {
    let folder = Folder::with_script("fn on_tick(me) { me.push(500, 0); this.n += 1; nonsense(); }");
    let mut game = folder.game();
    game.ticks(3);
    assert_eq!(game.hero().external.x, 0.0);
    assert_eq!(game.wrong().len(), 3);
    assert!(game.wrong()[0].contains("there is no function `nonsense"), "{:?}", game.wrong());
}

/// A script, the place of its error, and the message.
#[rustfmt::skip]
const MISTAKES: &[(&str, &str, &str)] = &[
    ("fn on_tick(me) {\n  me.vell.x = 3;\n}", "2:6", "did you mean `vel`?"),
    ("fn on_tick(me) {\n  me.pusj(1, 2);\n}", "2:6", "did you mean `push`?"),
    ("fn on_tick(me) {\n  let count = 1;\n  coumt += 1;\n}", "3:3", "no variable `coumt`"),
    ("fn on_tick(me) {\n  me.hold(\"rihgt\");\n}", "2:6", "did you mean `right`?"),
    ("fn on_tick(me) {\n  me.set_model(\"plattformer\");\n}", "2:6", "did you mean `platformer`?"),
    ("fn on_tick(me) {\n  me.x = 5;\n}", "2:6", "use `me.place(x, y)`"),
    ("fn on_tick(me) {\n  me.vel.x = 1.0 / 0.0;\n}", "2:6", "cannot be inf"),
    ("fn on_tick(me) {\n  me.vel = 5;\n}", "2:6", "must be a vec"),
    ("fn on_tick(me) {\n  helper();\n}\nfn helper() { this.n += 1; }", "4:15", "this.helper()"),
    ("fn model(me) { \"platfomer\" }", "1:4", "did you mean `platformer`?"),
    ("fn model(me) { 5 }", "1:4", "must return the name of a model, not a number"),
    ("fn jump_windows(me) { #{ grace: 1 } }", "1:4", "has no `grace`"),
    ("fn jump_windows(me) { #{ grace_time: 0.1 } }", "1:4", "did you mean `coyote_time`?"),
    ("fn on_tick(me) {\n  me.tune(\"platformer.grace_time\", 0.1);\n}", "2:6", "did you mean `coyote_time`?"),
    ("fn on_tick(me) {\n  me.untune(\"grace_time\");\n}", "2:6", "did you mean `platformer.coyote_time`?"),
    ("fn jump_windows(me) { #{ coyote_time: -1 } }", "1:4", "must be between 0 and 60 s"),
];

#[test]
fn mistakes_are_reported_with_their_line_and_a_suggestion() {
    for &(script, place, what) in MISTAKES {
        let folder = Folder::with_script(script);
        let mut game = folder.game();
        game.ticks(1);
        let wrong = game.wrong();
        assert!(wrong.first().is_some_and(|w| w.contains(what)), "{script}: {wrong:?}");
        assert!(wrong[0].starts_with(&format!("scripts/hero.rhai:{place}:")), "{script}: {wrong:?}");
    }
}

#[test]
fn an_error_in_a_library_points_into_the_library() {
    let folder = Folder::with_script("import \"lib\" as lib;\nfn on_tick(me) {\n  lib::broken();\n}\n");
    folder.write("scripts/lib.rhai", "fn broken() {\n  let x = 1;\n  x.nothing\n}\n");
    let mut game = folder.game();
    game.ticks(1);
    assert!(game.wrong()[0].starts_with("scripts/lib.rhai:3:"), "{:?}", game.wrong());
}

#[test]
fn mistakes_in_hook_signatures_are_found_on_load() {
    for (script, place, what) in [
        ("fn on_tick() {}", "1:4", "has no parameters; write `on_tick(me)`"),
        ("\nfn jump_windows(me, x) {}", "2:4", "write `jump_windows(me)`"),
        ("fn on_land(me, event, more) {}", "1:4", "has 3 parameters"),
        ("let x = 5;\nfn on_tick(me) {}", "1:1", "store values that change in `this`"),
        ("on_tick(1);\nfn on_tick(me) {}", "1:1", "may contain only `const`, `import` and functions"),
        ("import \"lub\" as lib;", "1:", "there is no script `scripts/lub.rhai`"),
        ("fn on_tick(me) { let x = ; }", "1:26", ""),
        (
            "const A = B * 2;\nconst B = 2;\nfn on_tick(me) {}",
            "1:11",
            "`B` is used before it is defined; move its `const` up",
        ),
    ] {
        let folder = Folder::with_script(script);
        let wrong = folder.wrong();
        assert_eq!(wrong.len(), 1, "{script}: {wrong:?}");
        assert!(wrong[0].contains(what), "{script}: {wrong:?}");
        assert!(wrong[0].starts_with(&format!("scripts/hero.rhai:{place}")), "{script}: {wrong:?}");
    }
}

#[test]
fn a_constant_of_an_import_is_reported_as_not_visible() {
    on_large_stack(|| {
        let script = "import \"lib\" as lib;\nfn on_tick(me) {\n  this.n = lib::SPEED;\n}\n";
        let folder = Folder::with_script(script);
        folder.write("scripts/lib.rhai", "const SPEED = 3;\n");
        let mut game = folder.game();
        game.ticks(1);
        let said = &game.wrong()[0];
        assert!(said.contains("`lib::SPEED` is not visible; an imported file shares only its functions"), "{said}");
    });
}

#[test]
fn a_helper_may_be_named_like_a_hook() {
    let folder = Folder::with_script("fn on_tick(me) { this.n = mode(3); } fn mode(x) { x }");
    let mut game = folder.game();
    game.ticks(1);
    assert_eq!(game.var("n"), Value::Int(3));
}

#[test]
fn messages_name_values_instead_of_rust_types() {
    on_large_stack(|| {
        for (call, message) in [
            ("me.hodl(\"jump\")", "there is no function `hodl(me, text)`; did you mean `hold`?"),
            ("me.push(1)", "`push` cannot be called as `push(me, number)`; write `me.push(x, y)`"),
        ] {
            let mut game = Folder::with_script(&format!("fn on_tick(me) {{ {call}; }}")).game();
            game.ticks(1);
            let said = &game.wrong()[0];
            assert!(said.ends_with(message), "{said}");
        }
    });
}

#[test]
fn actions_of_a_hook_that_fails_are_undone() {
    on_large_stack(|| {
        let script = "fn on_birth(me) { me.vel = vec(500, 0); me.hold(\"right\"); throw \"no\"; }\n\
                      fn on_tick(me) { if this.n == 0 { this.n = 1; this.x = me.vel.x; \
                      this.held = me.held(\"right\"); me.vel.y = 0; } }";
        let mut game = Folder::with_script(script).game();
        game.ticks(1);
        assert_eq!(game.var("x"), Value::Float(0.0));
        assert_eq!(game.var("held"), Value::Bool(false));
        assert_eq!(game.hero().vel.x, 0.0);
    });
}

#[test]
fn a_hook_that_fails_with_changing_messages_is_reported_once() {
    on_large_stack(|| {
        let script = "fn on_tick(me) { this.n += 1; throw `no ${this.n}`; }";
        let mut game = Folder::with_script(script).game();
        game.ticks(50);
        let mut tally = Tally::default();
        let first: Vec<bool> = game.faults.iter().map(|fault| tally.count(fault)).collect();
        // After ten failures in a row the script is disabled.
        assert_eq!(first.len(), 10);
        assert_eq!(first.iter().filter(|first| **first).count(), 1);
        assert_eq!(tally.iter().map(|(_, count)| count).sum::<u64>(), 10);
    });
}

#[test]
fn a_slip_in_the_name_of_a_hook_is_a_warning_and_other_names_are_free() {
    on_large_stack(|| {
        for (name, right) in
            [("on_lnad", "on_land(me)"), ("modle", "model(me)"), ("on_alarm_bell", ""), ("on_hurt", "")]
        {
            let folder = Folder::with_script(&format!("fn {name}(me) {{ }} fn on_tick(me) {{ this.n += 1; }}"));
            let mut game = folder.game();
            game.ticks(2);
            assert_eq!(game.var("n"), Value::Int(2), "{name}");
            let warnings = folder.wrong();
            assert_eq!(warnings.len(), usize::from(!right.is_empty()), "{warnings:?}");
            let expected = format!("warning: nothing calls `{name}`; did you mean `{right}`");
            assert!(warnings.iter().all(|it| it.contains(&expected)), "{warnings:?}");
        }
    });
}

#[test]
fn a_failure_lists_the_calls_that_led_to_it() {
    on_large_stack(|| {
        let script = "import \"lib\" as lib;\nfn on_tick(me) {\n    prepare(0);\n}\n\
                      fn prepare(x) {\n    [x].map(|y| lib::divide(y))\n}\n";
        let folder = Folder::with_script(script);
        folder.write("scripts/lib.rhai", "fn divide(x) {\n    1 / x\n}\n");
        let mut game = folder.game();
        game.ticks(1);
        let shown = game.faults[0].render(false);
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines[0], "scripts/lib.rhai:2:7: error: division by zero: 1 / 0");
        let from: Vec<&&str> = lines.iter().filter(|l| l.starts_with("  called from")).collect();
        assert_eq!(
            from,
            [
                &"  called from scripts/hero.rhai:6:22 in a closure",
                &"  called from scripts/hero.rhai:6:9 in `prepare`",
                &"  called from scripts/hero.rhai:3:5 in `on_tick`",
            ],
            "{shown}"
        );
        let last = "  in `on_tick` of `hero` at tick 0, revision 1";
        assert_eq!(lines.last(), Some(&last), "{shown}");
    });
}

#[test]
fn scripts_are_skipped_once_the_budget_of_a_tick_is_used_up() {
    on_large_stack(|| {
        let folder = Folder::with_script("fn on_tick(me) { this.n += 1; for i in 0..1000 { } }");
        let more = |name: &str| format!("[[entity]]\nkind = \"hero\"\nname = \"{name}\"\nat = [-400, 19]\n");
        let level = format!("{}{}{}", crate::folder::LEVEL, more("second"), more("third"));
        folder.write("levels/level.toml", &level);
        let tight = [("scripts.tick_operations", "1200")];
        let mut game = crate::folder::Game::new(folder.open_with(&tight).expect("it loads").into());
        game.ticks(20);
        let turns: Vec<Value> = ["hero", "second", "third"]
            .map(|name| {
                let entities = game.live.world().entities();
                let found = entities.iter().find(|e| &*e.name == name).expect("it is there");
                found.vars.0.to_plain()["n"].clone()
            })
            .to_vec();
        assert_eq!(turns, [Value::Int(20), Value::Int(20), Value::Int(0)]);
        assert_eq!(game.faults.len(), 20, "one error a tick");
        assert!(game.wrong()[0].contains("stopped after 1200 operations"), "{:?}", game.wrong());
        let skipped = game.live.world().entities();
        assert!(skipped.iter().all(|e| !e.quarantined()), "being skipped is not a failure");
    });
}

/// Statements in `on_tick`, and the ends of their messages.
#[rustfmt::skip]
const MEANT: &[(&str, &str)] = &[
    ("me.jump;", "`jump` is a function; write `me.jump()`"),
    ("me.jum;", "there is no property `jum` here; did you mean `me.jump()`?"),
    ("me.vell.x = 3;", "there is no property `vell` here; did you mean `vel`?"),
    ("let v = vec(1, 2); v.vel = 3;", "there is no property `vel` here"),
    ("coins += 1;", "there is no variable `coins`"),
    ("this.coins = 1; this.n = coin;", "there is no variable `coin`; did you mean `this.coins`?"),
    ("this.n = STRENGHT;", "there is no variable `STRENGHT`; did you mean `STRENGTH`?"),
    ("helper();", "`me` is not available here; pass it to the helper, as in `fn helper(me)`"),
    ("self.n = 1;", "there is no variable `self`; use `this` for variables and `me` for the entity"),
    ("world.emit(\"x\");", "there is no variable `world`; write `world::emit(…)`"),
    ("hepler();", "there is no function `hepler()`; did you mean `helper`?"),
    ("me.hodl(\"jump\");", "there is no function `hodl(me, text)`; did you mean `hold`?"),
    ("vec(1, 2).hold(\"jump\");", "`hold` cannot be called as `hold(vec, text)`; write `me.hold(action)`"),
    ("let v = vec(1, 2); v.pusj(1, 2);", "there is no function `pusj(vec, number, number)`"),
    ("world::emitt(\"x\");", "there is no function `world::emitt(text)`; did you mean `world::emit`?"),
    ("world::emit(5);", "`world::emit` cannot be called as `world::emit(number)`; write `world::emit(name)` or `world::emit(name, data)`"),
    ("this.n = world::entity(\"heroo\").x;", "cannot read `x` of `()`; the entity does not exist, or the variable was never set"),
    ("let h = world::entity(\"heroo\"); this.n = h.x;", "cannot read `x` of `()`; `h` has no value, or its entity does not exist"),
    ("this.a.b = 1;", "cannot set `b` of `()`; `this.a` was never set"),
    ("this.n = PI / 2;", "there is no variable `PI`; call it as `PI()`"),
    ("this.n = 100 * dt;", "there is no variable `dt`; use `world::dt()`"),
    ("this.n = rand();", "there is no function `rand()`; use `world::random()`"),
    ("this.n = me.velocity;", "there is no property `velocity` here; use `vel`"),
    ("this.n = me.position;", "there is no property `position` here; use `x` and `y`"),
    ("this.n = abs(1, 2);", "`abs` cannot be called as `abs(number, number)`; it takes 1 value"),
    ("this.n = abs(\"x\");", "`abs` cannot be called as `abs(text)`; an argument has the wrong type"),
    ("this.helper(1, 2);", "`helper` takes no arguments, but this call passes 2"),
    ("helper(1);", "`helper` takes no arguments, but this call passes 1"),
    ("if me.vel.y { this.n = 1; }", "expected true or false, found a number"),
    ("this.n = NEAR;", "there is no variable `NEAR` here: its `const` is visible only in its own block"),
    ("let f = |x| x; f.call(1, 2);", "a closure is called with a value but has no parameter for it; add one, as in `t.run_until(|t| hero.grounded, 2)`"),
    ("this.k = [1].map(|x| x + this.n);", "`this` is not available inside a closure; read its variables into a `let` before it; to change them, write a `for` loop or a function called as `this.helper()`"),
    ("[1].for_each(|x| this.n += x);", "there is no property `n` here; in this closure `this` is the element: read the script's variable into a `let` before it"),
    ("this.k = 1; this.k = 2 * this.m + 1;", "cannot multiply a number by `()`; `this.m` was never set: give it an initial value in `vars`"),
    ("let h = world::entity(\"ghost\"); this.k = 1 - h;", "cannot subtract `()` from a number; `h` does not exist or has no value"),
    ("this.k = world::entity(\"ghost\") - 1;", "cannot subtract a number from `()`; a variable that was never set is `()`: give it an initial value in `vars`"),
    ("let list = [#{}]; this.k = list[0].n + 1;", "cannot add a number to `()`; a variable that was never set is `()`: give it an initial value in `vars`"),
    ("let s = \"a\" .. \"b\";", "cannot make a range from text to text; join text with `+`, or write `${a} and ${b}` in backquotes"),
    ("let f = |x| x; f(3);", "there is no function `f(number)`; to call the function in a variable, write `f.call(…)`"),
    ("throw me;", ": `me`"),
    ("throw [vec(1, 2), \"a\", |x| x];", ": [(1, 2), \"a\", a function]"),
    ("let list = [1, 2]; this.k = list[0..1];", "expected a number, found a range"),
    ("if vec(1, 2) { }", "expected true or false, found a vec"),
    ("let v = vec(1, 2); this.k = v[0];", "`[…]` works on arrays, maps and text, not on a vec"),
    ("let list = [0..1, 0..2]; list.sort();", "elements of ranges cannot be sorted"),
    ("let f = |x| x; this.k = f + true;", "cannot add true or false to a function"),
    ("let f = Fn(\"world::tick\"); f.call();", "there is no function `world::tick()`; `Fn` cannot point to a module's function; write a closure: `|| world::tick()`"),
    ("for i in me { }", "`for` needs a range, an array, a map's `values()` or a text's `chars()`"),
    ("this.m += 1; this.m = this.k + 1;", "cannot add a number to `()`; `this.m` was never set: give it an initial value in `vars`"),
];

#[test]
fn suggestions_have_the_same_kind_and_type() {
    on_large_stack(|| {
        for (statement, message) in MEANT {
            let script = format!(
                "const STRENGTH = 3; fn on_tick(me) {{ {statement} }} fn helper() {{ const NEAR = 3; me.jump(); }}"
            );
            let mut game = Folder::with_script(&script).game();
            game.ticks(1);
            let said = game.wrong();
            let first = said.first().map_or("", String::as_str);
            assert!(first.ends_with(message), "{statement}: {said:?}");
        }
    });
}

/// Statements that do not parse, and the ends of their messages.
#[rustfmt::skip]
const HABITS: &[(&str, &str)] = &[
    ("for i in 3 { }", ": expected a range, an array or text, found a number"),
    ("while 1 { }", ": expected true or false, found a number"),
    ("me.hold('jump');", "; put text in double quotes, as in `\"text\"`"),
    ("me.hold(“jump”);", "; put text in straight double quotes, as in `\"text\"`"),
    ("this.n++;", "; write `this.n += 1`"),
    ("let x = 1; x--;", "; write `x -= 1`"),
    ("let x = me.grounded ? 1 : 2;", "; write `if a { b } else { c }`"),
    ("if me.grounded and true { }", "; write `&&` instead of `and`"),
    ("let x = me.grounded or true;", "; write `||` instead of `or`"),
    ("if not me.grounded { }", "; write `!` instead of `not`"),
    ("this.n = null;", "; write `()` for no value"),
    ("if this.n == nil { }", "; write `()` for no value"),
    ("let new = 1;", "; choose another name"),
    ("let until = 1;", "`until` is a reserved word; choose another name"),
    ("let export = 1;", "`export` is a reserved word; choose another name"),
    ("if me.grounded { this.n = 1; } fn helper() { } ", ": this function is inside another block"),
    ("if me.grounded { } elseif me.x > 1 { }", "; write `else if`"),
    ("if me.grounded { } elif me.x > 1 { }", "; write `else if`"),
    ("local x = 3;", "; write `let` before the variable's name"),
    ("if me.grounded then me.jump(); end", "; write `if a { b }`"),
    ("while me.grounded do me.jump(); end", "; write `while a { b }`"),
    ("for (let i = 0; i < 3; i += 1) { }", "expected a name, found `let`; write `for i in 0..3 { … }`"),
    ("for (i in 0..3) { }", "; write `for i in 0..3 { … }`"),
    ("foreach x in [1] { }", "; write `for x in list { … }`"),
    ("let f = x => x + 1;", "; write a closure as `|x| …`"),
    ("let f = (x, y) => x + y;", "; write a closure as `|x| …`"),
    ("let f = function(x) { x };", "; write a closure as `|x| …`"),
    ("this.m = {a: 1};", "; write a map as `#{ a: 1 }`"),
    ("let x: int = 3;", "; variables have no types: write `let x = …`"),
    ("this.n = 1; # a comment", "; comments start with `//`, maps with `#{`"),
    ("-- a comment", "; comments start with `//`"),
    ("if me.x ~= 3 { }", "; write `!=`"),
    ("if me.x <> 3 { }", "; write `!=`"),
    ("print \"x\";", "; call it with parentheses, as in `print(x)`"),
    ("let x = \"é\"; let y = x ? 1 : 2;", "; write `if a { b } else { c }`"),
];

#[test]
fn syntax_of_other_languages_gets_a_hint() {
    on_large_stack(|| {
        for (statement, message) in HABITS {
            let wrong = Folder::with_script(&format!("fn on_tick(me) {{ {statement} }}")).wrong();
            let first = wrong.first().map_or("", String::as_str);
            assert!(first.ends_with(message), "{statement}: {wrong:?}");
        }
    });
}

/// The end of a file was once reported as the line after the one shown.
#[test]
fn a_missing_end_is_reported_after_the_last_line() {
    for end in ["", "\n", "\n\n\n", "\r\n"] {
        let folder = Folder::with_script(&format!("fn on_tick(me) {{\n    me.jump();{end}"));
        let wrong = folder.open().expect_err("a block that is not closed");
        let shown = wrong[0].render(false);
        assert!(shown.starts_with("scripts/hero.rhai:2:15: error: "), "{shown}");
        assert!(shown.contains("2 |     me.jump();\n  |               ^"), "{shown}");
    }
}
