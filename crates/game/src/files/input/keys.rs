//! Key bindings. Keys are named by position, as in the web standard's `KeyboardEvent.code`.

use super::key_names::{PAD_KEYS, key_label, names};
use crate::files::tables::reader::TableReader;
use crate::files::tables::tree::{Data, Node, Table};
use hangtime_core::models::{Action, OwnAction, OwnActions};
use hangtime_core::sim::MOST_PLAYERS;
use hangtime_script::names::nearest;
use hangtime_script::text::{cut_name, printable_name};
use hangtime_script::{Diagnostic, Mistakes};

/// The effect of a key in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowKey {
    /// Holds an action for a player, counted from 1.
    Play(u8, Action),
    /// Restarts the level.
    Restart,
    /// Pauses or resumes the game.
    Pause,
    /// Shows or hides how long scripts take.
    Times,
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
    /// Saves the last minute as a recording.
    SaveRun,
    /// Switches the overlay with this name on or off.
    Overlay(&'static str),
    /// Switches all overlays on, or all off if any is on.
    Overlays,
    /// Switches effects on or off: squash, dust, trails, shaking, blinking.
    Effects,
    /// Switches sounds off or on.
    Mute,
    /// Shows or hides the tuning panel.
    Tuning,
    /// Exchanges the two sets of numbers of the tuning panel.
    SwapTuning,
    /// Fills the screen with the window, or makes it a window again.
    FullScreen,
    /// Shows all keys over the game, page by page.
    Help,
    /// Shows or hides the list of levels.
    Levels,
    /// Picks the entity under the mouse, and moves it while time stands still.
    Pick,
    /// Returns to the camera's own size.
    ResetZoom,
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

/// The effects on the window itself: the name in `[keys]`, the effect, the default key, and what it is for in
/// a few words. No default playing key is among them.
#[rustfmt::skip]
pub(crate) const WINDOW_KEYS: &[(&str, WindowKey, &str, &str)] = &[
    ("restart", WindowKey::Restart, "KeyR", "restart the level"),
    ("pause", WindowKey::Pause, "KeyP", "pause or resume"),
    ("why", WindowKey::Why, "F3", "why it moves this way"),
    ("times", WindowKey::Times, "KeyT", "how long scripts take"),
    ("step_back", WindowKey::StepBack, "Comma", "one tick back"),
    ("step_forward", WindowKey::StepForward, "Period", "one tick forward"),
    ("scrub_back", WindowKey::ScrubBack, "PageUp", "back in time quickly"),
    ("scrub_forward", WindowKey::ScrubForward, "PageDown", "forward in time quickly"),
    ("slower", WindowKey::Slower, "Minus", "half the speed"),
    ("faster", WindowKey::Faster, "Equal", "double the speed"),
    ("normal_speed", WindowKey::NormalSpeed, "Digit0", "normal speed"),
    ("mark_a", WindowKey::MarkA, "BracketLeft", "mark the start of a loop"),
    ("mark_b", WindowKey::MarkB, "BracketRight", "mark its end and loop it"),
    ("loop", WindowKey::Loop, "Backslash", "start or end the loop"),
    ("restart_at_mark", WindowKey::RestartAtMark, "Backspace", "continue from mark A"),
    ("ghosts", WindowKey::Ghosts, "KeyO", "paths of earlier versions"),
    ("pick_next", WindowKey::PickNext, "Tab", "pick the next entity"),
    ("log", WindowKey::Log, "KeyL", "log"),
    ("save_gif", WindowKey::SaveGif, "KeyC", "save 10 s as a GIF"),
    ("save_run", WindowKey::SaveRun, "KeyX", "save a minute to replay"),
    ("overlays", WindowKey::Overlays, "F10", "all overlays, or none"),
    ("effects", WindowKey::Effects, "KeyV", "effects"),
    ("mute", WindowKey::Mute, "KeyY", "sound on or off"),
    ("tuning", WindowKey::Tuning, "F2", "tuning panel"),
    ("swap_tuning", WindowKey::SwapTuning, "KeyB", "switch between A and B"),
    ("full_screen", WindowKey::FullScreen, "F11", "full screen"),
    ("help", WindowKey::Help, "F1", "these keys"),
    ("levels", WindowKey::Levels, "F12", "list of levels"),
    ("pick", WindowKey::Pick, "MouseLeft", "pick; drag while paused"),
    ("reset_zoom", WindowKey::ResetZoom, "Home", "reset the zoom (wheel zooms)"),
];

/// Key bindings. One key may have several effects, and several keys the same one.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyMap {
    bound: Vec<(&'static str, WindowKey)>,
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
    /// The default keys, without those of gamepads.
    fn without_pads() -> Self {
        use Action::{Down, Hook, Jump, Left, Right, Up};
        let first = [
            ("ArrowLeft", Left),
            ("ArrowRight", Right),
            ("ArrowUp", Up),
            ("ArrowDown", Down),
            ("Space", Jump),
            ("ShiftRight", Hook),
            ("MouseRight", Hook),
        ];
        let second = [("KeyA", Left), ("KeyD", Right), ("KeyW", Up), ("KeyS", Down), ("KeyF", Jump), ("KeyG", Hook)];
        let mut bound: Vec<_> = first.into_iter().map(|(key, action)| (key, WindowKey::Play(1, action))).collect();
        bound.extend(second.into_iter().map(|(key, action)| (key, WindowKey::Play(2, action))));
        let window = WINDOW_KEYS.iter();
        bound.extend(window.map(|(_, effect, key, _)| (*key, *effect)));
        bound.extend(OVERLAYS.map(|(name, key)| (key, WindowKey::Overlay(name))));
        Self { bound, own: OwnActions::default() }
    }

    /// The actions that `[keys]` defines.
    #[must_use]
    pub fn own_actions(&self) -> &OwnActions {
        &self.own
    }

    /// Binds the buttons of gamepads, one for each player.
    fn bind_pads(&mut self) {
        use Action::{Down, Hook, Jump, Left, Right, Up};
        let play =
            [("South", Jump), ("R1", Hook), ("R2", Hook), ("Up", Up), ("Down", Down), ("Left", Left), ("Right", Right)];
        for (player, names) in (1..).zip(&PAD_KEYS) {
            for (button, action) in play {
                let name = names.iter().find(|name| name.ends_with(button));
                let effect = WindowKey::Play(player, action);
                self.bound.extend(name.map(|name| (*name, effect)));
            }
        }
        self.bound.push(("PadStart", WindowKey::Pause));
        self.bound.push(("PadSelect", WindowKey::Restart));
    }

    /// The effects of the key with this name.
    pub fn of<'a>(&'a self, key: &'a str) -> impl Iterator<Item = WindowKey> + 'a {
        self.bound.iter().filter(move |(name, _)| *name == key).map(|(_, effect)| *effect)
    }

    /// The names of all keys with this effect.
    pub fn keys_for(&self, effect: WindowKey) -> impl Iterator<Item = &'static str> + '_ {
        self.bound.iter().filter(move |(_, e)| *e == effect).map(|(name, _)| *name)
    }

    /// All bound keys of players and of the window itself, except those of overlays: the key, the name of its effect in
    /// `[keys]`, and the player, counted from 1.
    pub fn bindings(&self) -> impl Iterator<Item = (&'static str, &str, Option<u8>)> {
        self.bound.iter().filter_map(|(key, effect)| match effect {
            WindowKey::Play(player, action) => Some((*key, self.own.name_of(*action), Some(*player))),
            effect => {
                let mut known = WINDOW_KEYS.iter();
                let (name, ..) = known.find(|(_, one, ..)| one == effect)?;
                Some((*key, *name, None))
            }
        })
    }

    /// All bound keys with what they do in a few words, for people: the players' actions, then the window's own
    /// keys, then overlays. What has no key is left out.
    #[must_use]
    pub fn described(&self) -> Vec<(String, String)> {
        let window = WINDOW_KEYS.iter().map(|(_, effect, _, words)| {
            let keys = self.labels(*effect);
            (keys, (*words).to_string())
        });
        let overlays = OVERLAYS.iter().map(|(name, _)| {
            let keys = self.labels(WindowKey::Overlay(name));
            (keys, format!("show {name}"))
        });
        let quit = ("Esc".to_string(), "close, or quit".to_string());
        let own = self.own.names().filter_map(|name| self.own.own(name));
        let actions = Action::ALL.into_iter().chain(own);
        let actions = actions.map(|action| self.action(action));
        let all = actions.chain(window).chain(overlays).chain([quit]);
        all.filter(|(keys, _)| !keys.is_empty()).collect()
    }

    /// The first player's keys for an action, and those of the others in brackets.
    fn action(&self, action: Action) -> (String, String) {
        let mut words = self.own.name_of(action).to_string();
        for player in 2..=MOST_PLAYERS {
            let keys = self.labels(WindowKey::Play(player, action));
            if !keys.is_empty() {
                words.push_str(&format!(" (player {player}: {keys})"));
            }
        }
        (self.labels(WindowKey::Play(1, action)), words)
    }

    /// The keys of an effect, for people: `←, J`; empty if it has none.
    #[must_use]
    pub fn labels(&self, effect: WindowKey) -> String {
        let labels: Vec<_> = self.keys_for(effect).map(key_label).collect();
        labels.join(", ")
    }

    /// Reads `[keys]`: actions of the first player, the window's own keys such as `pause`, and the
    /// names of overlays, and the tables `p2` to `p8` for more players. A key in the file replaces its default. Any other
    /// name defines an action.
    pub(crate) fn read(table: &Table, out: &mut Mistakes) -> Self {
        let mut map = Self { own: own_actions(table, out), ..Self::default() };
        let mut reader = TableReader::new(table, out);
        map.read_player(&mut reader, 1);
        for (name, effect, ..) in WINDOW_KEYS {
            map.read_key(&mut reader, name, *effect);
        }
        for (name, _) in OVERLAYS {
            map.read_key(&mut reader, name, WindowKey::Overlay(name));
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
            self.read_key(reader, action.name(), WindowKey::Play(player, action));
        }
        // Those that cannot be actions have been reported.
        let table = reader.table;
        for (key, _) in table.entries.iter().filter(|(key, _)| !is_known(&key.name)) {
            match self.own.own(&key.name) {
                Some(action) => {
                    self.read_key(reader, &key.name, WindowKey::Play(player, action));
                }
                None => drop(reader.get(&key.name)),
            }
        }
    }

    fn read_key<'t>(&mut self, reader: &mut TableReader<'t, '_>, name: &'t str, effect: WindowKey) {
        let Some(node) = reader.get(name) else { return };
        let one = std::slice::from_ref(node);
        let list = match &node.value {
            Data::Array(list) => list.as_slice(),
            _ => one,
        };
        // Keys in a file leave gamepads as they are, unless the file names their buttons or has no key at all.
        let pads = list.is_empty() || list.iter().any(|item| item.text().is_some_and(is_pad));
        let replaced = |key: &str| pads || !is_pad(key);
        self.bound.retain(|(key, e)| *e != effect || !replaced(key));
        for item in list {
            let known = item.text().and_then(|text| names().find(|key| *key == text));
            match known {
                Some(key) if self.bound.contains(&(key, effect)) => {}
                Some(key) => self.bound.push((key, effect)),
                None => reader.out.push_error(|| unknown_key_name(name, item)),
            }
        }
    }
}

/// The tables of the other players.
pub(crate) const MORE_PLAYERS: [&str; 7] = ["p2", "p3", "p4", "p5", "p6", "p7", "p8"];

/// The longest name of an action.
const LONGEST_ACTION: usize = 32;

/// Whether a key of `[keys]` is anything but an action of the game.
fn is_known(name: &str) -> bool {
    let window = WINDOW_KEYS.iter().map(|(known, ..)| *known);
    let overlays = OVERLAYS.iter().map(|(known, _)| *known);
    let actions = Action::ALL.into_iter().map(Action::name);
    let mut all = actions.chain(window).chain(overlays).chain(MORE_PLAYERS);
    all.any(|known| known == name)
}

/// The actions that `[keys]` defines.
fn own_actions(table: &Table, out: &mut Mistakes) -> OwnActions {
    let mut names: Vec<&str> = Vec::new();
    let players = MORE_PLAYERS.into_iter().filter_map(|name| table.get(name));
    let players = players.filter_map(|node| match &node.value {
        Data::Table(table) => Some(table),
        _ => None,
    });
    for (key, _) in [table].into_iter().chain(players).flat_map(|t| &t.entries) {
        let name = key.name.as_str();
        if is_known(name) || names.contains(&name) {
            continue;
        }
        let wrong = match wrong_action(name) {
            Some(wrong) => Some(wrong),
            None if names.len() >= OwnAction::ALL.len() => {
                let most = OwnAction::ALL.len();
                Some(format!("a game can define at most {most} actions"))
            }
            None => None,
        };
        if let Some(wrong) = wrong {
            out.push(Diagnostic::error(key.place.clone(), wrong));
            continue;
        }
        names.push(name);
    }
    OwnActions::new(names)
}

/// Why a name cannot be that of an action.
fn wrong_action(name: &str) -> Option<String> {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let reserved = ["move", "aim", "level", "seed", "set", "tolerance"].contains(&name);
    let taken = reserved || Action::parse(name).is_some();
    if taken {
        return Some(format!("an action cannot have the name `{name}`"));
    }
    let begins = name.starts_with(|c: char| c.is_ascii_lowercase());
    if begins && name.len() <= LONGEST_ACTION && name.chars().all(fits) {
        return None;
    }
    let shown = printable_name(&cut_name(name)).to_string();
    Some(format!(
        "`{shown}` cannot name an action; a name has up to {LONGEST_ACTION} small letters, digits and `_`, and begins with a letter"
    ))
}

/// Whether a name is that of a gamepad's button.
fn is_pad(key: &str) -> bool {
    key.starts_with("Pad")
}

/// The message for something that is not the name of a key, in the list for `name`.
fn unknown_key_name(name: &str, item: &Node) -> Diagnostic {
    let message = match item.text() {
        None => {
            format!("`{name}` takes the name of a key, such as \"Space\", or an array of names, not {}", item.kind())
        }
        Some(text) => {
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
    let all = ["", "Key", "Digit", "Arrow"].map(|before| format!("{before}{text}"));
    let all = all.into_iter().chain([format!("{text}Left")]);
    let text = match text {
        "ctrl" | "Ctrl" | "Control" => "ControlLeft",
        "return" | "Return" => "Enter",
        "esc" | "Esc" => "Escape",
        _ => "",
    };
    let mut all = all.chain([text.to_string()]);
    all.find_map(|full| names().find(|key| key.eq_ignore_ascii_case(&full)))
}

#[cfg(test)]
mod tests {
    use super::{KeyMap, OVERLAYS, WINDOW_KEYS, WindowKey};
    use hangtime_core::models::Action;

    #[test]
    fn every_bound_key_is_described_under_its_new_name() {
        let mut keys = KeyMap::without_pads();
        let all = keys.described();
        let count = Action::ALL.len() + WINDOW_KEYS.len() + OVERLAYS.len();
        // And the key that ends the program.
        assert_eq!(all.len(), count + 1);
        let row = |all: &[(String, String)], words: &str| {
            let found = all.iter().find(|(_, w)| w == words);
            found.map(|(key, _)| key.clone())
        };
        assert_eq!(row(&all, "jump (player 2: F)").as_deref(), Some("Space"));
        assert_eq!(row(&all, "these keys").as_deref(), Some("F1"));
        keys.bound.retain(|(_, e)| *e != WindowKey::Help);
        assert_eq!(row(&keys.described(), "these keys"), None);
        keys.bound.push(("Slash", WindowKey::Help));
        assert_eq!(row(&keys.described(), "these keys").as_deref(), Some("/"));
    }

    #[test]
    fn the_default_buttons_of_a_gamepad_do_what_the_keys_of_its_player_do() {
        let mut keys = KeyMap::without_pads();
        keys.bind_pads();
        for (player, pad) in [(1, "Pad"), (2, "Pad2")] {
            for action in Action::ALL {
                let effect = WindowKey::Play(player, action);
                let found = keys.keys_for(effect).filter(|key| {
                    let button = key.strip_prefix(pad);
                    button.is_some_and(|b| !b.starts_with(|c: char| c.is_ascii_digit()))
                });
                assert!(found.count() >= 1, "{pad} {action:?}");
            }
        }
        let up: Vec<_> = keys.of("PadUp").collect();
        assert_eq!(up, [WindowKey::Play(1, Action::Up)]);
        assert_eq!(keys.of("PadStart").collect::<Vec<_>>(), [WindowKey::Pause]);
        // Sticks that are pressed have no effect, though their names end like those of the directions.
        assert_eq!(keys.of("PadLeftStick").count(), 0);
    }
}
