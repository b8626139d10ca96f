//! Player input, tick by tick.

use super::*;

/// Maximum number of players in a level: `p1` to `p8`.
pub const MOST_PLAYERS: u8 = 8;

/// One player's input during one tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayerInput {
    /// Actions whose keys are down.
    pub held: Actions,
    /// Actions whose keys went down since the last tick, even if they are up again.
    pub pressed: Actions,
    /// The stick, −1..=1 on each axis.
    pub stick: DVec2,
    /// The point aimed at, world px. It counts as at most 1e8 px from the origin on each axis.
    pub aim: Option<DVec2>,
}

impl PlayerInput {
    /// The same input with its stick and aim in the range that a saved world can hold. Numbers that
    /// are not numbers count as no input.
    #[must_use = "the input itself stays as it is"]
    pub fn in_range(self) -> Self {
        if self.stick == DVec2::ZERO && self.aim.is_none() {
            return self;
        }
        let far = DVec2::splat(FARTHEST_SAVED);
        let stick = match self.stick.abs().max_element() {
            _ if self.stick.is_nan() => DVec2::ZERO,
            // The direction stays, so models see the same stick: they limit its length themselves.
            most if most > 1.0 && most.is_finite() => self.stick / most,
            _ => self.stick.clamp(DVec2::NEG_ONE, DVec2::ONE),
        };
        let aim = self.aim.filter(|aim| !aim.is_nan());
        Self {
            stick,
            aim: aim.map(|aim| match aim.abs().max_element() {
                // The direction stays. The product may round to slightly more.
                most if most > FARTHEST_SAVED && most.is_finite() => (aim * (FARTHEST_SAVED / most)).clamp(-far, far),
                _ => aim.clamp(-far, far),
            }),
            ..self
        }
    }

    /// Checks the stick and the aim of a saved input.
    ///
    /// # Errors
    /// If one of them is out of range.
    pub fn check(&self) -> Checked {
        vector("stick", self.stick, 1.0)?;
        self.aim.map_or(Ok(()), |aim| vector("aim", aim, FARTHEST_SAVED))
    }
}

/// All players' input during one tick. Players are counted from 1. Only scripts hear players that no entity has.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Inputs {
    players: Vec<PlayerInput>,
}

impl Inputs {
    /// No input from any player.
    pub fn none() -> Self {
        Self::default()
    }

    /// Input from the first player only.
    pub fn of_first(input: PlayerInput) -> Self {
        Self { players: vec![input] }
    }

    /// The input of `player`, counted from 1.
    #[inline]
    pub fn player(&self, player: u8) -> PlayerInput {
        let index = usize::from(player).wrapping_sub(1);
        self.players.get(index).copied().unwrap_or_default()
    }

    /// Moves the game's own actions from their places in one set to the places of the same names in another, and drops
    /// actions that the other set lacks.
    pub fn translate(&mut self, from: &OwnActions, to: &OwnActions) {
        for PlayerInput { held, pressed, .. } in &mut self.players {
            *held = from.translated(*held, to);
            *pressed = from.translated(*pressed, to);
        }
    }

    /// The same inputs with sticks and aims in the range that a saved world can hold, which makes no difference to a tick.
    #[must_use = "the inputs themselves stay as they are"]
    pub fn in_range(&self) -> Self {
        let players = self.players.iter();
        Self { players: players.map(|input| input.in_range()).collect() }
    }

    /// How many players it has input of, at most: none after these has any.
    pub(super) fn count(&self) -> usize {
        self.players.len().min(MOST_PLAYERS.into())
    }

    /// How much memory it takes, bytes.
    pub fn memory(&self) -> u64 {
        (size_of::<Self>() + size_of_val(self.players.as_slice())) as u64
    }

    /// The input of `player`, counted from 1, to change it.
    ///
    /// # Panics
    /// If `player` is 0.
    pub fn player_mut(&mut self, player: u8) -> &mut PlayerInput {
        assert!(player > 0, "players are counted from 1");
        let count = usize::from(player);
        if self.players.len() < count {
            self.players.resize(count, PlayerInput::default());
        }
        &mut self.players[count - 1]
    }
}
