//! A world that other JavaScript drives: the package for game libraries. It has no clock and no picture.

use super::*;
use hangtime_core::{
    models::Actions,
    sim::{Inputs, MOST_PLAYERS, SavedWorld},
};
use hangtime_game::OtherLevels;
use hangtime_play::{EntityLine, TickLine};
use hangtime_script::{names::suggestion, render_all};

/// A world of a level, which moves only when it is asked to.
#[wasm_bindgen]
pub struct World {
    live: Live,
    /// What each player held in the last tick.
    held: Vec<Actions>,
}

/// The files of a game, from which worlds are made.
#[wasm_bindgen]
pub struct Game(GameFiles);

#[wasm_bindgen]
impl Game {
    /// The built-in playground, or a game without files.
    #[wasm_bindgen(constructor)]
    pub fn new(is_playground: bool) -> Self {
        Self(if is_playground { playground() } else { GameFiles::default() })
    }

    /// Writes a file.
    pub fn write(&mut self, path: String, bytes: Vec<u8>) {
        self.0.0.insert(path, bytes);
    }

    /// A world of a level, or of the first one, with a seed for its random numbers.
    ///
    /// # Errors
    /// The messages about the files.
    pub fn world(&self, level: Option<String>, seed: u64) -> Result<World, JsError> {
        let level = level.unwrap_or_else(|| self.0.usual_level());
        let (_, revision) = self
            .0
            .open(&level)
            .map_err(|error| JsError::new(&render_all(&error.diagnostics(), false)))?;
        let others = OtherLevels::of_game(self.0.folder(), revision.settings.clone());
        let mut live = Live::new(Arc::new(revision), seed);
        live.use_levels(Some(Arc::new(others)));
        Ok(World { live, held: Vec::new() })
    }
}

#[wasm_bindgen]
impl World {
    /// Plays ticks in which the players hold these actions: names with spaces between them, and a line for each player.
    ///
    /// # Errors
    /// An action that the game does not have, or too many players.
    pub fn step(&mut self, actions: &str, ticks: u32) -> Result<(), JsError> {
        let stage = &self.live.revision().stage;
        let mut held = Vec::new();
        for (player, line) in (1..).zip(actions.lines()) {
            if player > MOST_PLAYERS {
                return Err(JsError::new(&format!("there are actions of more than {MOST_PLAYERS} players")));
            }
            let mut set = Actions::NONE;
            for name in line.split_whitespace() {
                let unknown = || {
                    let hint = suggestion(name, stage.actions.all_names());
                    JsError::new(&format!("the game has no action `{name}`{hint}"))
                };
                set.insert(stage.actions.parse(name).ok_or_else(unknown)?);
            }
            held.push(set);
        }
        for _ in 0..ticks {
            let mut inputs = Inputs::none();
            for (i, set) in held.iter().enumerate() {
                let before = self.held.get(i).copied().unwrap_or(Actions::NONE);
                let player = inputs.player_mut(i as u8 + 1);
                player.held = *set;
                player.pressed = set.without(before);
            }
            self.live.step(&inputs);
            self.held.clone_from(&held);
        }
        Ok(())
    }

    /// The present tick as a line of a trace, which is JSON: `entities`, `events`, `level`.
    pub fn views(&self) -> String {
        let world = self.live.world();
        let entities = world.entities().iter().map(|entity| EntityLine::new(&self.live, entity, None));
        json(&TickLine::new(&self.live, entities.collect(), world.events().iter()))
    }

    /// The world as JSON.
    pub fn snapshot(&self) -> String {
        json(self.live.world())
    }

    /// Continues with a world of the same level.
    ///
    /// # Errors
    /// Why it is not one.
    pub fn restore(&mut self, snapshot: &str) -> Result<(), JsError> {
        let saved: SavedWorld = serde_json::from_str(snapshot)?;
        self.live.load(saved).map_err(|error| JsError::new(&error.to_string()))?;
        self.held.clear();
        Ok(())
    }

    /// The hash of the world, as hexadecimal digits: equal worlds have equal hashes on every machine.
    pub fn hash(&self) -> String {
        format!("{:016x}", self.live.world().hash())
    }

    /// How many ticks were played.
    pub fn tick(&self) -> f64 {
        self.live.world().ticks() as f64
    }

    /// Ticks per second.
    pub fn hz(&self) -> u32 {
        self.live.revision().stage.hz
    }
}
