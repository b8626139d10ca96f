//! What scripts can do, and cannot.

use crate::folder::{Folder, on_large_stack};
use crate::support::near;
use hangtime::models::Action;
use hangtime::script::host::Tally;
use hangtime::sim::Value;

#[test]
fn the_rule_model_decides_by_the_ground() {
    let folder = Folder::with_script(
        r#"fn model(me) { if me.surface == "ice" { "two_velocity" } else { "platformer" } }"#,
    );
    let mut game = folder.game();
    game.input.held.insert(Action::Right);
    let mut seen = Vec::new();
    for _ in 0..120 {
        game.ticks(1);
        let hero = game.hero();
        if seen.last() != Some(&(hero.model, hero.surface.to_string())) {
            seen.push((hero.model, hero.surface.to_string()));
        }
    }
    assert_eq!(game.wrong(), [""; 0]);
    let expected = [
        ("platformer", "stone"),
        ("platformer", "ice"),
        ("two_velocity", "ice"),
    ];
    assert_eq!(seen, expected.map(|(m, s)| (m, s.to_string())));
}

#[test]
fn momentum_is_kept_when_the_model_changes() {
    let folder = Folder::with_script(
        r#"fn model(me) { if me.surface == "ice" { "two_velocity" } else { "platformer" } }"#,
    );
    let mut game = folder.game();
    game.input.held.insert(Action::Right);
    let mut last = 0.0;
    while game.hero().model == "platformer" {
        last = game.hero().vel.x;
        game.ticks(1);
    }
    let now = game.hero().vel.x;
    assert!(now >= last - 1e-9 && now < last + 30.0, "{last} then {now}");
}

#[test]
fn jump_windows_set_the_times_of_a_jump() {
    for (hold, ticks_up) in [(0.05, 3), (0.2, 12)] {
        let folder = Folder::with_script(&format!(
            "fn jump_windows(me) {{ #{{ jump_hold_time: {hold} }} }}"
        ));
        let mut game = folder.game();
        game.input.held.insert(Action::Jump);
        let mut held = 0;
        while game.ticks(1).hero().vel.y == 540.0 {
            held += 1;
        }
        assert_eq!(held, ticks_up, "held for {hold} s");
    }
}

#[test]
fn events_are_told_with_their_fields() {
    let folder = Folder::with_script(
        r#"
        fn on_birth(me) { this.log = ["birth"]; }
        fn on_jump(me) { this.log.push("jump"); }
        fn on_leave_ground(me, event) { this.log.push("left " + event.jumped); }
        fn on_land(me, event) {
            this.log.push("land");
            this.solid = event.solid;
            this.up = event.normal.y;
            this.speed = event.speed;
        }
        fn on_surface(me, event) { this.log.push(event.was + " to " + event.surface); }
        fn on_model(me, event) { this.log.push(event.was + " to " + event.model); }
        fn on_tick(me) {
            this.n += 1;
            if this.n == 70 { me.set_model("two_velocity"); }
        }
        "#,
    );
    let mut game = folder.game();
    game.ticks(1);
    game.input.held.insert(Action::Jump);
    game.ticks(1);
    game.input.held.remove(Action::Jump);
    game.ticks(58);
    game.input.held.insert(Action::Right);
    game.ticks(60);
    assert_eq!(game.wrong(), [""; 0]);
    let Value::List(log) = game.var("log") else {
        panic!("no log in {:?}", game.vars())
    };
    let log: Vec<String> = log.iter().map(|v| format!("{v:?}")).collect();
    let expected = [
        "birth",
        "jump",
        "left true",
        "land",
        "platformer to two_velocity",
        "stone to ice",
    ];
    assert_eq!(log, expected.map(|word| format!("Text({word:?})")));
    assert_eq!(game.var("solid"), Value::Text("floor".into()));
    assert_eq!(game.var("up"), Value::Float(1.0));
    // One tick up at 540 px/s, then a free fall from that height.
    let height: f64 = 540.0 / 60.0;
    let Value::Float(speed) = game.var("speed") else {
        panic!("no speed")
    };
    let exact = (2.0 * 3672.0 * height).sqrt();
    near(speed, exact, 1e-9);
}

#[test]
fn holding_moves_an_entity_as_a_player_would() {
    let folder = Folder::with_script("fn on_tick(me) { me.hold(\"right\"); }");
    let mut scripted = folder.game();
    let still = Folder::with_script("");
    let mut played = still.game();
    played.input.held.insert(Action::Right);
    for _ in 0..120 {
        scripted.ticks(1);
        played.ticks(1);
        assert_eq!(scripted.hero().pos, played.hero().pos);
    }
}

#[test]
fn steering_moves_the_stick() {
    let folder = Folder::with_script(
        "fn model(me) { \"two_velocity\" } fn on_tick(me) { me.steer(\"move\", -1, 0); }",
    );
    let mut game = folder.game();
    game.ticks(30);
    assert!(game.hero().vel.x < -100.0);
}

#[test]
fn release_takes_a_held_key_away() {
    let folder = Folder::with_script("fn on_tick(me) { me.release(\"right\"); }");
    let mut game = folder.game();
    game.input.held.insert(Action::Right);
    game.ticks(10);
    assert_eq!(game.hero().vel.x, 0.0);
}

#[test]
fn constants_and_imports_are_seen_inside_functions_and_helpers() {
    let folder = Folder::with_script(
        r#"
        import "lib/sums" as sums;
        const STEP = 3;
        const NAMES = ["a", "b"];
        fn on_tick(me) { this.n = sums::twice(step()) + NAMES.len(); }
        fn step() { STEP + sums::one() }
        "#,
    );
    folder.write(
        "scripts/lib/sums.rhai",
        "const TWO = 2; fn twice(x) { x * TWO } fn one() { 1 }",
    );
    let mut game = folder.game();
    game.ticks(1);
    assert_eq!(game.wrong(), [""; 0]);
    assert_eq!(game.var("n"), Value::Int(10));
}

#[test]
fn vectors_can_be_written_part_by_part() {
    let folder = Folder::with_script(
        "fn on_tick(me) { if this.n == 0 { me.vel.x = 300; me.external.y = 150.5; this.n = me.vel.x; } }",
    );
    let mut game = folder.game();
    game.ticks(1);
    assert_eq!(game.wrong(), [""; 0]);
    assert_eq!(game.var("n"), Value::Float(300.0));
    assert!(game.hero().vel.x > 200.0 && game.hero().external.y > 100.0);
}

#[test]
fn what_is_thrown_upwards_leaves_the_ground() {
    for write in [
        "me.vel.y = 200",
        "me.push(0, 200)",
        "me.external = vec(0, 200)",
    ] {
        let folder = Folder::with_script(&format!(
            "fn on_tick(me) {{ if this.n == 0 {{ {write}; }} this.n += 1; }}"
        ));
        let mut game = folder.game();
        game.ticks(1);
        assert!(!game.hero().grounded && game.hero().pos.y > 19.0, "{write}");
        assert!(game.ticks(60).hero().grounded, "{write}");
    }
}

#[test]
fn a_jump_by_script_works_in_the_air() {
    let folder =
        Folder::with_script("fn on_tick(me) { this.n += 1; if this.n == 20 { me.jump(); } }");
    let mut game = folder.game();
    game.input.held.insert(Action::Jump);
    game.ticks(18);
    let low = game.hero().vel.y;
    game.ticks(2);
    assert!(low < 540.0 && game.hero().vel.y == 540.0, "{low}");
}

#[test]
fn placing_moves_the_body_and_looks_for_ground_there() {
    let folder = Folder::with_script(
        "fn on_tick(me) { if this.n == 0 { me.place(500, 19); } this.n += 1; }",
    );
    let mut game = folder.game();
    game.ticks(1);
    let hero = game.hero();
    assert_eq!(
        (hero.pos.x, hero.pos.y, &*hero.surface),
        (500.0, 19.0, "ice")
    );
}

#[test]
fn falling_out_of_the_level_returns_to_the_start_unless_the_script_places() {
    for (script, x) in [
        ("", -200.0),
        (
            "fn on_fall_out(me) { me.place(-300, 19); me.vel = vec(0, 0); }",
            -300.0,
        ),
    ] {
        let folder = Folder::with_script(script);
        folder.write(
            "levels/level.toml",
            &format!(
                "bounds = [-2000, -300, 2000, 500]\n{}",
                crate::folder::LEVEL
            ),
        );
        let mut game = folder.game();
        game.input.held.insert(Action::Left);
        while game.hero().pos.y > -250.0 {
            game.ticks(1);
        }
        game.input.held.remove(Action::Left);
        game.ticks(120);
        let hero = game.hero();
        assert_eq!((hero.pos.x, hero.grounded), (x, true), "{script}");
    }
}

#[test]
fn variables_are_part_of_snapshot_and_hash() {
    let folder =
        Folder::with_script("fn on_tick(me) { this.n += 1; this.deep = #{ list: [this.n] }; }");
    let mut game = folder.game();
    game.ticks(5);
    let snapshot = game.live.world().clone();
    let hash = snapshot.hash();
    game.ticks(5);
    assert_ne!(game.live.world().hash(), hash);
    let later = game.live.world().hash();
    game.live.restore(snapshot.clone());
    assert_eq!(game.live.world().hash(), hash);
    assert_eq!(game.ticks(5).live.world().hash(), later);
    // Saved and loaded it goes on the same way.
    let saved = serde_json::to_string(&snapshot).expect("a world can be saved");
    game.live
        .restore(serde_json::from_str(&saved).expect("and loaded"));
    assert_eq!(game.live.world().hash(), hash);
    assert_eq!(game.ticks(5).live.world().hash(), later);
}

#[test]
fn an_endless_loop_is_stopped_and_the_others_play_on() {
    let folder = Folder::with_script("fn on_tick(me) { loop { this.n += 1; } }");
    folder.write("scripts/other.rhai", "fn on_tick(me) { this.n += 1; }");
    folder.write(
        "config/entities/other.toml",
        "script = \"other.rhai\"\nvars = { n = 0 }\n",
    );
    folder.write(
        "levels/level.toml",
        &format!(
            "{}[[entity]]\nkind = \"other\"\nat = [-400, 19]\n",
            crate::folder::LEVEL
        ),
    );
    let mut game = folder.game();
    game.input.held.insert(Action::Right);
    game.ticks(3);
    assert_eq!(game.faults.len(), 3);
    let wrong = &game.wrong()[0];
    assert!(wrong.starts_with("scripts/hero.rhai:1:"), "{wrong}");
    assert!(wrong.contains("stopped after 20000 operations"), "{wrong}");
    assert!(
        game.hero().vel.x > 0.0,
        "its body obeys the keys all the same"
    );
    let other = &game.live.world().entities()[1];
    assert_eq!(other.vars.0.to_plain()["n"], Value::Int(3));
}

#[test]
fn loops_hidden_in_callbacks_are_stopped_too() {
    for script in [
        "fn on_tick(me) { let a = []; a.pad(3000, 1); a.for_each(|| { let b = []; b.pad(3000, 1); \
         b.for_each(|| { let c = 0; while c < 1000 { c += 1; } }); }); }",
        "fn on_tick(me) { let a = []; for i in 0..2000 { a.push(i); } \
         a.sort(|x, y| { let n = 0; while n < 5000 { n += 1; } y - x }); }",
    ] {
        let folder = Folder::with_script(script);
        let mut game = folder.game();
        game.ticks(1);
        let wrong = game.wrong();
        assert!(
            wrong.first().is_some_and(|w| w.contains("stopped after")),
            "{script}: {wrong:?}"
        );
    }
}

#[test]
fn a_deep_recursion_is_stopped_with_room_on_the_stack() {
    on_large_stack(|| {
        // The deepest expression that compiles, in every one of the nested calls.
        let mut depth = 1;
        let script = |depth: usize| {
            let (open, close) = ("(1+".repeat(depth), ")".repeat(depth));
            format!("fn on_tick(me) {{ f(1) }} fn f(x) {{ {open}f(x + 1){close} }}")
        };
        while Folder::with_script(&script(depth + 1)).open().is_ok() {
            depth += 1;
        }
        assert!(depth > 8, "{depth}");
        let folder = Folder::with_script(&script(depth));
        let mut game = folder.game();
        game.ticks(2);
        assert!(
            game.wrong()[0].contains("deep: an endless recursion?"),
            "{:?}",
            game.wrong()
        );
    });
}

#[test]
fn huge_values_are_stopped() {
    for (script, what) in [
        ("let s = \"x\"; loop { s += s; }", "4096 bytes"),
        ("let s = \"\"; s.pad(1000000, \"x\");", "4096 bytes"),
        ("let a = []; a.pad(100000000, 0);", "4096 elements"),
        (
            "let m = #{}; for i in 0..600 { m[\"k\" + i] = i; } this.m = m;",
            "map",
        ),
        ("for i in 0..600 { this[\"k\" + i] = i; }", "map"),
    ] {
        let folder = Folder::with_script(&format!("fn on_tick(me) {{ {script} }}"));
        let mut game = folder.game();
        game.ticks(1);
        assert!(
            game.wrong().iter().any(|w| w.contains(what)),
            "{script}: {:?}",
            game.wrong()
        );
        assert!(
            game.vars().len() < 513,
            "{script} keeps {}",
            game.vars().len()
        );
    }
}

#[test]
fn what_cannot_be_kept_is_named_and_taken_out() {
    for (script, path) in [
        ("this.f = |x| x + 1", "`this.f`"),
        ("this.me = me", "`this.me`"),
        ("this.a = [1, 2.0 / 0.0]", "`this.a[1]`"),
        (
            "this.m = #{ deep: #{ f: Fn(\"on_tick\") } }",
            "`this.m.deep.f`",
        ),
    ] {
        let folder = Folder::with_script(&format!("fn on_tick(me) {{ {script}; }}"));
        let mut game = folder.game();
        game.ticks(1);
        assert!(
            game.wrong()[0].contains(path),
            "{script}: {:?}",
            game.wrong()
        );
        assert_eq!(game.vars().len(), 1, "{:?}", game.vars());
    }
}

#[test]
fn nothing_reaches_the_machine() {
    for call in [
        "timestamp()",
        "sleep(1)",
        "eval(\"1\")",
        "2 ** 3",
        "open_file(\"x\")",
        "parse_json(\"1\")",
        "exit()",
        "import \"../hero\" as x;",
        "import \"/etc/passwd\" as x;",
    ] {
        let folder = Folder::with_script(&format!("fn on_tick(me) {{ {call} }}"));
        let wrong = match folder.open() {
            Err(wrong) => wrong.iter().map(|d| d.headline()).collect(),
            Ok(_) => {
                let mut game = folder.game();
                game.ticks(1);
                game.wrong()
            }
        };
        assert!(!wrong.is_empty(), "{call} works");
        assert!(
            wrong[0].starts_with("scripts/hero.rhai:1:"),
            "{call}: {wrong:?}"
        );
    }
}

#[test]
fn mathematics_is_the_same_on_every_machine() {
    let folder = Folder::with_script(
        "fn on_tick(me) { this.all = [sin(1), cos(1.5), tan(2), atan2(1, 2.5), exp(0.3), ln(7), \
         pow(2, 0.5), sqrt(2), hypot(3, 4), asin(0.2), acos(0.2), atan(3)]; }",
    );
    let mut game = folder.game();
    game.ticks(1);
    assert_eq!(game.wrong(), [""; 0]);
    let expected = [
        libm::sin(1.0),
        libm::cos(1.5),
        libm::tan(2.0),
        libm::atan2(1.0, 2.5),
        libm::exp(0.3),
        libm::log(7.0),
        libm::pow(2.0, 0.5),
        2.0_f64.sqrt(),
        5.0,
        libm::asin(0.2),
        libm::acos(0.2),
        libm::atan(3.0),
    ];
    assert_eq!(
        game.var("all"),
        Value::List(expected.map(Value::Float).to_vec())
    );
}

#[test]
fn a_failing_hook_orders_nothing() {
    let folder =
        Folder::with_script("fn on_tick(me) { me.push(500, 0); this.n += 1; nonsense(); }");
    let mut game = folder.game();
    game.ticks(3);
    assert_eq!(game.hero().external.x, 0.0);
    assert_eq!(game.wrong().len(), 3);
    assert!(
        game.wrong()[0].contains("there is no function `nonsense"),
        "{:?}",
        game.wrong()
    );
}

#[test]
fn mistakes_are_told_with_their_line_and_the_right_name() {
    for (script, place, what) in [
        (
            "fn on_tick(me) {\n  me.vell.x = 3;\n}",
            "2:6",
            "did you mean `vel`?",
        ),
        (
            "fn on_tick(me) {\n  me.pusj(1, 2);\n}",
            "2:6",
            "did you mean `push`?",
        ),
        (
            "fn on_tick(me) {\n  let count = 1;\n  coumt += 1;\n}",
            "3:3",
            "no variable `coumt`",
        ),
        (
            "fn on_tick(me) {\n  me.hold(\"rihgt\");\n}",
            "2:6",
            "did you mean `right`?",
        ),
        (
            "fn on_tick(me) {\n  me.set_model(\"plattformer\");\n}",
            "2:6",
            "did you mean `platformer`?",
        ),
        (
            "fn on_tick(me) {\n  me.x = 5;\n}",
            "2:6",
            "use `me.place(x, y)`",
        ),
        (
            "fn on_tick(me) {\n  me.vel.x = 1.0 / 0.0;\n}",
            "2:6",
            "cannot be inf",
        ),
        ("fn on_tick(me) {\n  me.vel = 5;\n}", "2:6", "takes a vec"),
        (
            "fn on_tick(me) {\n  helper();\n}\nfn helper() { this.n += 1; }",
            "4:15",
            "this.helper()",
        ),
        (
            "fn model(me) { \"platfomer\" }",
            "1:4",
            "did you mean `platformer`?",
        ),
        (
            "fn model(me) { 5 }",
            "1:4",
            "answers a model's name, not a number",
        ),
        (
            "fn jump_windows(me) { #{ grace: 1 } }",
            "1:4",
            "knows no `grace`",
        ),
        (
            "fn jump_windows(me) { #{ grace_time: -1 } }",
            "1:4",
            "must be 0 to 60 s",
        ),
    ] {
        let folder = Folder::with_script(script);
        let mut game = folder.game();
        game.ticks(1);
        let wrong = game.wrong();
        assert!(
            wrong.first().is_some_and(|w| w.contains(what)),
            "{script}: {wrong:?}"
        );
        assert!(
            wrong[0].starts_with(&format!("scripts/hero.rhai:{place}:")),
            "{script}: {wrong:?}"
        );
    }
}

#[test]
fn an_error_in_a_library_points_into_the_library() {
    let folder =
        Folder::with_script("import \"lib\" as lib;\nfn on_tick(me) {\n  lib::broken();\n}\n");
    folder.write(
        "scripts/lib.rhai",
        "fn broken() {\n  let x = 1;\n  x.nothing\n}\n",
    );
    let mut game = folder.game();
    game.ticks(1);
    assert!(
        game.wrong()[0].starts_with("scripts/lib.rhai:3:"),
        "{:?}",
        game.wrong()
    );
}

#[test]
fn mistakes_in_names_and_parameters_of_hooks_are_found_before_they_run() {
    for (script, place, what) in [
        ("fn on_lnad(me) {}", "1:4", "did you mean `on_land(me)`"),
        (
            "fn modle(me) { \"platformer\" }",
            "1:4",
            "did you mean `model(me)`?",
        ),
        (
            "fn on_tick() {}",
            "1:4",
            "has no parameters; it is called as `on_tick(me)`",
        ),
        (
            "\nfn jump_windows(me, x) {}",
            "2:4",
            "it is called as `jump_windows(me)`",
        ),
        ("fn on_land(me, event, more) {}", "1:4", "has 3 parameters"),
        (
            "let x = 5;\nfn on_tick(me) {}",
            "1:1",
            "what changes belongs in `this`",
        ),
        (
            "on_tick(1);\nfn on_tick(me) {}",
            "1:1",
            "stand only `const`, `import` and functions",
        ),
        (
            "import \"lub\" as lib;",
            "1:",
            "there is no script `scripts/lub.rhai`",
        ),
        ("fn on_tick(me) { let x = ; }", "1:26", ""),
    ] {
        let folder = Folder::with_script(script);
        let wrong = folder.wrong();
        assert_eq!(wrong.len(), 1, "{script}: {wrong:?}");
        assert!(wrong[0].contains(what), "{script}: {wrong:?}");
        assert!(
            wrong[0].starts_with(&format!("scripts/hero.rhai:{place}")),
            "{script}: {wrong:?}"
        );
    }
}

#[test]
fn a_helper_that_is_called_may_be_named_like_a_hook() {
    let folder = Folder::with_script("fn on_tick(me) { this.n = mode(3); } fn mode(x) { x }");
    let mut game = folder.game();
    game.ticks(1);
    assert_eq!(game.var("n"), Value::Int(3));
}

#[test]
fn nested_switches_compile_in_no_time() {
    let (open, close) = ("switch 1 { 1 => ".repeat(20), " }".repeat(20));
    let folder = Folder::with_script(&format!("fn on_tick(me) {{ {open} 5 {close} }}"));
    let started = std::time::Instant::now();
    let _ = folder.open();
    assert!(started.elapsed().as_secs() < 5);
}

#[test]
fn a_script_that_is_too_long_is_refused() {
    let folder = Folder::with_script(&format!("// {}\n", "x".repeat(70_000)));
    assert!(
        folder.wrong()[0].contains("65536 bytes"),
        "{:?}",
        folder.wrong()
    );
}

#[test]
fn every_event_hook_may_take_its_event_on_tick_too() {
    on_large_stack(|| {
        let script = "fn on_tick(me, event) { this.n = event.tick; this.who = event.entity; }";
        let mut game = Folder::with_script(script).game();
        game.ticks(3);
        assert_eq!(game.wrong(), [""; 0]);
        assert_eq!(game.var("n"), Value::Int(2));
        assert_eq!(game.var("who"), Value::Text("hero".into()));
    });
}

#[test]
fn messages_speak_of_values_not_of_the_language_s_types() {
    on_large_stack(|| {
        for (call, message) in [
            (
                "me.hodl(\"jump\")",
                "there is no function `hodl(me, text)`; did you mean `hold`?",
            ),
            (
                "me.push(1)",
                "`push` cannot be called as `push(me, number)`: it takes something else",
            ),
        ] {
            let mut game = Folder::with_script(&format!("fn on_tick(me) {{ {call}; }}")).game();
            game.ticks(1);
            let said = &game.wrong()[0];
            assert!(said.ends_with(message), "{said}");
        }
    });
}

#[test]
fn what_a_hook_ordered_before_it_failed_is_forgotten_and_unseen() {
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
fn a_hook_that_fails_in_ever_new_words_is_told_once() {
    on_large_stack(|| {
        let script = "fn on_tick(me) { this.n += 1; throw `no ${this.n}`; }";
        let mut game = Folder::with_script(script).game();
        game.ticks(50);
        let mut tally = Tally::default();
        let first: Vec<bool> = game.faults.iter().map(|fault| tally.count(fault)).collect();
        assert_eq!(first.len(), 50);
        assert_eq!(first.iter().filter(|first| **first).count(), 1);
        assert_eq!(tally.iter().map(|(_, count)| count).sum::<u64>(), 50);
    });
}

#[test]
fn calling_a_method_of_what_is_read_writes_nothing() {
    on_large_stack(|| {
        let script = "fn on_tick(me) { this.s = me.vel.length() + me.x.abs() + me.external.length(); \
                      this.n += 1; }";
        let mut game = Folder::with_script(script).game();
        game.ticks(3);
        assert_eq!(game.wrong(), [""; 0]);
        assert_eq!(game.var("s"), Value::Float(200.0));
    });
}

#[test]
fn an_event_that_nobody_tells_is_warned_of_and_the_script_runs() {
    on_large_stack(|| {
        let folder = Folder::with_script("fn on_daeth(me) { } fn on_tick(me) { this.n += 1; }");
        let mut game = folder.game();
        game.ticks(2);
        assert_eq!(game.var("n"), Value::Int(2));
        let warnings = folder.wrong();
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(
            warnings[0].contains("warning: nothing calls `on_daeth`"),
            "{warnings:?}"
        );
    });
}
