//! What a tick reads and never changes.

use super::Value;
use crate::geometry::Ellipse;
use crate::level::{Level, Transit};
use crate::models::{ModelName, Outfits, Surroundings};
use crate::tuning::{SimulationTuning, SurfaceTuning};
use glam::DVec2;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Which compiled script; an index that only the script host understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScriptId(pub u32);

/// What all entities of a kind share, or what one entity has for itself.
#[derive(Clone, Debug)]
pub struct Profile {
    /// The kind's name.
    pub kind: Arc<str>,
    /// The script that decides for it.
    pub script: Option<ScriptId>,
    /// The model when no script decides.
    pub model: ModelName,
    /// What it brings into each model.
    pub outfits: Outfits,
    /// First values of its variables.
    pub vars: BTreeMap<String, Value>,
}

/// An entity that the level begins with.
#[derive(Clone, Debug)]
pub struct Start {
    /// Its name, unique in the level.
    pub name: Arc<str>,
    /// Index into [`Stage::profiles`].
    pub profile: usize,
    /// Its centre, px.
    pub at: DVec2,
    /// Its velocity, px/s.
    pub velocity: DVec2,
    /// The player who controls it, from 1.
    pub player: Option<u8>,
}

/// A level with everything that holds in it.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The level.
    pub level: Level,
    /// Ticks a second.
    pub hz: u32,
    /// How hard things fall, px/s².
    pub gravity: f64,
    /// What each of the level's surfaces does.
    pub surfaces: Vec<SurfaceTuning>,
    /// Kinds, and entities with settings of their own.
    pub profiles: Vec<Profile>,
    /// What the level begins with, in the order of its file.
    pub starts: Vec<Start>,
    external_seconds: f64,
    external_kept: f64,
}

impl Stage {
    /// Puts a stage together. `gravity` is the level's own, if it has one.
    #[must_use]
    pub fn new(
        level: Level,
        simulation: &SimulationTuning,
        gravity: Option<f64>,
        surfaces: Vec<SurfaceTuning>,
        profiles: Vec<Profile>,
        starts: Vec<Start>,
    ) -> Self {
        let dt = 1.0 / f64::from(simulation.tick_hz);
        let damping = simulation.external_damping;
        let kept = libm::exp(-damping * dt);
        Self {
            level,
            hz: simulation.tick_hz,
            gravity: gravity.unwrap_or(simulation.gravity),
            surfaces,
            profiles,
            starts,
            external_seconds: if damping > 0.0 {
                (1.0 - kept) / damping
            } else {
                dt
            },
            external_kept: kept,
        }
    }

    /// Where the platforms stand at tick `now`, before anything moves.
    #[must_use]
    pub fn standing(&self, now: u64) -> Transit {
        Transit::standing(&self.level.terrain, now, f64::from(self.hz))
    }

    /// A place near `from` in which a body of this shape overlaps nothing at tick `now`, or none.
    #[must_use]
    pub fn push_out(&self, now: u64, shape: Ellipse, from: DVec2) -> Option<DVec2> {
        let standing = self.standing(now);
        let scenery = self.level.terrain.moved(&standing.offsets);
        scenery.push_out(shape, from)
    }

    /// What holds for everybody in the step from tick `now` to the next.
    #[must_use]
    pub fn surroundings<'a>(&'a self, now: u64, transit: &'a Transit) -> Surroundings<'a> {
        let hz = f64::from(self.hz);
        Surroundings {
            now,
            hz,
            dt: 1.0 / hz,
            gravity: self.gravity,
            external_seconds: self.external_seconds,
            external_kept: self.external_kept,
            level: &self.level,
            surfaces: &self.surfaces,
            transit,
        }
    }
}
