//! Names of keys, mouse buttons and buttons of gamepads.

/// The names of keys and mouse buttons that can be bound.
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
    "MouseLeft", "MouseRight", "MouseMiddle",
];

/// The number of buttons of a gamepad.
pub const PAD_BUTTONS: usize = 16;

/// The buttons of a gamepad, in the order of `PadButton`.
#[rustfmt::skip]
macro_rules! pad_keys {
    ($pad:literal) => {
        [
            concat!($pad, "South"), concat!($pad, "East"), concat!($pad, "North"), concat!($pad, "West"),
            concat!($pad, "L1"), concat!($pad, "L2"), concat!($pad, "R1"), concat!($pad, "R2"),
            concat!($pad, "Select"), concat!($pad, "Start"),
            concat!($pad, "LeftStick"), concat!($pad, "RightStick"),
            concat!($pad, "Up"), concat!($pad, "Down"), concat!($pad, "Left"), concat!($pad, "Right"),
        ]
    };
}

/// The names of the buttons of the first gamepad, the second one and so on.
pub const PAD_KEYS: [[&str; PAD_BUTTONS]; 4] =
    [pad_keys!("Pad"), pad_keys!("Pad2"), pad_keys!("Pad3"), pad_keys!("Pad4")];

/// All names that can be bound.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    let pads = PAD_KEYS.iter().flatten();
    KEY_NAMES.iter().chain(pads).copied()
}

/// A key's name for people, such as `A` for `KeyA`.
#[must_use]
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

#[cfg(test)]
mod tests {
    use super::{key_label, names};

    #[test]
    fn every_key_has_its_own_short_label() {
        let labels: std::collections::BTreeSet<_> = names().map(key_label).collect();
        assert_eq!(labels.len(), names().count());
        assert!(labels.iter().all(|label| label.len() <= 17), "{labels:?}");
        assert_eq!(key_label("PadSouth"), "pad South");
        assert_eq!(key_label("PadR1"), "pad R1");
        assert_eq!(key_label("Pad2L2"), "pad 2 L2");
        assert_eq!(key_label("Pad4RightStick"), "pad 4 Right stick");
        assert_eq!(key_label("KeyA"), "A");
        assert_eq!(key_label("ShiftRight"), "R Shift");
    }
}
