//! Rapier with its default parameters.
//!
//! The ground is one oriented polyline along the surface: Rapier recommends it for one-sided ground,
//! and it is faster than segments, convex pieces or a two-sided polyline. A height field would need
//! edges of equal width.

use super::level::Layout;
use super::{Bodies, DT, FRICTION, GRAVITY, HALF, METRES, RESTITUTION};
use glam::{DVec2, dvec2};
use rapier2d::prelude::*;

const GROUND: Group = Group::GROUP_1;
const BOXES: Group = Group::GROUP_2;

pub struct Rapier {
    pipeline: PhysicsPipeline,
    parameters: IntegrationParameters,
    islands: IslandManager,
    broad_phase: BroadPhaseBvh,
    narrow_phase: NarrowPhase,
    bodies: RigidBodySet,
    colliders: ColliderSet,
    joints: ImpulseJointSet,
    multibodies: MultibodyJointSet,
    soft_bodies: SoftBodySet,
    ccd: CCDSolver,
    boxes: Vec<RigidBodyHandle>,
}

fn vector(v: DVec2) -> Vector {
    Vector::new((v.x * METRES) as f32, (v.y * METRES) as f32)
}

fn stuff(builder: ColliderBuilder, is: Group, meets: Group) -> ColliderBuilder {
    builder
        .friction(FRICTION as f32)
        .restitution(RESTITUTION as f32)
        .collision_groups(InteractionGroups::new(is, meets, InteractionTestMode::And))
}

impl Rapier {
    pub fn new(layout: &Layout, count: usize) -> Self {
        let (mut bodies, mut colliders) = (RigidBodySet::new(), ColliderSet::new());
        // From right to left, because the free side of a polyline is to the right of its edges.
        let outline: Vec<Vector> = layout.surface.iter().rev().map(|p| vector(*p)).collect();
        let ground = ColliderBuilder::oriented_polyline(outline, None);
        colliders.insert(stuff(ground, GROUND, Group::ALL));
        let half = vector(HALF);
        let mut boxes = vec![];
        for (at, angle) in layout.starts(count) {
            let body = RigidBodyBuilder::dynamic()
                .translation(vector(at))
                .rotation(angle as f32)
                .can_sleep(false);
            let body = bodies.insert(body);
            let cuboid = stuff(ColliderBuilder::cuboid(half.x, half.y), BOXES, GROUND);
            colliders.insert_with_parent(cuboid, body, &mut bodies);
            boxes.push(body);
        }
        Self {
            pipeline: PhysicsPipeline::new(),
            parameters: IntegrationParameters { dt: DT as f32, ..Default::default() },
            islands: IslandManager::new(),
            broad_phase: BroadPhaseBvh::new(),
            narrow_phase: NarrowPhase::new(),
            bodies,
            colliders,
            joints: ImpulseJointSet::new(),
            multibodies: MultibodyJointSet::new(),
            soft_bodies: SoftBodySet::new(),
            ccd: CCDSolver::new(),
            boxes,
        }
    }
}

impl Bodies for Rapier {
    fn name(&self) -> &'static str {
        "Rapier"
    }

    fn tick(&mut self, pushes: &[(usize, f64)]) {
        for (i, change) in pushes {
            let body = &mut self.bodies[self.boxes[*i]];
            let mut velocity = body.linvel();
            velocity.x += (change * METRES) as f32;
            body.set_linvel(velocity, true);
        }
        self.pipeline.step(
            vector(dvec2(0.0, -GRAVITY)),
            &self.parameters,
            &mut self.islands,
            &mut self.broad_phase,
            &mut self.narrow_phase,
            &mut self.bodies,
            &mut self.colliders,
            &mut self.joints,
            &mut self.multibodies,
            &mut self.soft_bodies,
            &mut self.ccd,
            &(),
            &(),
        );
    }

    fn places(&self) -> Vec<(DVec2, f64)> {
        let place = |handle: &RigidBodyHandle| {
            let body = &self.bodies[*handle];
            let at = body.translation();
            let center = dvec2(f64::from(at.x), f64::from(at.y)) / METRES;
            (center, f64::from(body.rotation().angle()))
        };
        self.boxes.iter().map(place).collect()
    }
}
