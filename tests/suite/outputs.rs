//! What commands write: complete or not at all, and never over a game's own files.

use crate::{
    folder::Folder,
    program::{code, command, err, game, out, run},
};
use serde_json::Value;
use std::{
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

/// The three outputs of a run, each with its option and the name of an output.
const OUTPUTS: [(&str, &str); 3] = [("--trace", "out.jsonl"), ("--gif", "out.gif"), ("--png", "out.png")];

/// The names in a folder except for the game's folders.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder").flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> =
        names.filter(|name| !["config", "scripts", "levels"].contains(&name.as_str())).collect();
    names.sort();
    names
}

#[test]
fn an_output_replaces_no_file_of_the_game() {
    let folder = game();
    folder.write("keys.input", "5 right\n");
    folder.write("levels/notes.txt", "to do\n");
    let own = ["levels/level.toml", "scripts/hero.rhai", "config/entities/hero.toml", "keys.input", "levels/notes.txt"];
    for (option, _) in OUTPUTS {
        for name in own {
            let before = std::fs::read(folder.path(name)).expect("a file");
            let output = run(folder.root(), &["run", "level", "--ticks", "3", option, name]);
            assert_eq!(code(&output), 2, "{option} {name}: {}", err(&output));
            let message = format!("{name}: error: this is a file of the game");
            assert!(err(&output).contains(&message), "{}", err(&output));
            assert_eq!(std::fs::read(folder.path(name)).expect("a file"), before);
        }
    }
    assert_eq!(names(folder.root()), ["keys.input"]);
}

#[cfg(unix)]
#[test]
fn an_output_does_not_replace_a_level_through_a_link() {
    let folder = game();
    let level = folder.path("levels/level.toml");
    let before = std::fs::read(&level).expect("a file");
    std::os::unix::fs::symlink(&level, folder.path("out.jsonl")).expect("a link");
    let output = run(folder.root(), &["run", "level", "--trace", "out.jsonl"]);
    assert_eq!(code(&output), 2, "{}", err(&output));
    assert_eq!(std::fs::read(&level).expect("a file"), before);
}

#[test]
fn an_output_replaces_an_earlier_output_of_its_kind() {
    let folder = game();
    for (option, name) in OUTPUTS {
        let name = format!("levels/{name}");
        for ticks in ["3", "6"] {
            let arguments = ["run", "level", "--ticks", ticks, option, &name];
            let output = run(folder.root(), &arguments);
            assert_eq!(code(&output), 0, "{}", err(&output));
        }
    }
    let trace = folder.read("levels/out.jsonl");
    assert_eq!(trace.lines().count(), 1 + 7, "a header and ticks 0 to 6");
    // A trace is not an earlier film.
    let arguments = ["run", "level", "--gif", "levels/out.jsonl"];
    assert_eq!(code(&run(folder.root(), &arguments)), 2);
}

#[test]
fn two_outputs_cannot_have_the_same_name() {
    let folder = game();
    let arguments = ["run", "level", "--gif", "a.out", "--trace", "a.out"];
    let output = run(folder.root(), &arguments);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("two outputs"), "{}", err(&output));
    assert_eq!(names(folder.root()), [""; 0]);
}

#[test]
fn no_output_has_a_name_that_games_read() {
    let folder = game();
    let outputs = [("--record", "run"), OUTPUTS[0], OUTPUTS[1], OUTPUTS[2]];
    for (option, usual) in outputs {
        let ending = usual.rsplit('.').next().unwrap_or_default();
        for name in ["levels/x.toml", "x.tmx", "X.RHAI", "levels/x.input", "config/x.toml"] {
            let arguments = ["run", "level", "--ticks", "3", option, name];
            let output = run(folder.root(), &arguments);
            assert_eq!(code(&output), 2, "{option} {name}: {}", err(&output));
            let message = format!("{name}: error: games read files with this ending; name the output `….{ending}`\n");
            assert!(err(&output).contains(&message), "{}", err(&output));
            assert!(!folder.path(name).exists());
        }
    }
    // Levels are exported under such names.
    let exported = run(folder.root(), &["export", "level", "--to", "tmx", "-o", "x.tmx"]);
    assert_eq!(code(&exported), 0, "{}", err(&exported));
}

#[cfg(unix)]
#[test]
fn one_file_is_no_two_outputs_in_whatever_spelling_or_through_links() {
    let folder = game();
    let link = |to: &str, name: &str| {
        std::os::unix::fs::symlink(to, folder.path(name)).expect("a link");
    };
    link("new.out", "link.out");
    link("link.out", "again.out");
    link(".", "here");
    folder.write("old.out", "run,");
    std::fs::hard_link(folder.path("old.out"), folder.path("hard.out")).expect("a link");
    let absolute = folder.path("new.out").display().to_string();
    folder.write("levels/tests/a.rhai", "fn test_a() { }");
    for other in ["./new.out", "levels/../new.out", "here/new.out", "link.out", "again.out", &absolute] {
        for arguments in [
            &["run", "level", "--gif", "new.out", "--record", other][..],
            &["test", "--junit", "new.out", "--results", other],
            &[
                "sweep",
                "level",
                "--ticks",
                "2",
                "--vary",
                "platformer.run_accel=1..2:1",
                "--csv",
                "new.out",
                "--svg",
                other,
            ],
        ] {
            let output = run(folder.root(), arguments);
            assert_eq!(code(&output), 2, "{arguments:?}: {}", err(&output));
            let message = "two outputs cannot be the same file: this one is also `new.out`";
            assert!(err(&output).contains(message), "{}", err(&output));
            assert!(!folder.path("new.out").exists());
        }
    }
    let hard = ["run", "level", "--gif", "old.out", "--trace", "hard.out"];
    let output = run(folder.root(), &hard);
    assert!(err(&output).contains("the same file"), "{}", err(&output));
    // A device takes any number of outputs.
    let devices = ["run", "level", "--trace", "/dev/null", "--gif", "/dev/null"];
    let output = run(folder.root(), &devices);
    assert_eq!(code(&output), 0, "{}", err(&output));
}

#[test]
fn an_output_that_cannot_be_written_is_named_and_no_temporary_file() {
    let folder = game();
    let output = run(folder.root(), &["run", "level", "--gif", "none/a.gif"]);
    assert_eq!(code(&output), 2);
    let said = err(&output);
    assert!(said.contains("none/a.gif: error: cannot write the file"), "{said}");
    assert!(!said.contains("/.a.gif"), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_that_cannot_write_an_output_leaves_the_earlier_files() {
    let folder = game();
    for (_, name) in OUTPUTS {
        folder.write(name, "earlier");
    }
    let arguments = ["run", "level", "--trace", "/dev/full", "--gif", "out.gif", "--png", "out.png"];
    let output = run(folder.root(), &arguments);
    assert_eq!(code(&output), 2, "{}", err(&output));
    assert!(err(&output).contains("cannot write the output"));
    assert_eq!(names(folder.root()), ["out.gif", "out.jsonl", "out.png"]);
    for (_, name) in OUTPUTS {
        let now = folder.read(name);
        assert_eq!(now, "earlier", "{name}");
    }
}

#[cfg(unix)]
#[test]
fn an_output_has_the_permissions_of_a_new_file_or_of_the_one_it_replaces() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = game();
    let mode = |name: &str| {
        let metadata = std::fs::metadata(folder.path(name)).expect("a file");
        metadata.permissions().mode()
    };
    folder.write("usual", "");
    folder.write("private.jsonl", "");
    let private = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(folder.path("private.jsonl"), private).expect("a mode");
    for name in ["out.jsonl", "private.jsonl"] {
        let arguments = ["run", "level", "--ticks", "1", "--trace", name];
        assert_eq!(code(&run(folder.root(), &arguments)), 0);
    }
    assert_eq!(mode("out.jsonl"), mode("usual"));
    assert_eq!(mode("private.jsonl") & 0o777, 0o600);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_stderr_or_stdout_causes_no_panic() {
    let folder = Folder::with_script("fn on_tick(me) { print(\"now\"); this.n += 1; }");
    folder.write("levels/tests/a.rhai", "fn test_it() { }\n");
    folder.write("levels/bad.toml", "solid = 5\n");
    let full = || {
        let file = std::fs::OpenOptions::new().write(true).open("/dev/full");
        Stdio::from(file.expect("/dev/full"))
    };
    // The exit code with stderr full, and with stdout full.
    for (arguments, messages_lost, results_lost) in [
        (&["run", "level", "--ticks", "5"][..], 0, 0),
        (&["run", "level", "--ticks", "5", "--trace", "-"], 0, 2),
        (&["run", "level", "--ticks", "5", "--why", "hero@1"], 0, 2),
        (&["run", "levle"], 2, 2),
        (&["run", "bad"], 2, 2),
        (&["check", "scripts"], 0, 0),
        (&["check", "levels/bad.toml"], 1, 2),
        (&["test"], 0, 2),
        (&["test", "--filter", "nothing"], 4, 4),
        (&["api"], 0, 2),
        (&["new", "behind"], 0, 2),
    ] {
        let mut codes = Vec::new();
        for (no_messages, no_results) in [(true, false), (false, true), (true, true)] {
            let mut command = command(folder.root(), arguments);
            command.stdout(if no_results { full() } else { Stdio::null() });
            command.stderr(if no_messages { full() } else { Stdio::null() });
            let status = command.status().expect("the program starts");
            codes.push(status.code().expect("an exit code"));
            // `new` refuses to write over its files.
            let _ = std::fs::remove_file(folder.path("scripts/behind.rhai"));
            let _ = std::fs::remove_file(folder.path("config/entities/behind.toml"));
            let _ = std::fs::remove_file(folder.path("levels/tests/behind.rhai"));
            let _ = std::fs::remove_file(folder.path("levels/tests/behind.toml"));
        }
        let expected = [messages_lost, results_lost, results_lost];
        assert_eq!(codes, expected, "{arguments:?}");
    }
}

#[test]
fn a_run_whose_messages_are_not_read_continues() {
    let folder = Folder::with_script("fn on_tick(me) { print(\"now\"); this.n += 1; }");
    let mut command = command(folder.root(), &["run", "level", "--trace", "out.jsonl"]);
    let mut child = command.stderr(Stdio::piped()).spawn().expect("it starts");
    drop(child.stderr.take());
    let status = child.wait().expect("it ends");
    assert_eq!(status.code(), Some(0));
    let trace = folder.read("out.jsonl");
    assert_eq!(trace.lines().count(), 1 + 601, "a header and ticks 0 to 600");
}

/// Waits until something is true of a running program.
fn wait_until(child: &mut Child, what: impl Fn() -> bool) {
    let started = Instant::now();
    while !what() {
        assert!(child.try_wait().expect("a status").is_none(), "it has ended");
        assert!(started.elapsed() < Duration::from_secs(60), "it takes too long");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[cfg(unix)]
fn send(signal: &str, child: &Child) {
    let kill = format!("kill -{signal} {}", child.id());
    let sent = Command::new("sh").args(["-c", &kill]).status();
    assert!(sent.expect("a shell").success());
}

/// The ticks of a trace, each of whose lines is whole.
fn ticks_of(trace: &str) -> Vec<u64> {
    assert!(trace.ends_with('\n'), "the last line is cut");
    let lines = trace.lines().skip(1);
    let parse = |line: &str| serde_json::from_str::<Value>(line).expect("a whole line");
    lines.map(|line| parse(line)["tick"].as_u64().expect("a tick")).collect()
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_whole_lines_and_a_whole_film() {
    for signal in ["INT", "TERM"] {
        let folder = game();
        let forever = ["run", "level", "--ticks", "1000000000"];
        let outputs = OUTPUTS.iter().flat_map(|(option, name)| [*option, *name]);
        let arguments: Vec<&str> = forever.into_iter().chain(outputs).collect();
        let mut command = command(folder.root(), &arguments);
        let mut child = command.stderr(Stdio::piped()).spawn().expect("it starts");
        // Some of the trace has been written next to its final name.
        wait_until(&mut child, || {
            let names = names(folder.root());
            let begun = names.iter().find(|name| name.starts_with(".out.jsonl."));
            let length = |name| std::fs::metadata(folder.path(name)).map_or(0, |m| m.len());
            begun.is_some_and(|name| length(name) > 0)
        });
        assert!(!folder.path("out.jsonl").exists());
        send(signal, &child);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(code(&output), 130, "{}", err(&output));
        assert!(err(&output).contains("interrupted"), "{}", err(&output));
        assert_eq!(names(folder.root()), ["out.gif", "out.jsonl", "out.png"]);
        let trace = folder.read("out.jsonl");
        let ticks = ticks_of(&trace);
        assert!(ticks.iter().copied().eq(0..ticks.len() as u64));
        let gif = std::fs::read(folder.path("out.gif")).expect("a film");
        assert_eq!((&gif[..6], gif.last()), (&b"GIF89a"[..], Some(&0x3b)));
        let mut film = gif::Decoder::new(&gif[..]).expect("a film");
        while film.read_next_frame().expect("a whole frame").is_some() {}
        let png = std::fs::read(folder.path("out.png")).expect("a picture");
        let mut picture = png::Decoder::new(std::io::Cursor::new(&png)).read_info().expect("a picture");
        let mut pixels = vec![0; picture.output_buffer_size().expect("a size")];
        picture.next_frame(&mut pixels).expect("a whole picture");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_trace_on_stdout_ends_with_a_whole_line() {
    let folder = game();
    let arguments = ["run", "level", "--ticks", "1000000000", "--trace", "-"];
    let results = std::fs::File::create(folder.path("shown")).expect("a file");
    let mut command = command(folder.root(), &arguments);
    let mut child = command.stdout(results).spawn().expect("it starts");
    let shown = folder.path("shown");
    wait_until(&mut child, || std::fs::metadata(&shown).map_or(0, |m| m.len()) > 0);
    send("INT", &child);
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    ticks_of(&std::fs::read_to_string(shown).expect("a trace"));
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_of_tests_counts_those_that_have_ended() {
    let folder = game();
    let slow: String = (0..300).map(|i| format!("fn test_{i}() {{ for i in 0..200000 {{ }} }}\n")).collect();
    folder.write("levels/tests/slow.rhai", &slow);
    let results = std::fs::File::create(folder.path("shown")).expect("a file");
    let mut command = command(folder.root(), &["test"]);
    command.stdout(results).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let shown = folder.path("shown");
    wait_until(&mut child, || std::fs::metadata(&shown).map_or(0, |m| m.len()) > 0);
    send("INT", &child);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(code(&output), 130, "{}", err(&output));
    let shown = std::fs::read_to_string(shown).expect("results");
    let passed = shown.lines().filter(|line| line.starts_with("ok ")).count();
    assert!(shown.ends_with(&format!("{passed} passed, 0 failed\n")), "{shown}");
    assert!(err(&output).contains(&format!("interrupted: {passed} of 300 tests ran")));
}

#[test]
fn an_output_in_a_folder_that_does_not_exist_is_refused_before_the_run() {
    let folder = game();
    for (option, name) in OUTPUTS {
        let name = format!("no/{name}");
        let output = run(folder.root(), &["run", "level", option, &name]);
        assert_eq!(code(&output), 2);
        assert!(!err(&output).contains("ticks/s"), "{}", err(&output));
        assert!(out(&output).is_empty());
    }
}
