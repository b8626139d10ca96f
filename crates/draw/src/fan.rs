//! The fan: paths that a body could take, over a painted picture.

use super::*;

/// Paths that a body could take from here, and where they land.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FanPicture {
    /// The paths of its center, px.
    pub paths: Vec<Vec<DVec2>>,
    /// The centers where it lands, px.
    pub landings: Vec<DVec2>,
}

/// Width of a path and its opacity: where many lie on each other, they are seen well.
const WIDTH: f64 = 1.0;
const OPACITY: f32 = 0.3;

/// Radius of a landing, px.
const DOT: f64 = 2.5;

/// Paints a fan over a picture that has been painted.
pub fn paint(brush: &mut Brush<'_>, fan: &FanPicture) {
    for path in &fan.paths {
        brush.stroke(path.iter().copied(), WIDTH, Ink::faint(palette::FAN, OPACITY));
    }
    for landing in &fan.landings {
        brush.oval(*landing, DVec2::splat(DOT), palette::FAN);
    }
}
