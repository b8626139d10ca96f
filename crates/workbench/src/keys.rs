//! What keys do in the window: the list that the pages of F1, the docs and the workbench share.

use super::*;
use hangtime_core::sim::MOST_PLAYERS;
use hangtime_script::prose;

/// Declares the effects of keys: each with what it does in a few words, and its name in `[keys]`.
macro_rules! window_keys {
    ($($(#[doc = $line:literal])+ $key:ident, $name:literal;)*) => {
        /// What a key does in the window.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum WindowKey {
            $($(#[doc = $line])+ $key,)*
            /// show an overlay
            Overlay(Overlay),
        }

        impl WindowKey {
            /// All effects, overlays last.
            pub fn all() -> impl Iterator<Item = Self> {
                [$(Self::$key),*].into_iter().chain(Overlay::ALL.map(Self::Overlay))
            }

            /// Its name in `[keys]`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$key => $name,)*
                    Self::Overlay(overlay) => overlay.name(),
                }
            }

            /// What it does in a few words.
            pub fn words(self) -> String {
                match self {
                    $(Self::$key => prose!($(#[doc = $line])+).into(),)*
                    Self::Overlay(overlay) => format!("show {}", overlay.name()),
                }
            }
        }
    };
}

window_keys! {
    /// restart the level
    Restart, "restart";
    /// pause or resume
    Pause, "pause";
    /// why it moves this way
    Why, "why";
    /// how long scripts take
    Times, "times";
    /// one tick back
    StepBack, "step_back";
    /// one tick forward
    StepForward, "step_forward";
    /// back in time quickly
    ScrubBack, "scrub_back";
    /// forward in time quickly
    ScrubForward, "scrub_forward";
    /// half the speed
    Slower, "slower";
    /// double the speed
    Faster, "faster";
    /// normal speed
    NormalSpeed, "normal_speed";
    /// mark the start of a loop
    MarkA, "mark_a";
    /// mark its end and loop it
    MarkB, "mark_b";
    /// start or end the loop
    Loop, "loop";
    /// continue from mark A
    RestartAtMark, "restart_at_mark";
    /// paths of earlier versions
    Ghosts, "ghosts";
    /// what could happen from here
    Fan, "fan";
    /// pick the next entity
    PickNext, "pick_next";
    /// log
    Log, "log";
    /// save 10 s as a GIF
    SaveGif, "save_gif";
    /// save a minute to replay
    SaveRun, "save_run";
    /// all overlays, or none
    Overlays, "overlays";
    /// effects
    Effects, "effects";
    /// sound on or off
    Mute, "mute";
    /// tuning panel
    Tuning, "tuning";
    /// switch between A and B
    SwapTuning, "swap_tuning";
    /// full screen
    FullScreen, "full_screen";
    /// these keys
    Help, "help";
    /// list of levels
    Levels, "levels";
    /// pick; drag while paused
    Pick, "pick";
    /// reset the zoom (wheel zooms)
    ResetZoom, "reset_zoom";
    /// fit the stretch in view
    Fit, "fit";
    /// timeline
    Timeline, "timeline";
    /// draw the jump you want
    Draw, "draw";
    /// what can be reached
    Reachable, "reachable";
    /// what ghosts are compared with
    Compare, "compare";
    /// edit the level
    Edit, "edit";
}

impl WindowKey {
    /// What a key is for in the window; `None` if it plays an action.
    pub fn of(used: KeyUse) -> Option<Self> {
        match used {
            KeyUse::Window(name) => Self::all().find(|key| key.name() == name),
            KeyUse::Play(..) => None,
        }
    }

    /// Whether it has an effect here: without a disk there are no files to write and no threads to search on.
    fn is_here(self) -> bool {
        use WindowKey::{Compare, Draw, Edit, Fit, Reachable, SaveGif, SaveRun, Timeline};
        let needs_disk = matches!(self, SaveGif | SaveRun | Fit | Timeline | Draw | Reachable | Compare | Edit);
        cfg!(feature = "disk") || !needs_disk
    }
}

impl From<WindowKey> for KeyUse {
    fn from(key: WindowKey) -> Self {
        Self::Window(key.name())
    }
}

/// All bound keys with what they do in a few words: the players' actions, then the window's own keys, then overlays.
/// Actions and overlays without a key are left out.
pub fn described_keys(keys: &KeyMap) -> Vec<(String, String)> {
    let own = keys.own_actions();
    let actions = Action::ALL.into_iter().chain(own.names().filter_map(|name| own.own(name)));
    let actions = actions.map(|action| {
        let mut words = own.name_of(action).to_string();
        for player in 2..=MOST_PLAYERS {
            let others = key_labels(keys, KeyUse::Play(player, action));
            if !others.is_empty() {
                words.push_str(&format!(" (player {player}: {others})"));
            }
        }
        (key_labels(keys, KeyUse::Play(1, action)), words)
    });
    let window = WindowKey::all()
        .filter(|key| key.is_here())
        .map(|key| (key_labels(keys, key), key.words()));
    let quit = ("Esc".to_string(), "close, or quit".to_string());
    actions.chain(window).chain([quit]).filter(|(keys, _)| !keys.is_empty()).collect()
}

/// The labels of all keys that are for this: `←, J`; empty if it has none.
pub fn key_labels(keys: &KeyMap, used: impl Into<KeyUse>) -> String {
    keys.keys_for(used).map(key_label).collect::<Vec<_>>().join(", ")
}

/// A key's name for people, such as `A` for `KeyA`.
pub fn key_label(name: &str) -> String {
    let known = match name {
        "ArrowLeft" => "Left",
        "ArrowRight" => "Right",
        "ArrowUp" => "Up",
        "ArrowDown" => "Down",
        "Comma" => ",",
        "Period" => ".",
        "Slash" => "/",
        "Semicolon" => ";",
        "Quote" => "'",
        "BracketLeft" => "[",
        "BracketRight" => "]",
        "Backslash" => "\\",
        "Minus" => "-",
        "Equal" => "=",
        "Backquote" => "`",
        "PageUp" => "Page Up",
        "PageDown" => "Page Down",
        "MouseLeft" => "L click",
        "MouseRight" => "R click",
        "MouseMiddle" => "M click",
        _ => "",
    };
    if !known.is_empty() {
        return known.to_string();
    }
    if let Some(button) = name.strip_prefix("Pad") {
        let number = button.trim_end_matches(|c: char| !c.is_ascii_digit());
        // `R1` ends with a digit, too.
        let number = number.get(..1).filter(|n| n.bytes().all(|b| b.is_ascii_digit()));
        let button = button.strip_prefix(number.unwrap_or_default());
        let button = button.unwrap_or_default().replace("Stick", " stick");
        return match number {
            Some(number) => format!("pad {number} {button}"),
            None => format!("pad {button}"),
        };
    }
    for (start, before) in [("Key", ""), ("Digit", ""), ("Numpad", "keypad ")] {
        if let Some(rest) = name.strip_prefix(start) {
            return format!("{before}{rest}");
        }
    }
    for (end, before) in [("Left", "L "), ("Right", "R ")] {
        if let Some(rest) = name.strip_suffix(end) {
            return format!("{before}{rest}");
        }
    }
    name.to_string()
}
