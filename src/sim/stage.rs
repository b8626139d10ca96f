//! What a tick reads and never changes.

use super::Value;
use crate::level::{Absent, Air, Level, Transit};
use crate::models::{Body, Loadouts, ModelName, Surroundings};
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
    pub loadouts: Loadouts,
    /// Whether it pushes others aside that do, too, and is pushed.
    pub pushes: bool,
    /// How much it yields when it is pushed, beside others.
    pub mass: f64,
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
    /// Its center, px.
    pub at: DVec2,
    /// How high its feet are in a top view, px.
    pub z: f64,
    /// How far it is turned, radians counter-clockwise; upright models take no note of it.
    pub angle: f64,
    /// Its velocity, px/s.
    pub velocity: DVec2,
    /// The player who controls it, from 1.
    pub player: Option<u8>,
}

impl Start {
    /// The body that starts so with this model, upright if the model is.
    #[must_use]
    pub(super) fn body(&self, model: ModelName) -> Body {
        Body {
            vel: self.velocity,
            z: self.z,
            angle: if model.turns() { self.angle } else { 0.0 },
            ..Body::at(self.at)
        }
    }
}

/// A level with everything that holds in it. What is large is shared, so that a copy costs little.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The level.
    pub level: Arc<Level>,
    /// Ticks a second.
    pub hz: u32,
    /// How hard things fall, px/s².
    pub gravity: f64,
    /// What each of the level's surfaces does.
    pub surfaces: Arc<Vec<SurfaceTuning>>,
    /// Whether it is told when entities touch.
    pub touches: bool,
    /// Kinds, and entities with settings of their own.
    pub profiles: Arc<Vec<Profile>>,
    /// What the level begins with, in the order of its file.
    pub starts: Arc<Vec<Start>>,
    /// The level's own rules.
    pub script: Option<ScriptId>,
    /// First values of that script's variables.
    pub vars: BTreeMap<String, Value>,
    /// The profile of each kind that scripts may bring into the world, an index into `profiles`.
    pub kinds: Arc<BTreeMap<Arc<str>, usize>>,
    external_seconds: f64,
    external_kept: f64,
    external_drift: f64,
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
        let (seconds, drift) = if damping > 0.0 {
            let seconds = (1.0 - kept) / damping;
            (seconds, (dt - seconds) / damping)
        } else {
            (dt, 0.5 * dt * dt)
        };
        Self {
            level: Arc::new(level),
            hz: simulation.tick_hz,
            gravity: gravity.unwrap_or(simulation.gravity),
            surfaces: Arc::new(surfaces),
            touches: simulation.touches,
            profiles: Arc::new(profiles),
            starts: Arc::new(starts),
            script: None,
            vars: BTreeMap::new(),
            kinds: Arc::default(),
            external_seconds: seconds,
            external_kept: kept,
            external_drift: drift,
        }
    }

    /// Where the platforms stand at tick `now`, before anything moves, while these solids are not there.
    /// For those of a world see [`World::standing`](super::World::standing).
    #[must_use]
    pub fn standing(&self, now: u64, absent: &Absent) -> Transit {
        Transit::standing(
            self.level.terrain.platforms(),
            absent,
            now,
            f64::from(self.hz),
        )
    }

    /// A place near that of `body` in which an entity of this profile overlaps nothing that is
    /// `standing` when this model moves it, or none.
    #[must_use]
    pub fn fit(
        &self,
        standing: &Transit,
        profile: usize,
        model: ModelName,
        body: &Body,
    ) -> Option<DVec2> {
        let scenery = self.level.terrain_at(body.z).moved(standing);
        let loadouts = &self.profiles[profile].loadouts;
        loadouts.fit(model, &scenery, body.pos, body.angle)
    }

    /// The place where a body can go on when another model moves it, the second instead of the first:
    /// one near it in which it overlaps nothing, its feet where they were if it `stands`. None if
    /// there is no room.
    pub(super) fn refit(
        &self,
        standing: &Transit,
        profile: usize,
        [was, model]: [ModelName; 2],
        body: &mut Body,
        stands: bool,
    ) -> Option<DVec2> {
        let loadouts = &self.profiles[profile].loadouts;
        let from = body.pos;
        let was_depth = loadouts.depth(was, body.angle);
        if !model.turns() {
            (body.angle, body.spin) = (0.0, 0.0);
        }
        if stands {
            body.pos.y += loadouts.depth(model, body.angle) - was_depth;
        }
        let reach = 2.0 * loadouts.shape(model).half.max_element();
        let scenery = self.level.terrain_at(body.z).moved(standing);
        let place = body.pos;
        // Near, and not behind a wall.
        let near = |at: &DVec2| {
            let way = *at - from;
            at.distance_squared(place) <= reach * reach && scenery.cast(from, way).is_none()
        };
        self.fit(standing, profile, model, body).filter(near)
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
            external_drift: self.external_drift,
            air: Air::default(),
            level: &self.level,
            surfaces: &self.surfaces,
            transit,
        }
    }
}
