//! The stage: level, tuning and kinds, which a tick reads and never changes.

use super::*;
use crate::{
    level::Carries,
    models::{Decay, platformer::HookHolds},
    tuning::{SimulationTuning, SurfaceTuning},
};

/// Identifies a compiled script. Only the implementation of [`Rules`](super::Rules) knows what it
/// means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScriptId(pub u32);

/// The settings that all entities of a kind share, or a single entity's own.
#[derive(Clone, Debug)]
pub struct Profile {
    /// The kind's name.
    pub kind: Arc<str>,
    /// Its script, if it has one: the topmost one of its layers.
    pub script: Option<ScriptId>,
    /// Its scripts above the lowest one, the lowest of these first. Empty if it has at most one script.
    pub layers: Vec<ScriptLayer>,
    /// The model, unless a script chooses another.
    pub model: ModelName,
    /// Its collider and tuning for each model.
    pub loadouts: Loadouts,
    /// Whether it pushes entities that also have this set, and is pushed by them.
    pub pushes: bool,
    /// Its mass relative to other entities: the heavier of two is pushed less.
    pub mass: f64,
    /// Which of its sides are solid for other entities.
    pub carries: Carries,
    /// Its stances. The first whose action is held wins.
    pub stances: Arc<[Stance]>,
    /// Factor for the rate of the time of its entities as they spawn.
    pub time_scale: f64,
    /// Initial values of the variables of its lowest script.
    pub vars: BTreeMap<String, Value>,
}

impl Profile {
    /// A kind without scripts that other entities neither push nor are pushed by.
    pub fn new(kind: &str, model: ModelName, loadouts: Loadouts) -> Self {
        Self {
            kind: kind.into(),
            script: None,
            layers: Vec::new(),
            model,
            loadouts,
            pushes: false,
            mass: 1.0,
            carries: Carries::Nothing,
            stances: Arc::default(),
            time_scale: 1.0,
            vars: BTreeMap::new(),
        }
    }

    /// The initial variables of its scripts, the lowest one first, each with what messages call it.
    pub fn initial_vars(&self) -> impl Iterator<Item = (String, &BTreeMap<String, Value>)> {
        let lowest = (format!("`{}`", self.kind), &self.vars);
        let layers = self.layers.iter().map(|layer| {
            let name = format!("`{}` in the mod `{}`", self.kind, layer.name);
            (name, &layer.vars)
        });
        std::iter::once(lowest).chain(layers)
    }
}

/// What any profile of a stage has: a tick does not look through all of them.
#[derive(Clone, Copy, Default)]
pub struct ProfileTraits {
    pub pushes: bool,
    pub carries: bool,
    pub has_stances: bool,
    /// Whether hooks hold other entities.
    pub hooks_entities: bool,
}

impl ProfileTraits {
    pub fn of(profiles: &[Profile]) -> Self {
        let hooks = |it: &Profile| it.loadouts.platformer.tuning.hook_holds == HookHolds::Entities;
        Self {
            pushes: profiles.iter().any(|it| it.pushes),
            carries: profiles.iter().any(|it| it.carries != Carries::Nothing),
            has_stances: profiles.iter().any(|it| !it.stances.is_empty()),
            hooks_entities: profiles.iter().any(hooks),
        }
    }
}

/// An entity that is part of the level.
#[derive(Clone, Debug)]
pub struct Start {
    /// Its name, unique in the level.
    pub name: Arc<str>,
    /// Index into [`Stage::profiles`].
    pub profile: usize,
    /// Its center, px.
    pub at: DVec2,
    /// Height of its feet in a top view, px.
    pub z: f64,
    /// Its angle, radians counterclockwise; ignored by upright models.
    pub angle: f64,
    /// Its initial velocity, px/s.
    pub velocity: DVec2,
    /// The player who controls it, counted from 1.
    pub player: Option<u8>,
}

impl Start {
    /// An entity at rest whose center is at a point, px. `profile` is an index into [`Stage::profiles`].
    pub fn new(name: &str, profile: usize, at: impl Into<DVec2>) -> Self {
        Self { name: name.into(), profile, at: at.into(), z: 0.0, angle: 0.0, velocity: DVec2::ZERO, player: None }
    }

    /// The body of this start under a model; upright if the model is.
    pub(super) fn body(&self, model: ModelName) -> Body {
        Body { vel: self.velocity, z: self.z, angle: if model.turns() { self.angle } else { 0.0 }, ..Body::at(self.at) }
    }
}

/// A level with its tuning and entities. Large parts are shared, so that a clone is cheap.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The level.
    pub level: Arc<Level>,
    /// Ticks per second.
    pub hz: u32,
    /// Gravity, px/s².
    pub gravity: f64,
    /// The tuning of each of the level's surfaces.
    pub surfaces: Arc<Vec<SurfaceTuning>>,
    /// Whether entities emit `touch` events.
    pub touches: bool,
    /// One profile for each kind, and for each entity with its own settings.
    pub profiles: Arc<Vec<Profile>>,
    /// The level's entities, in the order of its file.
    pub starts: Arc<Vec<Start>>,
    /// The level's script.
    pub script: Option<ScriptId>,
    /// Initial values of that script's variables.
    pub vars: BTreeMap<String, Value>,
    /// The actions that the game defines.
    pub actions: OwnActions,
    /// The profile of each kind that scripts may spawn, an index into `profiles`.
    pub kinds: Arc<BTreeMap<Arc<str>, usize>>,
    /// The zones that are switched on; `None` if all of the level's are.
    zones: Option<Arc<Zones>>,
    /// How external velocity decays in a tick.
    decay: Decay,
}

impl Stage {
    /// Whether the level or any entity may have a script.
    pub fn has_scripts(&self) -> bool {
        self.script.is_some() || self.profiles.iter().any(|profile| profile.script.is_some())
    }

    /// Creates a stage. `gravity` is the level's own, which replaces the simulation's.
    pub fn new(
        level: Level,
        simulation: &SimulationTuning,
        gravity: Option<f64>,
        surfaces: Vec<SurfaceTuning>,
        profiles: Vec<Profile>,
        starts: Vec<Start>,
    ) -> Self {
        if profiles.iter().any(|profile| profile.model.turns()) {
            // Not in the tick of the first vessel.
            let _ = level.terrain.blocks();
        }
        // Models that entities begin with come before models that they may change to: there is room for a few only.
        let begins = profiles.iter().map(|profile| (profile, profile.model));
        let may_become = profiles
            .iter()
            .flat_map(|profile| ModelName::ALL.iter().map(move |model| (profile, *model)));
        for (profile, model) in begins.chain(may_become).filter(|(_, model)| !model.turns()) {
            level.terrain.expect(profile.loadouts.shape(model));
        }
        for profile in profiles.iter().filter(|profile| !profile.model.turns()) {
            let shape = profile.loadouts.shape(profile.model);
            profile.stances.iter().for_each(|stance| level.terrain.expect(shape.sized(stance.size)));
        }
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
            actions: OwnActions::default(),
            kinds: Arc::default(),
            zones: None,
            decay: Decay::over(1.0 / f64::from(simulation.tick_hz), simulation.external_damping),
        }
    }

    /// Replaces the numbers of the simulation, except the tick rate. `gravity` is the level's own.
    pub fn retune(&mut self, simulation: &SimulationTuning, gravity: Option<f64>) {
        self.gravity = gravity.unwrap_or(simulation.gravity);
        self.touches = simulation.touches;
        self.decay = Decay::over(1.0 / f64::from(self.hz), simulation.external_damping);
    }

    /// The same stage at another tick rate, for worlds that are played ahead. A tick of it is not a tick of the game.
    pub(super) fn at_rate(&self, hz: u32) -> Self {
        Self { hz, decay: Decay::over(1.0 / f64::from(hz), self.decay.damping), ..self.clone() }
    }

    /// The zones that are switched on. Zones that are off stay in the list, so that indices do not change.
    #[inline]
    pub fn zones(&self) -> &Zones {
        self.zones.as_deref().unwrap_or(&self.level.zones)
    }

    /// Switches the zones in `off` off, and all others on.
    pub(super) fn switch_zones(&mut self, off: &Absent) {
        let rest = (!off.is_empty()).then(|| self.level.zones.without(off));
        self.zones = rest.map(Arc::new);
    }

    /// The platforms at tick `now`, before anything moves, in a level that scripts have changed like this. For the
    /// platforms of a world see [`World::standing`](super::World::standing).
    pub fn standing(&self, now: u64, changes: &LevelChanges) -> Transit {
        Transit::standing(self.level.terrain.platforms(), changes, now, f64::from(self.hz))
    }

    /// A free place near `body` for an entity with this profile and model, with the
    /// platforms at `standing`. `None` if there is no room.
    pub fn fit(&self, standing: &Transit, profile: usize, model: ModelName, body: &Body) -> Option<DVec2> {
        let scenery = self.level.terrain_at(body.z).moved(standing);
        let loadouts = &self.profiles[profile].loadouts;
        loadouts.fit(model, &scenery, body.pos, body.angle)
    }

    /// A free place for a body that changes from the first model to the second: a nearby one, with
    /// the feet at the same height if it `stands`. `None` if there is no room.
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
            // The feet are at the top of a body that stands on a ceiling.
            body.pos.y += (loadouts.depth(model, body.angle) - was_depth) * body.up();
        }
        let reach = 2.0 * loadouts.shape(model).half.max_element();
        let scenery = self.level.terrain_at(body.z).moved(standing);
        let place = body.pos;
        // Close by, and not behind a wall.
        let near = |at: &DVec2| {
            let direct = *at - from;
            at.distance_squared(place) <= reach * reach && scenery.cast(from, direct).is_none()
        };
        self.fit(standing, profile, model, body).filter(near)
    }

    /// The conditions that all entities share in the step from tick `now` to the next.
    pub fn surroundings<'a>(&'a self, now: u64, transit: &'a Transit) -> Surroundings<'a> {
        let (hz, changes) = (f64::from(self.hz), &transit.changes);
        let rate = changes.rate();
        Surroundings {
            tick: now,
            now: ClockTick(changes.clock_at(now)),
            rate,
            open_rate: rate,
            lapse: 1.0,
            scaled: changes.clock.is_some(),
            hz,
            dt: rate / hz,
            after: 0.0,
            gravity: self.gravity,
            open_gravity: self.gravity,
            tick_decay: self.decay,
            air: Air::default(),
            level: &self.level,
            zones: self.zones(),
            surfaces: &self.surfaces,
            transit,
            pace: if rate == 0.0 { hz } else { hz / rate },
            others: None,
        }
    }
}
