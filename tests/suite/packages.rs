//! The crates that are published: what crates.io and docs.rs show of them, and what is in their packages.

use crate::api_reference::is_fresh;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The folders below `crates/` whose crates are published, with the texts of their manifests.
fn published() -> Vec<(String, String)> {
    let folders = std::fs::read_dir(root().join("crates")).expect("a folder");
    let mut folders: Vec<String> = folders.flatten().map(|it| it.file_name().to_string_lossy().into_owned()).collect();
    folders.sort();
    let with_text = folders.into_iter().map(|name| {
        let manifest = text(&root().join("crates").join(&name).join("Cargo.toml"));
        (name, manifest)
    });
    with_text.filter(|(_, manifest)| !manifest.contains("publish = false")).collect()
}

fn parsed(manifest: &str) -> Table {
    manifest.parse().expect("a manifest")
}

/// The features of a manifest, each with the comment above it.
fn features(manifest: &str) -> Vec<(String, String)> {
    let part = manifest
        .split("\n[features]\n")
        .nth(1)
        .map_or("", |rest| rest.split("\n[").next().unwrap_or(rest));
    let (mut found, mut comment) = (Vec::new(), String::new());
    for line in part.lines() {
        if let Some(more) = line.strip_prefix("# ") {
            comment += if comment.is_empty() { "" } else { " " };
            comment += more;
        } else if let Some((name, _)) = line.split_once(" = ") {
            found.push((name.to_string(), std::mem::take(&mut comment)));
        }
    }
    found
}

/// The README of a crate below `crates/`.
fn readme(manifest: &str) -> String {
    let table = parsed(manifest);
    let about = |key: &str| table["package"][key].as_str().unwrap_or_default().to_string();
    let mut page = format!(
        "# {0}\n\n{1}.\n\nThis crate is a part of hangtime: 2D gameplay physics that you can edit while the game runs. The crate \
         [hangtime](https://docs.rs/hangtime) is the program, and has all parts under one name. The documentation of this part is on \
         [docs.rs](https://docs.rs/{0}).\n",
        about("name"),
        about("description")
    );
    let features = features(manifest);
    let defaults = table.get("features").and_then(|it| it.get("default")).and_then(Value::as_array);
    let is_default = |name: &str| defaults.is_some_and(|all| all.iter().any(|it| it.as_str() == Some(name)));
    if features.iter().any(|(name, _)| name != "default") {
        page += "\n| feature | what it adds |\n|---|---|\n";
    }
    for (name, comment) in features.iter().filter(|(name, _)| name != "default") {
        let default = if is_default(name) { ", on by default" } else { "" };
        page += &format!("| `{name}`{default} | {comment} |\n");
    }
    page + "\nMIT or Apache-2.0, at your option.\n"
}

#[test]
fn each_published_crate_has_a_readme_with_its_features() {
    for (name, manifest) in published() {
        is_fresh(&format!("crates/{name}/README.md"), &readme(&manifest));
    }
}

#[test]
fn each_published_crate_says_what_a_registry_shows() {
    let crates = published()
        .into_iter()
        .map(|(name, manifest)| (root().join("crates").join(name), manifest));
    let own = (root().to_path_buf(), text(&root().join("Cargo.toml")));
    let mut count = 0;
    for (folder, manifest) in crates.chain([own]) {
        let table = parsed(&manifest);
        let package = table["package"].as_table().expect("a package");
        let name = package["name"].as_str().expect("a name");
        for key in ["version", "edition", "rust-version", "license", "repository"] {
            assert_eq!(package[key].get("workspace"), Some(&Value::Boolean(true)), "{name}: {key}");
        }
        let list = |key: &str| package[key].as_array().expect("a list").len();
        assert!((1..=5).contains(&list("keywords")) && (1..=5).contains(&list("categories")), "{name}");
        assert!(package["description"].as_str().is_some_and(|it| !it.is_empty() && !it.ends_with('.')), "{name}");
        for (feature, comment) in features(&manifest).iter().filter(|(feature, _)| feature != "default") {
            assert!(!comment.is_empty(), "{name}: `{feature}` needs a comment above it");
        }
        for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
            assert!(!text(&folder.join(file)).is_empty(), "{name}: {file}");
        }
        count += 1;
    }
    assert_eq!(count, 13);
}

/// What a crate needs to be built has to be in its folder, or a link there: nothing else is in its package.
#[test]
fn no_published_crate_reads_files_outside_of_its_folder() {
    for (name, _) in published() {
        let mut folders: Vec<PathBuf> = vec![root().join("crates").join(&name).join("src")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|it| it == "rs") {
                    for line in text(&path).lines().filter(|line| line.contains("include") && line.contains("!(\"")) {
                        assert!(!line.contains("../../.."), "{}: {line}", path.display());
                        assert!(!line.contains("MANIFEST_DIR/.."), "{}: {line}", path.display());
                    }
                }
            }
        }
    }
}
