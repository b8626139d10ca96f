//! Mods while the game runs: edits take effect, and what breaks waits.

use crate::folder::{Folder, Game};
use crate::mods::{add_mod, game};
use hangtime::project::{Notice, Reloader};
use std::time::{Duration, Instant};

struct Watched {
    folder: Folder,
    game: Game,
    reloader: Reloader,
}

impl Watched {
    fn new(folder: Folder) -> Self {
        let game = folder.game();
        let reloader = Reloader::new(
            folder.root().to_path_buf(),
            folder.path("levels/level.toml"),
            vec![],
            game.live.revision(),
        );
        std::thread::sleep(Duration::from_millis(50));
        Self {
            folder,
            game,
            reloader,
        }
    }

    fn wait(&mut self) -> Notice {
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(20) {
            if let Some(notice) = self.reloader.notices().next() {
                if let Notice::Ready { revision, .. } = &notice {
                    self.game.live.adopt(revision.clone());
                }
                return notice;
            }
            self.game.ticks(1);
            std::thread::sleep(Duration::from_millis(2));
        }
        panic!("the change had no effect");
    }

    /// The mods that run after the next revision.
    fn mods_after(&mut self, name: &str, text: &str) -> Vec<String> {
        self.folder.write(name, text);
        match self.wait() {
            Notice::Ready { revision, .. } => {
                let layers = revision.mods.layers.iter();
                layers.map(|layer| layer.name.clone()).collect()
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn an_edit_in_a_mod_takes_effect_and_keeps_all_state() {
    let folder = game();
    add_mod(&folder, "a", "");
    folder.write(
        "mods/a/config/entities/hero.toml",
        "script = \"mine.rhai\"\n",
    );
    folder.write(
        "mods/a/scripts/mine.rhai",
        "fn on_tick(me) { this.n += 1; }",
    );
    let mut watched = Watched::new(folder);
    watched.game.ticks(10);
    let after = watched.mods_after(
        "mods/a/scripts/mine.rhai",
        "fn on_tick(me) { this.n += 1000; }",
    );
    assert_eq!(after, ["a"]);
    watched.game.ticks(1);
    let n = format!("{:?}", watched.game.var("n"));
    let n: i64 = n
        .trim_matches(|c: char| !c.is_ascii_digit())
        .parse()
        .expect("a number");
    assert!(n >= 1010, "{n}");
}

#[test]
fn a_mod_that_is_added_while_the_game_runs_is_loaded() {
    let mut watched = Watched::new(game());
    watched
        .folder
        .write("mods/a/config/models/platformer.toml", "jump_speed = 600\n");
    let manifest = "name = \"a\"\nversion = \"1\"\n";
    let mut names = watched.mods_after("mods/a/mod.toml", manifest);
    while names.is_empty() {
        // The folder was there before its `mod.toml`.
        names = match watched.wait() {
            Notice::Ready { revision, .. } => {
                let layers = revision.mods.layers.iter();
                layers.map(|layer| layer.name.clone()).collect()
            }
            other => panic!("{other:?}"),
        };
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
