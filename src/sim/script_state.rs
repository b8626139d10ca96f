//! The state that the world stores for scripts: for entities that have one, and for the level.

use super::Digest;
use super::conditions::LastAsked;
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
    /// Consecutive ticks in which its script failed.
    pub failures: u8,
    /// The tick of the last failure plus 1, or 0 if there was none: first in the decide phase, then
    /// of a rule asked within a tick.
    pub failed_at: [u64; 2],
    /// Whether its script is disabled until the next reload.
    pub quarantined: bool,
}

/// Whether an entity is grounded, and on which surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct StandingOn {
    pub stands: bool,
    pub surface: Option<SurfaceId>,
}

/// The largest count of numbers drawn from one stream. Then the stream begins again.
pub const MOST_DRAWN: u64 = 1 << 53;

/// A script that fails in this many consecutive ticks is disabled until the next reload.
pub const MOST_FAILURES: u8 = 10;

// `ScriptState::failures` is a u8.
const _: () = assert!(MOST_FAILURES < u8::MAX);

impl ScriptState {
    /// Records whether a script call in the tick `now` has failed, and returns whether that
    /// disables the script. Several failures in one tick count once. A successful decide phase
    /// resets the count, unless a rule asked within the same tick failed.
    pub fn count(&mut self, failed: bool, decided: bool, now: u64) -> bool {
        let [decided_at, asked_at] = self.failed_at;
        if failed {
            let counted = decided_at == now + 1 || asked_at == now + 1;
            self.failures += u8::from(!counted);
            self.failed_at[usize::from(!decided)] = now + 1;
        } else if decided && asked_at < now {
            self.failures = 0;
        }
        let over = self.failures >= MOST_FAILURES && !self.quarantined;
        self.quarantined |= over;
        over
    }

    /// Enables the script again and makes its rules due, because files have changed.
    pub fn forgive(&mut self) {
        self.failures = 0;
        self.quarantined = false;
        self.last_asked = LastAsked::Never;
    }

    /// Feeds the script state into a hash. `last_asked` and `footing` are not part of it: they only
    /// decide when rules are asked.
    pub fn digest(&self, digest: &mut Digest) {
        if self.random > 0 || self.failures > 0 {
            digest.words(&[self.random, u64::from(self.failures)]);
            digest.words(&self.failed_at);
        }
        if let Some((at, z)) = self.spawned_at {
            digest.vector(at);
            digest.word(z.to_bits());
        }
        for (key, value) in &self.overrides {
            digest.text(key);
            digest.text(&value.to_string());
        }
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
