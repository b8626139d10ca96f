//! Lists of thousands of names, settings and errors take no more time than other content.

use crate::{
    folder::{Folder, LEVEL},
    program::{code, err, game, run},
};
use hangtime::{
    playtest::calls::calls_of_tests,
    project::{Revision, SourceSet, check},
    script::host::{MOST_SHOWN, count_mistakes},
};

/// A file of this length made of parts, each from its number.
fn filled(length: usize, before: &str, part: impl Fn(usize) -> String, after: &str) -> String {
    let mut text = before.to_string();
    for i in 0.. {
        let next = part(i);
        if text.len() + next.len() + after.len() > length {
            break;
        }
        text += &next;
    }
    text + after
}

#[test]
fn long_lists_in_a_script_do_not_make_the_compiler_slow() {
    // The largest scripts. Rhai compares each variable, parameter and key with all others.
    let length = 65_000;
    let of_a_map = filled(length, "fn on_tick(me) { #{", |i| format!("k{i}:1,"), "}; }");
    let of_a_call = filled(length, "fn on_tick(me) { f(", |i| format!("{i},"), "0); }");
    let of_a_function = filled(length, "fn on_tick(me) {} fn f(", |i| format!("p{i},"), "q) {}");
    let of_a_closure = filled(length, "fn on_tick(me) { let f = |", |i| format!("p{i},"), "q| 1; }");
    let lists = [of_a_call, of_a_function, of_a_closure];
    let of_constants = filled(length, "", |i| format!("const C{i} = {i};\n"), "fn on_tick(me) {}");
    let of_variables = filled(length, "fn on_tick(me) {", |i| format!("let a{i} = b{i};\n"), "}");
    let of_variables = [of_constants, of_variables];
    let all = lists.iter().map(|text| (text, "at most 1000 parameters"));
    let all = all.chain(of_variables.iter().map(|text| (text, "at most 1000 var")));
    // The limit on maps of behaviors is lower.
    let all = all.chain([(&of_a_map, "exceeds the maximum limit (256)")]);
    for (script, message) in all {
        let folder = Folder::with_script(script);
        let wrong = folder.wrong();
        assert_eq!(wrong.len(), 1, "{}: {wrong:?}", &script[..40]);
        assert!(wrong[0].contains(message), "{wrong:?}");
        let checked = check(folder.root(), &[], &calls_of_tests()).expect("a report").diagnostics;
        assert!(checked[0].message.contains(message), "{checked:?}");
    }
    // Tests may have longer maps.
    let folder = game();
    let test = of_a_map.replace("on_tick(me)", "test_a()");
    folder.write("levels/tests/a.rhai", &test);
    let checked = check(folder.root(), &[], &calls_of_tests()).expect("a report").diagnostics;
    assert!(checked[0].message.contains("at most 1000 parameters"), "{checked:?}");
    // Lists of that length are fine, and arrays may be longer.
    let names = |count| (0..count).map(|i| format!("a{i}, ")).collect::<String>();
    let variables: String = (0..999).map(|i| format!("let v{i} = 1;")).collect();
    let folder = Folder::with_script(&format!(
        "const ONE = 1; fn on_tick(me) {{ {variables} let f = [{}]; }} fn g({}b) {{ {variables} }}",
        "v1, ".repeat(1010),
        names(999)
    ));
    assert_eq!(folder.wrong(), Vec::<String>::new());
}

#[test]
fn thousands_of_settings_in_an_input_file_are_refused() {
    let lines = |count: usize| (0..count).map(|i| format!("set entities.hero.vars.v{i}=1\n")).collect::<String>();
    let folder = game();
    let play = |lines: &str| {
        folder.write("levels/a.input", &format!("{lines}5 right\n"));
        let arguments = ["run", "level", "--input", "levels/a.input"];
        run(folder.root(), &arguments)
    };
    let allowed = play(&lines(500));
    assert_eq!(code(&allowed), 0, "{}", err(&allowed));
    let refused = play(&lines(50_000));
    assert_eq!(code(&refused), 2);
    assert!(err(&refused).contains("there can be at most 1000 settings"), "{}", err(&refused));
    assert!(err(&refused).contains("entities.hero.vars.v1000=1"));
    // A key with many parts nests as many tables.
    let deep = play(&format!("set level.{}x=1\n", "a.".repeat(300_000)));
    assert_eq!(code(&deep), 2);
    assert!(err(&deep).contains("at most 16 parts"), "{}", err(&deep));
}

#[test]
fn a_quarter_of_a_million_unknown_window_keys_are_counted() {
    let folder = game();
    let keys = "\"Q\",".repeat(250_000);
    folder.write("config/hangtime.toml", &format!("[keys]\nleft = [{keys}]\n"));
    // Without a deadline: debug builds are slow.
    let sources = SourceSet::read(folder.root(), &folder.path("levels/level.toml"));
    let wrong = Revision::build(&sources, &[], 1, None).expect_err("no such keys");
    let wrong = wrong.diagnostics();
    assert_eq!(wrong.len(), MOST_SHOWN + 1);
    assert_eq!(count_mistakes(&wrong), 250_000);
}

#[test]
fn script_errors_beyond_the_first_of_a_tick_are_counted() {
    let folder = game();
    let others = 250;
    let entities: String = (0..others).map(|n| format!("[[entity]]\nkind = \"hero\"\nat = [{n}, 19]\n")).collect();
    folder.write("levels/level.toml", &format!("{LEVEL}{entities}"));
    folder.write("scripts/hero.rhai", "fn on_tick(me) { this.a.b.c; }");
    // Entities without variables, so that each fails.
    folder.write("config/entities/hero.toml", "script = \"hero.rhai\"\n");
    let ticks = 3;
    let played = run(folder.root(), &["run", "levels/level.toml", "--ticks", &ticks.to_string()]);
    let text = err(&played);
    let kept = MOST_SHOWN * ticks;
    let all = (others + 1) * ticks;
    assert!(text.contains(&format!("({kept} times)")), "{text}");
    let left_out = format!("and {} more script errors", all - kept);
    assert!(text.contains(&left_out), "{text}");
}

#[test]
fn a_level_with_more_variables_than_scripts_may_keep_is_refused() {
    let vars = |count: usize| {
        let list: String = (1..count).map(|i| format!("v{i} = 1, ")).collect();
        format!("vars = {{ {list}w = 1 }}\n")
    };
    let folder = game();
    let wrong = |text: &str| {
        folder.write("levels/level.toml", text);
        folder.wrong()
    };
    // `kept_values` is 512; the kind sets `n`.
    assert_eq!(wrong(&format!("{LEVEL}{}", vars(511))), [""; 0]);
    let told = wrong(&format!("{LEVEL}{}", vars(60_000)));
    assert_eq!(told.len(), 1, "{told:?}");
    let message = "the `vars` of `hero` hold 60001 values; `kept_values` in `[scripts]` allows 512";
    assert!(told[0].contains(message), "{told:?}");
    // The level's own script has the same limit.
    folder.write("scripts/rules.rhai", "fn on_tick(me) {}");
    let told = wrong(&format!("script = \"rules.rhai\"\n{}{LEVEL}", vars(600)));
    assert!(told[0].contains("the `vars` of the level hold 600 values"), "{told:?}");
}
