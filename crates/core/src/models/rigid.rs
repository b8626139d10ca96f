//! The capability to turn, as a rigid body made of pieces.

use super::{Intent, Loadout, ModelTuning, Piece};
use crate::level::Scenery;
use glam::DVec2;
use std::sync::Arc;

/// A model whose bodies collide as pieces that turn, some of them sprung feet. `S` is its state,
/// `T` its tuning. The other models collide as an upright ellipse.
pub trait Rigid<S, T: ModelTuning> {
    /// The pieces, in the body's own frame.
    fn pieces(&self, loadout: &Loadout<T>) -> Arc<[Piece]>;

    /// A place near `at` where the body, turned by `angle` (radians), overlaps nothing; `None` if
    /// there is no such place.
    fn fit(&self, loadout: &Loadout<T>, scenery: &Scenery<'_>, at: DVec2, angle: f64) -> Option<DVec2>;

    /// Distance from the center down to the lowest point at this angle, px.
    fn depth(&self, loadout: &Loadout<T>, angle: f64) -> f64;

    /// Compression of each foot, in the order of the pieces: 1 fully pressed in, −1 fully out.
    fn feet(&self, state: &S) -> Vec<f64>;

    /// How far a foot can be pressed in, px.
    fn foot_travel(&self, loadout: &Loadout<T>) -> f64;

    /// How hard the engine pushes, as a share of full thrust: 0..=1.
    fn thrust(&self, intent: &Intent) -> f64;
}
