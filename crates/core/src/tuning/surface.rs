//! The properties of surfaces.

use super::{SHARE, range, tunables};

tunables! {
    /// A table of `config/surfaces.toml`. Keys that are left out are 1.
    pub struct SurfaceTuning {
        /// Grip: 1 is solid ground; at 0 a character can neither steer nor brake. Used by `two_velocity`
        /// and `platformer`. Below 1, a `platformer` also starts from its speed instead of at once.
        grip: f64 = 1.0, "", SHARE;
        /// Multiplier for the friction of everything that slides on it.
        friction: f64 = 1.0, "", range(0.0, 100.0);
        /// Multiplier for the rebound of everything that bounces off it.
        rebound: f64 = 1.0, "", range(0.0, 100.0);
    }
}
