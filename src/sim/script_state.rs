//! What only some entities have, and what the level has for itself.

use super::{EntityId, Vars, digest::Digest};
use crate::level::SurfaceId;
use crate::tuning::Setting;
use glam::DVec2;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What an entity has because of its script. It is kept apart, so that those without stay small.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct ScriptState {
    /// What the rules were last asked about: a digest of what their answers may depend on. None
    /// means that they have to be asked again.
    pub asked: Option<u64>,
    /// What it stood on then: a quick look at this tells most often that nothing has changed.
    pub stood: Footprint,
    /// Whether zones or variables may have changed since.
    pub stale: bool,
    /// How many numbers its random stream has given.
    pub random: u64,
    /// Where a script has brought it into the world: center and height. None for those that the level
    /// begins with.
    pub created: Option<(DVec2, f64)>,
    /// Tunables that its script has set, by model and name, as in `platformer.jump_speed`.
    pub tunes: BTreeMap<String, Setting>,
    /// The profile that its tunables lie over.
    pub base: u32,
    /// Turns in a row in which its script has failed.
    pub failures: u8,
    /// One more than the tick in which a turn has failed last: of the decide phase, and inside a tick.
    pub failed_at: [u64; 2],
    /// Whether its script is not called any more.
    pub quarantined: bool,
}

/// Whether an entity stands, and on what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Footprint {
    pub stands: bool,
    pub surface: Option<SurfaceId>,
}

/// A script that fails in so many turns in a row is not called any more.
pub const MOST_FAILURES: u8 = 10;

impl ScriptState {
    /// Counts a turn in the tick `now`; whether its script is not to be called any more from now on. A tick
    /// counts once, whether what it decides fails or what it is asked, and one does not make good the other.
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

    /// Gives the script another chance: its files have changed.
    pub fn forgive(&mut self) {
        self.failures = 0;
        self.quarantined = false;
        self.asked = None;
    }

    /// Feeds what is state into a hash; what was asked is not.
    pub fn digest(&self, digest: &mut Digest) {
        if self.random > 0 || self.failures > 0 {
            digest.words(&[self.random, u64::from(self.failures)]);
            digest.words(&self.failed_at);
        }
        if let Some((at, z)) = self.created {
            digest.vector(at);
            digest.word(z.to_bits());
        }
        for (key, value) in &self.tunes {
            digest.text(key);
            digest.text(&value.to_string());
        }
    }
}

/// What the level's own script keeps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct LevelState {
    /// Whether it has a script at all.
    pub has_script: bool,
    /// Its variables.
    pub vars: Vars,
    /// The rest.
    pub script_state: ScriptState,
}

/// An event to come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Timer {
    /// The tick at whose end it is due.
    pub due: u64,
    /// To whom.
    pub entity: EntityId,
    /// The event's name.
    pub name: Arc<str>,
}
