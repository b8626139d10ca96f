//! What scripts cannot do, and the limits on what they can.

use crate::folder::{Folder, on_large_stack};
use hangtime_core::{models::Action, sim::Value};

#[test]
fn an_endless_loop_is_stopped_without_affecting_other_entities() {
    let folder = Folder::with_script("fn on_tick(me) { loop { this.n += 1; } }");
    folder.write("scripts/other.rhai", "fn on_tick(me) { this.n += 1; }");
    folder.write("config/entities/other.toml", "script = \"other.rhai\"\nvars = { n = 0 }\n");
    folder.write(
        "levels/level.toml",
        &format!("{}[[entity]]\nkind = \"other\"\nat = [-400, 19]\n", crate::folder::LEVEL),
    );
    let mut game = folder.game();
    game.input.held.insert(Action::Right);
    game.ticks(3);
    assert_eq!(game.faults.len(), 3);
    let wrong = &game.wrong()[0];
    assert!(wrong.starts_with("scripts/hero.rhai:1:"), "{wrong}");
    assert!(wrong.contains("stopped after 20000 operations"), "{wrong}");
    assert!(game.hero().vel.x > 0.0, "its body obeys the keys all the same");
    let other = &game.live.world().entities()[1];
    assert_eq!(other.vars.0.to_plain()["n"], Value::Int(3));
}

#[test]
fn an_inventory_of_twenty_things_with_three_fields_fits_into_the_variables_of_an_entity() {
    let script = "fn on_birth(me) { this.things = []; for i in 0..20 { this.things.push(#{ name: `thing ${i}`, count: i, \
                  worn: false }); } }\nfn on_tick(me) { this.things[3].count += 1; this.n += this.things.len(); }";
    let mut game = Folder::with_script(script).game();
    game.ticks(3);
    assert_eq!(game.wrong(), [""; 0]);
    let Value::List(things) = game.var("things") else { panic!("a list") };
    let Value::Map(third) = &things[3] else { panic!("a map") };
    assert_eq!((things.len(), &third["count"], game.var("n")), (20, &Value::Int(6), Value::Int(60)));
}

#[test]
fn endless_loops_in_callbacks_are_stopped() {
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
        assert!(wrong.first().is_some_and(|w| w.contains("stopped after")), "{script}: {wrong:?}");
    }
}

#[test]
fn deep_recursion_is_stopped_before_the_stack_overflows() {
    on_large_stack(|| {
        // Each nested call has the deepest expression that compiles.
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
        assert!(game.wrong()[0].contains("deep; is there an infinite recursion?"), "{:?}", game.wrong());
    });
}

#[test]
fn huge_values_are_stopped() {
    for (script, what) in [
        ("let s = \"x\"; loop { s += s; }", "4096 bytes"),
        ("let s = \"\"; s.pad(1000000, \"x\");", "4096 bytes"),
        ("let a = []; a.pad(100000000, 0);", "1024 elements"),
        ("let m = #{}; for i in 0..300 { m[\"k\" + i] = i; } this.m = m;", "map"),
        ("for i in 0..300 { this[\"k\" + i] = i; } this.n = 1;", "map"),
    ] {
        let folder = Folder::with_script(&format!("fn on_tick(me) {{ {script} }}"));
        let mut game = folder.game();
        game.ticks(1);
        assert!(game.wrong().iter().any(|w| w.contains(what)), "{script}: {:?}", game.wrong());
        assert!(game.vars().len() < 513, "{script} keeps {}", game.vars().len());
    }
}

#[test]
fn values_that_cannot_be_stored_are_named_and_removed() {
    for (script, path) in [
        ("this.f = |x| x + 1", "`this.f`"),
        ("this.me = me", "`this.me`"),
        ("this.a = [1, 2.0 / 0.0]", "`this.a[1]`"),
        ("this.m = #{ deep: #{ f: Fn(\"on_tick\") } }", "`this.m.deep.f`"),
    ] {
        let folder = Folder::with_script(&format!("fn on_tick(me) {{ {script}; }}"));
        let mut game = folder.game();
        game.ticks(1);
        assert!(game.wrong()[0].contains(path), "{script}: {:?}", game.wrong());
        assert_eq!(game.vars().len(), 1, "{:?}", game.vars());
    }
}

/// Values that cannot be stored once took other variables with them: if the total was too large, those
/// that come last in the alphabet.
#[test]
fn rejected_values_leave_stored_values_unchanged() {
    let spoils = [
        ("this.hp = 0.0 / 0.0", "`this.hp`"),
        ("this.list = [me]", "`this.list[0]`"),
        ("this.list.push(|| 1)", "`this.list[2]`"),
        ("this.zone.deep = me", "`this.zone.deep`"),
        ("this = 5", "`this`"),
        ("for i in 0..600 { this[`a${i}`] = i }", "`this.a"),
        ("for i in 0..600 { this.list.push(i) }", "`this.list[497]`"),
        ("this.aaa = me; this.hp = me; this.zone = me", "`this.aaa`"),
    ];
    // Of 512 values, hp, n and ticks take three, the list two, and zone with its only entry 10.
    for (spoil, path) in spoils {
        let script = format!(
            "fn on_tick(me) {{ if world::tick() == 2 {{ this.n += 1; {spoil}; }} else {{ this.ticks += 1; }} }}"
        );
        let folder = Folder::with_script(&script);
        let vars = "vars = { hp = 100.0, list = [1, 2], zone = { deep = \"x\" }, n = 0, ticks = 0 }";
        let kind = format!("script = \"hero.rhai\"\n{vars}\n");
        folder.write("config/entities/hero.toml", &kind);
        let mut game = folder.game();
        game.ticks(5);
        let wrong = game.wrong();
        assert!(wrong.len() == 1 && wrong[0].contains(path), "{spoil}: {wrong:?}");
        let mut vars = game.vars();
        vars.retain(|name, _| !name.starts_with('a'));
        let list = Value::List(vec![Value::Int(1), Value::Int(2)]);
        let deep = [("deep".to_string(), Value::Text("x".into()))];
        // The call's other changes stay, unless it replaced all of `this`.
        let counted = i64::from(!spoil.starts_with("this ="));
        let expected = [
            ("hp", Value::Float(100.0)),
            ("list", list),
            ("n", Value::Int(counted)),
            ("ticks", Value::Int(4)),
            ("zone", Value::Map(deep.into())),
        ];
        assert!(vars.into_iter().eq(expected.map(|(name, value)| (name.to_string(), value))), "{spoil}");
    }
}

/// Scripts once could not modify stored variables: Rhai counts `this` as one map,
/// including all it contains.
#[test]
fn stored_values_can_be_modified() {
    let much = [
        ("for i in 0..300 { this[`a${i}`] = i; }", Some("256 entries of maps")),
        ("for i in 0..300 { this.map[`a${i}`] = i; }", Some("512 values")),
        ("for i in 0..200 { this.map[`a${i}`] = i; }", None),
        ("for i in 0..50 { this[`a${i}`] = #{ x: i }; }", None),
        ("for i in 0..60 { this[`a${i}`] = #{ x: i }; }", Some("512 values")),
        ("for i in 0..160 { this[`a${i}`] = [i]; }", None),
        ("for i in 0..180 { this[`a${i}`] = [i]; }", Some("512 values")),
        ("for i in 0..4 { let s = \"x\"; s.pad(1500, \"x\"); this[`a${i}`] = s; }", None),
        ("for i in 0..4 { let s = \"x\"; s.pad(3000, \"x\"); this[`a${i}`] = s; }", Some("8192 bytes of text")),
        ("for i in 0..4 { let l = []; l.pad(300, 1); this[`a${i}`] = l; }", Some("512 values")),
    ];
    for (fill, wrong) in much {
        let script = format!("fn on_tick(me) {{ if world::tick() == 2 {{ {fill} }} else {{ this.n += 1; }} }}");
        let folder = Folder::with_script(&script);
        let kind = "script = \"hero.rhai\"\nvars = { n = 0, map = #{} }\n".replace("#{}", "{}");
        folder.write("config/entities/hero.toml", &kind);
        let mut game = folder.game();
        game.ticks(9);
        match wrong {
            Some(wrong) => assert!(game.wrong()[0].contains(wrong), "{fill}: {:?}", game.wrong()),
            None => assert_eq!(game.wrong(), [""; 0], "{fill}"),
        }
        assert!(game.wrong().len() < 2, "{fill}: {:?}", game.wrong());
        assert_eq!(game.var("n"), Value::Int(8), "{fill}");
    }
}

/// A game continues with stored values after a snapshot, too.
#[test]
fn stored_values_are_available_in_every_call() {
    let script = "fn on_tick(me) {
        let t = world::tick();
        this.n += 1;
        this.text = `tick ${t}`;
        this.at = vec(t, 0);
        this.list = [t, [t]];
        this[`k${t % 3}`] = t;
        if t % 5 == 4 { this.remove(\"k1\"); }
        if t % 4 == 3 { this.n = me; this.text = me; this.at = me; this.list = me; }
    }";
    let mut game = Folder::with_script(script).game();
    for tick in 0..24_i64 {
        game.ticks(1);
        let good = tick - i64::from(tick % 4 == 3);
        let vars = game.vars();
        assert_eq!(vars["n"], Value::Int(tick + 1 - (tick + 1) / 4), "{tick}");
        assert_eq!(vars["text"], Value::Text(format!("tick {good}")));
        assert_eq!(vars["at"], Value::Vector([good as f64, 0.0, 0.0]));
        let list = vec![Value::Int(good), Value::List(vec![Value::Int(good)])];
        assert_eq!(vars["list"], Value::List(list));
        let gone = tick % 5 == 4 && tick % 3 == 1;
        let newest = (!gone).then_some(Value::Int(tick));
        assert_eq!(vars.get(&format!("k{}", tick % 3)), newest.as_ref());
    }
}

#[test]
fn scripts_cannot_reach_files_clocks_or_processes() {
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
        assert!(wrong[0].starts_with("scripts/hero.rhai:1:"), "{call}: {wrong:?}");
    }
}

#[test]
fn math_functions_give_the_same_bits_everywhere() {
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
    assert_eq!(game.var("all"), Value::List(expected.map(Value::Float).to_vec()));
}

#[test]
fn nested_switches_compile_quickly() {
    let (open, close) = ("switch 1 { 1 => ".repeat(20), " }".repeat(20));
    let folder = Folder::with_script(&format!("fn on_tick(me) {{ {open} 5 {close} }}"));
    // A build that takes too long says so.
    assert!(folder.wrong().iter().all(|message| !message.contains("takes longer")), "{:?}", folder.wrong());
}

#[test]
fn a_script_that_is_too_long_is_rejected() {
    let folder = Folder::with_script(&format!("// {}\n", "x".repeat(70_000)));
    assert!(folder.wrong()[0].contains("65536 bytes"), "{:?}", folder.wrong());
}
