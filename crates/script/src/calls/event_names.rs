//! Names of events in calls: custom ones that scripts emit, and those a test filters by.

use super::*;
use crate::{EVENTS, message::names::nearest};
use hangtime_core::sim::event_names;

/// Longest name of a custom event, in characters.
const MAX_NAME: usize = 64;

/// Checks the name of a custom event: it must be usable in `fn on_NAME` and differ from every built-in event.
///
/// # Errors
/// What is wrong with the name, for a call of the function `call`.
pub fn check_custom_event<'n>(call: &str, name: &'n str) -> Accepted<&'n str> {
    let mut letters = name.chars();
    let first_fits = letters.next().is_some_and(|c| c.is_ascii_lowercase() || c == '_');
    let rest_fits = letters.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    if !(first_fits && rest_fits) || name.len() > MAX_NAME {
        let shown: String = name.chars().take(MAX_NAME).collect();
        return refuse(format!(
            "`{call}` needs an event name of at most {MAX_NAME} characters from a-z, 0-9, and _, not starting \
             with a digit; got {shown:?}"
        ));
    }
    if name.starts_with("on_") {
        let bare = name.trim_start_matches("on_");
        return refuse(format!("event names do not start with `on_`: write `{bare}`, which calls `fn on_{bare}`"));
    }
    let built_in = EVENTS.iter().filter_map(|hook| hook.event());
    if built_in.chain(event_names()).any(|event| event == name) {
        return refuse(format!("`{name}` is a built-in event; choose another name"));
    }
    Ok(name)
}

/// Checks the name of an event that a test filters by. Custom events may have any name; a name that no script
/// emits and that is close to a built-in event is taken for a typo.
///
/// # Errors
/// What is wrong with the name.
pub fn check_event_filter(name: &str, may_emit: impl FnOnce(&str) -> bool) -> Result<(), String> {
    if let Some(bare) = name.strip_prefix("on_") {
        return Err(format!("there is no event `{name}`: `{name}` is the hook, the event is `{bare}`"));
    }
    match nearest(name, EVENTS.iter().filter_map(|hook| hook.event())) {
        Some(right) if right != name && !may_emit(name) => {
            Err(format!("there is no event `{name}`; did you mean `{right}`?"))
        }
        _ => Ok(()),
    }
}
