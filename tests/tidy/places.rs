//! Some libraries and functions may only be used in some places.

use crate::{
    lines::{code_lines, mentions},
    source::{Source, crates},
};

struct Rule {
    name: &'static str,
    words: &'static [&'static str],
    /// Folders and files in which the words may occur: the beginning of a path or, after a `/`, any part of it.
    places: &'static [&'static str],
}

/// The crates in which nothing that a tick computes may depend on.
const ABOVE_SCRIPTS: &[&str] =
    &["crates/game/", "crates/draw/", "crates/play/", "crates/workbench/", "crates/window/", "crates/service/", "src/"];

const RULES: &[Rule] = &[
    Rule {
        name: "files only in game",
        words: &["std::fs", "File::", "include_dir", "tempfile"],
        places: &["crates/game/"],
    },
    Rule {
        name: "clocks only above the scripts, and not in drawing",
        words: &["std::time", "Instant", "SystemTime"],
        places: &["crates/game/", "crates/play/", "crates/window/", "crates/service/", "src/"],
    },
    Rule {
        name: "threads only above the scripts, and not in drawing",
        words: &["std::thread", "thread::"],
        places: &["crates/game/", "crates/play/", "crates/workbench/", "crates/window/", "crates/service/", "src/"],
    },
    Rule {
        name: "print with hangtime_game::terminal, which outlives a closed pipe",
        words: &["print!", "println!", "eprint!", "eprintln!", "dbg!"],
        places: &[],
    },
    Rule {
        name: "languages only in the list and the façade",
        words: &["hangtime_rhai"],
        places: &["crates/game/src/languages.rs", "src/lib.rs"],
    },
    Rule { name: "rayon only in one file", words: &["rayon::", "use rayon"], places: &["/threads.rs"] },
    Rule { name: "notify only in one file", words: &["notify::"], places: &["/watch.rs"] },
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
            let allowed = rule.places.iter().any(|place| match place.starts_with('/') {
                true => file.name.contains(place),
                false => file.name.starts_with(place),
            });
            if !allowed && rule.words.iter().any(|word| mentions(&line, word)) {
                found.push(format!("{}: {}:{number}: {}", rule.name, file.name, line.trim()));
            }
        }
    }
    found
}

#[test]
fn libraries_are_used_only_where_they_belong() {
    let found: Vec<String> = crates().concat().iter().flat_map(violations).collect();
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// A file, a line that does not belong there, and the rule that it breaks.
#[rustfmt::skip]
const MISPLACED: &[(&str, &str, &str)] = &[
    ("crates/core/src/a.rs", "use std::{fmt, fs};", "files only in game"),
    ("crates/core/src/a.rs", "use std::fs::File;", "files only in game"),
    ("src/cli/a.rs", "let f = std::fs::read(x);", "files only in game"),
    ("crates/draw/src/a.rs", "let f = File::open(x);", "files only in game"),
    ("crates/core/src/a.rs", "use std::{thread::sleep, fmt};", "threads only"),
    ("crates/core/src/models/a.rs", "std::thread::sleep(x);", "threads only"),
    ("crates/draw/src/a.rs", "thread::sleep(x);", "threads only"),
    ("crates/script/src/a.rs", "use std::{\n    fmt,\n    time::{self, Duration},\n};", "clocks only"),
    ("crates/core/src/a.rs", "use std::time::Duration;", "clocks only"),
    ("crates/script/src/a.rs", "let now = Instant::now();", "clocks only"),
    ("crates/draw/src/a.rs", "let now = Instant::now();", "clocks only"),
    ("src/cli/run.rs", "eprintln!(\"done\");", "print with"),
    ("crates/window/src/game.rs", "println!();", "print with"),
    ("src/cli/a.rs", "rayon::join(a, b);", "rayon only in one file"),
    ("crates/game/src/live/live.rs", "use notify::Watcher;", "notify only in one file"),
    ("crates/play/src/a.rs", "use hangtime_rhai::Rhai;", "languages only"),
    ("crates/game/src/live/a.rs", "hangtime_rhai::Rhai.name()", "languages only"),
    ("crates/core/src/a.rs", "use std::collections::HashMap;", "no hash maps"),
    ("crates/core/src/models/a.rs", "let y = angle.sin();", "libm instead"),
    ("crates/rhai/src/a.rs", "let y = f64::powf(x, 2.0);", "libm instead"),
    ("crates/core/src/level/a.rs", "DVec2::from_angle(x)", "libm instead"),
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
        ("crates/core/src/a.rs", "let y = libm::sin(x);"),
        ("crates/core/src/a.rs", "// std::fs has no place here"),
        ("crates/core/src/a.rs", "let y = x.sqrt();"),
        ("crates/game/src/live/watch.rs", "use notify::Watcher;"),
        ("crates/play/src/a.rs", "use std::time::Instant;"),
    ] {
        let found = violations(&Source::new(name, text));
        assert_eq!(found, [""; 0], "{name} `{text}`");
    }
}
