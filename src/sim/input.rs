//! What players do, tick by tick.

use crate::models::Actions;
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// Most players that a level can have: `p1` to `p8`.
pub const MOST_PLAYERS: u8 = 8;

/// One player's input during one tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayerInput {
    /// What is held down.
    pub held: Actions,
    /// What went down since the last tick, even if it is up again, or was down before.
    pub pressed: Actions,
    /// The stick, −1..=1 on each axis.
    pub stick: DVec2,
    /// The point aimed at, world px.
    pub aim: Option<DVec2>,
}

/// All players' input during one tick. Players count from 1; input for one whom the level lacks
/// is ignored.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Inputs {
    players: Vec<PlayerInput>,
}

impl Inputs {
    /// Nobody does anything.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// The first player does this, nobody else anything.
    #[must_use]
    pub fn of_first(input: PlayerInput) -> Self {
        Self {
            players: vec![input],
        }
    }

    /// What `player` (from 1) does.
    #[must_use]
    pub fn player(&self, player: u8) -> PlayerInput {
        let index = usize::from(player).wrapping_sub(1);
        self.players.get(index).copied().unwrap_or_default()
    }

    /// What `player` (from 1) does, to be changed.
    ///
    /// # Panics
    /// For player 0: players count from 1.
    pub fn player_mut(&mut self, player: u8) -> &mut PlayerInput {
        assert!(player > 0, "players count from 1");
        let count = usize::from(player);
        if self.players.len() < count {
            self.players.resize(count, PlayerInput::default());
        }
        &mut self.players[count - 1]
    }
}
