//! Solids that are switched on and off. The effect on bodies follows when platforms move.

use super::Digest;
use super::stage::Stage;
use crate::level::{Absent, Transit};
use serde::{Deserialize, Serialize};

/// Which solids are switched off.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Switches {
    pub absent: Absent,
    /// The contribution of `absent` to the world's hash.
    pub key: u64,
    /// The solids switched since platforms moved last. Between ticks, those that a rule has switched
    /// within the last one.
    pub changed: Vec<u32>,
    /// The contribution of `changed` to the world's hash.
    pub changed_key: u64,
    /// Memory for the platforms of the next step; empty between ticks.
    #[serde(skip)]
    transit: Transit,
}

impl Switches {
    /// The switches as the level begins.
    pub fn at_start(stage: &Stage) -> Self {
        Self::of(stage, Absent::at_start(stage.level.terrain.solids()))
    }

    fn of(stage: &Stage, absent: Absent) -> Self {
        Self {
            key: hash_key(stage, absent.iter()),
            absent,
            changed: Vec::new(),
            changed_key: 0,
            transit: Transit::default(),
        }
    }

    /// The contributions to the world's hash that follow from which solids are off and which have
    /// changed.
    pub fn keys(&self, stage: &Stage) -> [u64; 2] {
        let changed = self.changed.iter().copied();
        [
            hash_key(stage, self.absent.iter()),
            hash_key(stage, changed),
        ]
    }

    /// Switches a solid on or off, if its file says that it can be.
    pub fn set(&mut self, stage: &Stage, solid: u32, there: bool) {
        let of_level = stage.level.terrain.solids().get(solid as usize);
        let can_be = of_level.is_some_and(|s| s.present.is_some());
        if !can_be || !self.absent.set(solid, there) {
            return;
        }
        match self.changed.iter().position(|s| *s == solid) {
            // Switched back within one step.
            Some(place) => {
                self.changed.remove(place);
            }
            None => self.changed.push(solid),
        }
        [self.key, self.changed_key] = self.keys(stage);
    }

    /// The platforms in the step from tick `now`, with the solids switched before it. Give the
    /// result back with [`recycle`](Self::recycle).
    pub fn step_platforms(&mut self, stage: &Stage, now: u64) -> Transit {
        let mut transit = std::mem::take(&mut self.transit);
        let terrain = &stage.level.terrain;
        transit.step(terrain.platforms(), &self.absent, now, f64::from(stage.hz));
        transit.switch(terrain.platforms(), &self.changed);
        self.changed.clear();
        self.changed_key = 0;
        transit
    }

    /// Keeps the memory of a finished step for the next one.
    pub fn recycle(&mut self, mut transit: Transit) {
        transit.clear();
        self.transit = transit;
    }

    /// The same switches in a changed level: solids are matched by name. Where the file has changed
    /// whether a solid is present, the file decides.
    pub fn adopted(&self, old: &Stage, new: &Stage) -> Self {
        let (was, terrain) = (&old.level.terrain, &new.level.terrain);
        let mut absent = Absent::at_start(terrain.solids());
        let same_view = old.level.view == new.level.view;
        let solids = (0_u32..).zip(terrain.solids());
        for (index, solid) in solids.filter(|(_, s)| same_view && s.present.is_some()) {
            let before = was.solid_named(&solid.name);
            let kept = before.filter(|b| was.solids()[*b as usize].present == solid.present);
            if let Some(before) = kept {
                absent.set(index, !self.absent.holds(before));
            }
        }
        Self::of(new, absent)
    }
}

/// The contribution of solids to the world's hash: a sum over their names, so that it does not
/// depend on their order in the file.
fn hash_key(stage: &Stage, solids: impl Iterator<Item = u32>) -> u64 {
    let key = |solid: u32| {
        let mut digest = Digest::new();
        digest.text(&stage.level.terrain.solids()[solid as usize].name);
        digest.finish()
    };
    solids.fold(0, |sum, solid| sum.wrapping_add(key(solid)))
}
