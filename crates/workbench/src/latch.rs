//! Turns key events into the input of a tick. A press between two ticks is never lost, however short.

use super::*;
use std::collections::BTreeSet;

/// The keys that are down, and the players' actions pressed since the last tick.
#[derive(Default)]
pub struct KeyLatch {
    down: BTreeSet<String>,
    pressed: Vec<(u8, Action)>,
    /// Where players aim, px of the level, and whether they aim all the time.
    aims: [(Option<DVec2>, bool); MOST_PADS],
    /// The sticks of the players' gamepads: those that move, and those that aim.
    sticks: [[DVec2; 2]; MOST_PADS],
}

impl KeyLatch {
    /// Handles a key that went down. Returns its effects on the window itself.
    pub fn press(&mut self, key: &str, keys: &KeyMap) -> Vec<WindowKey> {
        if !self.down.insert(key.to_string()) {
            return Vec::new();
        }
        let mut effects = Vec::new();
        for used in keys.of(key) {
            match used {
                KeyUse::Play(player, action) => self.pressed.push((player, action)),
                other => effects.extend(WindowKey::of(other)),
            }
        }
        effects
    }

    /// Handles a key that came up.
    pub fn release(&mut self, key: &str) {
        self.down.remove(key);
    }

    /// Releases all keys, because the window has lost the focus.
    pub fn release_all(&mut self) {
        self.down.clear();
        self.sticks = Default::default();
    }

    /// The effects on the window itself of the keys that are down.
    pub fn held(&self, keys: &KeyMap) -> Vec<WindowKey> {
        self.down.iter().flat_map(|key| keys.of(key)).filter_map(WindowKey::of).collect()
    }

    /// A player, counted from 1, aims here from now on, px of the level; `None` if nothing aims. `always` is for a
    /// player without a body that would turn to what it aims at.
    pub fn aim(&mut self, player: u8, point: Option<DVec2>, always: bool) {
        if let Some(aim) = self.aims.get_mut(usize::from(player).wrapping_sub(1)) {
            // Whole pixels: finer aims do not matter, and equal inputs in a row are stored once.
            *aim = (point.map(DVec2::round), always);
        }
    }

    /// The sticks of the players' gamepads are here from now on.
    pub fn set_sticks(&mut self, sticks: [[DVec2; 2]; MOST_PADS]) {
        self.sticks = sticks;
    }

    /// The directions in which sticks aim, for each player.
    pub fn aiming_sticks(&self) -> [DVec2; MOST_PADS] {
        self.sticks.map(|[_, aiming]| aiming)
    }

    /// Whether one of these keys is down, by their names in `[keys]`.
    pub fn is_down(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.down.contains(*name))
    }

    /// Whether a mouse button is down.
    pub fn has_mouse_down(&self) -> bool {
        self.down.iter().any(|key| key.starts_with("Mouse"))
    }

    /// Takes the input of the next tick. Presses since the last tick are part of it once.
    pub fn take(&mut self, keys: &KeyMap) -> Inputs {
        let mut inputs = Inputs::none();
        for key in &self.down {
            for used in keys.of(key) {
                if let KeyUse::Play(player, action) = used {
                    inputs.player_mut(player).held.insert(action);
                }
            }
        }
        for (player, ((aim, always), [stick, aiming])) in (1..).zip(self.aims.iter().zip(&self.sticks)) {
            // Bodies face what they aim at, and walk backward while they run the other way. So the mouse aims
            // only when the hook is fired, and at all other times the keys decide. A stick that is pushed
            // aims all the time.
            let fires = self.pressed.contains(&(player, Action::Hook));
            let aim = aim.filter(|_| fires || *always || *aiming != DVec2::ZERO);
            // A player without input is not stored.
            if aim.is_some() || *stick != DVec2::ZERO {
                let input = inputs.player_mut(player);
                (input.aim, input.stick) = (aim, *stick);
            }
        }
        for (player, action) in self.pressed.drain(..) {
            let pressed: &mut Actions = &mut inputs.player_mut(player).pressed;
            pressed.insert(action);
        }
        inputs
    }
}
