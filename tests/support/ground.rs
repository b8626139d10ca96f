//! Small stages built in code, and a way to play them.

use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::{Collider, polygon},
    level::{Level, Path, PathEnd, Solid, SurfaceId, View, Zone, Zones},
    models::{Action, BodyShape, Loadouts, ModelName, ModelTunings},
    sim::{EntityView, Event, EventKind, Inputs, NativeRules, PlayerInput, Profile, Stage, Stance, Start, World},
    tuning::{Setting, SimulationTuning, SurfaceTuning, Tunables},
};
use proptest::{prelude::*, test_runner::RngSeed};
use std::{f64::consts::TAU, sync::Arc};

/// The collider of the published models.
pub const BODY: Collider = Collider::ellipse(10.0, 19.0);

/// A builder of stages.
#[derive(Clone)]
pub struct Ground {
    pub hz: u32,
    pub solids: Vec<(Vec<DVec2>, usize)>,
    /// One-way lines and solids that move.
    pub others: Vec<Solid>,
    pub surfaces: Vec<SurfaceTuning>,
    pub tunings: ModelTunings,
    pub model: ModelName,
    pub figure: BodyShape,
    pub stances: Vec<Stance>,
    pub view: View,
    pub zones: Vec<Zone>,
    pub z: f64,
    pub gravity: Option<f64>,
    pub angle: f64,
    pub at: DVec2,
    pub velocity: DVec2,
}

impl Ground {
    /// No ground at all.
    pub fn none(hz: u32) -> Self {
        Self {
            hz,
            solids: vec![],
            others: vec![],
            surfaces: vec![SurfaceTuning::default()],
            tunings: ModelTunings::default(),
            model: ModelName::platformer,
            figure: BODY.into(),
            stances: vec![],
            view: View::Side,
            zones: vec![],
            z: 0.0,
            gravity: None,
            angle: 0.0,
            at: dvec2(0.0, 19.0),
            velocity: DVec2::ZERO,
        }
    }

    /// A floor with its top at y = 0, as wide as a level can be.
    pub fn floor(hz: u32) -> Self {
        Self::none(hz).solid(&[(-16_000.0, -100.0), (16_000.0, -100.0), (16_000.0, 0.0), (-16_000.0, 0.0)])
    }

    pub fn solid(self, points: &[(f64, f64)]) -> Self {
        self.solid_of(points, 0)
    }

    pub fn solid_of(mut self, points: &[(f64, f64)], surface: usize) -> Self {
        let points: Vec<DVec2> = points.iter().map(|p| dvec2(p.0, p.1)).collect();
        self.solids.push((polygon::outline(&points).expect("a simple polygon"), surface));
        self
    }

    /// A one-way platform.
    pub fn one_way(mut self, points: &[(f64, f64)]) -> Self {
        let points: Vec<DVec2> = points.iter().map(|p| dvec2(p.0, p.1)).collect();
        let line = polygon::one_way(&points).expect("a line to one side");
        let name = format!("line {}", self.others.len());
        self.others.push(Solid::one_way(name.into(), SurfaceId(0), line));
        self
    }

    /// A solid that moves through these offsets.
    pub fn platform(self, points: &[(f64, f64)], way: &[(f64, f64)], speed: f64) -> Self {
        let points: Vec<DVec2> = points.iter().map(|p| dvec2(p.0, p.1)).collect();
        let outline = polygon::outline(&points).expect("a simple polygon");
        let name = format!("platform {}", self.others.len());
        let solid = Solid::new(name.into(), SurfaceId(0), outline);
        self.moving_solid(solid, way, speed)
    }

    pub fn moving_solid(mut self, solid: Solid, way: &[(f64, f64)], speed: f64) -> Self {
        let way = way.iter().map(|p| dvec2(p.0, p.1)).collect();
        let path = Some(Path::new(way, speed, PathEnd::PingPong));
        self.others.push(Solid { path, ..solid });
        self
    }

    /// A box of this height in a top view, from corner to corner.
    pub fn block(self, from: (f64, f64), to: (f64, f64), top: f64) -> Self {
        self.block_of(from, to, top, 0)
    }

    pub fn block_of(mut self, from: (f64, f64), to: (f64, f64), top: f64, surface: u16) -> Self {
        let points = [from, (to.0, from.1), to, (from.0, to.1)];
        let name = format!("block {}", self.others.len());
        let points = points.map(DVec2::from);
        let outline = polygon::outline(&points).expect("a simple polygon");
        let solid = Solid::new(name.into(), SurfaceId(surface), outline);
        self.others.push(Solid { top, ..solid });
        self
    }

    /// A zone without effects, from corner to corner.
    pub fn zone(self, name: &str, from: (f64, f64), to: (f64, f64)) -> Self {
        self.zone_with(name, from, to, |_| {})
    }

    pub fn zone_with(mut self, name: &str, from: (f64, f64), to: (f64, f64), change: impl FnOnce(&mut Zone)) -> Self {
        let points = [from, (to.0, from.1), to, (from.0, to.1)].map(DVec2::from);
        let mut zone = Zone {
            present: true,
            name: name.into(),
            points: polygon::outline(&points).expect("a simple polygon"),
            external_accel: DVec2::ZERO,
            gravity_scale: 1.0,
            conveyor: DVec2::ZERO,
            surface: None,
            time_scale: 1.0,
        };
        change(&mut zone);
        self.zones.push(zone);
        self
    }

    /// Makes it a top view.
    pub fn top_view(mut self) -> Self {
        self.view = View::Top;
        self
    }

    pub fn surface(self, grip: f64) -> Self {
        self.surface_with(|surface| surface.grip = grip)
    }

    pub fn surface_with(mut self, change: impl FnOnce(&mut SurfaceTuning)) -> Self {
        let mut surface = SurfaceTuning::default();
        change(&mut surface);
        self.surfaces.push(surface);
        self
    }

    pub fn model(mut self, model: ModelName) -> Self {
        self.model = model;
        self
    }

    pub fn at(mut self, x: f64, y: f64) -> Self {
        self.at = dvec2(x, y);
        self
    }

    pub fn moving(mut self, x: f64, y: f64) -> Self {
        self.velocity = dvec2(x, y);
        self
    }

    pub fn tune(mut self, key: &str, value: f64) -> Self {
        self.tunings.set(self.model, key, &Setting::Number(value)).expect("a tunable in range");
        self
    }

    pub fn tune_flag(mut self, key: &str, value: bool) -> Self {
        self.tunings.set(self.model, key, &Setting::Flag(value)).expect("a tunable");
        self
    }

    pub fn tune_word(mut self, key: &str, word: &str) -> Self {
        self.tunings.set(self.model, key, &Setting::Word(word.into())).expect("a tunable");
        self
    }

    pub fn figure(mut self, figure: impl Into<BodyShape>) -> Self {
        self.figure = figure.into();
        self
    }

    /// Lets the body take a stance of this size while an action is held.
    pub fn stance(mut self, name: &str, (width, height): (f64, f64), action: Option<Action>) -> Self {
        self.stances
            .push(Stance { name: name.into(), size: dvec2(width, height), action, tuning: vec![] });
        self
    }

    pub fn gravity(mut self, gravity: f64) -> Self {
        self.gravity = Some(gravity);
        self
    }

    pub fn stage(&self) -> Stage {
        let names: Vec<Arc<str>> = (0..self.surfaces.len()).map(|i| Arc::from(format!("surface {i}"))).collect();
        let solids = self.solids.iter().enumerate().map(|(i, (points, surface))| {
            Solid::new(Arc::from(format!("solid {}", i + 1)), SurfaceId(*surface as u16), points.clone())
        });
        let solids = solids.chain(self.others.iter().cloned()).collect();
        let level = Level { zones: Zones::new(self.zones.clone()), ..Level::new("test", self.view, solids, names) };
        let mut simulation = SimulationTuning::default();
        simulation.set("tick_hz", &Setting::Number(f64::from(self.hz))).expect("a rate in range");
        let profile = Profile {
            kind: Arc::from("hero"),
            script: None,
            layers: Vec::new(),
            model: self.model,
            loadouts: Loadouts::new(self.tunings.clone(), |_| self.figure.clone()),
            pushes: false,
            mass: 1.0,
            carries: Default::default(),
            stances: self.stances.iter().cloned().collect(),
            time_scale: 1.0,
            vars: Default::default(),
        };
        let start = Start {
            name: Arc::from("hero"),
            profile: 0,
            at: self.at,
            z: self.z,
            angle: self.angle,
            velocity: self.velocity,
            player: Some(1),
        };
        Stage::new(level, &simulation, self.gravity, self.surfaces.clone(), vec![profile], vec![start])
    }

    pub fn play(&self) -> Play {
        let stage = self.stage();
        let world = World::new(&stage, 0);
        Play { stage, world, input: PlayerInput::default(), events: vec![] }
    }
}

/// A hero on a stage, moved tick by tick.
pub struct Play {
    pub stage: Stage,
    pub world: World,
    pub input: PlayerInput,
    pub events: Vec<Event>,
}

impl Play {
    pub fn dt(&self) -> f64 {
        1.0 / f64::from(self.stage.hz)
    }

    pub fn hold(&mut self, action: Action) -> &mut Self {
        self.input.held.insert(action);
        self
    }

    pub fn release(&mut self, action: Action) -> &mut Self {
        self.input.held.remove(action);
        self
    }

    /// One tick; returns the hero after it.
    pub fn tick(&mut self) -> EntityView {
        self.world.tick(&self.stage, &Inputs::of_first(self.input), &mut NativeRules);
        self.events.extend(self.world.events().iter().cloned());
        self.hero()
    }

    /// Plays the number of ticks nearest to the seconds; returns the hero after each.
    pub fn run(&mut self, seconds: f64) -> Vec<EntityView> {
        let ticks = (seconds * f64::from(self.stage.hz)).round() as usize;
        (0..ticks).map(|_| self.tick()).collect()
    }

    pub fn hero(&self) -> EntityView {
        self.world.view_of(&self.stage, "hero").expect("there is a hero")
    }

    /// The speeds of all landings so far.
    pub fn landings(&self) -> Vec<f64> {
        let landings = self.events.iter().filter_map(|e| match e.kind {
            EventKind::Land { speed, .. } => Some(speed),
            _ => None,
        });
        landings.collect()
    }

    pub fn told(&self, event: &str) -> usize {
        self.events.iter().filter(|e| e.kind.name() == event).count()
    }
}

/// The configuration of property tests: the same cases in every run, so that a failure comes from
/// a change. `HANGTIME_SOAK=N` tries N times as many, with a different seed each time.
pub fn tried(cases: u32) -> ProptestConfig {
    let soak = std::env::var("HANGTIME_SOAK").ok();
    let times = soak.map(|times| times.parse::<u32>().expect("HANGTIME_SOAK is a number"));
    ProptestConfig {
        cases: cases * times.unwrap_or(1),
        rng_seed: times.map_or(RngSeed::Fixed(1), |_| RngSeed::Random),
        ..ProptestConfig::default()
    }
}

/// A simple polygon, often concave: a star around a center. `radii` are its
/// distances from the center, px.
pub fn star(
    middle: impl Strategy<Value = (f64, f64)>,
    radii: std::ops::Range<f64>,
) -> impl Strategy<Value = Vec<DVec2>> {
    let radii = prop::collection::vec(radii, 3..12);
    (middle, radii, 0.0..TAU).prop_map(|((x, y), radii, turn)| {
        let count = radii.len() as f64;
        let at = |(i, r): (usize, &f64)| {
            let angle = turn + TAU * i as f64 / count;
            dvec2(x + r * angle.cos(), y + r * angle.sin())
        };
        radii.iter().enumerate().map(at).collect()
    })
}

/// Stars that crowd around the origin.
pub fn crowded_star() -> impl Strategy<Value = Vec<DVec2>> {
    star((-150.0..150.0_f64, -150.0..150.0_f64), 8.0..120.0)
}
