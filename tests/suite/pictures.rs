//! PNG files of a game folder: what is wrong with them, reloads, and mods.

use crate::{
    folder::{Folder, on_large_stack},
    mods::add_mod,
    program::{code, out, run},
    sheets::{folder, sheet},
    watched::Watched,
};
use hangtime::{
    project::{Notice, Revision},
    script::host::Diagnostic,
    sim::Sheet,
};
use std::sync::Arc;

const SPRITE: &str = "[sprite]\nsheet = \"hero.png\"\nframe = [6, 8]\n";

/// A game whose hero has this table.
fn with_sprite(table: &str) -> Folder {
    let game = folder("", "");
    game.write("config/surfaces.toml", "[stone]\n");
    game.write_png("pictures/hero.png", (18, 16), &sheet(18, 16));
    let kind = game.read("config/entities/hero.toml");
    game.write("config/entities/hero.toml", &format!("{kind}{table}"));
    game
}

fn shown<'r>(revision: &'r Revision, name: &str) -> Option<&'r Arc<Sheet>> {
    revision.art.sheets.get(name)
}

/// A PNG of one color with this header and no data that fits it.
fn png_of(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    drop(encoder.write_header().expect("a header"));
    bytes
}

/// The bytes of a small picture that is right.
fn good() -> Vec<u8> {
    let folder = Folder::empty();
    folder.write_png("a.png", (7, 3), &sheet(7, 3));
    std::fs::read(folder.path("a.png")).expect("a file")
}

#[test]
fn broken_pictures_are_warnings_for_the_game_and_errors_for_check() {
    on_large_stack(|| {
        let good = good();
        let mut flipped = good.clone();
        let middle = flipped.len() / 2;
        flipped[middle] ^= 0x55;
        for (bytes, expected) in [
            (b"not a picture".to_vec(), "this is not a PNG"),
            (Vec::new(), "this is not a PNG"),
            (good[..good.len() / 2].to_vec(), "damaged or incomplete"),
            (good[..20].to_vec(), "damaged or incomplete"),
            (flipped, "damaged or incomplete"),
            (png_of(4097, 1), "4097 x 1 px; each side can have at most 4096 px"),
            (png_of(1, 5000), "at most 4096 px"),
            (png_of(4096, 1025), "all of it 4194304 pixels"),
            (png_of(u32::MAX >> 1, u32::MAX >> 1), "too large"),
        ] {
            let folder = with_sprite(SPRITE);
            folder.write_bytes("pictures/hero.png", &bytes);
            let mut game = folder.game();
            game.ticks(3);
            assert_eq!(game.wrong(), [""; 0]);
            let warnings = &game.live.revision().warnings;
            let about: Vec<&Diagnostic> = warnings.iter().filter(|it| it.file_name() == "pictures/hero.png").collect();
            let [wrong] = about[..] else { panic!("{expected}: {warnings:?}") };
            assert!(!wrong.is_error() && wrong.message.contains(expected), "{wrong:?}");
            // The kind is not blamed as well.
            assert_eq!(warnings.len(), 1, "{warnings:?}");
            let checked = run(folder.root(), &["check"]);
            let said = out(&checked);
            assert_eq!(code(&checked), 1, "{said}");
            assert!(said.contains("pictures/hero.png: error: ") && said.contains(expected), "{said}");
            let alone = run(folder.root(), &["check", "pictures/hero.png"]);
            assert_eq!((code(&alone), out(&alone).contains(expected)), (1, true));
        }
    });
}

#[test]
fn every_kind_of_png_becomes_the_same_pixels() {
    on_large_stack(|| {
        let gray = [0_u8, 85, 170, 255];
        for (color, depth, data) in [
            (png::ColorType::Grayscale, png::BitDepth::Eight, gray.to_vec()),
            (png::ColorType::Grayscale, png::BitDepth::Two, vec![0b0001_1011]),
            (png::ColorType::Grayscale, png::BitDepth::Sixteen, gray.iter().flat_map(|g| [*g, *g]).collect()),
            (png::ColorType::Rgb, png::BitDepth::Eight, gray.iter().flat_map(|g| [*g; 3]).collect()),
            (png::ColorType::GrayscaleAlpha, png::BitDepth::Eight, gray.iter().flat_map(|g| [*g, 255]).collect()),
            (png::ColorType::Indexed, png::BitDepth::Eight, vec![0, 1, 2, 3]),
        ] {
            let mut bytes = Vec::new();
            let mut encoder = png::Encoder::new(&mut bytes, 4, 1);
            encoder.set_color(color);
            encoder.set_depth(depth);
            if color == png::ColorType::Indexed {
                encoder.set_palette(gray.iter().flat_map(|g| [*g; 3]).collect::<Vec<u8>>());
            }
            let mut writer = encoder.write_header().expect("a header");
            writer.write_image_data(&data).expect("data");
            writer.finish().expect("an end");
            let folder = folder("", "");
            folder.write_bytes("pictures/gray.png", &bytes);
            let revision = folder.open().expect("a level");
            let found = shown(&revision, "gray.png").expect("a picture");
            assert_eq!(found.pixels(), gray.map(|g| [g, g, g, 255]), "{color:?} {depth:?}");
        }
    });
}

#[test]
fn wrong_keys_of_sprites_are_errors_with_the_right_ones() {
    for (table, expected) in [
        ("[sprite]\nframe = [6, 8]\n", "needs `sheet`"),
        ("[sprite]\nsheet = \"hero\"\n", "such as \"hero.png\""),
        ("[sprite]\nsheet = \"hero.png\"\nfarme = [6, 8]\n", "did you mean `frame`?"),
        ("[sprite]\nsheet = \"hero.png\"\nframe = [0, 8]\n", "whole px"),
        ("[sprite]\nsheet = \"hero.png\"\nframe = [6.5, 8]\n", "whole px"),
        ("[sprite]\nsheet = \"hero.png\"\nframe = 6\n", "[width, height]"),
        ("[sprite]\nsheet = \"hero.png\"\nscale = 0\n", "between 0.05 and 64"),
        ("[sprite]\nsheet = \"hero.png\"\nrate = -1\n", "between 0 and 240"),
        ("[sprite]\nsheet = \"hero.png\"\nmodes = { runing = 0 }\n", "did you mean `running`?"),
        ("[sprite]\nsheet = \"hero.png\"\nmodes = { running = [] }\n", "1 to 1000 numbers"),
        ("[sprite]\nsheet = \"hero.png\"\nmodes = { running = -1 }\n", "counted from 0"),
        ("[sprite]\nsheet = \"hero.png\"\nmodes = { running = [0.5] }\n", "counted from 0"),
        ("sprite = 5\n", "`sprite` takes a table"),
    ] {
        let wrong = with_sprite(table).wrong();
        assert_eq!(wrong.len(), 1, "{table}: {wrong:?}");
        assert!(wrong[0].contains("error") && wrong[0].contains(expected), "{table}: {wrong:?}");
    }
}

#[test]
fn check_finds_pictures_and_frames_that_do_not_exist() {
    for (table, expected) in [
        (SPRITE.replace("hero.png", "hreo.png"), "there is no pictures/hreo.png; did you mean `hero.png`?"),
        (format!("{SPRITE}modes = {{ air = [0, 6] }}\n"), "there is no frame 6: hero.png has the frames 0 to 5"),
        (SPRITE.replace("[6, 8]", "[19, 8]"), "does not fit into hero.png, which is 18 x 16 px"),
        (
            "[sprite]\nsheet = \"hero.png\"\nmodes = { air = 1 }\n".into(),
            "there is no frame 1: hero.png has only frame 0",
        ),
    ] {
        let folder = with_sprite(&table);
        let warned = folder.wrong();
        assert_eq!(warned.len(), 1, "{table}: {warned:?}");
        assert!(warned[0].contains("warning") && warned[0].contains(expected), "{warned:?}");
        let checked = run(folder.root(), &["check"]);
        assert_eq!((code(&checked), out(&checked).contains(expected)), (1, true));
        assert!(!out(&checked).contains("warning"), "reported once: {}", out(&checked));
    }
    for (call, expected) in [
        ("me.sprite(\"a\", 0, 0, \"hero.pgn\");", "there is no picture `hero.pgn`; did you mean `hero.png`?"),
        ("world::sprite(\"a\", 0, 0, \"zebra.png\");", "there is no picture `zebra.png`"),
        ("hud::sprite(\"a\", 0, 0, \"hero.png\");", ""),
    ] {
        let folder = folder(call, "");
        folder.write("config/surfaces.toml", "[stone]\n");
        folder.write_png("pictures/hero.png", (18, 16), &sheet(18, 16));
        let checked = run(folder.root(), &["check"]);
        assert_eq!(code(&checked), i32::from(!expected.is_empty()), "{}", out(&checked));
        assert!(out(&checked).contains(expected), "{}", out(&checked));
    }
}

#[test]
fn a_broken_picture_leaves_the_last_good_one_until_it_is_mended() {
    let mut watched = Watched::new(with_sprite(SPRITE));
    let first = shown(watched.game.live.revision(), "hero.png").expect("a picture").clone();
    let next = |watched: &mut Watched, expected: &str| {
        let Notice::Ready { revision, changed, .. } = watched.wait() else { panic!("{expected}: no new revision") };
        let said: Vec<String> = revision.warnings.iter().map(Diagnostic::headline).collect();
        assert_eq!(said.is_empty(), expected.is_empty(), "{said:?}");
        assert!(said.concat().contains(expected), "{said:?}");
        (changed, shown(&revision, "hero.png").cloned())
    };
    watched.folder.write("pictures/hero.png", "half a pict");
    let (changed, now) = next(&mut watched, "The one before is shown");
    assert_eq!(changed, ["pictures/hero.png"]);
    assert!(Arc::ptr_eq(&first, &now.expect("a picture")));
    // A script can be changed meanwhile.
    watched.folder.write("scripts/hero.rhai", "fn on_tick(me) { this.n += 7; }");
    let (changed, now) = next(&mut watched, "The one before is shown");
    assert_eq!(changed, ["scripts/hero.rhai"]);
    assert!(Arc::ptr_eq(&first, &now.expect("a picture")));
    watched.folder.write_png("pictures/hero.png", (12, 8), &sheet(12, 8));
    let (_, now) = next(&mut watched, "");
    assert_eq!(now.expect("a picture").size(), [12, 8]);
}

#[test]
fn a_new_picture_is_shown_in_the_running_game() {
    let game = folder("", "");
    let mut watched = Watched::new(game);
    watched.folder.write_png("pictures/new.png", (3, 2), &sheet(3, 2));
    let Notice::Ready { revision, .. } = watched.wait() else { panic!("no new revision") };
    let found = shown(&revision, "new.png").expect("a picture");
    assert_eq!(found.pixels(), sheet(3, 2));
}

#[test]
fn pictures_of_mods_lie_over_those_of_the_game() {
    let folder = with_sprite(SPRITE);
    folder.write_png("pictures/tree.png", (2, 2), &sheet(2, 2));
    let size = |folder: &Folder, name: &str| {
        let revision = folder.open().expect("a level");
        shown(&revision, name).map(|sheet| sheet.size())
    };
    assert_eq!(size(&folder, "hero.png"), Some([18, 16]));
    for (name, needs, width) in [("low", "", 24), ("aaa", "low = \"1\"", 30)] {
        add_mod(&folder, name, needs);
        folder.write_png(&format!("mods/{name}/pictures/hero.png"), (width, 8), &sheet(width, 8));
        // Each lies over what it needs, whatever it is called.
        assert_eq!(size(&folder, "hero.png"), Some([width, 8]));
        assert_eq!(size(&folder, "tree.png"), Some([2, 2]));
    }
    // A mod that is left out brings no pictures.
    folder.write("mods/aaa/mod.toml", "name = 5\n");
    assert_eq!(size(&folder, "hero.png"), Some([24, 8]));
}

#[test]
fn too_many_bytes_of_pictures_are_reported_and_the_others_shown() {
    let folder = with_sprite(SPRITE);
    // Larger than a picture may be.
    let huge = vec![0_u8; (16 << 20) + 1];
    folder.write_bytes("pictures/huge.png", &huge);
    let wrong = folder.wrong();
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert!(wrong[0].contains("pictures/huge.png"), "{wrong:?}");
    assert!(shown(&folder.open().expect("a level"), "hero.png").is_some());
}

#[cfg(unix)]
#[test]
fn pictures_outside_of_the_game_are_not_read() {
    let outside = Folder::empty();
    outside.write_png("secret.png", (2, 2), &sheet(2, 2));
    let folder = with_sprite("");
    std::os::unix::fs::symlink(outside.path("secret.png"), folder.path("pictures/link.png")).expect("a link");
    let revision = folder.open().expect("a level");
    assert!(shown(&revision, "link.png").is_none());
    let wrong: Vec<String> = revision.warnings.iter().map(Diagnostic::headline).collect();
    assert!(wrong.concat().contains("--follow-links"), "{wrong:?}");
}

#[test]
fn the_example_in_the_docs_has_no_mistakes() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures");
    let checked = run(&root, &["check"]);
    assert_eq!((code(&checked), out(&checked).as_str()), (0, ""));
}
