//! `sweep` with mistakes: in the command line, in expressions, in scripts.

use crate::{
    folder::Folder,
    program::{code, err, out, run},
    sweeps_case::{ledge, thrown},
};

/// Options after `sweep ledge`, parted by `|`, and what the message says.
#[rustfmt::skip]
const WRONG: &[(&str, &str)] = &[
    ("", "--vary"),
    ("--vary|platformer.coyote_time=0..1:0", "the step cannot be 0"),
    ("--vary|platformer.coyote_tim=0..1:1", "did you mean `coyote_time`?"),
    ("--vary|platformer.coyote_tim=0..1:1", "--vary:1:12: error:"),
    ("--vary|platformer.coyote_time=0..-1:-1", "--vary:1:24: error:"),
    ("--vary|VARY|--set|platformer.coyote_time=1", "is varied, so"),
    ("--vary|seed=1,2|--seed|3", "the seed is varied"),
    ("--vary|VARY|--vary|VARY", "is varied twice"),
    ("--vary|a.x=1..1001:1|--vary|a.y=1..1001:1", "1001 × 1001 runs are too many"),
    ("--vary|VARY|--input|none.input", "no such file"),
    ("--vary|VARY|--measure|runer.x", "did you mean `runner`?"),
    ("--vary|VARY|--measure|runer.x", "--measure:1:1: error:"),
    ("--vary|VARY|--measure|runner.grouned", "did you mean `grounded`?"),
    ("--vary|VARY|--measure|higest(runner)", "did you mean `highest`?"),
    ("--vary|VARY|--measure|t.entity(\"runer\").x", "did you mean `runner`?"),
    ("--vary|VARY|--measure|t.events(\"lnad\").len()", "did you mean `land`?"),
    ("--vary|VARY|--measure|runner.vel", "not a vec"),
    (
        "--vary|VARY|--pass|runner.vars.jmps > 2",
        "--pass:1:13: error: nothing in this level has a variable `jmps`",
    ),
    ("--vary|seed=0..1:0.5", "not `0.5`"),
    ("--vary|VARY|--measure|t.run(1)", "the run has ended"),
    ("--vary|VARY|--measure|play(\"ledge\").tick", "is for tests"),
    ("--vary|VARY|--measure|", "this expression is empty"),
    ("--vary|VARY|--pass|runner.x", "must be true or false, not a number"),
    ("--vary|VARY|--pass|runner.x >", "--pass:1:"),
    ("--vary|VARY|--maximize|runner.grounded", "this must be a number"),
    ("--vary|VARY|--maximize|1|--minimize|1", "--minimize"),
    ("--vary|VARY|--measure|loop { }", "is there an infinite loop?"),
    ("--vary|entities.runner.model=platformer,vesel,topdown", "did you mean `vessel`?"),
    ("--vary|platformer.coyote_time=1..0:1", "the step must be below 0"),
    ("--vary|platformer.coyote_time=0..1:-1", "the step must be above 0"),
    ("--vary|platformer.coyote_time=nan..1:1", "`nan` is not a number"),
    ("--vary|platformer.coyote_time=NaN", "takes a number, not"),
    ("--vary|platformer.coyote_time=inf", "is inf; it must be between"),
    ("--vary|platformer.coyote_time=0..10000000:1", "at most 1000000 values"),
    ("--vary|VARY|--measure|a=runner.x|--measure|a=runner.y", "two columns would be named `a`"),
    ("--vary|VARY|--measure|runner.x|--measure|runner.x", "two columns would be named `runner.x`"),
    ("--vary|entities.runner.vars.lives=1,2", "`runner` has no variable `lives`; it has none"),
    ("--vary|entities.runer.vars.lives=1,2", "did you mean `runner`?"),
    ("--vary|level.vars.wave=1,2", "--vary:1:12: error: the level has no variable `wave`"),
    ("--vary|VARY|--find", "there is nothing to find"),
    ("--vary|VARY|-j|0", "write a whole number from 1 to 1024"),
    ("--vary|VARY|--csv|no/such/folder.csv", "cannot write the file"),
    ("--vary|VARY|--csv|levels/ledge.toml", "a file of the game"),
    ("--vary|VARY|--csv|a|--svg|a", "the same name"),
    ("--vary|VARY|--partition|slice:3/2", "--partition"),
    ("--vary|VARY|--partition|slice:1/2|--svg|a.svg", "a plot needs all runs"),
    ("--vary|VARY|--vary|seed=1,2|--vary|simulation.tick_hz=60,30|--svg|a.svg", "one or two varied keys"),
];

#[test]
fn wrong_command_lines_exit_with_2_before_a_run() {
    let folder = ledge(300.0, -101.0);
    for (options, what) in WRONG {
        let options = options.replace("VARY", "platformer.coyote_time=0..0.2:0.1");
        let mut arguments = vec!["sweep", "ledge"];
        if !options.is_empty() {
            arguments.extend(options.split('|'));
        }
        let output = run(folder.root(), &arguments);
        assert_eq!(code(&output), 2, "{arguments:?}: {}", err(&output));
        assert!(err(&output).contains(what), "{arguments:?}: {}", err(&output));
        assert!(out(&output).is_empty(), "{arguments:?}: {}", out(&output));
    }
    let unknown = ["sweep", "legde", "--vary", "seed=1"];
    let output = run(folder.root(), &unknown);
    assert!(err(&output).contains("did you mean `ledge`?"));
    // Nothing was left behind.
    for name in ["a", "a.svg"] {
        assert!(!folder.path(name).exists(), "{name}");
    }
}

#[test]
fn a_failing_script_fails_its_run_alone() {
    let folder = Folder::with_script("fn on_tick(me) { if this.n == 2 { let x = [][this.n]; } }");
    let output = run(
        folder.root(),
        &["sweep", "level", "--ticks", "5", "--vary", "entities.hero.vars.n=1..3:1", "--csv", "out.csv"],
    );
    assert_eq!(code(&output), 1, "{}", err(&output));
    assert!(err(&output).contains("1 of 3 runs failed"), "{}", err(&output));
    let table = out(&output);
    let failed: Vec<&str> = table.lines().filter(|line| line.contains("failed:")).collect();
    assert_eq!(failed.len(), 1, "{table}");
    assert!(failed[0].contains("scripts/hero.rhai:1:"), "{table}");
    let csv = folder.read("out.csv");
    assert!(csv.lines().nth(2).is_some_and(|line| line.contains("hero.rhai")), "{csv}");
    assert_eq!(csv.lines().count(), 4);
}

#[test]
fn exit_codes_say_whether_some_run_passes() {
    let folder = thrown();
    for (pass, right, said) in [
        ("stone.x > 1e9", 1, "never passable from 0 to 100"),
        ("stone.x >= 0", 0, "always passable from 0 to 100"),
        ("stone.x < 10", 0, "passable up to "),
    ] {
        let vary = "entities.stone.vars.speed=0.0..100:50";
        let output = run(folder.root(), &["sweep", "throw", "--ticks", "60", "--vary", vary, "--pass", pass, "--find"]);
        assert_eq!(code(&output), right, "{pass}: {}", err(&output));
        assert!(out(&output).contains(said), "{pass}: {}", out(&output));
        let no_table = !out(&output).contains("stone.x");
        assert!(no_table, "{}", out(&output));
    }
}

#[test]
fn a_key_without_effect_is_reported() {
    let folder = ledge(300.0, -101.0);
    let output =
        run(folder.root(), &["sweep", "ledge", "--ticks", "30", "--vary", "platformer.run_speed_min=100..300:100"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let said = err(&output);
    assert!(said.contains("`platformer.run_speed_min` changes nothing here"), "{said}");
    assert!(said.contains("levels/ledge.toml:10"), "{said}");
    assert!(said.contains("exactly the same state"), "{said}");
}

#[test]
fn an_expression_that_some_runs_cannot_answer_fails_these_alone() {
    // The first run jumps, the last ones cannot reach the press.
    let folder = ledge(300.0, -101.0);
    folder.write("late.input", "0.4s right\n0.1s right jump\n");
    let arguments = [
        "sweep",
        "ledge",
        "--input",
        "late.input",
        "--vary",
        "platformer.coyote_time=0.2..0:-0.1",
        "--measure",
        "t.events(\"jump\")[0].tick",
        "--pass",
        "t.events(\"jump\").len() > 0",
    ];
    let output = run(folder.root(), &arguments);
    assert_eq!(code(&output), 1, "{}", err(&output));
    assert!(err(&output).contains("1 of 3 runs failed"));
    let table = out(&output);
    let failed: Vec<&str> = table.lines().filter(|l| l.contains("failed:")).collect();
    assert_eq!(failed.len(), 1, "{table}");
    assert!(failed[0].contains("--measure:1:"), "{table}");
    assert!(failed[0].contains("out of bounds"), "{table}");
}

#[test]
fn an_entity_that_has_left_the_level_has_no_position() {
    let folder = Folder::with_script(
        "fn on_birth(me) { if this.n > 0 { me.after(0.1, \"vanish\"); } }\n\
         fn on_vanish(me) { me.remove(); }",
    );
    let arguments = ["sweep", "level", "--ticks", "30", "--vary", "entities.hero.vars.n=0,1"];
    let output = run(folder.root(), &[&arguments[..], &["--format", "json"]].concat());
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert!(out(&output).contains("\"measures\":[null,null]"), "{}", out(&output));
    // An expression cannot read it, but where it has been is known.
    let output = run(folder.root(), &[&arguments[..], &["--measure", "hero.x"]].concat());
    assert_eq!(code(&output), 1, "{}", err(&output));
    assert!(out(&output).contains("no longer in the level"), "{}", out(&output));
    let output = run(folder.root(), &[&arguments[..], &["--measure", "highest(hero)"]].concat());
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert_eq!(out(&output).matches(" 19\n").count(), 2, "{}", out(&output));
}

#[test]
fn a_misspelled_variable_is_refused_instead_of_created() {
    let folder = thrown();
    folder.write("config/entities/coin.toml", "script = \"coin.rhai\"\nvars = { worth = 1 }\n");
    // It reads a variable that its file does not set, and one of another entity.
    folder.write(
        "scripts/coin.rhai",
        "fn on_tick(me) { if this.shines { } let s = world::entity(\"stone\").vars.thrower; }\n",
    );
    let level = std::fs::read_to_string(folder.path("levels/throw.toml")).expect("a level");
    let coin = "[[entity]]\nkind = \"coin\"\nname = \"coin\"\nat = [900, 50]\nvars = { high = 1 }\n";
    folder.write("levels/throw.toml", &format!("{level}{coin}"));
    let sweep = |vary: &str| {
        let arguments = ["sweep", "throw", "--ticks", "1", "--measure", "t.tick", "--vary", vary];
        run(folder.root(), &arguments)
    };
    let wrong = [
        ("entities.stone.vars.sped=1,2", "`stone` has no variable `sped`; did you mean `speed`? It has `speed`"),
        ("entities.stone.vars.sped=1,2", "--vary:1:21: error:"),
        (
            "entities.stone.vars.worth=1,2",
            "`stone` has no variable `worth`; it is a variable of `coin`; it has `speed`",
        ),
        ("entities.coin.vars.wort=1..3:1", "did you mean `worth`? It has `high`, `shines` and `worth`"),
    ];
    for (vary, what) in wrong {
        let output = sweep(vary);
        assert_eq!(code(&output), 2, "{vary}: {}", err(&output));
        assert!(err(&output).contains(what), "{vary}: {}", err(&output));
        assert!(out(&output).is_empty(), "{}", out(&output));
    }
    for vary in [
        "entities.stone.vars.speed=1,2",
        "entities.stone.vars.thrower=1,2",
        "entities.coin.vars.worth=1,2",
        "entities.coin.vars.shines=true,false",
        "entities.coin.vars.high=1,2",
    ] {
        let output = sweep(vary);
        assert_ne!(code(&output), 2, "{vary}: {}", err(&output));
    }
}

#[test]
fn a_plot_of_texts_is_written_with_a_warning() {
    let folder = ledge(300.0, -101.0);
    let sweep = |vary: &[&str], measure: &str| {
        let fixed = ["sweep", "ledge", "--ticks", "3", "--svg", "a.svg", "--measure", measure];
        run(folder.root(), &[&fixed, vary].concat())
    };
    let one: &[&str] = &["--vary", "seed=0..3:1"];
    let two: &[&str] = &["--vary", "seed=0..3:1", "--vary", "platformer.coyote_time=0,1"];
    for vary in [one, two] {
        let texts = sweep(vary, "mode=runner.mode");
        assert_eq!(code(&texts), 0, "{}", err(&texts));
        assert!(
            err(&texts).contains("the plot shows nothing of `mode`: no run has a number for it"),
            "{}",
            err(&texts)
        );
        assert!(err(&texts).contains("wrote a.svg"), "{}", err(&texts));
        // Flags are drawn as 0 and 1.
        let flags = sweep(vary, "runner.grounded");
        assert!(!err(&flags).contains("shows nothing"), "{}", err(&flags));
    }
    let svg = std::fs::read_to_string(folder.path("a.svg")).expect("a plot");
    assert!(svg.starts_with("<svg ") && !svg.contains("NaN"), "{svg}");
}

#[test]
fn a_range_with_one_value_is_one_run() {
    let folder = ledge(300.0, -101.0);
    for vary in ["platformer.coyote_time=0.1..0.1:5", "platformer.coyote_time=0.1", "seed=3..3:1"] {
        let output = run(folder.root(), &["sweep", "ledge", "--ticks", "3", "--vary", vary]);
        assert_eq!(code(&output), 0, "{vary}: {}", err(&output));
        assert_eq!(out(&output).lines().count(), 2, "{vary}: {}", out(&output));
    }
}
