//! The top level of the repository holds only what belongs there.

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
    "fuzz",
    "python",
    "docs",
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    ".gitignore",
    ".ci",
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
