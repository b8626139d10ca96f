//! Every level ends with the hash that `tests/goldens.txt` records: in debug and release builds,
//! on every machine.
//!
//! After a change of the simulation on purpose, `HANGTIME_WRITE_GOLDENS=1 cargo test --test suite goldens`
//! writes the file; the change belongs under "Simulation changed" in the changelog.

use crate::program::{code, err, run};
use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};

const FILE: &str = "tests/goldens.txt";

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The game folders, each with the path from this repository's root.
pub const GAMES: [&str; 2] = [".", "tests/fixture"];

/// All levels below a game's `levels/`, as paths from the game folder, sorted.
pub fn levels(game: &str) -> Vec<String> {
    let game = root().join(game);
    let mut folders: Vec<PathBuf> = vec![game.join("levels")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|found| ["toml", "tmx", "ldtk"].iter().any(|ending| found == *ending))
            {
                let level = path.strip_prefix(&game).expect("a path below the game");
                found.push(level.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}

/// A line for each level: its file, the ticks of its demo and the final hash.
fn goldens() -> String {
    let mut lines = String::new();
    for game in GAMES {
        for level in levels(game) {
            let output = run(root(), &["--root", game, "run", &level]);
            let text = err(&output);
            assert_eq!(code(&output), 0, "{level}: {text}");
            let summary = text.lines().last().unwrap_or_default();
            let ticks = summary.split(' ').next().unwrap_or_default();
            let hash = summary.rsplit(' ').next().unwrap_or_default();
            let path = format!("{game}/{level}");
            let path = path.trim_start_matches("./");
            let _ = writeln!(lines, "{path} {ticks} {hash}");
        }
    }
    lines
}

/// Whether the file is to be written, from the environment's `HANGTIME_WRITE_GOLDENS` and `CI`.
///
/// # Errors
/// In CI, where a changed simulation has to fail.
fn wants_update(update: Option<&str>, ci: Option<&str>) -> Result<bool, &'static str> {
    let set = |value: Option<&str>| value.is_some_and(|value| !value.is_empty() && value != "0");
    match (set(update), set(ci)) {
        (true, true) => Err("HANGTIME_WRITE_GOLDENS is refused in CI"),
        (update, _) => Ok(update),
    }
}

#[test]
fn every_level_ends_with_its_golden_hash() {
    let variable = |name: &str| std::env::var(name).ok();
    let (update, ci) = (variable("HANGTIME_WRITE_GOLDENS"), variable("CI"));
    let update = wants_update(update.as_deref(), ci.as_deref()).unwrap_or_else(|why| panic!("{why}"));
    let found = goldens();
    let path = root().join(FILE);
    if update {
        std::fs::write(&path, &found).expect("a writable file");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    let differences: Vec<String> = expected
        .lines()
        .filter(|line| !found.lines().any(|other| other == *line))
        .map(|line| format!("- {line}"))
        .chain(
            (found.lines().filter(|line| !expected.lines().any(|other| other == *line)))
                .map(|line| format!("+ {line}")),
        )
        .collect();
    assert!(
        differences.is_empty(),
        "level, ticks and hash differ from {FILE}; if the simulation changed on purpose, run\n\
         HANGTIME_WRITE_GOLDENS=1 cargo test --test suite goldens\n{}",
        differences.join("\n")
    );
}

#[test]
fn goldens_are_written_on_request_but_never_in_ci() {
    assert_eq!(wants_update(None, None), Ok(false));
    assert_eq!(wants_update(None, Some("true")), Ok(false));
    assert_eq!(wants_update(Some("1"), None), Ok(true));
    assert_eq!(wants_update(Some("0"), Some("1")), Ok(false));
    assert!(wants_update(Some("1"), Some("true")).is_err());
}
