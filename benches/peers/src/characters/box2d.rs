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
    solids: Solids,
    crowd: Crowd,
}

pub fn vector(v: DVec2) -> b2Vec2 {
    b2Vec2 { x: (v.x * METRES) as f32, y: (v.y * METRES) as f32 }
}

fn pixels(v: b2Vec2) -> DVec2 {
    dvec2(f64::from(v.x), f64::from(v.y)) / METRES
}

impl Box2d {
    pub fn new(layout: &Layout, starts: &[DVec2]) -> Self {
        Self { solids: Solids::new(layout), crowd: Crowd::new(starts) }
    }
}

/// A world with the solids of a layout, and the mover that it is asked about.
pub struct Solids {
    world: b2WorldId,
    capsule: b2Capsule,
    filter: b2QueryFilter,
}

impl Solids {
    pub fn new(layout: &Layout) -> Self {
        let half = (HALF * METRES) as f32;
        let capsule = b2Capsule {
            center1: b2Vec2 { x: 0.0, y: -half },
            center2: b2Vec2 { x: 0.0, y: half },
            radius: (RADIUS * METRES) as f32,
        };
        // SAFETY: the calls of Box2D's own samples, in their order, with values on this stack.
        unsafe {
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
            Self { world, capsule, filter: b2DefaultQueryFilter() }
        }
    }

    /// The share of a motion that the mover makes until it touches something.
    pub fn cast(&self, from: DVec2, motion: DVec2) -> f64 {
        self.cast_by(from, vector(motion))
    }

    fn cast_by(&self, from: DVec2, motion: b2Vec2) -> f64 {
        // SAFETY: a plain query of a world that lives, with values on this stack.
        unsafe { b2World_CastMover(self.world, vector(from), &self.capsule, motion, self.filter).into() }
    }

    /// Where the mover comes to on its way to a place, as in Box2D's own sample, and the planes that it touches there.
    fn glide(&self, from: DVec2, target: DVec2) -> (DVec2, Planes) {
        let mut planes = Planes { list: [NO_PLANE; MOST_PLANES], count: 0 };
        let mut at = from;
        for _ in 0..5 {
            planes.count = 0;
            let context = (&raw mut planes).cast();
            // SAFETY: plain queries of a world that lives, with values on this stack.
            let solved = unsafe {
                b2World_CollideMover(self.world, vector(at), &self.capsule, self.filter, Some(collect), context);
                b2SolvePlanes(vector(target - at), planes.list.as_mut_ptr(), planes.count as i32)
            };
            let step = pixels(solved.translation) * self.cast_by(at, solved.translation);
            at += step;
            // The sample's tolerance: a centimeter.
            if step.length() * METRES < 0.01 {
                break;
            }
        }
        (at, planes)
    }

    /// The same without the planes.
    pub fn slide(&self, from: DVec2, motion: DVec2) -> DVec2 {
        self.glide(from, from + motion).0
    }
}

impl Drop for Solids {
    fn drop(&mut self) {
        // SAFETY: the world was created by `new` and is destroyed once.
        unsafe { b2DestroyWorld(self.world) }
    }
}

struct Planes {
    list: [b2CollisionPlane; MOST_PLANES],
    count: usize,
}

const NO_PLANE: b2CollisionPlane = b2CollisionPlane {
    plane: b2Plane { normal: b2Vec2 { x: 0.0, y: 0.0 }, offset: 0.0 },
    pushLimit: 0.0,
    push: 0.0,
    clipVelocity: false,
};

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
        let Self { solids, crowd } = self;
        for (runner, key) in crowd.runners.iter_mut().zip(keys) {
            crowd.jumps += u64::from(runner.drive(key));
            let (at, planes) = solids.glide(runner.pos, runner.pos + runner.vel * DT);
            runner.pos = at;
            // SAFETY: arithmetic on values on this stack.
            let clipped = unsafe { b2ClipVector(vector(runner.vel), planes.list.as_ptr(), planes.count as i32) };
            runner.vel = pixels(clipped);
            // The sample's probe below the feet, on which a character hovers.
            let rises = runner.vel.y > 0.0 && !runner.grounded;
            let reach = if runner.grounded { 20.0 + 19.0 } else { 19.5 };
            let down = vector(dvec2(0.0, -reach));
            // SAFETY: a plain query of a world that lives, with values on this stack.
            let hit = unsafe { b2World_CastRayClosest(solids.world, vector(runner.pos), down, solids.filter) };
            runner.grounded = hit.hit && !rises && hit.normal.y > 0.7;
            if runner.grounded {
                let height = f64::from(hit.fraction) * reach;
                // On a slope the capsule is higher above the point below its center.
                let stand = HALF + RADIUS / f64::from(hit.normal.y);
                let drop = (height - stand).max(0.0);
                runner.pos.y -= drop * solids.cast(runner.pos, dvec2(0.0, -drop));
                runner.vel.y = 0.0;
            }
        }
    }

    fn crowd(&self) -> Option<&Crowd> {
        Some(&self.crowd)
    }
}
