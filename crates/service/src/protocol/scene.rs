//! Worlds as something to paint: a client's own, and other clients'.

use super::*;
use hangtime_draw::{SceneMoment, SceneStage};

about_a_world!(
    SceneParams of "world.scene" {
        /// The `stage_id` of the last answer. While it is the same, `stage` is left out.
        #[serde(default)]
        pub stage_id: Option<String>,
    }
);

/// Parameters of `world.watch`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WatchParams {
    /// The number of the world in `world.list`.
    #[serde(deserialize_with = "whole")]
    pub watched: u64,
    /// The `stage_id` of the last answer. While it is the same, `stage` is left out.
    #[serde(default)]
    pub stage_id: Option<String>,
}

/// The result of `world.scene` and `world.watch`.
#[derive(Serialize, JsonSchema)]
pub struct SceneResult {
    /// The number of ticks made.
    pub tick: u64,
    /// Seconds since the level began.
    pub time: f64,
    /// Names `stage`. It changes with the files, the level, the tick rate, and the solids that scripts create, remove or break.
    pub stage_id: String,
    /// What stays from tick to tick. Left out if the request has its `stage_id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<SceneStage>,
    /// What moves.
    pub moment: SceneMoment,
}

/// Parameters of `world.list`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorldListParams {}

/// The result of `world.list`.
#[derive(Serialize, JsonSchema)]
pub struct WorldListResult {
    /// The worlds, in the order in which they were created.
    pub worlds: Vec<WorldLine>,
}

/// A world that can be watched.
#[derive(Serialize, JsonSchema)]
pub struct WorldLine {
    /// Its number in the service, for `world.watch`. It is not the number by which its client knows it.
    pub watched: u64,
    /// The level that it began with, by its path below the game folder.
    pub level: String,
    /// Whether it belongs to the client that asks.
    pub own: bool,
}
