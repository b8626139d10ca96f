//! Level art in side views: textures, edges and the sky. All of it is computed from the names of
//! surfaces and from places in the level, never from files or chance.

mod columns;
mod edges;
mod noise;
mod pattern;
mod ridges;
mod sky;
mod style;

use super::*;
use noise::{Hills, dither, fraction};

pub use columns::{fill_ground, for_each_column};
pub use edges::{PLANK, Trim, paint_plank, paint_trim};
pub use noise::scatter;
pub use sky::{SKY, paint_sky};
pub use style::{Style, all_colors};
