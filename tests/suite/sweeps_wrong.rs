//! `sweep` with mistakes: in the command line, in expressions, in scripts.

use crate::folder::Folder;
use crate::program::{code, err, out, run};
use crate::sweeps_case::{ledge, thrown};

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
    ("--vary|VARY|--measure|t.run(1)", "the run has ended"),
    ("--vary|VARY|--measure|play(\"ledge\").tick", "is for tests"),
    ("--vary|VARY|--measure|", "this expression is empty"),
    ("--vary|VARY|--pass|runner.x", "must be true or false, not a number"),
    ("--vary|VARY|--pass|runner.x >", "--pass:1:"),
    ("--vary|VARY|--maximize|runner.grounded", "this must be a number"),
    ("--vary|VARY|--maximize|1|--minimize|1", "--minimize"),
    ("--vary|VARY|--measure|loop { }", "is there an infinite loop?"),
    ("--vary|entities.runner.model=platformer,vesel,topdown", "did you mean `vessel`?"),
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
        assert!(
            err(&output).contains(what),
            "{arguments:?}: {}",
            err(&output)
        );
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
        &[
            "sweep",
            "level",
            "--ticks",
            "5",
            "--vary",
            "entities.hero.vars.n=1..3:1",
            "--csv",
            "out.csv",
        ],
    );
    assert_eq!(code(&output), 1, "{}", err(&output));
    assert!(
        err(&output).contains("1 of 3 runs failed"),
        "{}",
        err(&output)
    );
    let table = out(&output);
    let failed: Vec<&str> = table
        .lines()
        .filter(|line| line.contains("failed:"))
        .collect();
    assert_eq!(failed.len(), 1, "{table}");
    assert!(failed[0].contains("scripts/hero.rhai:1:"), "{table}");
    let csv = folder.read("out.csv");
    assert!(
        csv.lines()
            .nth(2)
            .is_some_and(|line| line.contains("hero.rhai")),
        "{csv}"
    );
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
        let output = run(
            folder.root(),
            &[
                "sweep", "throw", "--ticks", "60", "--vary", vary, "--pass", pass, "--find",
            ],
        );
        assert_eq!(code(&output), right, "{pass}: {}", err(&output));
        assert!(out(&output).contains(said), "{pass}: {}", out(&output));
        let no_table = !out(&output).contains("stone.x");
        assert!(no_table, "{}", out(&output));
    }
}

#[test]
fn a_key_without_effect_is_reported() {
    let folder = ledge(300.0, -101.0);
    let output = run(
        folder.root(),
        &[
            "sweep",
            "ledge",
            "--ticks",
            "30",
            "--vary",
            "platformer.run_speed_min=100..300:100",
        ],
    );
    assert_eq!(code(&output), 0, "{}", err(&output));
    let said = err(&output);
    assert!(
        said.contains("`platformer.run_speed_min` changes nothing here"),
        "{said}"
    );
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
    let arguments = [
        "sweep",
        "level",
        "--ticks",
        "30",
        "--vary",
        "entities.hero.vars.n=0,1",
    ];
    let output = run(
        folder.root(),
        &[&arguments[..], &["--format", "json"]].concat(),
    );
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert!(
        out(&output).contains("\"measures\":[null,null]"),
        "{}",
        out(&output)
    );
    // An expression cannot read it, but where it has been is known.
    let output = run(
        folder.root(),
        &[&arguments[..], &["--measure", "hero.x"]].concat(),
    );
    assert_eq!(code(&output), 1, "{}", err(&output));
    assert!(
        out(&output).contains("no longer in the level"),
        "{}",
        out(&output)
    );
    let output = run(
        folder.root(),
        &[&arguments[..], &["--measure", "highest(hero)"]].concat(),
    );
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert_eq!(out(&output).matches(" 19\n").count(), 2, "{}", out(&output));
}
