//! The files and annotations that `test` writes, also when it ends early or cannot write.

use crate::{
    folder::Folder,
    program::{code, command, err, game, out, run},
    test_runs::results,
};
use quick_junit::{Report, TestCaseStatus};
use std::{
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// Texts that XML, terminals and GitHub Actions would read as something else.
const ODD: &str = r#"
fn test_odd() { print("\u001b[31m]]></system-out>\u0000\ufffe"); expect("<&>\"'\u0007").equals("\u001b[2J", "a % b\r\n::stop-commands::x"); }
fn test_good() { print("::set-output name=x::y\n::error::z"); }
fn cases_odd_name() { ["<\"'&\n\u001b>"] }
fn test_odd_name(text) { known_failure("not < yet"); expect(1).equals(2); }
"#;

fn junit(folder: &Folder) -> (String, Report) {
    let text = folder.read("j.xml");
    let report = Report::deserialize_from_str(&text).expect("JUnit");
    (text, report)
}

#[test]
fn junit_has_a_suite_for_each_file_with_correct_counts() {
    let folder = game();
    folder.write("levels/tests/a.rhai", ODD);
    folder.write("levels/tests/b.rhai", "fn test_x( {\n");
    let ran = run(folder.root(), &["test", "--junit", "j.xml"]);
    assert_eq!(code(&ran), 100, "{}", err(&ran));
    let (text, report) = junit(&folder);
    assert!(text.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"), "{text}");
    let control = |c: char| c.is_control() && c != '\n';
    assert!(!text.contains(control), "{text:?}");
    assert!(text.contains("<testsuites name=\"hangtime\" tests=\"4\" failures=\"1\" errors=\"1\""), "{text}");
    assert_eq!((report.tests, report.failures, report.errors), (4, 1, 1));
    let suites: Vec<_> = report
        .test_suites
        .iter()
        .map(|s| (s.name.as_str(), s.tests, s.failures, s.errors, s.skipped))
        .collect();
    let expected = [("levels/tests/a.rhai", 3, 1, 0, 1), ("levels/tests/b.rhai", 1, 0, 1, 0)];
    assert_eq!(suites, expected);
    let first = &report.test_suites[0].test_cases[0];
    assert_eq!(first.name.as_str(), "test_odd");
    assert_eq!(first.classname.as_deref(), Some("levels/tests/a.rhai"));
    // Where to find it, for systems that show it next to the code.
    assert!(text.contains("file=\"levels/tests/a.rhai\" line=\"2\""), "{text}");
    let TestCaseStatus::NonSuccess { message, description, .. } = &first.status else {
        panic!("{:?}", first.status);
    };
    let message = message.as_ref().expect("a message").as_str();
    assert!(message.starts_with("levels/tests/a.rhai:2:"), "{message}");
    let description = description.as_ref().expect("a description").as_str();
    assert!(description.contains("rerun: hangtime test"), "{description}");
    let printed = first.system_out.as_ref().expect("a print").as_str();
    assert!(printed.contains("]]></system-out>"), "{printed:?}");
    let skipped = &report.test_suites[0].test_cases[2].status;
    let TestCaseStatus::Skipped { message, .. } = skipped else {
        panic!("{skipped:?}");
    };
    assert_eq!(message.as_ref().expect("a reason").as_str(), "not < yet");
}

#[test]
fn github_gets_annotations_and_no_commands_of_content() {
    let folder = game();
    folder.write("levels/tests/a.rhai", ODD);
    let command = |on: bool| {
        let mut command = command(folder.root(), &["test", "--show-output"]);
        command.env_remove("GITHUB_ACTIONS");
        if on {
            command.env("GITHUB_ACTIONS", "true");
        }
        out(&command.output().expect("it starts"))
    };
    let shown = command(true);
    let commands: Vec<&str> = shown.lines().filter(|line| line.trim_start().starts_with("::")).collect();
    assert_eq!(commands.len(), 1, "{shown}");
    let start = "::error file=levels/tests/a.rhai,line=2,col=";
    assert!(commands[0].starts_with(start), "{shown}");
    assert!(commands[0].contains(",title=levels/tests/a.rhai%3A%3Atest_odd::a %25 b"), "{shown}");
    assert!(commands[0].contains("%0Arerun: hangtime test"), "{shown}");
    assert!(shown.contains("| ::error::z"), "{shown}");
    assert!(!command(false).contains("::error file"));
}

#[test]
fn paths_of_annotations_begin_with_the_game_folder() {
    let folder = game();
    folder.write("inner/levels/tests/a.rhai", "fn test_a() { expect(1).equals(2); }\n");
    let mut command = command(folder.root(), &["--root", "inner", "test"]);
    let ran = command.env("GITHUB_ACTIONS", "true").output().expect("it starts");
    assert!(out(&ran).contains("::error file=inner/levels/tests/a.rhai,line=1,"), "{}", out(&ran));
    assert!(out(&ran).contains("rerun: hangtime --root inner test levels/tests/a.rhai"));
}

#[test]
fn outputs_of_tests_replace_no_file_of_the_game_and_not_each_other() {
    let folder = game();
    folder.write("levels/tests/a.rhai", "fn test_a() { }\n");
    for option in ["--junit", "--results"] {
        for (name, why) in
            [("levels/level.toml", "this is a file of the game"), ("no/such/folder/x", "cannot write the file")]
        {
            let ran = run(folder.root(), &["test", option, name]);
            assert_eq!(code(&ran), 2, "{option} {name}");
            assert!(err(&ran).contains(why), "{}", err(&ran));
            assert!(out(&ran).is_empty(), "no test ran");
        }
    }
    let both = ["test", "--junit", "x.out", "--results", "./x.out"];
    let ran = run(folder.root(), &both);
    assert_eq!(code(&ran), 2, "{}", out(&ran));
    assert!(err(&ran).contains("two outputs"), "{}", err(&ran));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_the_run_with_an_error_and_keeps_the_earlier_report() {
    let folder = game();
    folder.write("levels/tests/a.rhai", "fn test_a() { }\nfn test_b() { }\n");
    folder.write("j.xml", "<?xml earlier");
    for arguments in [&["test", "--results", "/dev/full"][..], &["test", "--junit", "/dev/full"]] {
        let ran = run(folder.root(), arguments);
        assert_eq!(code(&ran), 2, "{arguments:?} {}", out(&ran));
        assert!(err(&ran).contains("/dev/full") || err(&ran).contains("cannot write"), "{}", err(&ran));
    }
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
    let mut command = command(folder.root(), &["test", "--junit", "j.xml"]);
    let ran = command.stdout(full.expect("/dev/full")).status();
    assert_eq!(ran.expect("it starts").code(), Some(2));
    let junit = folder.read("j.xml");
    assert_eq!(junit, "<?xml earlier");
    let hidden = std::fs::read_dir(folder.root()).expect("a folder").flatten();
    let hidden = hidden.filter(|entry| entry.file_name().to_string_lossy().starts_with('.'));
    assert_eq!(hidden.count(), 0, "no temporary file is left");
}

#[cfg(unix)]
#[test]
fn files_are_complete_although_the_reader_of_stdout_is_gone() {
    let folder = game();
    let tests: String = (0..200).map(|i| format!("fn test_{i}() {{ }}\n")).collect();
    folder.write("levels/tests/a.rhai", &tests);
    let arguments = ["test", "--junit", "j.xml", "--results", "r.jsonl"];
    let mut child = command(folder.root(), &arguments).stdout(Stdio::piped()).spawn().expect("it starts");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    assert_eq!(junit(&folder).1.tests, 200);
    assert!(results(&folder, "r.jsonl").end.is_some());
}

#[cfg(unix)]
#[test]
fn interrupted_tests_leave_whole_files_on_several_threads() {
    let folder = game();
    let slow: String = (0..300).map(|i| format!("fn test_{i}() {{ for i in 0..200000 {{ }} }}\n")).collect();
    folder.write("levels/tests/slow.rhai", &slow);
    let arguments = ["test", "-j", "3", "--junit", "j.xml", "--results", "r.jsonl"];
    let child = command(folder.root(), &arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let lines = || {
        let text = std::fs::read_to_string(folder.path("r.jsonl")).unwrap_or_default();
        text.lines().count()
    };
    let started = Instant::now();
    while lines() < 4 && started.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(code(&output), 130, "{}", err(&output));
    let results = results(&folder, "r.jsonl");
    assert!(results.end.is_none());
    // In their order, without those that were interrupted.
    let indexes: Vec<u64> = results.cases.iter().map(|(case, _)| case.index).collect();
    assert!(indexes.is_sorted_by(|a, b| a < b), "{indexes:?}");
    assert!(indexes.len() < 300);
    assert_eq!(junit(&folder).1.tests, indexes.len());
    let said = format!("interrupted: {} of 300 tests ran", indexes.len());
    assert!(err(&output).contains(&said), "{}", err(&output));
}
