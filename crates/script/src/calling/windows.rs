//! Reading what the rule `jump_windows` returns.

use super::*;
use crate::names::suggestion;
use hangtime_core::tuning::TIME;

/// The answer of the rule `jump_windows`.
///
/// # Errors
/// Why the value is not a map of windows.
pub fn read_windows(value: &Arg<'_>) -> Result<Windows, String> {
    let mut windows = Windows::default();
    if matches!(value, Arg::Nothing) {
        return Ok(windows);
    }
    let Some(map) = value.as_map() else {
        return Err(format!("`jump_windows` must return a map, not {}", value.type_name()));
    };
    let mut wrong = None;
    let read = map.each_entry(&mut |key, value| {
        let seconds = value.number();
        let seconds = seconds.ok_or_else(|| format!("`{key}` must be a number of seconds, not {}", value.type_name()));
        if let Err(why) = seconds.and_then(|seconds| set_window(&mut windows, key, seconds)) {
            wrong.get_or_insert(why);
        }
        Ok(())
    });
    match wrong.or_else(|| read.err().map(|refusal| refusal.to_string())) {
        Some(why) => Err(why),
        None => Ok(windows),
    }
}

/// Sets the window with this key, or says why that is not possible.
fn set_window(windows: &mut Windows, key: &str, seconds: f64) -> Result<(), String> {
    if !(TIME.min..=TIME.max).contains(&seconds) {
        return Err(format!("`{key}` is {seconds}; it must be between {} and {} s", TIME.min, TIME.max));
    }
    let known = ["coyote_time", "jump_buffer", "jump_hold_time"];
    let window = match key {
        "coyote_time" => &mut windows.coyote_time,
        "jump_buffer" => &mut windows.jump_buffer,
        "jump_hold_time" => &mut windows.jump_hold_time,
        other => {
            let near = suggestion(other, known);
            return Err(format!("`jump_windows` has no `{other}`{near}"));
        }
    };
    *window = Some(seconds).into();
    Ok(())
}
