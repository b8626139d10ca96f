//! Key bindings. Keys are named by position, as in the web standard's `KeyboardEvent.code`.

use super::reader::TableReader;
use super::tree::{Data, Node, Table};
use crate::models::Action;
use crate::script::host::names::nearest;
use crate::script::host::{Diagnostic, Mistakes};

/// The effect of a key in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowKey {
    /// Holds an action for a player, counted from 1.
    Play(u8, Action),
    /// Restarts the level.
    Restart,
    /// Pauses or resumes the game.
    Pause,
    /// Shows or hides why the picked entity moves as it does.
    Why,
    /// Pauses and goes one tick back; held, it continues.
    StepBack,
    /// Pauses and goes one tick forward; held, it continues.
    StepForward,
    /// Pauses and goes back in time quickly while held.
    ScrubBack,
    /// Pauses and goes forward in time quickly while held, up to the newest tick.
    ScrubForward,
    /// Halves the speed of the game, down to 1/16.
    Slower,
    /// Doubles the speed of the game, up to 4 times.
    Faster,
    /// Returns to normal speed.
    NormalSpeed,
    /// Marks the shown tick as the start of a stretch.
    MarkA,
    /// Marks the shown tick as the end of a stretch, and loops it.
    MarkB,
    /// Starts or ends the loop between the marks.
    Loop,
    /// Continues from mark A.
    RestartAtMark,
    /// Shows or hides the paths of earlier revisions.
    Ghosts,
    /// Picks the next entity.
    PickNext,
    /// Shows or hides the log.
    Log,
    /// Saves the last ten seconds as a GIF.
    SaveGif,
    /// Switches the overlay with this name on or off.
    Overlay(&'static str),
    /// Switches all overlays on, or all off if any is on.
    Overlays,
    /// Switches effects on or off: squash, dust, trails, shaking, blinking.
    Effects,
    /// Shows or hides the tuning panel.
    Tuning,
    /// Exchanges the two sets of numbers of the tuning panel.
    SwapTuning,
    /// Fills the screen with the window, or makes it a window again.
    FullScreen,
}

/// The names of the overlays and their keys.
const OVERLAYS: [(&str, &str); 10] = [
    ("trail", "F4"),
    ("outlines", "F5"),
    ("contacts", "F6"),
    ("sweeps", "F7"),
    ("velocity", "F8"),
    ("windows", "F9"),
    ("reach", "KeyH"),
    ("rests", "KeyN"),
    ("zones", "KeyZ"),
    ("frames", "KeyM"),
];

/// The effects on the window itself: the name in `[keys]`, the effect, and the default key. Playing keys of
/// the default bindings are none of them.
const WINDOW_KEYS: &[(&str, WindowKey, &str)] = &[
    ("restart", WindowKey::Restart, "KeyR"),
    ("pause", WindowKey::Pause, "KeyP"),
    ("why", WindowKey::Why, "F3"),
    ("step_back", WindowKey::StepBack, "Comma"),
    ("step_forward", WindowKey::StepForward, "Period"),
    ("scrub_back", WindowKey::ScrubBack, "PageUp"),
    ("scrub_forward", WindowKey::ScrubForward, "PageDown"),
    ("slower", WindowKey::Slower, "Minus"),
    ("faster", WindowKey::Faster, "Equal"),
    ("normal_speed", WindowKey::NormalSpeed, "Digit0"),
    ("mark_a", WindowKey::MarkA, "BracketLeft"),
    ("mark_b", WindowKey::MarkB, "BracketRight"),
    ("loop", WindowKey::Loop, "Backslash"),
    ("restart_at_mark", WindowKey::RestartAtMark, "Backspace"),
    ("ghosts", WindowKey::Ghosts, "KeyO"),
    ("pick_next", WindowKey::PickNext, "Tab"),
    ("log", WindowKey::Log, "KeyL"),
    ("save_gif", WindowKey::SaveGif, "KeyC"),
    ("overlays", WindowKey::Overlays, "F10"),
    ("effects", WindowKey::Effects, "KeyV"),
    ("tuning", WindowKey::Tuning, "F2"),
    ("swap_tuning", WindowKey::SwapTuning, "KeyB"),
    ("full_screen", WindowKey::FullScreen, "F11"),
];

/// Key bindings. One key may have several effects, and several keys the same one.
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
        bound.extend(WINDOW_KEYS.iter().map(|(_, effect, key)| (*key, *effect)));
        bound.extend(OVERLAYS.map(|(name, key)| (key, WindowKey::Overlay(name))));
        Self { bound }
    }
}

impl KeyMap {
    /// The effects of the key with this name.
    pub fn of<'a>(&'a self, key: &'a str) -> impl Iterator<Item = WindowKey> + 'a {
        self.bound
            .iter()
            .filter(move |(name, _)| *name == key)
            .map(|(_, effect)| *effect)
    }

    /// The names of all keys with this effect.
    pub fn keys_for(&self, effect: WindowKey) -> impl Iterator<Item = &'static str> + '_ {
        self.bound
            .iter()
            .filter(move |(_, e)| *e == effect)
            .map(|(name, _)| *name)
    }

    /// Reads `[keys]`: actions of the first player, the window's own keys such as `pause`, and the
    /// names of overlays, and the tables `p2` to `p8` for more players. A key in the file replaces its default.
    pub(super) fn read(table: &Table, out: &mut Mistakes) -> Self {
        let mut map = Self::default();
        let mut reader = TableReader::new(table, out);
        map.read_player(&mut reader, 1);
        for (name, effect, _) in WINDOW_KEYS {
            map.read_key(&mut reader, name, *effect);
        }
        for (name, _) in OVERLAYS {
            map.read_key(&mut reader, name, WindowKey::Overlay(name));
        }
        for (player, name) in (2..).zip(["p2", "p3", "p4", "p5", "p6", "p7", "p8"]) {
            if let Some(inner) = reader.table(name) {
                let mut inner = TableReader::new(inner, reader.out);
                map.read_player(&mut inner, player);
                inner.finish();
            }
        }
        reader.finish();
        map
    }

    fn read_player(&mut self, reader: &mut TableReader<'_, '_>, player: u8) {
        for action in Action::ALL {
            self.read_key(reader, action.name(), WindowKey::Play(player, action));
        }
    }

    fn read_key(
        &mut self,
        reader: &mut TableReader<'_, '_>,
        name: &'static str,
        effect: WindowKey,
    ) {
        let Some(node) = reader.get(name) else { return };
        let one = std::slice::from_ref(node);
        let list = match &node.value {
            Data::Array(list) => list.as_slice(),
            _ => one,
        };
        self.bound.retain(|(_, e)| *e != effect);
        for item in list {
            let known = item
                .text()
                .and_then(|text| KEY_NAMES.iter().find(|key| **key == text));
            match known {
                Some(key) if self.bound.contains(&(*key, effect)) => {}
                Some(key) => self.bound.push((*key, effect)),
                None => reader.out.push_error(|| unknown_key_name(name, item)),
            }
        }
    }
}

/// The message for something that is not the name of a key, in the list for `name`.
fn unknown_key_name(name: &str, item: &Node) -> Diagnostic {
    let message = match item.text() {
        None => format!(
            "`{name}` takes the name of a key, such as \"Space\", or an array of names, not {}",
            item.kind()
        ),
        Some(text) => {
            let hint = match nearest(text, KEY_NAMES.iter().copied()) {
                Some(key) => format!("did you mean `{key}`?"),
                None => "keys have names like `KeyA`, `Digit1`, `ArrowLeft` or `Space`".into(),
            };
            format!("there is no key `{text}`; {hint}")
        }
    };
    Diagnostic::error(item.place.clone(), message)
}
