//! Mods while the game runs: edits take effect, and what breaks waits.

use crate::{
    mods::{add_mod, game},
    watched::Watched,
};
use hangtime::project::Notice;

/// The mods that run after the next revision.
fn next_mods(watched: &mut Watched) -> Vec<String> {
    match watched.wait() {
        Notice::Ready { revision, .. } => {
            let layers = revision.mods.layers.iter();
            layers.map(|layer| layer.name.clone()).collect()
        }
        other => panic!("{other:?}"),
    }
}

/// The mods that run after a file is written.
pub fn mods_after(watched: &mut Watched, name: &str, text: &str) -> Vec<String> {
    watched.folder.write(name, text);
    next_mods(watched)
}

#[test]
fn an_edit_in_a_mod_takes_effect_and_keeps_all_state() {
    let folder = game();
    add_mod(&folder, "a", "");
    folder.write("mods/a/config/entities/hero.toml", "scripts = [\"mine.rhai\"]\nreplaces = true\nvars = { n = 0 }\n");
    folder.write("mods/a/scripts/mine.rhai", "fn on_tick(me) { this.n += 1; }");
    let mut watched = Watched::new(folder);
    watched.game.ticks(10);
    let after = mods_after(&mut watched, "mods/a/scripts/mine.rhai", "fn on_tick(me) { this.n += 1000; }");
    assert_eq!(after, ["a"]);
    watched.game.ticks(1);
    let n = format!("{:?}", watched.game.var("n"));
    let n: i64 = n.trim_matches(|c: char| !c.is_ascii_digit()).parse().expect("a number");
    assert!(n >= 1010, "{n}");
}

#[test]
fn a_mod_that_is_added_while_the_game_runs_is_loaded() {
    let mut watched = Watched::new(game());
    watched.folder.write("mods/a/config/models/platformer.toml", "jump_speed = 600\n");
    let manifest = "name = \"a\"\nversion = \"1\"\n";
    let mut names = mods_after(&mut watched, "mods/a/mod.toml", manifest);
    while names.is_empty() {
        // The folder was there before its `mod.toml`.
        names = next_mods(&mut watched);
    }
    assert_eq!(names, ["a"]);
}

#[test]
fn a_running_mod_that_breaks_keeps_running_until_it_is_fixed() {
    let folder = game();
    add_mod(&folder, "a", "");
    folder.write("mods/a/config/models/platformer.toml", "jump_speed = 600\n");
    let mut watched = Watched::new(folder);
    for (file, broken) in [
        ("mods/a/config/models/platformer.toml", "jump_sped = 610\n"),
        ("mods/a/mod.toml", "name = \"a\"\nversion = \"x.y\"\n"),
    ] {
        let good = watched.folder.read(file);
        watched.folder.write(file, broken);
        match watched.wait() {
            Notice::Broken(wrong) => assert_eq!(wrong[0].file_name(), file, "{wrong:?}"),
            other => panic!("{other:?}"),
        }
        assert_eq!(watched.game.live.revision().mods.layers.len(), 1);
        watched.folder.write(file, &good);
        assert!(matches!(watched.wait(), Notice::Reverted));
    }
}
