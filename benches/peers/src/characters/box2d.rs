//! Box2D 3: its mover, used as its own character sample does.

use super::Engine;
use super::bare::{Crowd, DT};
use super::level::{Keys, Layout};
use boxdd_sys::ffi::*;
use glam::{DVec2, dvec2};
use std::ffi::c_void;

/// Box2D is tuned for meters and characters about 2 m tall.
const METRES: f64 = 0.05;

/// A capsule as wide and tall as the ellipse.
const RADIUS: f64 = 10.0;
const HALF: f64 = 9.0;

const MOST_PLANES: usize = 8;

pub struct Box2d {
    world: b2WorldId,
    crowd: Crowd,
}

fn vector(v: DVec2) -> b2Vec2 {
    b2Vec2 { x: (v.x * METRES) as f32, y: (v.y * METRES) as f32 }
}

fn pixels(v: b2Vec2) -> DVec2 {
    dvec2(f64::from(v.x), f64::from(v.y)) / METRES
}

impl Box2d {
    pub fn new(layout: &Layout, starts: &[DVec2]) -> Self {
        // SAFETY: the calls of Box2D's own samples, in their order, with values on this stack.
        let world = unsafe {
            let world = b2CreateWorld(&b2DefaultWorldDef());
            let body = b2CreateBody(world, &b2DefaultBodyDef());
            for solid in &layout.solids {
                let points = solid.map(vector);
                let hull = b2ComputeHull(points.as_ptr(), 4);
                let polygon = b2MakePolygon(&hull, 0.0);
                b2CreatePolygonShape(body, &b2DefaultShapeDef(), &polygon);
            }
            // One step builds the trees.
            b2World_Step(world, DT as f32, 4);
            world
        };
        Self { world, crowd: Crowd::new(starts) }
    }
}

impl Drop for Box2d {
    fn drop(&mut self) {
        // SAFETY: the world was created by `new` and is destroyed once.
        unsafe { b2DestroyWorld(self.world) }
    }
}

struct Planes {
    list: [b2CollisionPlane; MOST_PLANES],
    count: usize,
}

unsafe extern "C" fn collect(_: b2ShapeId, result: *const b2PlaneResult, context: *mut c_void) -> bool {
    // SAFETY: Box2D hands back the context that `tick` gave it, and a result that lives for the call.
    let (planes, result) = unsafe { (&mut *context.cast::<Planes>(), &*result) };
    if result.hit && planes.count < MOST_PLANES {
        planes.list[planes.count] =
            b2CollisionPlane { plane: result.plane, pushLimit: f32::MAX, push: 0.0, clipVelocity: true };
        planes.count += 1;
    }
    true
}

impl Engine for Box2d {
    fn name(&self) -> &'static str {
        "Box2D 3 mover"
    }

    fn tick(&mut self, keys: &[Keys]) {
        let zero = b2Vec2 { x: 0.0, y: 0.0 };
        let half = (HALF * METRES) as f32;
        let capsule = b2Capsule {
            center1: b2Vec2 { x: 0.0, y: -half },
            center2: b2Vec2 { x: 0.0, y: half },
            radius: (RADIUS * METRES) as f32,
        };
        let none = b2CollisionPlane {
            plane: b2Plane { normal: zero, offset: 0.0 },
            pushLimit: 0.0,
            push: 0.0,
            clipVelocity: false,
        };
        // SAFETY: plain queries of a world that lives, with values on this stack.
        unsafe {
            let filter = b2DefaultQueryFilter();
            for (runner, key) in self.crowd.runners.iter_mut().zip(keys) {
                self.crowd.jumps += u64::from(runner.drive(key));
                let target = runner.pos + runner.vel * DT;
                let mut planes = Planes { list: [none; MOST_PLANES], count: 0 };
                for _ in 0..5 {
                    planes.count = 0;
                    let at = vector(runner.pos);
                    let context = (&raw mut planes).cast();
                    b2World_CollideMover(self.world, at, &capsule, filter, Some(collect), context);
                    let wanted = vector(target - runner.pos);
                    let solved = b2SolvePlanes(wanted, planes.list.as_mut_ptr(), planes.count as i32);
                    let share = b2World_CastMover(self.world, at, &capsule, solved.translation, filter);
                    let step = pixels(solved.translation) * f64::from(share);
                    runner.pos += step;
                    // The sample's tolerance: a centimeter.
                    if step.length() * METRES < 0.01 {
                        break;
                    }
                }
                let clipped = b2ClipVector(vector(runner.vel), planes.list.as_ptr(), planes.count as i32);
                runner.vel = pixels(clipped);
                // The sample's probe below the feet, on which a character hovers.
                let rises = runner.vel.y > 0.0 && !runner.grounded;
                let reach = if runner.grounded { 20.0 + 19.0 } else { 19.5 };
                let down = vector(dvec2(0.0, -reach));
                let hit = b2World_CastRayClosest(self.world, vector(runner.pos), down, filter);
                runner.grounded = hit.hit && !rises && hit.normal.y > 0.7;
                if runner.grounded {
                    let height = f64::from(hit.fraction) * reach;
                    // On a slope the capsule is higher above the point below its center.
                    let stand = HALF + RADIUS / f64::from(hit.normal.y);
                    let drop = height - stand;
                    let down = vector(dvec2(0.0, -drop.max(0.0)));
                    let share = b2World_CastMover(self.world, vector(runner.pos), &capsule, down, filter);
                    runner.pos.y -= drop.max(0.0) * f64::from(share);
                    runner.vel.y = 0.0;
                }
            }
        }
    }

    fn crowd(&self) -> Option<&Crowd> {
        Some(&self.crowd)
    }
}
