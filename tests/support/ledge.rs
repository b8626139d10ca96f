//! A game with a ledge from which a hero falls for long.

use crate::folder::{Folder, Game};
use hangtime_core::{models::Action, sim::why::Watch};
use std::sync::Arc;

/// A ledge with its right end at x = 0, far above a floor, and a wall next to it.
pub const LEDGE: &str = r#"
[[solid]]
name = "ledge"
points = [[-1000, -40], [0, -40], [0, 0], [-1000, 0]]
[[solid]]
name = "floor"
points = [[-2000, -3000], [2000, -3000], [2000, -2900], [-2000, -2900]]
[[entity]]
kind = "hero"
at = [-100, 19]
player = 1
"#;

/// A game on the ledge.
pub fn ledge(kind: &str) -> Folder {
    let folder = Folder::empty();
    folder.write("levels/level.toml", LEDGE);
    folder.write("config/entities/hero.toml", kind);
    folder
}

pub fn played(folder: &Folder, settings: &[(&str, &str)]) -> Game {
    let revision = folder.open_with(settings).unwrap_or_else(|wrong| {
        panic!("{}", hangtime_script::render_all(&wrong, false));
    });
    let mut game = Game::new(Arc::new(revision));
    game.live.watch(Watch::All);
    game
}

/// Runs until the hero has left the ledge.
pub fn run_off(game: &mut Game) {
    game.input.held.insert(Action::Right);
    let mut ticks = 0;
    while game.hero().grounded {
        game.ticks(1);
        ticks += 1;
        assert!(ticks < 1000, "the ledge ends");
    }
}
