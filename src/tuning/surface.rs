//! What a surface does to those who touch it.

use super::{SHARE, range, tunables};

tunables! {
    /// A table of `config/surfaces.toml`. What is left out is 1.
    pub struct SurfaceTuning {
        /// How well feet hold: 1 is solid, 0 lets nobody steer or brake. Read by models with an
        /// intended velocity, such as `two_velocity`.
        grip: f64 = 1.0, "", SHARE;
        /// Factor on the friction of whatever slides on it.
        friction: f64 = 1.0, "", range(0.0, 100.0);
        /// Factor on the rebound of whatever bounces off it.
        rebound: f64 = 1.0, "", range(0.0, 100.0);
    }
}
