//! The options of shapes: a map at the end of a call.

use super::super::arg::Arg;
use super::super::arguments::{finite, flag, parameter, text};
use super::colors::color_named;
use crate::script::host::budget::charge;
use crate::script::host::names::suggestion;
use crate::script::host::{CallRefusal, refuse};
use crate::sim::{DrawnAlign, DrawnColor};

/// Operations charged for an option.
const PER_OPTION: u64 = 6;

/// The highest number of a frame.
const MAX_FRAME: f64 = 1e9;

/// What a script chooses about the look of a shape.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DrawOptions {
    pub color: Option<DrawnColor>,
    pub align: Option<DrawnAlign>,
    pub size: Option<f64>,
    pub width: Option<f64>,
    pub height: Option<f64>,
    pub frame: Option<u32>,
    pub flip: bool,
}

/// The options of a call that knows these; `given` is empty without options.
///
/// # Errors
/// For what is not a map, unknown options and values that do not fit.
pub(super) fn read_options(
    call: &str,
    known: &[&str],
    given: &[Arg<'_>],
) -> Result<DrawOptions, CallRefusal> {
    let mut options = DrawOptions::default();
    let map = match given {
        [] => return Ok(options),
        [Arg::Foreign(map), ..] => map,
        [other, ..] => {
            return refuse(format!(
                "{} must be a map, such as `#{{ color: \"gold\" }}`, not {}",
                parameter(call, "options"),
                other.type_name()
            ));
        }
    };
    map.each_entry(&mut |key, value| {
        charge(PER_OPTION)?;
        if !known.contains(&key) {
            let hint = suggestion(key, known.iter().copied());
            return refuse(format!("`{call}` has no option `{key}`{hint}"));
        }
        match key {
            "color" => options.color = Some(color_named(text(call, key, value)?)?),
            "align" => options.align = Some(align_named(text(call, key, value)?)?),
            "size" => options.size = Some(within(call, key, value, [1.0, 16.0])?),
            "frame" => options.frame = Some(frame_number(call, key, value)?),
            "flip" => options.flip = flag(call, key, value)?,
            "height" => options.height = Some(within(call, key, value, [1.0, 1000.0])?),
            _ => options.width = Some(within(call, key, value, [0.5, 1000.0])?),
        }
        Ok(())
    })?;
    Ok(options)
}

/// A number between two others.
pub(super) fn within(
    call: &str,
    name: &str,
    value: Arg<'_>,
    [low, high]: [f64; 2],
) -> Result<f64, CallRefusal> {
    let x = finite(parameter(call, name), value)?;
    if (low..=high).contains(&x) {
        return Ok(x);
    }
    refuse(format!(
        "{} is {x}; it must be between {low} and {high}",
        parameter(call, name)
    ))
}

/// The number of a frame; fractions are cut off.
pub(super) fn frame_number(call: &str, name: &str, value: Arg<'_>) -> Result<u32, CallRefusal> {
    Ok(within(call, name, value, [0.0, MAX_FRAME])? as u32)
}

fn align_named(name: &str) -> Result<DrawnAlign, CallRefusal> {
    match name {
        "left" => Ok(DrawnAlign::Left),
        "center" => Ok(DrawnAlign::Center),
        "right" => Ok(DrawnAlign::Right),
        other => {
            let hint = suggestion(other, ["left", "center", "right"]);
            refuse(format!("there is no alignment `{other}`{hint}"))
        }
    }
}
