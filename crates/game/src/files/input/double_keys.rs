//! Keys that do two things.

use super::keys::{KeyMap, MORE_PLAYERS, WINDOW_KEYS, WindowKey};
use crate::files::tables::tree::{Data, Table};
use hangtime_script::{Diagnostic, Mistakes};

impl KeyMap {
    /// Warns of keys in the file that do two things.
    pub(crate) fn warn_of_double_keys(&self, table: &Table, out: &mut Mistakes) {
        let players = MORE_PLAYERS.into_iter().filter_map(|name| table.get(name));
        let players = players.filter_map(|node| match &node.value {
            Data::Table(table) => Some(table),
            _ => None,
        });
        for (_, node) in [table].into_iter().chain(players).flat_map(|t| &t.entries) {
            let one = std::slice::from_ref(node);
            let list = match &node.value {
                Data::Array(list) => list.as_slice(),
                _ => one,
            };
            for item in list {
                let Some(key) = item.text() else { continue };
                let effects: Vec<String> = self.of(key).map(|effect| self.name_of(effect)).collect();
                if let [one, other, ..] = effects.as_slice() {
                    let message = format!("`{key}` does two things: `{one}` and `{other}`");
                    out.push(Diagnostic::warning(item.place.clone(), message));
                }
            }
        }
    }

    /// What `[keys]` calls an effect.
    fn name_of(&self, effect: WindowKey) -> String {
        match effect {
            WindowKey::Play(1, action) => self.own_actions().name_of(action).into(),
            WindowKey::Play(player, action) => {
                format!("p{player}.{}", self.own_actions().name_of(action))
            }
            WindowKey::Overlay(name) => name.into(),
            other => {
                let known = WINDOW_KEYS.iter().find(|(_, effect, ..)| *effect == other);
                known.map_or_else(String::new, |(name, ..)| (*name).into())
            }
        }
    }
}
