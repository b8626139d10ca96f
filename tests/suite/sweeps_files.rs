//! The files of `sweep`: CSV, plots, results of parts.

use crate::{
    program::{code, command, err, out, run},
    sweeps_case::{fall, thrown},
};
use serde_json::Value;
use std::{
    process::{Command, Stdio},
    time::{Duration, Instant},
};

#[test]
fn any_number_of_threads_gives_the_same_results() {
    let folder = thrown();
    let arguments = |jobs: &'static str| {
        let vary = "entities.stone.vars.speed=0.0..990:10";
        let pass = "stone.x > 100 && stone.x < 200";
        let files = ["--csv", "out.csv", "--svg", "out.svg", "-j", jobs];
        [&["sweep", "throw", "--vary", vary, "--pass", pass, "--measure", "stone.x"][..], &files].concat()
    };
    let mut first = None;
    for jobs in ["1", "2", "7"] {
        let output = run(folder.root(), &arguments(jobs));
        assert_eq!(code(&output), 0, "{}", err(&output));
        let read = |name: &str| folder.read(name);
        let all = (out(&output), read("out.csv"), read("out.svg"));
        assert_eq!(first.get_or_insert_with(|| all.clone()), &all, "-j {jobs}");
    }
}

#[test]
fn csv_has_a_line_for_each_run_and_reads_back() {
    let folder = thrown();
    let output = run(
        folder.root(),
        &[
            "sweep",
            "throw",
            "--ticks",
            "60",
            "--vary",
            "entities.stone.vars.speed=0.0..0.3:0.1",
            "--measure",
            "say \"x, y\"=1",
            "--measure",
            "end=stone.x",
            "--measure",
            "`${stone.name}, \"at last\"`",
            "--csv",
            "out.csv",
        ],
    );
    // A name of a measure has no quotes, so all of it is an expression.
    assert_eq!(code(&output), 2, "{}", err(&output));
    assert!(!folder.path("out.csv").exists());
    let output = run(
        folder.root(),
        &[
            "sweep",
            "throw",
            "--ticks",
            "60",
            "--vary",
            "entities.stone.vars.speed=0.0..0.3:0.1",
            "--measure",
            "end=stone.x",
            "--measure",
            "`${stone.name}, \"at last\"`",
            "--csv",
            "out.csv",
        ],
    );
    assert_eq!(code(&output), 0, "{}", err(&output));
    let csv = folder.read("out.csv");
    let lines: Vec<&str> = csv.split_terminator("\r\n").collect();
    assert_eq!(lines[0], "run,entities.stone.vars.speed,end,\"`${stone.name}, \"\"at last\"\"`\",hash,error");
    assert_eq!(lines.len(), 1 + 4);
    let (time, missed) = fall();
    for (i, line) in lines[1..].iter().enumerate() {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells[0], i.to_string());
        assert_eq!(cells[1], ["0", "0.1", "0.2", "0.3"][i]);
        let end: f64 = cells[2].parse().expect("a number");
        let speed = i as f64 * 0.1;
        assert!((end - speed * time).abs() <= speed * missed + 1e-9, "{line}");
        assert!(line.contains(",\"stone, \"\"at last\"\"\","), "{line}");
    }
}

#[test]
fn parts_of_a_sweep_have_each_run_once() {
    let folder = thrown();
    let mut lines = Vec::new();
    for part in 1..=3 {
        let slice = format!("slice:{part}/3");
        let name = format!("part{part}.jsonl");
        let output = run(
            folder.root(),
            &[
                "sweep",
                "throw",
                "--ticks",
                "60",
                "--vary",
                "entities.stone.vars.speed=0.0..60:10",
                "--measure",
                "stone.x",
                "--partition",
                &slice,
                "--results",
                &name,
            ],
        );
        assert_eq!(code(&output), 0, "{}", err(&output));
        let text = folder.read(&name);
        let all: Vec<Value> = text.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
        assert_eq!((&all[0]["command"], &all[0]["cases"]), (&"sweep".into(), &7.into()));
        assert_eq!(all[all.len() - 1]["end"], true);
        lines.extend(all[1..all.len() - 1].iter().cloned());
    }
    lines.sort_by_key(|line| line["index"].as_u64());
    let names: Vec<&str> = lines.iter().filter_map(|line| line["case"].as_str()).collect();
    let right: Vec<String> = (0..7).map(|i| format!("entities.stone.vars.speed={}", i * 10)).collect();
    assert_eq!(names, right);
    assert!(lines.iter().all(|line| line["outcome"] == "measured" && line["value"].is_number()));
}

#[test]
fn a_part_without_passing_runs_is_a_success() {
    let folder = thrown();
    // Another part may have the run that passes.
    let other = ["sweep", "throw", "--vary", "seed=1,2", "--pass", "false", "--partition", "slice:1/2"];
    assert_eq!(code(&run(folder.root(), &other)), 0);
    // With more parts than runs, some have nothing to do.
    let empty = ["sweep", "throw", "--vary", "seed=1", "--measure", "stone.x", "--partition", "slice:2/2"];
    assert_eq!(code(&run(folder.root(), &empty)), 0);
}

#[test]
fn a_plot_is_xml_and_has_its_axes() {
    let folder = thrown();
    for (vary, texts) in [
        (&["--vary", "entities.stone.vars.speed=0.0..100:10"][..], &["stone.x, px", "passes", "fails"][..]),
        (&["--vary", "entities.stone.model=ballistic,platformer"], &["ballistic", "platformer"]),
        (
            &["--vary", "level.gravity=1000..3000:500", "--vary", "entities.stone.vars.speed=0.0..100:50"],
            &["level.gravity, px/s²", "stone.x, px"],
        ),
        (&["--vary", "seed=5"], &["seed"]),
    ] {
        let mut all = vec!["sweep", "throw", "--ticks", "60", "--measure", "stone.x"];
        all.extend(vary);
        all.extend(["--pass", "stone.x < 20", "--svg", "out.svg"]);
        let output = run(folder.root(), &all);
        assert_eq!(code(&output), 0, "{vary:?}: {}", err(&output));
        let svg = folder.read("out.svg");
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
        for text in texts {
            assert!(svg.contains(&format!(">\n{text}\n</text>")), "{vary:?}: no {text}: {svg}");
        }
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_sweep_leaves_whole_rows_and_no_plot() {
    let folder = thrown();
    let mut child = command(folder.root(), &["sweep", "throw"])
        .args(["--vary", "seed=1..1000000:1"])
        .args(["--ticks", "20", "--measure", "stone.x", "-j", "2"])
        .args(["--csv", "out.csv", "--results", "out.jsonl"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let results = folder.path("out.jsonl");
    let started = Instant::now();
    while std::fs::metadata(&results).map_or(0, |m| m.len()) < 2000 {
        assert!(child.try_wait().expect("a status").is_none());
        assert!(started.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(5));
    }
    let kill = format!("kill -INT {}", child.id());
    let sent = Command::new("sh").args(["-c", &kill]).status();
    assert!(sent.expect("a shell").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(code(&output), 130, "{}", err(&output));
    let said = err(&output);
    let csv = folder.read("out.csv");
    assert!(csv.ends_with("\r\n"));
    let rows = csv.lines().count() - 1;
    assert!(said.contains(&format!("interrupted: {rows} of 1000000 runs")), "{said}");
    assert!(csv.lines().all(|line| line.split(',').count() == 5), "{csv}");
    // The results have the same rows, and no last line.
    let text = std::fs::read_to_string(&results).expect("a file");
    let lines: Vec<Value> = text.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    assert_eq!(lines.len(), 1 + rows);
    assert!(lines[1..].iter().enumerate().all(|(i, line)| line["index"] == i));
    assert_eq!(out(&output).lines().count(), 1 + rows);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = thrown();
    for option in ["--csv", "--svg", "--results"] {
        let output =
            run(folder.root(), &["sweep", "throw", "--vary", "seed=1,2", "--measure", "1", option, "/dev/full"]);
        assert_eq!(code(&output), 2, "{option}: {}", err(&output));
        assert!(err(&output).contains("No space left"), "{}", err(&output));
    }
}
