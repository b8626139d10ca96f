//! Box2D 3 with four sub-steps.
//!
//! The ground is one open chain along the surface: Box2D recommends it for static terrain, and it is no
//! slower than segments or convex polygons, where boxes catch on inner corners.

use super::level::Layout;
use super::{Bodies, DT, FRICTION, GRAVITY, HALF, METRES, RESTITUTION};
use boxdd_sys::ffi::*;
use glam::{DVec2, dvec2};
use std::ffi::{c_char, c_int};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of sub-steps that Box2D recommends.
const SUB_STEPS: i32 = 4;

/// Filter categories: boxes collide with the ground but not with each other.
const GROUND: u64 = 1;
const BOXES: u64 = 2;

pub struct Box2d {
    world: b2WorldId,
    boxes: Vec<b2BodyId>,
}

fn vector(v: DVec2) -> b2Vec2 {
    b2Vec2 { x: (v.x * METRES) as f32, y: (v.y * METRES) as f32 }
}

fn pixels(v: b2Vec2) -> DVec2 {
    dvec2(f64::from(v.x), f64::from(v.y)) / METRES
}

fn material(of: b2SurfaceMaterial) -> b2SurfaceMaterial {
    b2SurfaceMaterial { friction: FRICTION as f32, restitution: RESTITUTION as f32, ..of }
}

impl Box2d {
    pub fn new(layout: &Layout, count: usize) -> Self {
        // SAFETY: the calls of Box2D's own samples, in their order, with values on this stack.
        unsafe {
            let mut def = b2DefaultWorldDef();
            def.gravity = vector(dvec2(0.0, -GRAVITY));
            def.enableSleep = false;
            let world = b2CreateWorld(&def);
            ground(world, layout);
            let starts = layout.starts(count);
            let put = |(at, angle): &(DVec2, f64)| dynamic_box(world, *at, *angle);
            let boxes = starts.iter().map(put).collect();
            Self { world, boxes }
        }
    }
}

/// Builds the chain.
///
/// # Safety
///
/// The world must exist.
unsafe fn ground(world: b2WorldId, layout: &Layout) {
    // SAFETY: the world lives, and Box2D copies what it is given.
    unsafe {
        let body = b2CreateBody(world, &b2DefaultBodyDef());
        // From right to left, because the free side of a chain is to the right of its edges. The first and
        // the last edge do not collide.
        let mut points: Vec<b2Vec2> = layout.surface.iter().rev().map(|p| vector(*p)).collect();
        let top = layout.surface[0].y;
        points.insert(0, vector(dvec2(layout.width + 100.0, top)));
        points.push(vector(dvec2(-100.0, top)));
        let stuff = material(b2DefaultSurfaceMaterial());
        let mut def = b2DefaultChainDef();
        def.points = points.as_ptr();
        def.count = points.len() as i32;
        def.materials = &stuff;
        def.materialCount = 1;
        def.filter.categoryBits = GROUND;
        b2CreateChain(body, &def);
    }
}

/// Puts a box into the world.
///
/// # Safety
///
/// The world must exist.
unsafe fn dynamic_box(world: b2WorldId, at: DVec2, angle: f64) -> b2BodyId {
    // SAFETY: the world lives, and Box2D copies what it is given.
    unsafe {
        let mut def = b2DefaultBodyDef();
        def.type_ = b2BodyType_b2_dynamicBody;
        def.position = vector(at);
        def.rotation = b2Rot { c: angle.cos() as f32, s: angle.sin() as f32 };
        let body = b2CreateBody(world, &def);
        let mut shape = b2DefaultShapeDef();
        shape.material = material(shape.material);
        shape.filter.categoryBits = BOXES;
        shape.filter.maskBits = GROUND;
        let half = vector(HALF);
        b2CreatePolygonShape(body, &shape, &b2MakeBox(half.x, half.y));
        body
    }
}

impl Drop for Box2d {
    fn drop(&mut self) {
        // SAFETY: the world was created by `new` and is destroyed once.
        unsafe { b2DestroyWorld(self.world) }
    }
}

impl Bodies for Box2d {
    fn name(&self) -> &'static str {
        "Box2D 3"
    }

    fn tick(&mut self, pushes: &[(usize, f64)]) {
        // SAFETY: the world and its bodies live as long as this.
        unsafe {
            for (i, change) in pushes {
                let body = self.boxes[*i];
                let mut velocity = b2Body_GetLinearVelocity(body);
                velocity.x += (change * METRES) as f32;
                b2Body_SetLinearVelocity(body, velocity);
            }
            b2World_Step(self.world, DT as f32, SUB_STEPS);
        }
    }

    fn places(&self) -> Vec<(DVec2, f64)> {
        // SAFETY: the world and its bodies live as long as this.
        let place = |body: &b2BodyId| unsafe {
            let turned = b2Body_GetRotation(*body);
            let angle = f64::from(turned.s).atan2(f64::from(turned.c));
            (pixels(b2Body_GetPosition(*body)), angle)
        };
        self.boxes.iter().map(place).collect()
    }
}

/// The number of failed assertions.
static FAILED: AtomicUsize = AtomicUsize::new(0);

/// Ignores the first assertion, which [`asserts`] triggers, and traps at any other.
unsafe extern "C" fn failed(_: *const c_char, _: *const c_char, _: c_int) -> c_int {
    c_int::from(FAILED.fetch_add(1, Ordering::Relaxed) > 0)
}

/// Whether Box2D was built with assertions, which cost it time: triggers one to see.
pub fn asserts() -> bool {
    // SAFETY: nothing of Box2D runs meanwhile, and the length is put right at once.
    unsafe {
        b2SetAssertFcn(Some(failed));
        let metre = b2GetLengthUnitsPerMeter();
        b2SetLengthUnitsPerMeter(0.0);
        b2SetLengthUnitsPerMeter(metre);
    }
    FAILED.load(Ordering::Relaxed) > 0
}
