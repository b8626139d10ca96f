//! The input of players as scripts hear it, whether or not a player has an entity.

use super::*;

/// Each player's input in the last tick, with what was pressed and released since the tick before. It is state, so that
/// a key that is down when a world is saved is not pressed again when it is loaded. It stays empty while no script
/// hears players.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Players(Vec<Intent>);

impl Players {
    /// The input of a player, counted from 1.
    pub fn of(&self, player: u8) -> Intent {
        let index = usize::from(player).wrapping_sub(1);
        self.0.get(index).copied().unwrap_or_default()
    }

    /// Whether no player has any input.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes over the input of a tick, as an entity of each player would.
    pub(super) fn latch(&mut self, inputs: &Inputs) {
        let count = self.0.len().max(inputs.count());
        self.0.resize(count, Intent::default());
        for (player, intent) in (1..).zip(&mut self.0) {
            let PlayerInput { held, pressed, stick, aim } = inputs.player(player).in_range();
            *intent = Intent { stick, aim, ..Intent::latch(intent.keys, held, pressed) };
        }
        // Equal inputs are equal lists.
        while self.0.last().is_some_and(|last| *last == Intent::default()) {
            self.0.pop();
        }
    }

    /// Moves the game's own actions to their places in another set.
    pub(super) fn translate(&mut self, from: &OwnActions, to: &OwnActions) {
        self.0.iter_mut().for_each(|intent| intent.translate(from, to));
    }

    /// Takes over the keys that are down as a level begins, so that they are not pressed again. `before` and `now` are
    /// the actions of both levels.
    pub(super) fn take_over(&mut self, from: &Self, before: &OwnActions, now: &OwnActions) {
        let keys = from.0.iter().map(|intent| before.translated(intent.keys, now));
        self.0 = keys.map(|keys| Intent { keys, held: keys, ..Intent::default() }).collect();
    }

    /// Feeds the keys into a hash that are not part of an entity's: players for which `has_entity` is true add nothing.
    pub(super) fn digest(&self, has_entity: impl Fn(u8) -> bool, digest: &mut Digest) {
        for (player, intent) in (1..).zip(&self.0) {
            if intent.keys != Actions::NONE && !has_entity(player) {
                digest.words(&[player.into(), intent.keys.bits().into()]);
            }
        }
    }

    /// Checks saved players.
    pub(super) fn check(&self) -> Checked {
        let (count, most) = (self.0.len(), MOST_PLAYERS);
        ensure!(count <= most.into(), "", "has {count} players; it must have at most {most}");
        each("", &self.0, Intent::check)
    }
}
