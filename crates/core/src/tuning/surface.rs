//! The properties of surfaces.

use super::*;

tunables! {
    /// A table of `config/surfaces.toml`. Keys that are left out are 1, or `none`.
    pub struct SurfaceTuning {
        /// Grip: 1 is solid ground; at 0 a character can neither steer nor brake. Used by `two_velocity`
        /// and `platformer`. Below 1, a `platformer` also starts from its speed instead of at once.
        grip: f64 = 1.0, "", SHARE;
        /// Multiplier for the friction of everything that slides on it.
        friction: f64 = 1.0, "", range(0.0, 100.0);
        /// Multiplier for the rebound of everything that bounces off it.
        rebound: f64 = 1.0, "", range(0.0, 100.0);
        /// What a vessel's `rebound` is here, whatever its own and the surface's `rebound` are: 1 stops on
        /// impact, 2 loses no speed. With `"none"`, both are multiplied.
        own_rebound: Option<f64> = None, "", range(0.0, 2.0);
        /// What a vessel's `friction` is here, whatever its own and the surface's `friction` are. With
        /// `"none"`, both are multiplied. `friction_cap` and `topdown` still use the surface's `friction`.
        own_friction: Option<f64> = None, "", SHARE;
    }
}
