//! Which key does what, by the names that keyboards' positions have in the web standard.

use super::reader::Fields;
use super::tree::{Data, Table};
use crate::models::Action;
use crate::script::host::Diagnostic;
use crate::script::host::names::suggestion;

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowKey {
    /// A player, from 1, holds an action.
    Play(u8, Action),
    /// The level starts anew.
    Restart,
    /// Time stands still, or goes on.
    Pause,
    /// It is shown why the first player's entity moves as it does, or no more.
    Why,
}

/// Keys and what they do. One key may do several things.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyMap {
    bound: Vec<(&'static str, WindowKey)>,
}

/// The names of keys that can be bound.
#[rustfmt::skip]
pub const KEY_NAMES: &[&str] = &[
    "KeyA", "KeyB", "KeyC", "KeyD", "KeyE", "KeyF", "KeyG", "KeyH", "KeyI", "KeyJ", "KeyK", "KeyL",
    "KeyM", "KeyN", "KeyO", "KeyP", "KeyQ", "KeyR", "KeyS", "KeyT", "KeyU", "KeyV", "KeyW", "KeyX",
    "KeyY", "KeyZ", "Digit0", "Digit1", "Digit2", "Digit3", "Digit4", "Digit5", "Digit6", "Digit7",
    "Digit8", "Digit9", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Space", "Enter", "Tab",
    "Backspace", "ShiftLeft", "ShiftRight", "ControlLeft", "ControlRight", "AltLeft", "AltRight",
    "Comma", "Period", "Slash", "Semicolon", "Quote", "BracketLeft", "BracketRight", "Backslash",
    "Minus", "Equal", "Backquote", "Home", "End", "PageUp", "PageDown", "Insert", "Delete",
    "Numpad0", "Numpad1", "Numpad2", "Numpad3", "Numpad4", "Numpad5", "Numpad6", "Numpad7",
    "Numpad8", "Numpad9", "NumpadAdd", "NumpadSubtract", "NumpadEnter", "NumpadDecimal",
    "F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "F12",
];

impl Default for KeyMap {
    fn default() -> Self {
        use Action::{Down, Hook, Jump, Left, Right, Up};
        let first = [
            ("ArrowLeft", Left),
            ("ArrowRight", Right),
            ("ArrowUp", Up),
            ("ArrowDown", Down),
            ("Space", Jump),
            ("ShiftRight", Hook),
        ];
        let second = [
            ("KeyA", Left),
            ("KeyD", Right),
            ("KeyW", Up),
            ("KeyS", Down),
            ("KeyF", Jump),
            ("KeyG", Hook),
        ];
        let mut bound: Vec<_> = first
            .into_iter()
            .map(|(key, action)| (key, WindowKey::Play(1, action)))
            .collect();
        bound.extend(
            second
                .into_iter()
                .map(|(key, action)| (key, WindowKey::Play(2, action))),
        );
        bound.push(("KeyR", WindowKey::Restart));
        bound.push(("KeyP", WindowKey::Pause));
        bound.push(("F3", WindowKey::Why));
        Self { bound }
    }
}

impl KeyMap {
    /// What the key with this name does.
    pub fn of<'a>(&'a self, key: &'a str) -> impl Iterator<Item = WindowKey> + 'a {
        self.bound
            .iter()
            .filter(move |(name, _)| *name == key)
            .map(|(_, does)| *does)
    }

    /// The names of the keys that do something.
    pub fn keys_for(&self, does: WindowKey) -> impl Iterator<Item = &'static str> + '_ {
        self.bound
            .iter()
            .filter(move |(_, d)| *d == does)
            .map(|(name, _)| *name)
    }

    /// Reads `[keys]`: the first player's actions, `restart`, `pause` and `why`, and tables `p2` to
    /// `p8` for further players. What is named replaces its default.
    pub(super) fn read(table: &Table, out: &mut Vec<Diagnostic>) -> Self {
        let mut map = Self::default();
        let mut fields = Fields::new(table, out);
        map.read_player(&mut fields, 1);
        for (name, does) in [
            ("restart", WindowKey::Restart),
            ("pause", WindowKey::Pause),
            ("why", WindowKey::Why),
        ] {
            map.read_key(&mut fields, name, does);
        }
        for (player, name) in (2..).zip(["p2", "p3", "p4", "p5", "p6", "p7", "p8"]) {
            if let Some(inner) = fields.table(name) {
                let mut inner = Fields::new(inner, fields.out);
                map.read_player(&mut inner, player);
                inner.finish();
            }
        }
        fields.finish();
        map
    }

    fn read_player(&mut self, fields: &mut Fields<'_, '_>, player: u8) {
        for action in Action::ALL {
            self.read_key(fields, action.name(), WindowKey::Play(player, action));
        }
    }

    fn read_key(&mut self, fields: &mut Fields<'_, '_>, name: &'static str, does: WindowKey) {
        let Some(node) = fields.get(name) else { return };
        let right = "the name of a key, such as \"Space\", or an array of them";
        let one = std::slice::from_ref(node);
        let list = match &node.value {
            Data::Array(list) => list.as_slice(),
            _ => one,
        };
        self.bound.retain(|(_, d)| *d != does);
        for item in list {
            let Some(text) = item.text() else {
                let why = format!("`{name}` takes {right}, not {}", item.kind());
                fields.wrong(&item.place, why);
                continue;
            };
            match KEY_NAMES.iter().find(|key| **key == text) {
                Some(key) => self.bound.push((*key, does)),
                None => {
                    let hint = crate::script::host::names::nearest(text, KEY_NAMES.iter().copied())
                        .map_or_else(
                            || suggestion(&format!("Key{}", text.to_uppercase()), []),
                            |right| format!("; did you mean `{right}`?"),
                        );
                    let more = "; keys have names like `KeyA`, `Digit1`, `ArrowLeft`, `Space`";
                    let hint = if hint.is_empty() { more.into() } else { hint };
                    fields.wrong(&item.place, format!("there is no key `{text}`{hint}"));
                }
            }
        }
    }
}
