//! Hooks under the names that other engines have for them.

use super::*;

/// Names that other engines have for some hooks.
const IN_OTHER_ENGINES: [(&str, &str); 3] = [
    ("on_tick", "update process physics_process physics_update fixed_update late_update step frame main loop"),
    ("on_birth", "init ready start awake setup create load begin"),
    ("on_touch", "collide collision collision_enter trigger_enter"),
];

/// The hook that a function was probably meant to be.
pub(super) fn hook_for(name: &str) -> Option<&'static str> {
    let plain = snake_case(name);
    let plain = plain.trim_start_matches('_');
    let plain = plain.strip_prefix("on_").unwrap_or(plain);
    let event = EVENTS.iter().find(|hook| hook.event() == Some(plain));
    let other = IN_OTHER_ENGINES.iter().find(|(_, names)| is_among(plain, names));
    event.map(|hook| hook.name).or_else(|| other.map(|(hook, _)| *hook))
}

/// A name in lower case, with `_` between its words.
pub(super) fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !snake.is_empty() && !snake.ends_with('_') {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}
