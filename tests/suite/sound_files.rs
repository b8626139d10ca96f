//! WAV files of a game folder: what is wrong with them, reloads, and mods.

use crate::{
    folder::Folder,
    mods::add_mod,
    program::{code, out, run},
    sounds::{wav, with_sounds},
    watched::Watched,
};
use hangtime::{
    project::{Notice, Revision, Sound},
    script::host::Diagnostic,
};
use std::sync::Arc;

const SILENT: &str = "fn on_tick(me) { this.n += 1; }";

fn game(sounds: &str) -> Folder {
    with_sounds(sounds, SILENT)
}

fn sound(revision: &Revision, name: &str) -> Arc<Sound> {
    revision.sounds.files.get(name).expect("a sound").clone()
}

/// The first page of an OGG file: a header with one segment of 30 bytes, which begins the Vorbis stream.
fn ogg(word: &str, channels: u8, rate: u32) -> Vec<u8> {
    let mut bytes = b"OggS\0\x02".to_vec();
    bytes.extend([0; 20]);
    bytes.extend([1, 30, 1]);
    bytes.extend(word.bytes());
    bytes.extend([0; 4]);
    bytes.push(channels);
    bytes.extend(rate.to_le_bytes());
    bytes.resize(58, 0);
    bytes
}

#[test]
fn ogg_files_are_kept_as_they_are() {
    let folder = game("jump = \"jump.ogg\"\n");
    std::fs::remove_file(folder.path("sounds/jump.wav")).expect("a file");
    let bytes = ogg("vorbis", 2, 44_100);
    folder.write_bytes("sounds/jump.ogg", &bytes);
    let revision = folder.open().expect("a good game");
    assert_eq!(revision.warnings.len(), 0, "{:?}", revision.warnings);
    let sound = sound(&revision, "jump.ogg");
    assert_eq!((sound.channels, sound.rate, &sound.ogg), (2, 44_100, &bytes));
    let checked = run(folder.root(), &["check"]);
    assert_eq!(code(&checked), 0, "{}", out(&checked));
}

#[test]
fn broken_sounds_are_reported_and_the_game_runs() {
    let good = wav(8_000, 1, &[5; 100]);
    let mut header = good.clone();
    header[20] = 85;
    for (bytes, expected) in [
        (b"not a sound".to_vec(), "this is not a WAV file or an OGG file"),
        (Vec::new(), "this is not a WAV file or an OGG file"),
        (ogg("theora", 2, 44_100), "this OGG file has no Vorbis sound"),
        (ogg("vorbis", 3, 44_100), "3 channels; it can have 1 or 2"),
        (ogg("vorbis", 1, 100), "100 samples per second; it can have 8000 to 96000"),
        (ogg("vorbis", 1, 44_100)[..42].to_vec(), "this OGG file is incomplete"),
        (good[..20].to_vec(), "damaged or incomplete"),
        (good[..100].to_vec(), "damaged or incomplete"),
        (header, "save the sound as PCM with 16 bits"),
        (wav(8_000, 1, &[]), "this sound is empty"),
        (wav(8_000, 3, &[0; 30]), "3 channels; it can have 1 or 2"),
        (wav(100, 1, &[0; 30]), "100 samples per second; it can have 8000 to 96000"),
        (wav(8_000, 1, &vec![0; 80_001]), "too long: 10.0 s; it can have at most 10 s"),
        (vec![0; (5 << 20) + 1], "the limit is"),
    ] {
        let folder = game("jump = \"jump.wav\"\n");
        folder.write_bytes("sounds/jump.wav", &bytes);
        let mut game = folder.game();
        game.ticks(3);
        assert_eq!(game.wrong(), [""; 0]);
        let warnings = &game.live.revision().warnings;
        let said: Vec<String> = warnings.iter().map(Diagnostic::headline).collect();
        assert_eq!(said.len(), 1, "{expected}: {said:?}");
        assert!(said[0].contains("sounds/jump.wav: warning"), "{said:?}");
        assert!(said[0].contains(expected), "{expected}: {said:?}");
        for args in [&["check"][..], &["check", "sounds/jump.wav"]] {
            let checked = run(folder.root(), args);
            assert_eq!(code(&checked), 1, "{}", out(&checked));
            assert!(out(&checked).contains(expected), "{}", out(&checked));
        }
    }
}

#[test]
fn every_cut_and_every_changed_byte_is_a_sound_or_a_message() {
    let good = wav(8_000, 2, &[7; 40]);
    let folder = game("jump = \"jump.wav\"\n");
    // One sample is like another.
    for place in (0..48).chain((48..good.len()).step_by(9)) {
        for value in [0, 1, 127, 255] {
            let mut bytes = good.clone();
            bytes[place] = value;
            folder.write_bytes("sounds/jump.wav", &bytes);
            assert!(folder.open().is_ok(), "{place} {value}");
            if value == 0 {
                folder.write_bytes("sounds/jump.wav", &good[..place]);
                assert!(folder.open().is_ok(), "cut at {place}");
            }
        }
    }
}

/// Tables, what is said of them, and whether that is an error even when the game runs.
const WRONG: &[(&str, &str, bool)] = &[
    ("jump = \"jmup.wav\"\n", "there is no sounds/jmup.wav; did you mean `jump.wav`?", false),
    ("jupm = \"jump.wav\"\n", "no event has the name `jupm`, and no script plays it; did you mean `jump`?", false),
    ("jump = \"../jump.wav\"\n", "`../jump.wav` leads out of `sounds/`", true),
    ("jump = \"/etc/jump.wav\"\n", "leads out of `sounds/`", true),
    ("jump = \"C:\\\\jump.wav\"\n", "leads out of `sounds/`", true),
    ("jump = \"jump.mp3\"\n", "`jump.mp3` is not the name of a WAV or OGG file", true),
    ("jump = 3\n", "`jump` takes the name of a WAV or OGG file in `sounds/`", true),
    ("jump = { volume = 1 }\n", "a sound needs `file`", true),
    ("jump = { file = \"jump.wav\", volume = 1.5 }\n", "`volume` is 1.5; it must be between 0 and 1", true),
    ("jump = { file = \"jump.wav\", volume = nan }\n", "`volume` is NaN", true),
    ("jump = { file = \"jump.wav\", loud = 1 }\n", "unknown key `loud`", true),
];

#[test]
fn check_finds_files_events_and_names_that_do_not_exist() {
    for (sounds, expected, is_error) in WRONG {
        let folder = game(sounds);
        let wrong = folder.wrong();
        assert_eq!(wrong.len(), 1, "{sounds}: {wrong:?}");
        assert!(wrong[0].contains(expected), "{sounds}: {wrong:?}");
        assert_eq!(wrong[0].contains("error"), *is_error, "{wrong:?}");
        let checked = run(folder.root(), &["check"]);
        let said = out(&checked);
        assert_eq!(code(&checked), 1, "{said}");
        assert!(said.contains("error: ") && said.contains(expected), "{said}");
        assert!(said.contains("config/entities/hero.toml:4:") && said.contains('^'), "{said}");
        assert_eq!(said.matches("error: ").count(), 1, "reported once: {said}");
    }
    // A name that a script may put together is only a warning.
    let folder = game("zebra = \"jump.wav\"\n");
    let checked = run(folder.root(), &["check"]);
    assert_eq!(code(&checked), 0, "{}", out(&checked));
    assert!(out(&checked).contains("warning: no event has the name `zebra`"), "{}", out(&checked));
    let calls = with_sounds("ping = \"ping.wav\"\n", "fn on_tick(me) { world::sound(\"pign\"); }");
    let checked = run(calls.root(), &["check", "scripts/hero.rhai"]);
    assert!(out(&checked).contains("there is no sound `pign`; did you mean `ping`?"), "{}", out(&checked));
}

#[test]
fn the_table_of_the_game_is_checked_like_that_of_a_kind() {
    let folder = game("");
    folder.write("config/hangtime.toml", "[sounds]\nlnad = \"lnad.wav\"\n");
    let checked = run(folder.root(), &["check"]);
    let said = out(&checked);
    assert!(said.contains("config/hangtime.toml:2:8: error: there is no sounds/lnad.wav"), "{said}");
    assert!(said.contains("config/hangtime.toml:2:1: error: no event has the name `lnad`"), "{said}");
    assert_eq!(said.matches("error: ").count(), 2, "reported once: {said}");
}

#[test]
fn a_broken_sound_leaves_the_last_good_one_until_it_is_mended() {
    let mut watched = Watched::new(game("jump = \"jump.wav\"\n"));
    let first = sound(watched.game.live.revision(), "jump.wav");
    let next = |watched: &mut Watched, expected: &str| {
        let Notice::Ready { revision, changed, .. } = watched.wait() else { panic!("{expected}: no new revision") };
        let said: Vec<String> = revision.warnings.iter().map(Diagnostic::headline).collect();
        assert_eq!(said.is_empty(), expected.is_empty(), "{said:?}");
        assert!(said.concat().contains(expected), "{said:?}");
        (changed, sound(&revision, "jump.wav"))
    };
    watched.folder.write("sounds/jump.wav", "half a so");
    let (changed, now) = next(&mut watched, "The one before is played");
    assert_eq!(changed, ["sounds/jump.wav"]);
    assert!(Arc::ptr_eq(&first, &now));
    watched.folder.write_bytes("sounds/jump.wav", &wav(44_100, 2, &[1, 2]));
    let (_, now) = next(&mut watched, "");
    assert_eq!((now.rate, now.channels), (44_100, 2));
}

#[test]
fn mods_lie_over_the_names_and_the_files_of_the_game() {
    let folder = game("jump = \"jump.wav\"\nland = \"land.wav\"\n");
    add_mod(&folder, "angry", "");
    folder.write("mods/angry/config/entities/hero.toml", "[sounds]\njump = { file = \"roar.wav\", volume = 0.5 }\n");
    folder.write_bytes("mods/angry/sounds/roar.wav", &wav(16_000, 1, &[9]));
    folder.write_bytes("mods/angry/sounds/land.wav", &wav(22_050, 1, &[9]));
    let revision = folder.open().expect("a level");
    assert_eq!(revision.warnings, []);
    let cues = &revision.sounds.kinds["hero"];
    assert_eq!((&*cues["jump"].file, cues["jump"].volume), ("roar.wav", 0.5));
    assert_eq!((&*cues["land"].file, cues["land"].volume), ("land.wav", 1.0));
    let rates = ["roar.wav", "land.wav", "jump.wav"].map(|name| sound(&revision, name).rate);
    assert_eq!(rates, [16_000, 22_050, 8_000]);
    let checked = run(folder.root(), &["check"]);
    assert_eq!(code(&checked), 0, "{}", out(&checked));
    // A broken file of the mod leaves the game's in place.
    folder.write("mods/angry/sounds/land.wav", "no");
    let revision = folder.open().expect("a level");
    assert_eq!(sound(&revision, "land.wav").rate, 8_000);
    let said: Vec<String> = revision.warnings.iter().map(Diagnostic::headline).collect();
    assert!(said[0].contains("mods/angry/sounds/land.wav"), "{said:?}");
}
