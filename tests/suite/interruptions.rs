//! One Ctrl-C ends tests and sweeps, however long their scripts and levels take.

use crate::{
    budgets::{HUGE, processor_time},
    folder::{Folder, LEVEL},
    program::{code, command, err},
    test_runs::results,
};
use quick_junit::Report;
use std::{
    io::Read as _,
    process::{Child, Command, Output, Stdio},
    time::{Duration, Instant},
};

/// The name of the threads that run tests.
const WORKER: &str = "test";

/// A game whose heroes spin forever once `spin` is not 0, with budgets of minutes for a tick, and a level without scripts
/// whose ticks take long.
fn spinning() -> Folder {
    let folder = Folder::with_script("fn on_tick(me) { while this.spin > 0 { this.n += 1; } }");
    folder.write("config/entities/hero.toml", "script = \"hero.rhai\"\nvars = { n = 0, spin = 0 }\n");
    folder.write("config/hangtime.toml", HUGE);
    // One hero is enough for ten seconds or so.
    let heroes = "[[entity]]\nkind = \"hero\"\nat = [-500, 19]\n".repeat(30);
    folder.write("levels/level.toml", &format!("{LEVEL}{heroes}"));
    folder.write("config/entities/crate.toml", "model = \"platformer\"\n");
    let all = (0..2000).map(|i| format!("[[entity]]\nkind = \"crate\"\nat = [{}, 19]\n", 5 + i % 1900));
    let floor = LEVEL.split("[[entity]]").next().expect("solids");
    folder.write("levels/crowd.toml", &format!("{floor}{}", all.collect::<String>()));
    folder
}

/// Starts the program with its outputs in pipes.
fn start(folder: &Folder, arguments: &[&str]) -> Child {
    let mut command = command(folder.root(), arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("it starts")
}

/// Waits until something is so while the program runs.
fn wait_until(child: &mut Child, what: impl Fn(&Child) -> bool) {
    let until = Instant::now() + Duration::from_secs(120);
    while !what(child) {
        assert!(Instant::now() < until, "it takes too long");
        if let Some(status) = child.try_wait().expect("a status") {
            let mut said = String::new();
            let stdout = child.stdout.take().map(|mut stdout| stdout.read_to_string(&mut said));
            panic!("it has ended with {status} ({stdout:?}): {said}");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The number of its threads that run tests.
fn workers(child: &Child) -> usize {
    let threads = std::fs::read_dir(format!("/proc/{}/task", child.id())).expect("a process");
    // A thread may have ended since its folder was listed.
    let names = threads
        .flatten()
        .filter_map(|thread| std::fs::read_to_string(thread.path().join("comm")).ok());
    names.filter(|name| name.trim() == WORKER).count()
}

/// Sends one Ctrl-C after the program has computed for a while, and waits for its end.
fn interrupt(mut child: Child) -> Output {
    let before = processor_time(&child);
    wait_until(&mut child, |child| processor_time(child) > before + 50);
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill").success());
    child.wait_with_output().expect("it ends")
}

/// A test that takes minutes, in its game.
struct LongTest {
    /// The test as results name it.
    name: &'static str,
    folder: Folder,
}

fn long_tests() -> Vec<LongTest> {
    let spins = "#{ \"entities.hero.vars.spin\": 1 }";
    let scripts = [
        // A call of a behavior.
        format!("fn test_long() {{ let t = play(\"level.toml\", {spins}); t.ticks(10); }}"),
        // The script catches what ends the call.
        format!(
            "fn test_long() {{ loop {{ try {{ let t = play(\"level.toml\", {spins}); t.ticks(10); }} catch {{ }} }} }}"
        ),
        // One call that plays without scripts.
        "fn test_long() { let t = play(\"crowd.toml\"); t.ticks(900000); }".to_string(),
        // Many levels.
        "fn test_long() { for i in 0..900 { let t = play(\"crowd.toml\"); t.ticks(1000); } }".to_string(),
        "fn test_long() { let t = play(\"crowd.toml\"); t.run_until(|t| false, 3600); }".to_string(),
    ];
    let mut all: Vec<LongTest> = Vec::new();
    for script in scripts {
        let folder = spinning();
        folder.write("levels/tests/b.rhai", &script);
        all.push(LongTest { name: "levels/tests/b.rhai::test_long", folder });
    }
    // A golden trace, made before its hero began to spin.
    let folder = spinning();
    folder.write("levels/tests/b.input", "level level.toml\n10\n");
    let updated = crate::program::run(folder.root(), &["test", "--update"]);
    assert_eq!(code(&updated), 0, "{}", err(&updated));
    folder.write("scripts/hero.rhai", "fn on_tick(me) { while true { this.n += 1; } }");
    all.push(LongTest { name: "levels/tests/b.input", folder });
    // A contract.
    let folder = spinning();
    let kind = folder.read("config/entities/hero.toml");
    folder.write("config/entities/hero.toml", &format!("{kind}[expect]\napex = \">= 1\"\n"));
    folder.write("scripts/hero.rhai", "fn on_tick(me) { while true { this.n += 1; } }");
    all.push(LongTest { name: "config/entities/hero.toml::expect::apex", folder });
    all
}

#[test]
fn one_signal_ends_a_test_in_the_middle_of_a_call() {
    for LongTest { name, folder } in long_tests() {
        for file in ["a", "c", "d"] {
            folder.write(&format!("levels/tests/{file}.rhai"), &format!("fn test_{file}() {{ }}\n"));
        }
        let mut child = start(&folder, &["test", "-j", "2", "--junit", "j.xml", "--results", "r.jsonl"]);
        // One thread runs all other tests, and has ended.
        wait_until(&mut child, |_| folder.path("r.jsonl").exists() && folder.read("r.jsonl").lines().count() > 1);
        wait_until(&mut child, |child| workers(child) == 1);
        let output = interrupt(child);
        assert_eq!(code(&output), 130, "{name}: {}", err(&output));
        assert!(err(&output).contains("interrupted: 3 of 4 tests ran"), "{name}: {}", err(&output));
        let said = crate::program::out(&output);
        assert!(said.ends_with("3 passed, 0 failed\n") && !said.contains(name), "{name}: {said}");
        // The files have the tests that have ended, in order.
        let results = results(&folder, "r.jsonl");
        assert!(results.end.is_none());
        let ran: Vec<&str> = results.cases.iter().map(|(case, _)| case.case.as_str()).collect();
        let others = ["a", "c", "d"].map(|file| format!("levels/tests/{file}.rhai::test_{file}"));
        assert_eq!(ran, others);
        let report = Report::deserialize_from_str(&folder.read("j.xml")).expect("JUnit");
        assert_eq!((report.tests, report.failures, report.errors), (3, 0, 0), "{name}");
        for left in ["failed", "feel"] {
            assert!(!folder.path(&format!(".hangtime/{left}")).exists(), "{name} has left a file in {left}");
        }
    }
}

#[test]
fn one_signal_ends_the_tests_of_all_threads() {
    let folder = spinning();
    folder.write("levels/tests/a.rhai", "fn test_a() { }\n");
    let long = |i| {
        format!(
            "fn test_{i}() {{ let t = play(\"level.toml\", #{{ \"entities.hero.vars.spin\": 1 }}); t.ticks(10); }}\n"
        )
    };
    folder.write("levels/tests/b.rhai", &(0..5).map(long).collect::<String>());
    let mut child = start(&folder, &["test", "-j", "3", "--results", "r.jsonl"]);
    wait_until(&mut child, |_| folder.path("r.jsonl").exists() && folder.read("r.jsonl").lines().count() > 1);
    let output = interrupt(child);
    assert_eq!(code(&output), 130, "{}", err(&output));
    assert!(err(&output).contains("interrupted: 1 of 6 tests ran"), "{}", err(&output));
}

#[test]
fn one_signal_ends_a_sweep_in_the_middle_of_a_call() {
    let pass_test = "fn test_spin() { let t = play(\"level.toml\"); t.ticks(10); }\n";
    for (arguments, script, played, all) in [
        // Calls in the runs on two threads.
        (
            &["--vary", "entities.hero.vars.spin=0,1,2,3", "--ticks", "10"][..],
            "while this.spin > 0 { this.n += 1; }",
            1,
            4,
        ),
        // The first run, which is played alone.
        (&["--vary", "entities.hero.vars.spin=1,2", "--ticks", "10"], "while this.spin > 0 { this.n += 1; }", 0, 2),
        // The test that decides whether runs pass.
        (
            &["--vary", "entities.hero.vars.spin=0,1,2", "--ticks", "0", "--pass-test", "test_spin"],
            "while this.spin > 0 { this.n += 1; }",
            1,
            3,
        ),
        // The runs in which an edge is looked for.
        (
            &["--vary", "entities.hero.vars.spin=0,8", "--ticks", "1", "--pass", "hero.vars.n == 8"],
            "this.n = this.spin; while this.spin % 8 > 0 { this.n += 1; }",
            2,
            2,
        ),
    ] {
        let folder = spinning();
        folder.write("levels/tests/spin.rhai", pass_test);
        folder.write("scripts/hero.rhai", &format!("fn on_tick(me) {{ {script} }}"));
        let outputs =
            ["--measure", "hero.x", "-j", "2", "--csv", "out.csv", "--svg", "out.svg", "--results", "r.jsonl"];
        let mut child = start(&folder, &[&["sweep", "level"], arguments, &outputs].concat());
        wait_until(&mut child, |_| {
            folder.path("r.jsonl").exists() && folder.read("r.jsonl").lines().count() == 1 + played
        });
        let output = interrupt(child);
        assert_eq!(code(&output), 130, "{arguments:?}: {}", err(&output));
        let said = format!("interrupted: {played} of {all} runs were played");
        assert!(err(&output).contains(&said), "{arguments:?}: {}", err(&output));
        assert_eq!(folder.read("out.csv").lines().count(), 1 + played, "{arguments:?}");
        assert_eq!(folder.read("r.jsonl").lines().count(), 1 + played, "{arguments:?}");
        assert!(!folder.path("out.svg").exists());
    }
}
