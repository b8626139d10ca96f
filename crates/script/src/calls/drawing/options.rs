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
pub(in crate::calls) struct DrawOptions {
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
pub fn read_options(args: Args<'_>, place: usize) -> Accepted<DrawOptions> {
    let mut options = DrawOptions::default();
    args.settings(place, "a map, such as `#{ color: \"gold\" }`", &mut |key, value| {
        charge(PER_OPTION)?;
        options.set(args.call(), key, value)
    })?;
    Ok(options)
}

impl DrawOptions {
    pub(in crate::calls) fn set(&mut self, call: &str, key: &str, value: Arg<'_>) -> Allowed {
        let what = parameter(call, key);
        match key {
            "color" => self.color = Some(color_of(what, value)?),
            "align" => self.align = Some(align_named(value.text(what)?)?),
            "size" => self.size = Some(value.within(what, 1.0..=16.0)?),
            "frame" => self.frame = Some(frame_number(value, what)?),
            "flip" => self.flip = value.flag(what)?,
            "height" => self.height = Some(value.within(what, 1.0..=1000.0)?),
            _ => self.width = Some(value.within(what, 0.5..=1000.0)?),
        }
        Ok(())
    }
}

/// The number of a frame; fractions are cut off.
pub fn frame_number(value: Arg<'_>, what: impl Display) -> Accepted<u32> {
    Ok(value.within(what, 0.0..=MAX_FRAME)? as u32)
}

fn align_named(name: &str) -> Accepted<DrawnAlign> {
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
