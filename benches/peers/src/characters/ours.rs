//! hangtime: a whole tick of the world.

use super::Engine;
use super::level::{BODY, GROUPS, Keys, Layout};
use glam::DVec2;
use hangtime::geometry::grid::Bounds;
use hangtime::geometry::polygon;
use hangtime::level::{Level, Solid, SurfaceId, Terrain, View};
use hangtime::models::{Action, Loadouts, ModelName, ModelTunings};
use hangtime::sim::{Inputs, NativeRules, Profile, Stage, Start, World};
use hangtime::tuning::{Setting, SimulationTuning, SurfaceTuning};

/// The terrain of a layout.
pub fn terrain(layout: &Layout) -> Terrain {
    Terrain::new(solids(layout))
}

fn solids(layout: &Layout) -> Vec<Solid> {
    let solid = |(i, points): (usize, &[DVec2; 4])| {
        let points = polygon::outline(points).expect("a simple polygon");
        Solid::new(format!("solid {i}").into(), SurfaceId(0), points)
    };
    layout.solids.iter().enumerate().map(solid).collect()
}

pub struct Ours {
    stage: Stage,
    world: World,
    inputs: Inputs,
    jumps: u64,
}

impl Ours {
    pub fn new(layout: &Layout, starts: &[DVec2]) -> Self {
        let level = Level {
            bounds: Bounds { min: DVec2::splat(-1e6), max: DVec2::splat(1e6) },
            ..Level::new("peers", View::Side, solids(layout), vec!["plain".into()])
        };
        let mut tunings = ModelTunings::default();
        // The peers have neither.
        for (key, value) in [("rest_spacing", 0.0), ("wall_tolerance_deg", 0.0)] {
            tunings.set(ModelName::platformer, key, &Setting::Number(value)).expect("in range");
        }
        let profile = Profile {
            kind: "hero".into(),
            script: None,
            layers: Vec::new(),
            model: ModelName::platformer,
            loadouts: Loadouts::new(tunings, |_| BODY.into()),
            pushes: false,
            mass: 1.0,
            carries: Default::default(),
            stances: Default::default(),
            time_scale: 1.0,
            vars: Default::default(),
        };
        let start = |(i, at): (usize, &DVec2)| Start {
            name: format!("hero {i}").into(),
            profile: 0,
            at: *at,
            z: 0.0,
            angle: 0.0,
            velocity: DVec2::ZERO,
            player: Some((i % GROUPS + 1) as u8),
        };
        let starts = starts.iter().enumerate().map(start).collect();
        // They do not report touches between characters, either.
        let tuning = SimulationTuning { touches: false, ..SimulationTuning::default() };
        let stage = Stage::new(level, &tuning, None, vec![SurfaceTuning::default()], vec![profile], starts);
        let world = World::new(&stage, 0);
        Self { stage, world, inputs: Inputs::none(), jumps: 0 }
    }
}

impl Engine for Ours {
    fn name(&self) -> &'static str {
        "hangtime"
    }

    fn tick(&mut self, keys: &[Keys]) {
        for (i, key) in keys.iter().take(GROUPS).enumerate() {
            let input = self.inputs.player_mut((i + 1) as u8);
            for (action, held) in
                [(Action::Left, key.side < 0.0), (Action::Right, key.side > 0.0), (Action::Jump, key.jump)]
            {
                if held {
                    input.held.insert(action);
                } else {
                    input.held.remove(action);
                }
            }
        }
        self.world.tick(&self.stage, &self.inputs, &mut NativeRules);
        self.jumps += self.world.events().iter().filter(|e| e.kind.name() == "jump").count() as u64;
    }

    fn places(&self) -> Vec<DVec2> {
        self.world.entities().iter().map(|e| self.world.body(e).pos).collect()
    }

    fn grounded(&self) -> usize {
        self.world.entities().iter().filter(|e| self.world.body(e).ground.is_some()).count()
    }

    fn jumps(&self) -> u64 {
        self.jumps
    }
}
