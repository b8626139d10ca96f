//! Content from strangers is read and explained within limits: the first of many mistakes are shown,
//! folders are visited once, and work that takes too long stops.

use crate::{
    folder::{Folder, LEVEL},
    program::{code, err, game, out, run},
};
use glam::{DVec2, dvec2};
use hangtime::{
    geometry::{interrupt, polygon},
    level::{FARTHEST, Solid, SurfaceId, Terrain},
    playtest::calls::calls_of_tests,
    project::{Error, GameFolder, Project, Revision, SourceSet, check, within_time},
    script::host::{BuildProgress, Diagnostic, MOST_SHOWN, count_mistakes},
};
use serde_json::Value;
use std::{sync::mpsc::channel, time::Duration};

/// A game whose level begins with this text.
fn level_with(before: &str, after: &str) -> Folder {
    let folder = game();
    folder.write("levels/level.toml", &format!("{before}{LEVEL}{after}"));
    folder
}

/// Builds the level without a deadline: debug builds are slow.
fn build(folder: &Folder) -> Result<Revision, Vec<Diagnostic>> {
    let sources = SourceSet::read(folder.root(), &folder.path("levels/level.toml"));
    Revision::build(&sources, &[], 1, None).map_err(|error| error.diagnostics())
}

/// The headlines of what could not be read.
fn unreadable(folder: &Folder) -> Vec<String> {
    let sources = SourceSet::read(folder.root(), &folder.path("levels/level.toml"));
    sources.unreadable.iter().map(Diagnostic::headline).collect()
}

/// All texts of a run and a check, with what they say about each mistake.
fn all_outputs(folder: &Folder) -> Vec<String> {
    let text = run(folder.root(), &["check"]);
    let json = run(folder.root(), &["check", "--format", "json"]);
    let played = run(folder.root(), &["run", "levels/level.toml", "--ticks", "1"]);
    [&text, &json, &played].map(|output| format!("{}{}", out(output), err(output))).into()
}

#[test]
fn twenty_thousand_unknown_keys_are_counted() {
    let keys = |count: usize| (0..count).map(|i| format!("k{i} = 1\n")).collect::<String>();
    let wrong = build(&level_with(&keys(20_000), "")).expect_err("unknown keys");
    assert_eq!(wrong.len(), MOST_SHOWN + 1);
    assert_eq!(count_mistakes(&wrong), 20_000);
    assert_eq!(wrong[MOST_SHOWN].headline(), "and 19,900 more errors");
    let folder = level_with(&keys(1100), "");
    for text in all_outputs(&folder) {
        assert_eq!(text.matches("unknown key").count(), MOST_SHOWN);
        assert!(text.contains("and 1,000 more errors"), "{text}");
    }
    let checked = run(folder.root(), &["check"]);
    let counted = err(&checked);
    assert!(counted.contains("1100 errors, 0 warnings"), "{counted}");
    let json = run(folder.root(), &["check", "--format", "json"]);
    let messages: Vec<Value> = serde_json::from_str(&out(&json)).expect("JSON");
    assert_eq!(messages.len(), MOST_SHOWN + 1);
    // The first ones, in the order of the file.
    assert_eq!(messages[0]["line"], 1);
    assert_eq!(messages[MOST_SHOWN - 1]["line"], MOST_SHOWN);
}

#[test]
fn fifteen_thousand_warnings_are_counted() {
    let solids: String = (0..15_000)
        .map(|i| {
            let x = 3 * i;
            format!("[[solid]]\ntop = 1\npoints = [[{x}, 500], [{}, 500], [{x}, 501]]\n", x + 1)
        })
        .collect();
    let folder = level_with("", &solids);
    let warnings = build(&folder).expect("only warnings").warnings;
    assert_eq!(warnings.len(), MOST_SHOWN + 1);
    // Each solid has a useless `top`, and those far out are beyond the precise range.
    let far = (0..15_000).filter(|i| f64::from(3 * i + 1) > FARTHEST);
    assert_eq!(count_mistakes(&warnings), 15_000 + far.count());
    assert!(warnings[MOST_SHOWN].headline().starts_with("and "));
    assert!(warnings[MOST_SHOWN].headline().ends_with(" more warnings"));
}

#[test]
fn a_hundred_thousand_bad_input_lines_are_counted() {
    let folder = level_with("demo = \"a.input\"\n", "");
    folder.write("levels/a.input", &"jum 3\n".repeat(100_000));
    let wrong = build(&folder).expect_err("a bad demo");
    assert_eq!(wrong.len(), MOST_SHOWN + 1);
    assert_eq!(count_mistakes(&wrong), 100_000);
    assert_eq!(wrong[MOST_SHOWN].headline(), "and 99,900 more errors");
    let played = run(folder.root(), &["run", "levels/level.toml", "--input", "levels/a.input"]);
    assert_eq!(code(&played), 2);
    assert!(err(&played).ends_with("and 99,900 more errors\n"));
}

#[test]
fn names_of_31_kilobytes_are_cut_in_messages() {
    let long = "x".repeat(31_000);
    let shown = "x".repeat(81);
    let folder = level_with(&format!("{long} = 1\n"), "");
    folder.write("scripts/hero.rhai", &format!("fn on_tick(me) {{ me.{long}; {long}(1); }}"));
    for text in all_outputs(&folder) {
        assert!(!text.is_empty());
        assert!(text.len() < 20_000, "{}", text.len());
    }
    let wrong = folder.wrong();
    assert!(wrong[0].contains(&format!("`{}…`", &shown[..80])), "{wrong:?}");
    // While the game runs, too: the name of an entity, a property and a kind.
    let folder = game();
    folder.write("levels/level.toml", &LEVEL.replace("kind =", &format!("name = \"{long}\"\nkind =")));
    folder.write(
        "scripts/hero.rhai",
        &format!(
            "fn on_tick(me) {{ if me.tick % 2 == 0 {{ me.{long}; }} world::create(\"{}\", 0, 0); }}",
            &long[..3000]
        ),
    );
    let played = run(folder.root(), &["run", "levels/level.toml", "--ticks", "20"]);
    assert!(err(&played).contains(&shown[..80]), "{}", err(&played));
    assert!(!err(&played).contains(&long), "{}", err(&played).len());
    // In settings and in the names of levels.
    for arguments in [["--set", &format!("{long}.x=1")], ["--set", &format!("platformer.{long}=1")]] {
        let played = run(folder.root(), &["run", "levels/level.toml", arguments[0], arguments[1]]);
        assert_eq!(code(&played), 2);
        assert!(!err(&played).contains(&long));
    }
    let missing = run(folder.root(), &["run", &long]);
    assert!(!err(&missing).contains(&long), "{}", err(&missing));
}

#[test]
fn thousands_of_unknown_calls_in_a_script_are_counted() {
    // On one line, where finding a place takes longest.
    let script = format!("fn on_tick(me) {{ {} }}", "a(); ".repeat(5000));
    let folder = Folder::with_script(&script);
    let path = folder.path("scripts/hero.rhai").display().to_string();
    let report = check(folder.root(), std::slice::from_ref(&path), &calls_of_tests()).expect("a report");
    let errors = || report.diagnostics.iter().filter(|d| d.is_error());
    assert_eq!(errors().count(), MOST_SHOWN + 1);
    assert_eq!(count_mistakes(errors()), 5000);
    let columns = errors().filter_map(|d| Some(d.place.as_ref()?.position().1));
    let first: Vec<usize> = (0..MOST_SHOWN).map(|i| 18 + 5 * i).collect();
    assert_eq!(columns.collect::<Vec<_>>(), first);
}

#[test]
fn script_errors_at_many_places_are_counted() {
    let mut script = "fn on_tick(me) {\n  switch this.n {\n".to_string();
    for n in 0..300 {
        script += &format!("    {n} => {{ this.n += 1; this.f{n}.x; }}\n");
    }
    script += "  }\n}\nfn on_land(me, event) { }\n";
    let folder = game();
    // A failing call keeps no variables, so each entity fails at another place.
    let entities: String = (0..300)
        .map(|n| format!("[[entity]]\nkind = \"hero\"\nat = [{n}, 19]\nvars = {{ n = {n} }}\n"))
        .collect();
    folder.write("levels/level.toml", &format!("{LEVEL}{entities}"));
    folder.write("scripts/hero.rhai", &script);
    let played = run(folder.root(), &["run", "levels/level.toml", "--ticks", "30", "--strict"]);
    assert_eq!(code(&played), 1);
    let shown = err(&played).matches(" at tick ").count();
    assert!(shown <= MOST_SHOWN, "{shown}");
    assert!(shown > 1);
}

#[test]
fn nested_switch_cases_with_many_labels_do_not_hang_the_compiler() {
    let case = |inner: String, _: usize| format!("switch x {{ 1|2|3|4|5|6|7|8 => {inner} }}");
    let nested = (0..18).fold("0".to_string(), case);
    let folder = Folder::with_script(&format!("fn on_tick(me) {{ let x = 1; {nested} }}"));
    let wrong = folder.wrong();
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert!(wrong[0].contains("scripts/hero.rhai:1:"), "{wrong:?}");
    assert!(wrong[0].contains("too many labels for their nesting"), "{wrong:?}");
    let checked = check(folder.root(), &[], &calls_of_tests()).expect("a report");
    assert!(checked.diagnostics.iter().any(|d| d.message.contains("too many labels")));
    // The same in a module, a test and a closure.
    folder.write("scripts/hero.rhai", "import \"lib\" as lib;\nfn on_tick(me) { lib::f(1); }");
    folder.write("scripts/lib.rhai", &format!("fn f(x) {{ [1].map(|x| {nested}) }}"));
    folder.write("levels/tests/a.rhai", &format!("fn test_a() {{ let x = 1; {nested} }}"));
    assert!(folder.wrong()[0].contains("too many labels"), "{:?}", folder.wrong());
    let tested = run(folder.root(), &["test"]);
    assert!(out(&tested).contains("too many labels"), "{}", out(&tested));
}

#[test]
fn an_abandoned_build_stops() {
    let (post, stopped) = channel();
    let given_up = within_time(Duration::from_millis(60), move || {
        BuildProgress::at("levels/slow.toml");
        let mut steps = 0_u64;
        while !BuildProgress::is_cancelled() {
            steps += 1;
            std::thread::yield_now();
        }
        let _ = post.send(steps);
    });
    match given_up {
        Err(Error::BuildTimeout { file, limit }) => {
            assert_eq!(file, "levels/slow.toml");
            assert_eq!(limit, Duration::from_millis(60));
        }
        other => panic!("{other:?}"),
    }
    assert!(stopped.recv_timeout(Duration::from_secs(20)).is_ok());
}

#[test]
fn terrain_is_given_up_with_its_build() {
    // In full, each takes minutes.
    let zigzag: Vec<DVec2> = (0..60_000)
        .map(|i| dvec2(f64::from(i % 2) * 9000.0, f64::from(i)))
        .chain([dvec2(-1.0, 60_000.0), dvec2(-1.0, -1.0)])
        .collect();
    let bar = |i: usize| {
        let (across, along) = (i as f64 * 4.0, 9000.0);
        let turned = |x: f64, y: f64| {
            if i.is_multiple_of(2) { dvec2(x, y) } else { dvec2(y, x) }
        };
        let corners =
            [turned(across, 0.0), turned(across + 2.0, 0.0), turned(across + 2.0, along), turned(across, along)];
        let points = polygon::outline(&corners).expect("a simple polygon");
        Solid::new(format!("bar {i}").into(), SurfaceId(0), points)
    };
    let bars: Vec<Solid> = (0..2000).map(bar).collect();
    let (post, stopped) = channel();
    std::thread::spawn(move || {
        interrupt::ask(|| true);
        assert!(polygon::outline(&zigzag).is_ok());
        let edges = Terrain::new(bars).edges().len();
        let _ = post.send(edges);
    });
    let edges = stopped.recv_timeout(Duration::from_secs(20));
    assert_eq!(edges, Ok(0));
}

#[cfg(unix)]
#[test]
fn folders_that_link_to_each_other_are_read_once() {
    let folder = game();
    for i in 0..8 {
        folder.write(&format!("config/d{i}/x.toml"), "");
        for j in 0..8 {
            let link = folder.path(&format!("config/d{i}/l{j}"));
            std::os::unix::fs::symlink(format!("../d{j}"), link).expect("a link");
        }
    }
    let before = SourceSet::read(folder.root(), &folder.path("levels/level.toml"));
    let own = before.files.keys().filter(|name| name.starts_with("config/d"));
    assert_eq!(own.count(), 8);
    assert_eq!(folder.wrong(), [""; 0]);
    let checked = run(folder.root(), &["check"]);
    assert!(code(&checked) < 2, "{}", err(&checked));
}

#[cfg(unix)]
#[test]
fn a_link_to_proc_or_a_device_is_not_read() {
    let folder = game();
    std::os::unix::fs::symlink("/proc", folder.path("config/x")).expect("a link");
    std::os::unix::fs::symlink("/dev/zero", folder.path("config/zero.toml")).expect("a link");
    let wrong = folder.wrong();
    assert_eq!(wrong.len(), 2, "{wrong:?}");
    for (line, file) in wrong.iter().zip(["config/x", "config/zero.toml"]) {
        assert!(line.starts_with(&format!("{file}: error: this leads out")), "{line}");
        assert!(line.contains("--follow-links"), "{line}");
    }
    // The user may follow links, but a device is still not a file.
    std::fs::remove_file(folder.path("config/x")).expect("the link");
    let trusted = GameFolder::new(folder.root()).follow_links(true);
    let project = Project::load(trusted).expect("a folder");
    let wrong = project.open(&folder.path("levels/level.toml"), &[]).expect_err("a device");
    assert!(wrong.to_string().contains("config/zero.toml: error: this is not a file"), "{wrong}");
}

#[cfg(unix)]
#[test]
fn pipes_in_a_game_do_not_hang_it() {
    let folder = game();
    std::fs::create_dir_all(folder.path("levels/tests")).expect("a folder");
    for name in ["config/entities/p.toml", "scripts/p.rhai", "levels/p.input", "levels/tests/p.rhai"] {
        let made = std::process::Command::new("mkfifo").arg(folder.path(name)).status();
        assert!(made.is_ok_and(|status| status.success()));
    }
    let wrong = folder.wrong();
    assert_eq!(wrong.len(), 3, "{wrong:?}");
    assert!(wrong.iter().all(|line| line.contains("this is not a file")), "{wrong:?}");
    let checked = run(folder.root(), &["check"]);
    assert!(out(&checked).contains("levels/tests/p.rhai: error: this is not a file"));
    let tested = run(folder.root(), &["test"]);
    assert!(out(&tested).contains("this is not a file"), "{}", out(&tested));
}

#[test]
fn a_game_has_a_limited_number_of_files() {
    let folder = game();
    for i in 0..10_100 {
        std::fs::write(folder.path(&format!("config/f{i}.toml")), "").expect("a file");
    }
    let wrong = unreadable(&folder);
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert!(wrong[0].starts_with("config/f"), "{wrong:?}");
    assert!(wrong[0].contains("the limit of 10000 files in a game is reached here"), "{wrong:?}");
}

#[test]
fn a_game_has_a_limited_number_of_bytes() {
    let folder = game();
    let text = "#".repeat(15 * 1024 * 1024);
    for i in 0..6 {
        folder.write(&format!("config/f{i}.toml"), &text);
    }
    let wrong = unreadable(&folder);
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert!(wrong[0].starts_with("config/f5.toml: error: the limit of 67108864 bytes"), "{wrong:?}");
    let largest = 16 * 1024 * 1024 + 1;
    let folder = game();
    folder.write("config/large.toml", &"#".repeat(largest));
    assert!(unreadable(&folder)[0].contains("the limit is 16777216"), "{:?}", unreadable(&folder));
}

#[test]
fn odd_files_are_read_or_refused_but_never_crash() {
    let folder = game();
    let crlf = LEVEL.replace('\n', "\r\n");
    folder.write("levels/level.toml", &format!("\u{feff}{crlf}"));
    assert_eq!(folder.wrong(), [""; 0]);
    for text in [
        format!("a = {}1{}", "[".repeat(100_000), "]".repeat(100_000)),
        format!("{}a = 1", "a.".repeat(100_000)),
        format!("a = {}", "{ b = ".repeat(100_000)),
        "\0".repeat(1000),
        "x".repeat(1_000_000),
        format!("a = \"{}", "x".repeat(1_000_000)),
    ] {
        folder.write("levels/level.toml", &format!("{text}\n{LEVEL}"));
        let wrong = build(&folder).expect_err("a mistake");
        let shown = hangtime::script::host::render_all(&wrong, true);
        assert!(shown.len() < 10_000, "{}", shown.len());
    }
    folder.write("levels/level.toml", &format!("demo = \"a.input\"\n{LEVEL}"));
    for (line, message) in [
        ("1e18 right", "a duration must be between 0 and 100000000"),
        ("1e400s", "a line begins with its duration"),
        ("-1s", "a duration must be between"),
    ] {
        folder.write("levels/a.input", line);
        assert!(folder.wrong()[0].contains(message), "{:?}", folder.wrong());
    }
    folder.write("levels/a.input", &"0.0000001s right\n".repeat(100_000));
    let demo = build(&folder).expect("short lines").demo.expect("a demo");
    assert_eq!(demo.track(60).length(), 0);
}
