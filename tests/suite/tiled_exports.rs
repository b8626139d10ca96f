//! `hangtime export`: every level of this repository as TOML, as a map and as an SVG.

use crate::{
    folder::{Folder, on_large_stack},
    goldens::{levels, root},
    maps::{described, game, hash_after, layer, map},
    program::{code, err, out, run},
};
use hangtime::project::{LevelFormat, Project, Revision, export_level};
use std::path::Path;

fn open(game: &Path, level: &Path) -> Revision {
    let project = Project::load(game).expect("a folder");
    let opened = project.open(level, &[]);
    opened.unwrap_or_else(|error| panic!("{}: {error}", level.display()))
}

/// What a level plays as, without its own name and the line numbers of its file.
fn meaning(revision: &Revision) -> String {
    described(revision)
}

fn check_round_trip(level: &str) {
    let game = root();
    let original = open(game, &game.join(level));
    let folder = Folder::empty();
    for name in ["config", "scripts"] {
        copy(&game.join(name), &folder.path(name));
    }
    // Demos are next to their levels.
    let from = game.join(level);
    for entry in std::fs::read_dir(from.parent().expect("a folder")).expect("a folder").flatten() {
        if entry.path().extension().is_some_and(|e| e == "input") {
            let text = std::fs::read_to_string(entry.path()).expect("an input file");
            folder.write(&format!("levels/{}", entry.file_name().to_string_lossy()), &text);
        }
    }
    let project = Project::load(game).expect("a folder");
    for (format, name) in [(LevelFormat::Tmx, "levels/level.tmx"), (LevelFormat::Toml, "levels/level.toml")] {
        let exported = export_level(project.folder(), &from, Some(format)).expect("it is exported");
        folder.write(name, &exported.text);
        let read = open(folder.root(), &folder.path(name));
        assert_eq!(meaning(&read), meaning(&original), "{level} as {name}");
        // And from the other format again.
        let back = match format {
            LevelFormat::Tmx => LevelFormat::Toml,
            LevelFormat::Toml => LevelFormat::Tmx,
        };
        let copy = Project::load(folder.root()).expect("a folder");
        let again = export_level(copy.folder(), &folder.path(name), Some(back)).expect("it is exported");
        let name = if back == LevelFormat::Tmx { "levels/again.tmx" } else { "levels/again.toml" };
        folder.write(name, &again.text);
        let read = open(folder.root(), &folder.path(name));
        assert_eq!(meaning(&read), meaning(&original), "{level} as {name}");
    }
}

/// Copies a folder.
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

#[test]
fn every_level_reads_back_the_same_from_both_formats() {
    on_large_stack(|| {
        for level in levels(".") {
            check_round_trip(&level);
        }
    });
}

#[test]
fn an_exported_level_plays_the_same() {
    on_large_stack(|| {
        for level in ["levels/courtyard.toml", "levels/lagoon.toml", "levels/playground.toml", "levels/quarry.tmx"] {
            let game = root();
            let folder = Folder::empty();
            for name in ["config", "scripts", "levels"] {
                copy(&game.join(name), &folder.path(name));
            }
            let project = Project::load(folder.root()).expect("a folder");
            let hash = hash_after(open(folder.root(), &folder.path(level)), 600);
            for (format, name) in [(LevelFormat::Tmx, "levels/new.tmx"), (LevelFormat::Toml, "levels/new2.toml")] {
                let exported = export_level(project.folder(), &folder.path(level), Some(format));
                folder.write(name, &exported.expect("it is exported").text);
                let found = hash_after(open(folder.root(), &folder.path(name)), 600);
                assert_eq!(found, hash, "{level} as {name}");
            }
        }
    });
}

#[test]
fn odd_names_and_numbers_survive() {
    let folder = Folder::with_script("fn on_tick(me) { }");
    folder.write(
        "levels/level.toml",
        "[[solid]]\nname = \"a & b < \\\"c\\\" \\u00fc\\u200b\"\npoints = [[0.1, 0.2], [0.3, 1e-3], [1e3, 3.3333333333333335]]\n\
         [[entity]]\nkind = \"hero\"\nat = [0.1, -0.7000000000000001]\n\
         vars = { big = 5000000000, \"a.b\" = 1, text = \"[not toml\", line = \"a\\nb\", deep = { x = 1.5, y = [] }, none = {} }\n",
    );
    let original = open(folder.root(), &folder.path("levels/level.toml"));
    let project = Project::load(folder.root()).expect("a folder");
    for (format, name) in [(LevelFormat::Tmx, "levels/b.tmx"), (LevelFormat::Toml, "levels/b2.toml")] {
        let exported = export_level(project.folder(), &folder.path("levels/level.toml"), Some(format));
        let text = exported.expect("it is exported").text;
        folder.write(name, &text);
        let read = open(folder.root(), &folder.path(name));
        assert_eq!(meaning(&read), meaning(&original), "{text}");
    }
}

#[test]
fn export_prints_or_writes_and_never_replaces_a_file_of_the_game() {
    let folder = game(&map(&layer("  <object id=\"1\" name=\"floor\" x=\"0\" y=\"0\" width=\"4\" height=\"3\"/>\n")));
    let export = |arguments: &[&str]| run(folder.root(), &[&["export"], arguments].concat());
    let printed = export(&["level", "--to", "toml"]);
    assert_eq!(code(&printed), 0, "{}", err(&printed));
    let expected = "[[solid]]\nname = \"floor\"\npoints = [[0, 0], [4, 0], [4, -3], [0, -3]]\n";
    assert_eq!(out(&printed), expected);
    let written = export(&["level", "--to", "toml", "-o", "levels/new.toml"]);
    assert_eq!((code(&written), out(&written)), (0, String::new()), "{}", err(&written));
    let said = format!(
        "wrote levels/new.toml: a level file, {} bytes
",
        expected.len()
    );
    assert_eq!(err(&written), said);
    assert_eq!(folder.read("levels/new.toml"), expected);
    for (to, target) in [("toml", "levels/a.tmx"), ("svg", "a.TOML"), ("tmx", "a.svg")] {
        let refused = export(&["level", "--to", to, "-o", target]);
        assert_eq!(code(&refused), 2);
        let said = err(&refused);
        assert!(said.contains("the name says another format"), "{said}");
        assert!(!folder.path(target).exists(), "{target}");
    }
    for (to, target) in [("toml", "levels/new.toml"), ("tmx", "levels/level.tmx"), ("tmx", "scripts/hero.rhai")] {
        let before = std::fs::read(folder.path(target)).unwrap();
        let refused = export(&["level", "--to", to, "-o", target]);
        assert_eq!(code(&refused), 2);
        assert!(err(&refused).contains("nothing was written"), "{}", err(&refused));
        assert_eq!(std::fs::read(folder.path(target)).unwrap(), before);
    }
    let svg = export(&["level", "--to", "svg", "-o", "a.svg"]);
    assert_eq!(code(&svg), 0, "{}", err(&svg));
    assert!(err(&svg).contains("wrote a.svg: a picture of the level"));
    let text = folder.read("a.svg");
    assert!(text.starts_with("<svg ") && text.contains("<title>floor (plain)</title>"), "{text}");
    // An SVG may be drawn again.
    assert_eq!(code(&export(&["level", "--to", "svg", "-o", "a.svg"])), 0);
    for (arguments, message) in
        [(["none", "--to", "svg"], "none: error: no such level"), (["level", "--to", "pdf"], "invalid value 'pdf'")]
    {
        let refused = export(&arguments);
        assert_eq!(code(&refused), 2);
        assert!(err(&refused).contains(message), "{}", err(&refused));
    }
    let none = export(&["level", "--to", "toml", "-o", "no/such/folder/a.toml"]);
    assert_eq!(code(&none), 2);
}

#[test]
fn an_svg_of_every_level_is_xml_with_all_solids() {
    on_large_stack(|| {
        for level in levels(".") {
            let output = run(root(), &["export", &level, "--to", "svg"]);
            assert_eq!(code(&output), 0, "{level}: {}", err(&output));
            let text = out(&output);
            let revision = open(root(), &root().join(&level));
            let solids = revision.stage.level.terrain.solids();
            let bodies = revision.stage.starts.len();
            let drawn = text.matches("<polygon ").count() + text.matches("<polyline ").count();
            assert!(drawn >= solids.len(), "{level}");
            assert!(text.matches("<ellipse ").count() <= bodies, "{level}");
            assert!(text.starts_with("<svg ") && text.trim_end().ends_with("</svg>"), "{level}");
            assert!(!text.contains("NaN") && !text.contains("inf"), "{level}");
        }
    });
}
