//! The table `[keys]`: the keys that play actions, and those that have an effect in the window. Keys are named by their
//! position, as in the web standard's `KeyboardEvent.code`. What an effect does is up to the program that shows the game:
//! here it is a name with a default key.

use crate::files::{Node, Table, TableReader};
use hangtime_core::{
    models::{Action, OwnAction, OwnActions},
    tuning::{Tunables as _, WindowTuning},
};
use hangtime_script::{
    Diagnostic, Mistakes,
    elsewhere::is_among,
    nearest,
    text::{cut_name, is_small_name, printable_name},
};

/// The names of keys and mouse buttons that can be bound.
pub const KEY_NAMES: &str = "\
    KeyA KeyB KeyC KeyD KeyE KeyF KeyG KeyH KeyI KeyJ KeyK KeyL KeyM KeyN KeyO KeyP KeyQ KeyR KeyS KeyT KeyU \
    KeyV KeyW KeyX KeyY KeyZ Digit0 Digit1 Digit2 Digit3 Digit4 Digit5 Digit6 Digit7 Digit8 Digit9 ArrowLeft \
    ArrowRight ArrowUp ArrowDown Space Enter Tab Backspace ShiftLeft ShiftRight ControlLeft ControlRight AltLeft \
    AltRight Comma Period Slash Semicolon Quote BracketLeft BracketRight Backslash Minus Equal Backquote Home \
    End PageUp PageDown Insert Delete Numpad0 Numpad1 Numpad2 Numpad3 Numpad4 Numpad5 Numpad6 Numpad7 Numpad8 \
    Numpad9 NumpadAdd NumpadSubtract NumpadEnter NumpadDecimal F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12 MouseLeft \
    MouseRight MouseMiddle";

/// The names of the buttons of the first gamepad, the second one and so on, in the order of `PadButton`.
pub const PAD_KEYS: [&str; 4] = [
    "PadSouth PadEast PadNorth PadWest PadL1 PadL2 PadR1 PadR2 PadSelect PadStart PadLeftStick PadRightStick \
     PadUp PadDown PadLeft PadRight",
    "Pad2South Pad2East Pad2North Pad2West Pad2L1 Pad2L2 Pad2R1 Pad2R2 Pad2Select Pad2Start Pad2LeftStick \
     Pad2RightStick Pad2Up Pad2Down Pad2Left Pad2Right",
    "Pad3South Pad3East Pad3North Pad3West Pad3L1 Pad3L2 Pad3R1 Pad3R2 Pad3Select Pad3Start Pad3LeftStick \
     Pad3RightStick Pad3Up Pad3Down Pad3Left Pad3Right",
    "Pad4South Pad4East Pad4North Pad4West Pad4L1 Pad4L2 Pad4R1 Pad4R2 Pad4Select Pad4Start Pad4LeftStick \
     Pad4RightStick Pad4Up Pad4Down Pad4Left Pad4Right",
];

/// All names that can be bound.
fn names() -> impl Iterator<Item = &'static str> {
    [KEY_NAMES].into_iter().chain(PAD_KEYS).flat_map(|names| names.split(' '))
}

/// What a key is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyUse {
    /// Holds an action for a player, counted from 1.
    Play(u8, Action),
    /// An effect in the window: a name of [`WINDOW_KEYS`] or [`OVERLAY_KEYS`].
    Window(&'static str),
}

/// The effects in the window by their names in `[keys]`, with their default keys.
#[rustfmt::skip]
pub const WINDOW_KEYS: [(&str, &str); 37] = [
    ("restart", "KeyR"), ("pause", "KeyP"), ("why", "F3"), ("times", "KeyT"), ("step_back", "Comma"),
    ("step_forward", "Period"), ("scrub_back", "PageUp"), ("scrub_forward", "PageDown"), ("slower", "Minus"),
    ("faster", "Equal"), ("normal_speed", "Digit0"), ("mark_a", "BracketLeft"), ("mark_b", "BracketRight"),
    ("loop", "Backslash"), ("restart_at_mark", "Backspace"), ("ghosts", "KeyO"), ("fan", "Semicolon"),
    ("pick_next", "Tab"), ("log", "KeyL"), ("save_gif", "KeyC"), ("save_run", "KeyX"), ("overlays", "F10"), ("effects", "KeyV"),
    ("mute", "KeyY"), ("tuning", "F2"), ("swap_tuning", "KeyB"), ("full_screen", "F11"), ("help", "F1"),
    ("levels", "F12"), ("pick", "MouseLeft"), ("reset_zoom", "Home"), ("fit", "End"), ("timeline", "Slash"),
    ("draw", "Quote"), ("reachable", "Backquote"), ("compare", "Digit8"), ("edit", "Digit9"),
];

/// The overlays by their names in `[keys]`, with their default keys.
#[rustfmt::skip]
pub const OVERLAY_KEYS: [(&str, &str); 10] = [
    ("trail", "F4"), ("outlines", "F5"), ("contacts", "F6"), ("sweeps", "F7"), ("velocity", "F8"), ("windows", "F9"),
    ("reach", "KeyH"), ("rests", "KeyN"), ("zones", "KeyZ"), ("frames", "KeyM"),
];

/// The names of everything that keys do in the window, with their default keys.
fn window_names() -> impl Iterator<Item = (&'static str, &'static str)> {
    WINDOW_KEYS.into_iter().chain(OVERLAY_KEYS)
}

/// Key bindings. One key may have several effects, and several keys the same one.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyMap {
    bound: Vec<(&'static str, KeyUse)>,
    /// The actions that `[keys]` defines.
    own: OwnActions,
}

impl Default for KeyMap {
    fn default() -> Self {
        let mut map = Self::without_pads();
        if cfg!(feature = "gamepad") {
            map.bind_pads();
        }
        map
    }
}

impl KeyMap {
    /// The default keys, without gamepads.
    fn without_pads() -> Self {
        use Action::{Down, Hook, Jump, Left, Right, Up};
        let keys = [
            (1, "ArrowLeft ArrowRight ArrowUp ArrowDown Space ShiftRight MouseRight"),
            (2, "KeyA KeyD KeyW KeyS KeyF KeyG"),
        ];
        let actions = [Left, Right, Up, Down, Jump, Hook, Hook];
        let play = keys.into_iter().flat_map(|(player, keys)| {
            let play = keys.split(' ').zip(actions);
            play.map(move |(key, action)| (key, KeyUse::Play(player, action)))
        });
        let window = window_names().map(|(name, key)| (key, KeyUse::Window(name)));
        Self { bound: play.chain(window).collect(), own: OwnActions::default() }
    }

    /// The actions that `[keys]` defines.
    pub fn own_actions(&self) -> &OwnActions {
        &self.own
    }

    /// Binds the buttons of gamepads, one for each player.
    fn bind_pads(&mut self) {
        use Action::{Down, Hook, Jump, Left, Right, Up};
        let play =
            [("South", Jump), ("R1", Hook), ("R2", Hook), ("Up", Up), ("Down", Down), ("Left", Left), ("Right", Right)];
        for (player, names) in (1..).zip(PAD_KEYS) {
            for (button, action) in play {
                let name = names.split(' ').find(|name| name.ends_with(button));
                self.bound.extend(name.map(|name| (name, KeyUse::Play(player, action))));
            }
        }
        self.bound.push(("PadStart", KeyUse::Window("pause")));
        self.bound.push(("PadSelect", KeyUse::Window("restart")));
    }

    /// What the key with this name is for.
    pub fn of<'a>(&'a self, key: &'a str) -> impl Iterator<Item = KeyUse> + 'a {
        self.bound.iter().filter(move |(name, _)| *name == key).map(|(_, used)| *used)
    }

    /// The names of all keys that are for this.
    pub fn keys_for(&self, used: impl Into<KeyUse>) -> impl Iterator<Item = &'static str> + '_ {
        let used = used.into();
        self.bound.iter().filter(move |(_, bound)| *bound == used).map(|(name, _)| *name)
    }

    /// All bound keys of players and of the window itself, without overlays: the key, its name in `[keys]`, and the
    /// player, counted from 1.
    pub fn bindings(&self) -> impl Iterator<Item = (&'static str, &str, Option<u8>)> {
        self.bound.iter().filter_map(|(key, used)| match used {
            KeyUse::Play(player, action) => Some((*key, self.own.name_of(*action), Some(*player))),
            KeyUse::Window(name) if OVERLAY_KEYS.iter().any(|(overlay, _)| overlay == name) => None,
            KeyUse::Window(name) => Some((*key, *name, None)),
        })
    }

    /// Reads `[keys]`: actions of the first player, the window's own keys such as `pause`, and the
    /// names of overlays, and the tables `p2` to `p8` for more players. A key in the file replaces its default. Any other
    /// name defines an action.
    pub(crate) fn read(table: &Table, out: &mut Mistakes) -> Self {
        let mut map = Self { own: own_actions(table, out), ..Self::default() };
        let mut reader = TableReader::new(table, out);
        map.read_player(&mut reader, 1);
        for (name, _) in window_names() {
            map.read_key(&mut reader, name, KeyUse::Window(name));
        }
        for (player, name) in (2..).zip(MORE_PLAYERS) {
            if let Some(inner) = reader.table(name) {
                let mut inner = TableReader::new(inner, reader.out);
                map.read_player(&mut inner, player);
                inner.finish();
            }
        }
        reader.finish();
        map.warn_of_double_keys(table, out);
        map
    }

    fn read_player(&mut self, reader: &mut TableReader<'_, '_>, player: u8) {
        for action in Action::ALL {
            self.read_key(reader, action.name(), KeyUse::Play(player, action));
        }
        // Those that cannot be actions have been reported.
        let table = reader.table;
        for (key, _) in table.entries.iter().filter(|(key, _)| !is_known(&key.name)) {
            reader.get(&key.name);
            if let Some(action) = self.own.own(&key.name) {
                self.read_key(reader, &key.name, KeyUse::Play(player, action));
            }
        }
    }

    fn read_key<'t>(&mut self, reader: &mut TableReader<'t, '_>, name: &'t str, used: KeyUse) {
        let Some(node) = reader.get(name) else { return };
        let list = names_in(node);
        // Keys in a file leave gamepads as they are, unless the file names their buttons or has no key at all.
        let pads = list.is_empty() || list.iter().any(|item| item.text().is_some_and(is_pad));
        let replaced = |key: &str| pads || !is_pad(key);
        self.bound.retain(|(key, bound)| *bound != used || !replaced(key));
        for item in list {
            let known = item.text().and_then(|text| names().find(|key| *key == text));
            match known {
                Some(key) if self.bound.contains(&(key, used)) => {}
                Some(key) => self.bound.push((key, used)),
                None => reader.out.push_error(|| unknown_key_name(name, item)),
            }
        }
    }

    /// The letter keys that do nothing.
    pub fn free_letters(&self) -> impl Iterator<Item = &'static str> + '_ {
        let letters = KEY_NAMES.split(' ').filter(|key| key.starts_with("Key"));
        letters.filter(move |key| self.of(key).next().is_none())
    }

    /// Warns of keys in the file that do two things.
    fn warn_of_double_keys(&self, table: &Table, out: &mut Mistakes) {
        let name_of = |used| match used {
            KeyUse::Play(1, action) => self.own.name_of(action).to_string(),
            KeyUse::Play(player, action) => format!("p{player}.{}", self.own.name_of(action)),
            KeyUse::Window(name) => name.to_string(),
        };
        for item in tables_of(table).flat_map(|table| &table.entries).flat_map(|(_, node)| names_in(node)) {
            let Some(key) = item.text() else { continue };
            if let [one, other, ..] = self.of(key).map(name_of).collect::<Vec<_>>().as_slice() {
                let free: Vec<&str> = self.free_letters().collect();
                let hint = if free.is_empty() {
                    String::new()
                } else {
                    format!("; free letters: {}", free.join(" "))
                };
                out.warn(&item.place, format!("`{key}` does two things: `{one}` and `{other}`{hint}"));
            }
        }
    }
}

/// The names of keys in a value, which is one of them or an array.
fn names_in(node: &Node) -> &[Node] {
    node.list().unwrap_or(std::slice::from_ref(node))
}

/// The table `[keys]` with the tables of other players in it.
fn tables_of(table: &Table) -> impl Iterator<Item = &Table> {
    [table].into_iter().chain(MORE_PLAYERS.into_iter().filter_map(|name| table.table(name)))
}

/// The tables of the other players.
const MORE_PLAYERS: [&str; 7] = ["p2", "p3", "p4", "p5", "p6", "p7", "p8"];

/// The longest name of an action.
const LONGEST_ACTION: usize = 32;

/// Whether a key of `[keys]` is anything but an action of the game.
fn is_known(name: &str) -> bool {
    let actions = Action::ALL.into_iter().map(Action::name);
    let mut all = actions.chain(window_names().map(|(name, _)| name)).chain(MORE_PLAYERS);
    all.any(|known| known == name)
}

/// The actions that `[keys]` defines.
fn own_actions(table: &Table, out: &mut Mistakes) -> OwnActions {
    let mut names: Vec<&str> = Vec::new();
    for (key, _) in tables_of(table).flat_map(|table| &table.entries) {
        let name = key.name.as_str();
        if is_known(name) || names.contains(&name) {
            continue;
        }
        let most = OwnAction::ALL.len();
        let too_many = || (names.len() >= most).then(|| format!("a game can define at most {most} actions"));
        match wrong_action(name).or_else(too_many) {
            Some(wrong) => out.error(&key.place, wrong),
            None => names.push(name),
        }
    }
    OwnActions::new(names)
}

/// Why an action cannot have a name.
fn wrong_action(name: &str) -> Option<String> {
    if is_among(name, "move aim level seed set tolerance") || Action::parse(name).is_some() {
        return Some(format!("an action cannot have the name `{name}`"));
    }
    if is_small_name(name, LONGEST_ACTION, &['_']) {
        return None;
    }
    let shown = cut_name(name);
    let shown = printable_name(&shown);
    Some(format!(
        "`{shown}` cannot name an action; a name has up to {LONGEST_ACTION} small letters, digits and `_`, and begins with a letter"
    ))
}

/// Whether a name is a gamepad button's.
fn is_pad(key: &str) -> bool {
    key.starts_with("Pad")
}

/// The message for something that is not the name of a key, in the list for `name`.
fn unknown_key_name(name: &str, item: &Node) -> Diagnostic {
    let message = match item.text() {
        None => {
            let is_number = WindowTuning::list().iter().any(|tunable| tunable.name == name);
            let hint = if is_number { "; it is a key of `[window]`" } else { "" };
            format!(
                "`{name}` takes the name of a key, such as \"Space\", or an array of names, not {}{hint}",
                item.kind()
            )
        }
        Some(text) => {
            if matches!(text, "Escape" | "Esc") {
                return Diagnostic::error(item.place.clone(), "the window keeps `Escape` for closing itself");
            }
            let hint = match meant_key(text).or_else(|| nearest(text, names())) {
                Some(key) => format!("did you mean `{key}`?"),
                None => "keys have names like `KeyA`, `Digit1`, `ArrowLeft` or `Space`".into(),
            };
            format!("there is no key `{text}`; {hint}")
        }
    };
    Diagnostic::error(item.place.clone(), message)
}

/// The key that a short name means: `F` is `KeyF`, `1` is `Digit1`, `up` is `ArrowUp`, `shift` is `ShiftLeft`.
fn meant_key(text: &str) -> Option<&'static str> {
    let other = match text {
        "ctrl" | "Ctrl" | "Control" => "ControlLeft",
        "return" | "Return" => "Enter",
        "esc" | "Esc" => "Escape",
        _ => "",
    };
    let begun = ["", "Key", "Digit", "Arrow"].map(|before| format!("{before}{text}"));
    let mut all = begun.into_iter().chain([format!("{text}Left"), other.into()]);
    all.find_map(|full| names().find(|key| key.eq_ignore_ascii_case(&full)))
}

#[cfg(test)]
#[path = "../../../tests/unit/files/input/keys.rs"]
mod tests;
