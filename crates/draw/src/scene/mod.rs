//! A picture as data, for programs that paint it themselves: what stays while the files stay, and what a tick moves.

mod moment;
mod shapes;
mod stage;

pub use moment::{SceneBody, SceneHook, SceneMoment, ScenePiece, ScenePlatform};
pub use shapes::{SceneDrawing, SceneForm, SceneSpace};
pub use stage::{SceneSolid, SceneStage, SceneZone};

use super::*;
use schemars::JsonSchema;
use serde::Serialize;

/// A polygon or a line as data.
fn corners(points: impl IntoIterator<Item = DVec2>) -> Vec<[f64; 2]> {
    points.into_iter().map(DVec2::into).collect()
}
