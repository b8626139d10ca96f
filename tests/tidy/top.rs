//! The top level of the repository holds only what belongs there, and the package for Python optimizes all crates.

use crate::source::root;

const ALLOWED: &[&str] = &[
    "Cargo.toml",
    "Cargo.lock",
    "rustfmt.toml",
    "src",
    "crates",
    "scripts",
    "config",
    "levels",
    "tests",
    "benches",
    "examples",
    "engines",
    "fuzz",
    "python",
    "web",
    "docs",
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    ".gitignore",
    ".ci",
    ".github",
    "release",
];

#[test]
fn the_top_level_holds_only_what_belongs_there() {
    let files = std::process::Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output();
    // A packed crate is outside of any repository, and git finds nothing to list.
    let Ok(files) = files else { return };
    for file in String::from_utf8_lossy(&files.stdout).lines() {
        let top = file.split('/').next().unwrap_or_default();
        assert!(ALLOWED.contains(&top), "{file} does not belong at the top level");
    }
}

/// To the package for Python, the crates of this workspace are libraries like others, which are not optimized.
#[test]
fn the_package_for_python_optimizes_every_crate_that_it_uses() {
    let manifest = std::fs::read_to_string(root().join("python/Cargo.toml")).expect("a manifest");
    let lock = std::fs::read_to_string(root().join("python/Cargo.lock")).expect("a lock file");
    let names = lock.lines().filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
    // A lock file names the window's crate, too, although the package leaves it out.
    let own =
        names.filter(|name| name.starts_with("hangtime") && !["hangtime-python", "hangtime-window"].contains(name));
    let missing: Vec<&str> = own
        .filter(|name| {
            !["1", "3"]
                .iter()
                .all(|level| manifest.contains(&format!("\n{name} = {{ opt-level = {level} }}")))
        })
        .collect();
    assert!(missing.is_empty(), "python/Cargo.toml does not optimize {missing:?}");
}
