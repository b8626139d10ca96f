//! Reading what the rule `jump_windows` returns.

use super::*;
use crate::engine::values::type_name;
use hangtime_core::models::Windows;
use hangtime_core::tuning::TIME;
use hangtime_script::names::suggestion;

/// The answer of the rule `jump_windows`.
pub(crate) fn read_windows(value: &Dynamic) -> Result<Windows, String> {
    let mut windows = Windows::default();
    if value.is_unit() {
        return Ok(windows);
    }
    let map = value
        .as_map_ref()
        .map_err(|_| format!("`jump_windows` must return a map, not {}", type_name(value)))?;
    for (key, value) in map.iter() {
        let seconds =
            number(value).ok_or_else(|| format!("`{key}` must be a number of seconds, not {}", type_name(value)))?;
        set_window(&mut windows, key, seconds)?;
    }
    Ok(windows)
}

/// Sets the window with this key, or says why that is not possible.
pub(crate) fn set_window(windows: &mut Windows, key: &str, seconds: f64) -> Result<(), String> {
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
    *window = Some(seconds);
    Ok(())
}
