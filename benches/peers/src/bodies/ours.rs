//! hangtime: vessels, moved by whole ticks of the world.
//!
//! Their default settings match the others: grip equals a friction of 0.8, with a
//! rebound of 0.2. Vessels fall asleep by themselves; a trace of thrust, too little to move
//! them, keeps them awake like the others.

use super::level::Layout;
use super::{Bodies, GRAVITY, HALF};
use glam::DVec2;
use hangtime::geometry::grid::Bounds;
use hangtime::geometry::polygon;
use hangtime::level::{Level, Solid, SurfaceId, View};
use hangtime::models::{BodyShape, Loadouts, ModelName, ModelTunings};
use hangtime::sim::{Command, EntityId, Inputs, NativeRules, PlayerInput, Profile, Stage, Start, World};
use hangtime::tuning::{SimulationTuning, SurfaceTuning};

pub struct Ours {
    stage: Stage,
    world: World,
    awake: Inputs,
    ids: Vec<EntityId>,
}

impl Ours {
    pub fn new(layout: &Layout, count: usize) -> Self {
        let solid = |(i, points): (usize, &Vec<DVec2>)| {
            let points = polygon::outline(points).expect("a simple polygon");
            Solid::new(format!("solid {i}").into(), SurfaceId(0), points)
        };
        let solids = layout.solids.iter().enumerate().map(solid).collect();
        let level = Level {
            bounds: Bounds { min: DVec2::splat(-1e6), max: DVec2::splat(1e6) },
            ..Level::new("peers", View::Side, solids, vec!["plain".into()])
        };
        let size = 2.0 * HALF;
        let profile = Profile {
            kind: "box".into(),
            script: None,
            layers: Vec::new(),
            model: ModelName::vessel,
            loadouts: Loadouts::new(ModelTunings::default(), |_| BodyShape::of_box(size.x, size.y)),
            pushes: false,
            mass: 1.0,
            carries: Default::default(),
            stances: Default::default(),
            time_scale: 1.0,
            vars: Default::default(),
        };
        let start = |(i, (at, angle)): (usize, (DVec2, f64))| Start {
            name: format!("box {i}").into(),
            profile: 0,
            at,
            z: 0.0,
            angle,
            velocity: DVec2::ZERO,
            player: Some(1),
        };
        let starts = layout.starts(count).into_iter().enumerate().map(start);
        let tuning = SimulationTuning { touches: false, ..SimulationTuning::default() };
        let stage =
            Stage::new(level, &tuning, Some(GRAVITY), vec![SurfaceTuning::default()], vec![profile], starts.collect());
        let world = World::new(&stage, 0);
        let breath = PlayerInput { stick: DVec2::new(0.0, 1e-12), ..PlayerInput::default() };
        Self { ids: world.entities().iter().map(|e| e.id).collect(), stage, world, awake: Inputs::of_first(breath) }
    }
}

impl Bodies for Ours {
    fn name(&self) -> &'static str {
        "hangtime"
    }

    fn tick(&mut self, pushes: &[(usize, f64)]) {
        for (body, speed) in pushes {
            let id = self.ids[*body];
            let entity = &self.world.entities()[*body];
            let vel = self.world.body(entity).vel + DVec2::new(*speed, 0.0);
            let command = Command::SetVelocity(vel, 0.0);
            self.world.order(&self.stage, id, &command);
        }
        self.world.tick(&self.stage, &self.awake, &mut NativeRules);
    }

    fn places(&self) -> Vec<(DVec2, f64)> {
        let bodies = self.world.entities().iter().map(|e| self.world.body(e));
        bodies.map(|body| (body.pos, body.angle)).collect()
    }
}
