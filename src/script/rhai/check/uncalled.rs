//! Functions that nobody calls, and that bear a name by which other engines, or events, call theirs.

use super::hooks::written_functions;
use super::inspect::{Inspector, Role};
use super::source::Source;
use crate::script::host::names::nearest;
use crate::script::host::{Diagnostic, EVENTS, hooks};

/// What others call each tick, and at the beginning.
const ELSEWHERE: [(&str, &[&str]); 3] = [
    (
        "on_tick",
        &[
            "update",
            "process",
            "physics_process",
            "physics_update",
            "fixed_update",
            "late_update",
            "step",
            "frame",
            "main",
            "loop",
        ],
    ),
    (
        "on_birth",
        &[
            "init", "ready", "start", "awake", "setup", "create", "load", "begin",
        ],
    ),
    (
        "on_touch",
        &["collide", "collision", "collision_enter", "trigger_enter"],
    ),
];

/// What the name of a test begins with.
const TEST: &str = "test_";

impl Inspector {
    /// Warnings about functions that are never called, where their names say what they were meant for.
    pub(super) fn uncalled(&self, source: &Source, role: Role) -> Vec<Diagnostic> {
        let in_tests = role == Role::Test && source.file.name.starts_with("levels/");
        if !in_tests && !matches!(role, Role::Behavior | Role::Level) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for written in written_functions(&source.ast, &source.file) {
            let name = written.name.as_str();
            // What is nearly a hook is told of in every compilation.
            let hooked = nearest(name, hooks().map(|hook| hook.name)).is_some();
            if source.called.contains(name) || source.pointed.contains(name) || hooked {
                continue;
            }
            let what = if in_tests {
                let meant = written.parameters == 0 && nearly_test(name);
                meant.then(|| format!("`{name}` is never called; a test is called `{TEST}…`"))
            } else {
                let hook = hook_of(name).filter(|_| written.parameters <= 2);
                hook.map(|hook| format!("`{name}` is never called; the hook is called `{hook}`"))
            };
            found.extend(what.map(|what| Diagnostic::warning(written.place, what)));
        }
        found
    }
}

/// The hook that a function of this name was meant to be.
fn hook_of(name: &str) -> Option<&'static str> {
    let plain = snake(name);
    let plain = plain.trim_start_matches('_');
    let plain = plain.strip_prefix("on_").unwrap_or(plain);
    let event = EVENTS.iter().find(|hook| hook.event() == Some(plain));
    let elsewhere = || {
        let found = ELSEWHERE.iter().find(|(_, names)| names.contains(&plain));
        found.map(|(hook, _)| *hook)
    };
    event.map(|hook| hook.name).or_else(elsewhere)
}

/// `onLand` as `on_land`.
fn snake(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !snake.is_empty() && !snake.ends_with('_') {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

/// Whether a name begins with what was to be `test_`.
fn nearly_test(name: &str) -> bool {
    if name.starts_with(TEST) {
        return false;
    }
    let plain = snake(name);
    let head = plain.find('_').map_or("", |end| &plain[..=end]);
    // Many short words are two letters away from it.
    let close = head.starts_with('t') || head.len() >= TEST.len();
    plain.starts_with("test") || (close && nearest(head, [TEST]).is_some())
}
