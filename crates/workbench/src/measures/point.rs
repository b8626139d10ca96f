//! What measures need of an entity after a tick.

use super::*;
use hangtime_core::{
    models::{HookState, Mode},
    sim::EventKind,
};

/// The part of an entity's state after a tick that paths and measures need.
#[derive(Clone, Debug, Default)]
pub struct MotionPoint {
    /// Center, px.
    pub pos: DVec2,
    /// Velocity, px/s; on the ground plane in a top view.
    pub vel: DVec2,
    /// Its height along its own up, px: y in a side view, z in a top view.
    pub height: f64,
    /// Velocity along its own up, px/s.
    pub rising: f64,
    /// Whether it is on the ground.
    pub grounded: bool,
    /// Whether it moves as its keys say without a jump: it is on the ground, or it needs none.
    pub runs: bool,
    /// The surface that it is on; empty in the air.
    pub surface: Arc<str>,
    /// Where its direction keys or its stick pushed it in the tick: a vector of length 0 to 1.
    pub push: DVec2,
    /// The speed at which it came down in the tick, or hit something with its hull or feet, px/s.
    pub landed: Option<f64>,
    /// The tip of the hook that it hangs on, px.
    pub hangs_on: Option<DVec2>,
    /// Of a rigid body: how far it is tilted, radians, and whether it touches something.
    pub rigid: Option<(f64, bool)>,
}

impl MotionPoint {
    /// The point of an entity after a tick.
    pub fn of(live: &Live, entity: &Entity) -> Self {
        let (world, stage) = (live.world(), &live.revision().stage);
        let (body, view) = (world.view(stage, entity), stage.level.view);
        let vel = body.vel + body.external;
        let (height, rising) = match view {
            View::Side => (body.pos.y, vel.y),
            View::Top => (body.z, body.vel_z + body.external_z),
        };
        let up = if body.inverted { -1.0 } else { 1.0 };
        let is_rigid = body.pieces.is_some();
        let landed = world.events().iter().filter(|event| event.entity == entity.id);
        let landed = landed.filter_map(|event| match event.kind {
            EventKind::Land { speed, .. } => Some(speed),
            // A bump into a wall is no landing, except of a body that is never upright.
            EventKind::Hit { speed, .. } if is_rigid => Some(speed),
            _ => None,
        });
        let hangs =
            body.hook.state == HookState::Attached && !body.grounded && !matches!(body.mode, Mode::Wall | Mode::Roof);
        Self {
            pos: body.pos,
            vel,
            height: up * height,
            rising: up * rising,
            grounded: body.grounded,
            runs: !is_rigid && (body.grounded || body.mode == Mode::Free),
            surface: body.surface.clone(),
            push: world.direction(entity),
            landed: landed.reduce(f64::max),
            hangs_on: hangs.then_some(body.hook.tip),
            rigid: is_rigid.then_some((body.angle, body.mode == Mode::Contact)),
        }
    }
}
