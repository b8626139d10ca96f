//! The modules form layers: a file uses its own module and lower layers.

use crate::lines::code_lines;
use crate::source::{Source, root, rust_files};

/// The layers, lowest first.
const LAYERS: &[&[&str]] = &[
    &["geometry"],
    &["level", "tuning"],
    &["models"],
    &["sim"],
    &["script"],
    &["project", "draw"],
    &["playtest", "workbench", "viewer", "editor", "service"],
    &["cli"],
];

/// Modules of one layer of which the first may use the second. The workbench films like a headless run, and
/// the window shows a workbench. What a service
/// answers are traces and test results.
const SAME_LAYER: &[(&str, &str)] = &[("workbench", "playtest"), ("viewer", "workbench"), ("service", "playtest")];

fn layer_of(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

/// The module that a file belongs to.
fn module_of(name: &str) -> &str {
    name.split('/').next().unwrap_or_default()
}

/// The uses in a file that the layers forbid, each with its rule.
fn violations(file: &Source) -> Vec<String> {
    let mut found = Vec::new();
    let module = module_of(&file.name);
    for (number, line) in code_lines(file) {
        let mut report = |rule: &str| {
            found.push(format!("{rule}: src/{}:{number}: {}", file.name, line.trim()));
        };
        if let Some(layer) = layer_of(module) {
            for used in used_modules(&line) {
                let Some(other) = layer_of(&used) else {
                    continue;
                };
                let allowed = SAME_LAYER.contains(&(module, used.as_str()));
                if other > layer {
                    report("use only lower layers");
                } else if other == layer && used != module && !allowed {
                    report("use no module of the same layer");
                }
            }
        }
        if file.name.starts_with("script/host/") && line.contains("script::rhai") {
            report("the host knows no language");
        }
    }
    found
}

/// The modules of this crate that a line names.
fn used_modules(line: &str) -> Vec<String> {
    let after = line.split("crate::").skip(1);
    let word = |rest: &str| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    after.map(word).collect()
}

#[test]
fn modules_use_only_lower_layers() {
    let files = rust_files("src");
    assert!(files.len() > 50, "only {} files in src/", files.len());
    let found: Vec<String> = files.iter().flat_map(violations).collect();
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn every_module_has_a_layer() {
    for file in rust_files("src") {
        let module = module_of(&file.name);
        let root = ["lib.rs", "main.rs"].contains(&module);
        assert!(root || layer_of(module).is_some(), "src/{} is in no layer", file.name);
    }
}

#[test]
fn the_top_level_holds_only_what_belongs_there() {
    let allowed = [
        "Cargo.toml",
        "Cargo.lock",
        "src",
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
    let files = std::process::Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output();
    // A packed crate is outside of any repository, and git finds nothing to list.
    let Ok(files) = files else { return };
    for file in String::from_utf8_lossy(&files.stdout).lines() {
        let top = file.split('/').next().unwrap_or_default();
        assert!(allowed.contains(&top), "{file} does not belong at the top level");
    }
}

#[test]
fn forbidden_uses_are_reported_with_their_rule() {
    for (name, text, rule) in [
        ("geometry/a.rs", "use crate::sim::World;", "use only lower layers"),
        ("sim/a.rs", "let x = crate::script::host::STACK;", "use only lower layers"),
        ("models/a.rs", "use crate::project::Live;", "use only lower layers"),
        ("models/a.rs", "use crate::{geometry::Ellipse, sim::World};", "use only lower layers"),
        (
            "models/a.rs",
            "pub(super) use crate::{\n    level,\n    cli::{\n        run,\n    },\n};",
            "use only lower layers",
        ),
        ("models/a.rs", "use super::super::sim::World;", "use only lower layers"),
        ("models/jump/mod.rs", "let w: super::super::sim::World = x;", "use only lower layers"),
        ("playtest/a.rs", "use crate::viewer::show;", "use no module of the same layer"),
        ("tuning/a.rs", "use crate::level::Level;", "use no module of the same layer"),
        ("draw/a.rs", "use crate::project::Live;", "use no module of the same layer"),
        ("script/host/a.rs", "use crate::script::rhai::Scripts;", "the host knows no language"),
    ] {
        let found = violations(&Source::new(name, text));
        assert!(found.iter().any(|v| v.starts_with(rule)), "{name} `{text}`: {found:?}");
    }
}

#[test]
fn allowed_uses_pass() {
    for (name, text) in [
        ("models/a.rs", "use crate::geometry::Ellipse;"),
        ("models/a.rs", "// use crate::sim::World;"),
        ("models/jump/a.rs", "use super::super::jump::Sim;"),
        ("project/a.rs", "use crate::script::rhai::Scripts;"),
        ("sim/a.rs", "use crate::{\n    models::Body,\n    level::{Level, Surface},\n};"),
    ] {
        let found = violations(&Source::new(name, text));
        assert_eq!(found, [""; 0], "{name} `{text}`");
    }
}
