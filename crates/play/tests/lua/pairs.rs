//! The same tests in both languages have the same results.

use super::{Folder, on_large_stack, results};
use hangtime_play::{TestOutcome, TestResult};

/// What is compared of a result: everything but the language.
#[derive(Debug, PartialEq)]
struct Reported {
    name: String,
    passed: bool,
    message: Option<String>,
    line: Option<usize>,
    /// The first word at the place of the message.
    word: Option<String>,
    expected: Option<String>,
    got: Option<String>,
    tick: Option<u64>,
    fault: Option<String>,
    printed: Vec<String>,
    hash: u64,
}

fn reported(result: TestResult) -> Reported {
    let neutral = |text: String| text.replace(".luau", ".rhai").replace("expect(x):", "expect(x).");
    let failure = result.failure();
    // A refused argument is marked in Lua, and the call in Rhai.
    let is_marked = failure.is_some_and(|failure| failure.expected.is_some() || failure.fault.is_some());
    let place = result.place();
    let word = place.filter(|_| is_marked).map(|place| {
        let rest = &place.file.text[place.span.start..];
        rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    });
    Reported {
        passed: matches!(result.outcome, TestOutcome::Passed),
        message: result.diagnostic().map(|wrong| neutral(wrong.message.clone())),
        line: place.map(|place| place.position().0),
        word,
        expected: failure.and_then(|failure| failure.expected.clone()),
        got: failure.and_then(|failure| failure.got.clone()),
        tick: failure.and_then(|failure| failure.tick),
        fault: failure.and_then(|failure| Some(failure.fault.as_ref()?.diagnostic.headline())),
        hash: result.hash,
        name: neutral(result.name),
        printed: result.printed,
    }
}

/// Runs tests in both languages. The hero counts its jumps, and fails in its third one.
fn both(of_rhai: &str, of_lua: &str) -> [Vec<Reported>; 2] {
    let mut both = [Vec::new(), Vec::new()];
    on_large_stack(|| {
        for (reports, (name, text)) in both.iter_mut().zip([("a.rhai", of_rhai), ("a.luau", of_lua)]) {
            let folder = Folder::with_script("fn on_jump(me) { this.n += 1; if this.n == 3 { me.jmup(); } }");
            folder.write(&format!("levels/tests/{name}"), text);
            reports.extend(results(folder.root()).into_iter().map(reported));
        }
    });
    both
}

/// Runs the bodies of a test in both languages, and returns what is reported of both.
fn alike(of_rhai: &str, of_lua: &str) -> Reported {
    let head = ("fn test_it() {\nlet t = play(\"level.toml\");\nlet hero = t.entity(\"hero\");\n", "}");
    let of_rhai = format!("{}{of_rhai}\n{}", head.0, head.1);
    let of_lua =
        format!("function test_it()\nlocal t = play('level.toml')\nlocal hero = t:entity('hero')\n{of_lua}\nend");
    let [rhai, lua] = both(&of_rhai, &of_lua);
    assert_eq!(rhai, lua, "{of_lua}");
    assert_eq!(lua.len(), 1, "{of_lua}");
    lua.into_iter().next().expect("one result")
}

#[test]
fn tests_that_pass_play_the_same_levels() {
    for (of_rhai, of_lua) in [
        (
            "t.press(\"jump\"); t.run(1); expect(hero.grounded).equals(true); expect(hero.x).near(-200, 0.001);",
            "t:press('jump') t:run(1) expect(hero.grounded):equals(true) expect(hero.x):near(-200, 0.001)",
        ),
        (
            "t.hold(\"right\"); t.ticks(30); t.release(\"right\"); expect(hero.x).above(-200); expect(t.tick).equals(30);",
            "t.hold('right') t.ticks(30) t.release('right') expect(hero.x).above(-200) expect(t.tick).equals(30)",
        ),
        (
            "t.press(\"jump\"); t.ticks(2); t.run_until(|t| hero.grounded, 2); expect(hero.vars.n).equals(1);",
            "t:press('jump') t:ticks(2) t:run_until(function(t) return hero.grounded end, 2) expect(hero.vars.n):equals(1)",
        ),
        (
            "let moment = t.snapshot(); let hash = t.hash; t.axis(\"move\", 1, 0); t.run(0.5); t.restore(moment); expect(t.hash).equals(hash);",
            "local moment = t:snapshot() local hash = t.hash t:axis('move', 1, 0) t:run(0.5) t:restore(moment) expect(t.hash):equals(hash)",
        ),
        (
            "t.press(\"jump\"); t.run(1); let events = t.events(\"jump\"); expect(events.len()).equals(1); expect(events[0].entity).equals(\"hero\"); print(events[0].tick);",
            "t:press('jump') t:run(1) local events = t:events('jump') expect(#events):equals(1) expect(events[1].entity):equals('hero') print(events[1].tick)",
        ),
        (
            "expect(hero.vel).equals(vec(0, 0)); expect([1, 2.5, #{ a: true }]).equals([1, 2.5, #{ a: true }]); expect(\"hero\").contains(\"er\");",
            "expect(hero.vel):equals(vec(0, 0)) expect({ 1, 2.5, { a = true } }):equals({ 1, 2.5, { a = true } }) expect('hero'):contains('er')",
        ),
        (
            "t.place(\"hero\", 0, 300); t.tune(\"platformer.jump_speed\", 300); t.emit(\"alarm\", #{ loud: true }); t.run(1); t.press(\"jump\"); t.ticks(1); expect(t.why(\"hero\").len()).above(0);",
            "t:place('hero', 0, 300) t:tune('platformer.jump_speed', 300) t:emit('alarm', { loud = true }) t:run(1) t:press('jump') t:ticks(1) expect(#t:why('hero')):above(0)",
        ),
    ] {
        let report = alike(of_rhai, of_lua);
        assert!(report.passed, "{of_lua}: {report:?}");
    }
}

#[test]
fn tests_that_fail_say_the_same_of_the_same_line() {
    for (of_rhai, of_lua) in [
        ("t.run(0.5);\nexpect(hero.x).near(5, 0.5);", "t:run(0.5)\nexpect(hero.x):near(5, 0.5)"),
        ("expect(hero.x).above(7.25, \"far\");", "expect(hero.x):above(7.25, 'far')"),
        ("expect(hero.x).below(-300);", "expect(hero.x):below(-300)"),
        ("expect(hero.model).equals(\"vessel\");", "expect(hero.model):equals('vessel')"),
        ("expect(hero.vel).equals(vec(1, 2));", "expect(hero.vel):equals(vec(1, 2))"),
        ("expect(\"hero\").contains(\"x\");", "expect('hero'):contains('x')"),
        ("expect(\"a\").equals(1);", "expect('a'):equals(1)"),
        ("t.run(1);\nexpect(hero.x);\nt.run(1);", "t:run(1)\nexpect(hero.x)\nt:run(1)"),
        ("t.press(\"jmup\");", "t:press('jmup')"),
        ("t.entity(\"herp\");", "t:entity('herp')"),
        ("t.run(-1);", "t:run(-1)"),
        ("t.tune(\"platformer.jmup\", 1);", "t:tune('platformer.jmup', 1)"),
        ("t.run_until(|t| hero.x > 0, 0.5);", "t:run_until(function(t) return hero.x > 0 end, 0.5)"),
        ("play(\"nothing.toml\");", "play('nothing.toml')"),
        (
            "play(\"level.toml\", #{ \"platformer.jump_speed\": [] });",
            "play('level.toml', { ['platformer.jump_speed'] = { 1 } })",
        ),
    ] {
        let report = alike(of_rhai, of_lua);
        assert!(!report.passed, "{of_lua}");
    }
}

#[test]
fn a_fault_of_a_behavior_fails_the_test_at_the_call_that_played_on() {
    let jumps = |one: &str| [one; 3].concat();
    let report = alike(&jumps("t.press(\"jump\"); t.run(1.5);\n"), &jumps("t:press('jump') t:run(1.5)\n"));
    // The third jump is on the third line below the first three.
    assert_eq!((report.line, report.word.as_deref()), (Some(6), Some("run")));
    let fault = report.fault.expect("a fault");
    assert!(fault.contains("did you mean `jump`?"), "{fault}");
    assert!(report.tick.is_some_and(|tick| tick > 180), "{:?}", report.tick);
}

#[test]
fn known_failures_and_printed_lines_are_the_same() {
    let report = alike(
        "known_failure(\"not high enough\");\nprint(\"up\");\nexpect(hero.y).above(100);",
        "known_failure('not high enough')\nprint('up')\nexpect(hero.y):above(100)",
    );
    assert_eq!(report.line, Some(6));
    let report = alike(
        "known_failure(\"too low\");\nexpect(hero.y).above(0);",
        "known_failure('too low')\nexpect(hero.y):above(0)",
    );
    assert!(report.message.expect("a message").contains("passes now"));
}

#[test]
fn tables_of_cases_are_the_same() {
    let of_rhai = "fn cases_jump() { [#{ speed: 300, high: false }, [700, true]] }\n\
        fn test_jump(speed, high) {\n let t = play(\"level.toml\", #{ \"platformer.jump_speed\": speed });\n \
        t.hold(\"jump\"); t.run(0.2); expect(t.entity(\"hero\").y > 90).equals(high);\n}\n\
        fn cases_one() { [3, \"x\"] }\nfn test_one(x) { expect(x).equals(3); }\n";
    let of_lua = "function cases_jump() return { { speed = 300, high = false }, { 700, true } } end\n\
        function test_jump(speed, high: boolean)\n local t = play('level.toml', { ['platformer.jump_speed'] = speed })\n \
        t:hold('jump') t:run(0.2) expect(t:entity('hero').y > 90):equals(high)\nend\n\
        function cases_one() return { 3, 'x' } end\nfunction test_one(x) expect(x):equals(3) end\n";
    let [rhai, lua] = both(of_rhai, of_lua);
    assert_eq!(rhai, lua);
    assert_eq!(lua.iter().map(|report| report.passed).collect::<Vec<_>>(), [true, true, true, false], "{lua:?}");
    assert!(lua[0].name.ends_with("::test_jump[0: speed=300, high=false]"), "{}", lua[0].name);
}

#[test]
fn mistakes_in_tables_name_the_way_out_in_the_words_of_the_language() {
    let [_, lua] = both("", "function test_jump(speed, high) end");
    let message = lua[0].message.clone().expect("a message");
    assert!(message.contains("add `function cases_jump() return { { speed = …, high = … } } end`"), "{message}");
    let [rhai, lua] = both(
        "fn cases_a() { [[1, 2, 3]] }\nfn test_a(x, y) {}",
        "function cases_a() return { { 1, 2, 3 } } end\nfunction test_a(x, y) end",
    );
    assert_eq!(rhai, lua);
    let [rhai, lua] = both(
        "fn cases_a() { play(\"level.toml\"); [1] }\nfn test_a(x) {}",
        "function cases_a() play('level.toml') return { 1 } end\nfunction test_a(x) end",
    );
    assert_eq!(rhai, lua);
}

#[test]
fn a_condition_that_fails_is_reported_in_its_own_line() {
    let lua = alike(
        "t.run_until(|t|\nt.entity(\"herp\").grounded, 1);",
        "t:run_until(function(t)\nreturn t:entity('herp').grounded end, 1)",
    );
    assert_eq!(lua.line, Some(5));
}

#[test]
fn levels_that_a_test_has_dropped_do_not_count() {
    // Each holds two megabytes of events, and its snapshot as much: together more than a test may hold.
    on_large_stack(|| {
        let numbers = ["1.5"; 60].join(", ");
        let folder = Folder::with_script(&format!("fn on_tick(me) {{ world::emit(\"tick_tock\", [{numbers}]); }}"));
        folder.write(
            "levels/tests/a.luau",
            "function test_many()\n for i = 1, 60 do local t = play('level.toml') t:run(15) local s = t:snapshot() end\nend",
        );
        let results = results(folder.root());
        assert!(results[0].passed(), "{}", results[0].report(false));
    });
}

#[test]
fn tests_of_one_file_share_nothing() {
    let [_, lua] = both(
        "",
        "local list = { 1 }\nfunction test_a() list[2] = 5 expect(#list):equals(2) end\n\
         function test_b() expect(#list):equals(1) end\nfunction test_c() counter = 3 end\n",
    );
    assert_eq!(lua.iter().map(|report| report.passed).collect::<Vec<_>>(), [true, true, false]);
    assert!(lua[2].message.as_ref().is_some_and(|why| why.contains("write `local counter`")), "{:?}", lua[2]);
}
