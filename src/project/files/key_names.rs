//! Names of keys and mouse buttons.

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
    use super::{KEY_NAMES, key_label};

    #[test]
    fn every_key_has_its_own_short_label() {
        let labels: std::collections::BTreeSet<_> =
            KEY_NAMES.iter().map(|name| key_label(name)).collect();
        assert_eq!(labels.len(), KEY_NAMES.len());
        assert!(labels.iter().all(|label| label.len() <= 15));
        assert_eq!(key_label("KeyA"), "A");
        assert_eq!(key_label("ShiftRight"), "R Shift");
    }
}
