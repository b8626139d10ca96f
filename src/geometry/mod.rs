//! Floor 0: shapes and the exact questions one can ask of them.
//!
//! Everything here is pure: numbers in, numbers out, no game in it. Lengths are in px, x points
//! right and y points up. Normals point out of the solid, at the mover.
//!
//! * [`Ellipse`]: the collider, and how far it reaches in a direction.
//! * [`polygon`]: what an outline must be to enclose something, and which way it is wound.
//! * [`sweep`]: when a moving ellipse first touches an edge or a corner.
//! * [`separation`]: the axis along which a resting ellipse and a polygon are separated, or overlap.
//! * [`convex`]: outlines in convex parts, what lines cut off from them, and where their weight lies.
//! * [`apart`]: the shortest way apart for two bodies that overlap.
//! * [`Grid`]: which edges lie near a box.

pub mod apart;
pub mod convex;
pub mod ellipse;
pub mod grid;
pub mod polygon;
pub mod separation;
pub mod sweep;

pub use ellipse::Ellipse;
pub use grid::Grid;

/// Distance in px within which two things count as touching.
///
/// Every answer of this floor is exact up to this much: a body is never stopped by what it would
/// enter by less, so that sliding along a surface that it touches is free. It is far above the
/// rounding of coordinates up to ±16,384 px (4e-12 px) and far below what can be seen.
pub const TOUCH: f64 = 1e-6;

/// The same tolerance for corners, as a share of the ellipse's own size.
pub(crate) const TOUCH_SHARE: f64 = 1e-7;

/// `v` turned counter-clockwise by the angle whose cosine and sine are `turn`.
#[must_use]
pub fn turned(turn: glam::DVec2, v: glam::DVec2) -> glam::DVec2 {
    glam::DVec2::new(turn.x * v.x - turn.y * v.y, turn.y * v.x + turn.x * v.y)
}

/// The cosine and sine of an angle, for [`turned`]; the same on every machine.
#[must_use]
pub fn turn(angle: f64) -> glam::DVec2 {
    glam::DVec2::new(libm::cos(angle), libm::sin(angle))
}
