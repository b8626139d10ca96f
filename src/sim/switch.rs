//! Solids that are switched on and off. What that does to bodies is found out when platforms move.

use super::{Digest, Stage, World};
use crate::level::{Absent, Transit};

impl World {
    /// Whether a solid is there: all are but those that are switched off.
    #[must_use]
    pub fn is_present(&self, solid: u32) -> bool {
        !self.absent.holds(solid)
    }

    /// The solids that are switched off.
    #[must_use]
    pub fn absent(&self) -> &Absent {
        &self.absent
    }

    /// Where the platforms stand now, before anything moves, and which of them are there.
    #[must_use]
    pub fn standing(&self, stage: &Stage) -> Transit {
        stage.standing(self.tick, &self.absent)
    }

    /// Switches a solid on or off, if it is one that can be.
    pub(super) fn switch(&mut self, stage: &Stage, solid: u32, there: bool) {
        let of_level = stage.level.terrain.solids().get(solid as usize);
        let can_be = of_level.is_some_and(|s| s.present.is_some());
        if !can_be || !self.absent.set(solid, there) {
            return;
        }
        self.absent_key = absent_key(stage, &self.absent);
        match self.switched.iter().position(|s| *s == solid) {
            // Switched there and back, it has not changed.
            Some(place) => {
                self.switched.remove(place);
            }
            None => self.switched.push(solid),
        }
    }

    /// Where the platforms are in this step, and what was switched before it. The memory of the last
    /// step is used again.
    pub(super) fn step_platforms(&mut self, stage: &Stage) -> Transit {
        let mut transit = std::mem::take(&mut self.transit);
        let terrain = &stage.level.terrain;
        transit.step(
            terrain.platforms(),
            &self.absent,
            self.tick,
            f64::from(stage.hz),
        );
        transit.switch(terrain.platforms(), &self.switched);
        self.switched.clear();
        transit
    }

    /// Keeps the memory for the next step.
    pub(super) fn keep_transit(&mut self, mut transit: Transit) {
        transit.clear();
        self.transit = transit;
    }

    /// Takes what is switched from one level to another, by the names of solids. Where the file says
    /// something new about a solid, that holds.
    pub(super) fn adopt_absent(&mut self, old: &Stage, new: &Stage) {
        let (was, terrain) = (&old.level.terrain, &new.level.terrain);
        let mut absent = Absent::at_start(terrain.solids());
        let same_view = old.level.view == new.level.view;
        let solids = (0_u32..).zip(terrain.solids());
        for (index, solid) in solids.filter(|(_, s)| same_view && s.present.is_some()) {
            let before = was.solid_named(&solid.name);
            let kept = before.filter(|b| was.solids()[*b as usize].present == solid.present);
            if let Some(before) = kept {
                absent.set(index, self.is_present(before));
            }
        }
        self.absent_key = absent_key(new, &absent);
        self.absent = absent;
        self.switched.clear();
    }
}

/// What the hash takes for the solids that are switched off: a sum over their names, so that their
/// order in the file does not show.
pub(super) fn absent_key(stage: &Stage, absent: &Absent) -> u64 {
    let key = |solid: u32| {
        let mut digest = Digest::new();
        digest.text(&stage.level.terrain.solids()[solid as usize].name);
        digest.finish()
    };
    absent
        .iter()
        .fold(0, |sum, solid| sum.wrapping_add(key(solid)))
}
