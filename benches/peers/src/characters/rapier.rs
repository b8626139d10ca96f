//! Rapier: its kinematic character controller.

use super::Engine;
use super::bare::{Crowd, DT};
use super::level::{Keys, Layout};
use glam::{DVec2, dvec2};
use rapier2d::control::{CharacterLength, KinematicCharacterController};
use rapier2d::prelude::*;

/// Meters, as for Box2D.
const METRES: f64 = 0.05;

pub struct Rapier {
    solids: Solids,
    controller: KinematicCharacterController,
    crowd: Crowd,
}

/// A world with the solids of a layout, and the shape that it is asked about.
pub struct Solids {
    broad_phase: BroadPhaseBvh,
    narrow_phase: NarrowPhase,
    bodies: RigidBodySet,
    colliders: ColliderSet,
    pub shape: Capsule,
}

/// How far from solids the controller keeps a character, m.
pub const OFFSET: f32 = 0.01;

pub fn vector(v: DVec2) -> Vector {
    Vector::new((v.x * METRES) as f32, (v.y * METRES) as f32)
}

impl Solids {
    pub fn new(layout: &Layout) -> Self {
        let (mut bodies, mut colliders) = (RigidBodySet::new(), ColliderSet::new());
        for solid in &layout.solids {
            let points: Vec<Vector> = solid.iter().map(|p| vector(*p)).collect();
            let builder = ColliderBuilder::convex_polyline(points).expect("a convex polygon");
            colliders.insert(builder.build());
        }
        let mut broad_phase = BroadPhaseBvh::new();
        let mut narrow_phase = NarrowPhase::new();
        // One step builds the trees.
        PhysicsPipeline::new().step(
            Vector::ZERO,
            &IntegrationParameters::default(),
            &mut IslandManager::new(),
            &mut broad_phase,
            &mut narrow_phase,
            &mut bodies,
            &mut colliders,
            &mut ImpulseJointSet::new(),
            &mut MultibodyJointSet::new(),
            &mut SoftBodySet::new(),
            &mut CCDSolver::new(),
            &(),
            &(),
        );
        let shape = Capsule::new_y((9.0 * METRES) as f32, (10.0 * METRES) as f32);
        Self { broad_phase, narrow_phase, bodies, colliders, shape }
    }

    pub fn queries(&self) -> QueryPipeline<'_> {
        let dispatcher = self.narrow_phase.query_dispatcher();
        self.broad_phase
            .as_query_pipeline(dispatcher, &self.bodies, &self.colliders, QueryFilter::default())
    }
}

impl Rapier {
    pub fn new(layout: &Layout, starts: &[DVec2]) -> Self {
        let controller = KinematicCharacterController {
            offset: CharacterLength::Absolute(OFFSET),
            snap_to_ground: Some(CharacterLength::Absolute((20.0 * METRES) as f32)),
            autostep: None,
            max_slope_climb_angle: std::f32::consts::FRAC_PI_4 + 0.01,
            ..Default::default()
        };
        Self { solids: Solids::new(layout), controller, crowd: Crowd::new(starts) }
    }
}

impl Engine for Rapier {
    fn name(&self) -> &'static str {
        "Rapier controller"
    }

    fn tick(&mut self, keys: &[Keys]) {
        let queries = self.solids.queries();
        for (runner, key) in self.crowd.runners.iter_mut().zip(keys) {
            let jumps = runner.drive(key);
            self.crowd.jumps += u64::from(jumps);
            // A standing character is pressed to the ground, a rising one is not snapped to it.
            let mut controller = self.controller;
            if runner.vel.y > 0.0 {
                controller.snap_to_ground = None;
            }
            let wanted = runner.vel * DT;
            let moved = controller.move_shape(
                DT as f32,
                &queries,
                &self.solids.shape,
                &Pose::from_translation(vector(runner.pos)),
                vector(wanted),
                |_| {},
            );
            let step = dvec2(f64::from(moved.translation.x), f64::from(moved.translation.y)) / METRES;
            runner.pos += step;
            let rises = runner.vel.y > 0.0 && !runner.grounded;
            runner.grounded = moved.grounded && !rises;
            let bumped = wanted.y > 0.0 && step.y < 0.5 * wanted.y;
            if runner.grounded || bumped {
                runner.vel.y = 0.0;
            }
            if wanted.x.abs() > 0.1 && step.x.abs() < 0.05 * wanted.x.abs() {
                runner.vel.x = 0.0;
            }
        }
    }

    fn crowd(&self) -> Option<&Crowd> {
        Some(&self.crowd)
    }
}
