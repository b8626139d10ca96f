//! The state that the world stores for scripts: for entities that have one, and for the level.

use super::Digest;
use super::conditions::LastAsked;
use super::failure_count::FailureCount;
use super::layer_state::LayerState;
use super::value::Vars;
use crate::level::SurfaceId;
use crate::tuning::Setting;
use glam::DVec2;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The state that the world stores for an entity's script, besides its variables. Boxed, so that
/// entities without a script stay small.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct ScriptState {
    /// Under which conditions the rules `model` and `jump_windows` were last asked.
    pub last_asked: LastAsked,
    /// The ground at that time. As long as it is the same and `stale` is not set, the conditions
    /// need no comparison.
    pub footing: StandingOn,
    /// Whether zones or variables may have changed since then.
    pub stale: bool,
    /// How many numbers have been drawn from its random stream.
    pub random: u64,
    /// Center and height where a script spawned it; `None` if it is part of the level.
    pub spawned_at: Option<(DVec2, f64)>,
    /// Tuning overrides set by its script, by model and name: `platformer.jump_speed`.
    pub overrides: BTreeMap<String, Setting>,
    /// In how many ticks in a row its script has failed.
    #[serde(flatten)]
    pub failures: FailureCount,
    /// What it has because of scripts above the lowest one, the lowest of these first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<LayerState>,
}

/// Whether an entity is grounded, and on which surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct StandingOn {
    pub stands: bool,
    pub surface: Option<SurfaceId>,
}

/// The largest count of numbers drawn from one stream. Then the stream begins again.
pub const MOST_DRAWN: u64 = 1 << 53;

impl ScriptState {
    /// Whether all its scripts are disabled until the next reload.
    pub fn is_disabled(&self) -> bool {
        self.failures.quarantined && self.layers.iter().all(LayerState::is_disabled)
    }

    /// Enables the script again and makes its rules due, because files have changed.
    pub fn forgive(&mut self) {
        self.failures.forgive();
        self.last_asked = LastAsked::Never;
    }

    /// Feeds the script state into a hash. `last_asked` and `footing` are not part of it: they only
    /// decide when rules are asked.
    pub fn digest(&self, digest: &mut Digest) {
        if self.random > 0 || self.failures.failures > 0 {
            digest.word(self.random);
            self.failures.digest(digest);
        }
        if let Some((at, z)) = self.spawned_at {
            digest.vector(at);
            digest.word(z.to_bits());
        }
        for (key, value) in &self.overrides {
            digest.text(key);
            digest.text(&value.to_string());
        }
        self.layers.iter().for_each(|layer| layer.digest(digest));
    }
}

/// The state that the world stores for the level's own script.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct LevelState {
    /// Whether the level has a script.
    pub has_script: bool,
    /// Its variables.
    pub vars: Vars,
    /// The state other than its variables.
    pub script_state: ScriptState,
}
