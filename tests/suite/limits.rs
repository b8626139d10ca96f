//! What scripts may not do, and how much of what they may.

use crate::folder::{Folder, on_large_stack};
use hangtime::models::Action;
use hangtime::sim::Value;

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
        "fn on_tick(me) { let a = []; a.pad(1000, 1); a.for_each(|| { let b = []; b.pad(1000, 1); \
         b.for_each(|| { let c = 0; while c < 1000 { c += 1; } }); }); }",
        "fn on_tick(me) { let a = []; a.pad(1000, 0); \
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
        ("let a = []; a.pad(100000000, 0);", "1024 elements"),
        (
            "let m = #{}; for i in 0..300 { m[\"k\" + i] = i; } this.m = m;",
            "map",
        ),
        (
            "for i in 0..300 { this[\"k\" + i] = i; } this.n = 1;",
            "map",
        ),
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
