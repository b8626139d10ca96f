//! The options of shapes: a map at the end of a call.

use super::colors::color_of;
use crate::calls::*;
use hangtime_core::sim::{DrawnAlign, DrawnColor};
use std::fmt::Display;

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

/// The options of a call, at this place if it has any.
///
/// # Errors
/// For what is not a map, unknown options and values that do not fit.
pub(super) fn read_options(args: Args<'_>, place: usize) -> Result<DrawOptions, CallRefusal> {
    let mut options = DrawOptions::default();
    if args.count() <= place {
        return Ok(options);
    }
    let (call, given) = (args.call(), args.get(place));
    let Some(map) = given.as_map() else {
        return refuse(format!(
            "{} must be a map, such as `#{{ color: \"gold\" }}`, not {}",
            args.parameter(place),
            given.type_name()
        ));
    };
    map.each_entry(&mut |key, value| {
        charge(PER_OPTION)?;
        check_option_name(call, key)?;
        options.set(call, key, value)
    })?;
    Ok(options)
}

/// The names of the options that a call has; none for calls that draw nothing.
const fn options_of(call: &str) -> &'static [&'static str] {
    match call.as_bytes() {
        b"text" => &["color", "size", "align"],
        b"bar" => &["color", "width", "height", "align"],
        b"line" | b"circle" => &["color", "width"],
        b"rect" => &["color", "width", "align"],
        b"sprite" => &["frame", "width", "height", "size", "flip", "color", "align"],
        _ => &[],
    }
}

/// Checks that a call has an option.
fn check_option_name(call: &str, key: &str) -> Allowed {
    let known = options_of(call);
    if known.contains(&key) {
        return Ok(());
    }
    let hint = suggestion(key, known.iter().copied());
    refuse(format!("`{call}` has no option `{key}`{hint}"))
}

/// Checks an option of a call that draws, and its value if that is known. Calls that draw nothing have no options to check.
///
/// # Errors
/// When there is no such option, or it does not accept the value.
pub fn check_draw_option(call: &str, key: &str, value: Option<Arg<'_>>) -> Allowed {
    if options_of(call).is_empty() {
        return Ok(());
    }
    check_option_name(call, key)?;
    value.map_or(Ok(()), |value| DrawOptions::default().set(call, key, value))
}

impl DrawOptions {
    fn set(&mut self, call: &str, key: &str, value: Arg<'_>) -> Allowed {
        let what = parameter(call, key);
        match key {
            "color" => self.color = Some(color_of(what, value)?),
            "align" => self.align = Some(align_named(value.text(what)?)?),
            "size" => self.size = Some(within(value, what, [1.0, 16.0])?),
            "frame" => self.frame = Some(frame_number(value, what)?),
            "flip" => self.flip = value.flag(what)?,
            "height" => self.height = Some(within(value, what, [1.0, 1000.0])?),
            _ => self.width = Some(within(value, what, [0.5, 1000.0])?),
        }
        Ok(())
    }
}

/// A number between two others.
pub(super) fn within(value: Arg<'_>, what: impl Display, [low, high]: [f64; 2]) -> Result<f64, CallRefusal> {
    let x = value.finite(&what)?;
    if (low..=high).contains(&x) {
        return Ok(x);
    }
    refuse(format!("{what} is {x}; it must be between {low} and {high}"))
}

/// The number of a frame; fractions are cut off.
pub(super) fn frame_number(value: Arg<'_>, what: impl Display) -> Result<u32, CallRefusal> {
    Ok(within(value, what, [0.0, MAX_FRAME])? as u32)
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
