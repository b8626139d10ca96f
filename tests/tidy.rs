//! The plan of the house, checked: who may use whom, and what must not appear where.
//!
//! Each rule has a name, and a violation is told by it, with file and line.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The floors, from the ground up. A file may use its own module and those on floors below.
const FLOORS: &[&[&str]] = &[
    &["geometry"],
    &["level", "tuning"],
    &["models"],
    &["sim"],
    &["script"],
    &["project", "draw"],
    &["playtest", "viewer"],
    &["cli"],
];

/// Neighbors on one floor that may use each other, by name: first, second. There are none.
const NEIGHBORS: &[(&str, &str)] = &[];

/// What may only appear in some places: the rule's name, what it is about, the words, and the
/// path prefixes below `src/` where they may stand.
const PLACES: &[(&str, &[&str], &[&str])] = &[
    (
        "files only in project",
        &["std::fs", "File::", "include_dir", "tempfile"],
        &["project/"],
    ),
    (
        "clocks only above the scripts",
        &["std::time", "Instant", "SystemTime"],
        &["project/", "draw/", "playtest/", "viewer/", "cli/"],
    ),
    (
        "threads only above the scripts",
        &["std::thread", "thread::"],
        &["project/", "draw/", "playtest/", "viewer/", "cli/"],
    ),
    (
        "rhai only in script/rhai",
        &["rhai::", "use rhai"],
        &["script/rhai/"],
    ),
    (
        "notify only in project/live/watch.rs",
        &["notify::"],
        &["project/live/watch.rs"],
    ),
    (
        "winit and pixels only in viewer",
        &["winit", "pixels::", "wgpu"],
        &["viewer/"],
    ),
    (
        "no hash maps where their order could show",
        &["HashMap", "HashSet"],
        &["project/", "draw/", "playtest/", "viewer/", "cli/"],
    ),
    (
        "libm instead of inexact std functions",
        INEXACT,
        &["project/", "draw/", "playtest/", "viewer/", "cli/"],
    ),
];

/// Functions of floats that are not the same on every machine.
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

/// Most lines of a file, of a function, and of `main.rs`.
const MOST_LINES: usize = 500;
const MOST_FUNCTION: usize = 70;
const MOST_MAIN: usize = 80;

/// All Rust files below a folder, by their paths there.
fn source_files(folder: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    let name = |path: &PathBuf| {
        path.strip_prefix(&root)
            .expect("below src")
            .to_string_lossy()
            .replace('\\', "/")
    };
    files
        .iter()
        .map(|p| (name(p), std::fs::read_to_string(p).expect("readable")))
        .collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("src is there").flatten() {
        let path = entry.path();
        if path.is_dir() {
            // What a build leaves behind is nobody's writing.
            if !path.ends_with("target") {
                collect(&path, files);
            }
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
}

/// The code of a file: comments and tests of their own are left out, line numbers stay. Imports
/// are spelled out, one path each, however they were grouped; paths that climb from a module to
/// the root of the crate begin with `crate::`.
fn code(name: &str, text: &str) -> Vec<(usize, String)> {
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(i, line)| (i + 1, line))
        .take_while(|(_, line)| line.trim() != "#[cfg(test)]" || line.starts_with(' '))
        .filter(|(_, line)| !line.trim_start().starts_with("//"));
    let mut found = Vec::new();
    while let Some((number, line)) = lines.next() {
        let mut words = line.split_whitespace().filter(|w| !w.starts_with("pub"));
        if words.next() != Some("use") {
            found.push((number, from_root(name, line)));
            continue;
        }
        let mut statement = line.to_string();
        while !statement.contains(';') {
            let Some((_, more)) = lines.next() else { break };
            statement += more.trim();
        }
        let tree = statement.split_once("use ").map_or("", |(_, tree)| tree);
        for path in spelled_out(tree.trim().trim_end_matches(';')) {
            found.push((number, from_root(name, &format!("use {path};"))));
        }
    }
    found
}

/// The paths of a tree of imports: `a::{b, c::{d, e}}` is `a::b`, `a::c::d` and `a::c::e`.
fn spelled_out(tree: &str) -> Vec<String> {
    let Some((stem, rest)) = tree.split_once('{') else {
        return vec![tree.trim().to_string()];
    };
    let inside = rest.rsplit_once('}').map_or(rest, |(inside, _)| inside);
    let mut depth = 0;
    let branches = inside.split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    branches
        .filter(|branch| !branch.trim().is_empty())
        .flat_map(spelled_out)
        .map(|path| format!("{}{path}", stem.trim()))
        .collect()
}

/// A line of a file with `crate::` in place of as many `super::` as lead up to the root.
fn from_root(name: &str, line: &str) -> String {
    let path = name.trim_end_matches(".rs").trim_end_matches("/mod");
    let climb = "super::".repeat(path.split('/').count());
    line.replace(&climb, "crate::")
}

fn floor_of(module: &str) -> Option<usize> {
    FLOORS.iter().position(|floor| floor.contains(&module))
}

/// All violations in a file, each with the name of its rule.
fn violations(name: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut tell = |rule: &str, line: usize, what: &str| {
        found.push(format!("{rule}: src/{name}:{line}: {}", what.trim()));
    };
    let module = name.split('/').next().unwrap_or_default();
    for (number, line) in code(name, text) {
        let line = line.as_str();
        if let Some(floor) = floor_of(module) {
            for used in used_modules(line) {
                let Some(other) = floor_of(&used) else {
                    continue;
                };
                let neighbor = NEIGHBORS.contains(&(module, used.as_str()));
                if other > floor {
                    tell("use only floors below", number, line);
                } else if other == floor && used != module && !neighbor {
                    tell("use no neighbor", number, line);
                }
            }
        }
        for (rule, words, places) in PLACES {
            if words.iter().any(|word| names(line, word))
                && !places.iter().any(|p| name.starts_with(p))
            {
                tell(rule, number, line);
            }
        }
        if name.starts_with("script/host/") && line.contains("script::rhai") {
            tell("the host knows no language", number, line);
        }
    }
    too_long(name, text, &mut tell);
    found
}

/// Tells of files and functions that are too long.
fn too_long(name: &str, text: &str, tell: &mut impl FnMut(&str, usize, &str)) {
    let most = if name == "main.rs" {
        MOST_MAIN
    } else {
        MOST_LINES
    };
    let lines = text.lines().count();
    if lines > most {
        tell(
            "files stay short",
            lines,
            &format!("{lines} lines, at most {most}"),
        );
    }
    for (line, length) in long_functions(text) {
        tell(
            "functions stay short",
            line,
            &format!("{length} lines, at most {MOST_FUNCTION}"),
        );
    }
}

/// The modules of this crate that a line names.
fn used_modules(line: &str) -> Vec<String> {
    let after = line.split("crate::").skip(1);
    let word = |rest: &str| {
        rest.chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect()
    };
    after.map(word).collect()
}

/// Whether a line names a word, and not only a longer one that ends with it. `script::rhai` is
/// a room of this house, not the crate.
fn names(line: &str, word: &str) -> bool {
    let within = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = &line[..at];
        let longer = word.starts_with(within) && before.ends_with(within);
        !longer && !before.ends_with("script::")
    })
}

/// Functions longer than they should be: the line of each and its length.
fn long_functions(text: &str) -> Vec<(usize, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let is_start = |line: &str| {
        let line = line
            .trim_start()
            .trim_start_matches("pub ")
            .trim_start_matches("pub(super) ");
        let line = line
            .trim_start_matches("pub(crate) ")
            .trim_start_matches("const ");
        line.starts_with("fn ")
    };
    let mut long = Vec::new();
    for (i, line) in lines.iter().enumerate().filter(|(_, line)| is_start(line)) {
        // A signature alone, or a body on one line, is short.
        let opens = lines[i..].iter().find(|l| l.ends_with(['{', ';', '}']));
        if opens.is_none_or(|l| !l.ends_with('{')) {
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        let end = format!("{}}}", " ".repeat(indent));
        let length = lines[i..]
            .iter()
            .position(|l| **l == end)
            .map_or(0, |at| at + 1);
        if length > MOST_FUNCTION {
            long.push((i + 1, length));
        }
    }
    long
}

#[test]
fn the_house_is_tidy() {
    let files = source_files("src");
    assert!(files.len() > 50, "the sources were found");
    let mut report = String::new();
    for (name, text) in &files {
        for violation in violations(name, text) {
            let _ = writeln!(report, "{violation}");
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

#[test]
fn tests_and_benches_are_no_longer_than_the_rest() {
    let mut report = String::new();
    for folder in ["tests", "benches"] {
        for (name, text) in &source_files(folder) {
            let mut tell = |rule: &str, line: usize, what: &str| {
                let _ = writeln!(report, "{rule}: {folder}/{name}:{line}: {what}");
            };
            too_long(name, text, &mut tell);
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

#[test]
fn every_module_has_a_floor() {
    for (name, _) in source_files("src") {
        let module = name.split('/').next().unwrap_or_default();
        let root = ["lib.rs", "main.rs"].contains(&module);
        assert!(
            root || floor_of(module).is_some(),
            "src/{name} is on no floor"
        );
    }
}

#[test]
fn the_top_level_holds_what_belongs_there() {
    let allowed = [
        "Cargo.toml",
        "Cargo.lock",
        "src",
        "scripts",
        "config",
        "levels",
        "tests",
        "benches",
        "docs",
        "README.md",
        "CHANGELOG.md",
        "LICENSE-MIT",
        "LICENSE-APACHE",
        ".gitignore",
        ".ci",
    ];
    let files = std::process::Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output();
    // Outside a repository, as in a packed crate, there is nothing to be said.
    let Ok(files) = files else { return };
    for file in String::from_utf8_lossy(&files.stdout).lines() {
        let top = file.split('/').next().unwrap_or_default();
        assert!(
            allowed.contains(&top),
            "{file} does not belong at the top level"
        );
    }
}

/// A file, what stands in it, and the rule that it breaks.
#[rustfmt::skip]
const BROKEN: &[(&str, &str, &str)] = &[
    ("geometry/a.rs", "use crate::sim::World;", "use only floors below"),
    ("sim/a.rs", "let x = crate::script::host::STACK;", "use only floors below"),
    ("models/a.rs", "use crate::project::Live;", "use only floors below"),
    ("playtest/a.rs", "use crate::viewer::show;", "use no neighbor"),
    ("tuning/a.rs", "use crate::level::Level;", "use no neighbor"),
    ("models/a.rs", "use crate::{geometry::Ellipse, sim::World};", "use only floors below"),
    ("models/a.rs", "pub(super) use crate::{\n    level,\n    cli::{\n        run,\n    },\n};", "use only floors below"),
    ("models/a.rs", "use super::super::sim::World;", "use only floors below"),
    ("models/jump/mod.rs", "let w: super::super::sim::World = x;", "use only floors below"),
    ("sim/a.rs", "use std::{fmt, fs};", "files only in project"),
    ("sim/a.rs", "use std::{thread::sleep, fmt};", "threads only above the scripts"),
    ("script/host/a.rs", "use std::{\n    fmt,\n    time::{self, Duration},\n};", "clocks only above the scripts"),
    ("sim/a.rs", "use {glam::DVec2, rhai::Engine};", "rhai only in script/rhai"),
    ("sim/a.rs", "use std::fs::File;", "files only in project"),
    ("cli/a.rs", "let f = std::fs::read(x);", "files only in project"),
    ("sim/a.rs", "use std::time::Duration;", "clocks only above the scripts"),
    ("script/host/a.rs", "let now = Instant::now();", "clocks only above the scripts"),
    ("models/a.rs", "std::thread::sleep(x);", "threads only above the scripts"),
    ("sim/a.rs", "let d: rhai::Dynamic = x;", "rhai only in script/rhai"),
    ("script/host/a.rs", "use rhai::Engine;", "rhai only in script/rhai"),
    ("project/reload.rs", "use notify::Watcher;", "notify only in project/live/watch.rs"),
    ("cli/play.rs", "use winit::window::Window;", "winit and pixels only in viewer"),
    ("draw/mod.rs", "use pixels::Pixels;", "winit and pixels only in viewer"),
    ("sim/a.rs", "use std::collections::HashMap;", "no hash maps where their order could show"),
    ("models/a.rs", "let y = angle.sin();", "libm instead of inexact std functions"),
    ("geometry/a.rs", "let y = f64::powf(x, 2.0);", "libm instead of inexact std functions"),
    ("level/a.rs", "DVec2::from_angle(x)", "libm instead of inexact std functions"),
    ("script/host/a.rs", "use crate::script::rhai::Scripts;", "the host knows no language"),
];

#[test]
fn each_rule_fails_with_its_name() {
    for &(name, text, rule) in BROKEN {
        let found = violations(name, text);
        assert!(
            found.iter().any(|v| v.starts_with(rule)),
            "{name} `{text}`: {found:?}"
        );
    }
    let long = "x\n".repeat(MOST_LINES + 1);
    assert!(violations("sim/a.rs", &long)[0].starts_with("files stay short"));
    assert!(violations("main.rs", &"x\n".repeat(MOST_MAIN + 1))[0].starts_with("files stay short"));
    let function = format!(
        "    fn f() {{\n{}    }}\n",
        "        x;\n".repeat(MOST_FUNCTION)
    );
    assert!(violations("sim/a.rs", &function)[0].starts_with("functions stay short"));
}

#[test]
fn what_is_allowed_is_not_complained_about() {
    for (name, text) in [
        ("models/a.rs", "use crate::geometry::Ellipse;"),
        ("models/a.rs", "let y = libm::sin(x);"),
        ("models/a.rs", "// std::fs has no place here"),
        ("models/a.rs", "let y = x.sqrt();"),
        ("project/live/watch.rs", "use notify::Watcher;"),
        ("script/rhai/a.rs", "use rhai::Engine;"),
        ("viewer/a.rs", "use winit::window::Window;"),
        ("project/a.rs", "use crate::script::rhai::Scripts;"),
        ("models/jump/a.rs", "use super::super::jump::Sim;"),
        (
            "sim/a.rs",
            "use crate::{\n    models::Body,\n    level::{Level, Surface},\n};",
        ),
    ] {
        assert_eq!(violations(name, text), [""; 0], "{name} `{text}`");
    }
}
