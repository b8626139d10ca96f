//! Some libraries and functions may only be used in some places.

use crate::lines::{code_lines, mentions};
use crate::source::{Source, rust_files};

struct Rule {
    name: &'static str,
    words: &'static [&'static str],
    /// The prefixes of paths below `src/` in which the words may occur.
    places: &'static [&'static str],
}

const ABOVE_SCRIPTS: &[&str] = &["project/", "draw/", "playtest/", "workbench/", "viewer/", "service/", "cli/"];

const RULES: &[Rule] = &[
    Rule {
        name: "files only in project",
        words: &["std::fs", "File::", "include_dir", "tempfile"],
        places: &["project/"],
    },
    Rule {
        name: "clocks only above the scripts, and not in drawing",
        words: &["std::time", "Instant", "SystemTime"],
        places: &["project/", "playtest/", "viewer/", "service/", "cli/"],
    },
    Rule {
        name: "threads only above the scripts, and not in drawing",
        words: &["std::thread", "thread::"],
        places: &["project/", "playtest/", "workbench/", "viewer/", "service/", "cli/"],
    },
    Rule {
        name: "print with project::print_message and say, which outlive a closed pipe",
        words: &["print!", "println!", "eprint!", "eprintln!", "dbg!"],
        places: &[],
    },
    Rule { name: "rhai only in script/rhai", words: &["rhai::", "use rhai"], places: &["script/rhai/"] },
    Rule {
        name: "rayon only in project/live/run/threads.rs",
        words: &["rayon::", "use rayon"],
        places: &["project/live/run/threads.rs"],
    },
    Rule {
        name: "notify only in project/live/reload/watch.rs",
        words: &["notify::"],
        places: &["project/live/reload/watch.rs"],
    },
    Rule { name: "winit and pixels only in viewer", words: &["winit", "pixels::", "wgpu"], places: &["viewer/"] },
    Rule { name: "no hash maps where their order could show", words: &["HashMap", "HashSet"], places: ABOVE_SCRIPTS },
    Rule { name: "libm instead of inexact std functions", words: INEXACT, places: ABOVE_SCRIPTS },
];

/// Functions of floats whose results differ between machines.
#[rustfmt::skip]
const INEXACT: &[&str] = &[
    ".sin(", ".cos(", ".tan(", ".sin_cos(", ".asin(", ".acos(", ".atan(", ".atan2(", ".sinh(",
    ".cosh(", ".tanh(", ".asinh(", ".acosh(", ".atanh(", ".exp(", ".exp2(", ".exp_m1(", ".ln(",
    ".ln_1p(", ".log(", ".log2(", ".log10(", ".powf(", ".powi(", ".cbrt(", ".hypot(",
    "f64::sin", "f64::cos", "f64::tan", "f64::asin", "f64::acos", "f64::atan", "f64::exp",
    "f64::ln", "f64::log", "f64::powf", "f64::powi", "f64::cbrt", "f64::hypot", "FLOAT::sin",
    "FLOAT::cos", "FLOAT::tan", "FLOAT::exp", "FLOAT::ln", "FLOAT::log", "FLOAT::powf",
    "from_angle", "to_angle", "angle_to", "angle_between", "from_polar", ".rotate(", "mul_add",
];

fn violations(file: &Source) -> Vec<String> {
    let mut found = Vec::new();
    for (number, line) in code_lines(file) {
        for rule in RULES {
            let allowed = rule.places.iter().any(|place| file.name.starts_with(place));
            if !allowed && rule.words.iter().any(|word| mentions(&line, word)) {
                found.push(format!("{}: src/{}:{number}: {}", rule.name, file.name, line.trim()));
            }
        }
    }
    found
}

#[test]
fn libraries_are_used_only_where_they_belong() {
    let found: Vec<String> = rust_files("src").iter().flat_map(violations).collect();
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// A file, a line that does not belong there, and the rule that it breaks.
#[rustfmt::skip]
const MISPLACED: &[(&str, &str, &str)] = &[
    ("sim/a.rs", "use std::{fmt, fs};", "files only in project"),
    ("sim/a.rs", "use std::fs::File;", "files only in project"),
    ("cli/a.rs", "let f = std::fs::read(x);", "files only in project"),
    ("draw/a.rs", "let f = File::open(x);", "files only in project"),
    ("sim/a.rs", "use std::{thread::sleep, fmt};", "threads only"),
    ("models/a.rs", "std::thread::sleep(x);", "threads only"),
    ("draw/a.rs", "thread::sleep(x);", "threads only"),
    ("script/host/a.rs", "use std::{\n    fmt,\n    time::{self, Duration},\n};", "clocks only"),
    ("sim/a.rs", "use std::time::Duration;", "clocks only"),
    ("script/host/a.rs", "let now = Instant::now();", "clocks only"),
    ("draw/a.rs", "let now = Instant::now();", "clocks only"),
    ("cli/run.rs", "eprintln!(\"done\");", "print with"),
    ("viewer/game.rs", "println!();", "print with"),
    ("sim/a.rs", "let d: rhai::Dynamic = x;", "rhai only in script/rhai"),
    ("script/host/a.rs", "use rhai::Engine;", "rhai only in script/rhai"),
    ("sim/a.rs", "use {glam::DVec2, rhai::Engine};", "rhai only in script/rhai"),
    ("sim/a.rs", "rayon::join(a, b);", "rayon only in project/live/run/threads.rs"),
    ("project/live/live.rs", "use notify::Watcher;", "notify only in project/live/reload/watch.rs"),
    ("cli/play.rs", "use winit::window::Window;", "winit and pixels only in viewer"),
    ("draw/mod.rs", "use pixels::Pixels;", "winit and pixels only in viewer"),
    ("sim/a.rs", "use std::collections::HashMap;", "no hash maps"),
    ("models/a.rs", "let y = angle.sin();", "libm instead"),
    ("geometry/a.rs", "let y = f64::powf(x, 2.0);", "libm instead"),
    ("level/a.rs", "DVec2::from_angle(x)", "libm instead"),
];

#[test]
fn misplaced_libraries_are_reported_with_their_rule() {
    for &(name, text, rule) in MISPLACED {
        let found = violations(&Source::new(name, text));
        assert!(found.iter().any(|v| v.starts_with(rule)), "{name} `{text}`: {found:?}");
    }
}

#[test]
fn libraries_in_their_place_pass() {
    for (name, text) in [
        ("models/a.rs", "let y = libm::sin(x);"),
        ("models/a.rs", "// std::fs has no place here"),
        ("models/a.rs", "let y = x.sqrt();"),
        ("project/live/reload/watch.rs", "use notify::Watcher;"),
        ("script/rhai/a.rs", "use rhai::Engine;"),
        ("project/a.rs", "use crate::script::rhai::Scripts;"),
        ("viewer/a.rs", "use winit::window::Window;"),
        ("playtest/a.rs", "use std::time::Instant;"),
    ] {
        let found = violations(&Source::new(name, text));
        assert_eq!(found, [""; 0], "{name} `{text}`");
    }
}
