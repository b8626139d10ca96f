//! Layer 0: shapes and exact queries on them.
//!
//! Everything here is pure: numbers in, numbers out, no knowledge of a game. Lengths are in px, x
//! points right and y points up. Normals point out of the solid, toward the mover.
//! * [`Collider`]: the ellipse, box or capsule as which a body collides, and how far it reaches in a direction.
//! * [`polygon`]: validates outlines and determines their winding.
//! * [`sweep`]: when a moving body first touches an edge or a corner.
//! * [`separation`]: the axis that separates a body from a polygon, or along which they overlap least.
//! * [`convex`]: splits outlines into convex parts, clips them, and computes their centers of mass.
//! * [`apart`]: the shortest move that separates two overlapping bodies.
//! * [`Grid`]: which items lie near a box.
//! * [`Inside`]: whether points lie in an outline with many edges.
//! * [`Rim`]: how a body overlaps an outline with many edges.
//! * [`interrupt`]: giving up long computations.

pub mod apart;
pub mod collider;
pub mod convex;
pub mod grid;
mod inside;
pub mod interrupt;
pub mod polygon;
pub mod separation;
pub mod sweep;
mod tree;

pub use collider::{Collider, ColliderForm};
pub use grid::Grid;
pub use inside::{Inside, Rim, lies_in};

use super::*;
use polygon::sides;

/// Distance in px within which two things count as touching.
///
/// Every answer on this layer is exact to within this distance. A surface does not stop a body that
/// would enter it by less, so the body slides freely along a surface that it touches. The tolerance
/// is far above the rounding error of coordinates up to ±16,384 px (4e-12 px) and far below what
/// can be seen.
pub const TOUCH: f64 = 1e-6;

/// The same tolerance for corners, as a fraction of the body's size.
pub(crate) const TOUCH_SHARE: f64 = 1e-7;

/// `v` turned counterclockwise by the angle whose cosine and sine are `turn`.
pub fn turned(turn: DVec2, v: DVec2) -> DVec2 {
    DVec2::new(turn.x * v.x - turn.y * v.y, turn.y * v.x + turn.x * v.y)
}

/// The cosine and sine of an angle, for [`turned`]; the same on every machine.
pub fn turn(angle: f64) -> DVec2 {
    let (sine, cosine) = libm::sincos(angle);
    DVec2::new(cosine, sine)
}
