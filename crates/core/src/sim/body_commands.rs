//! Commands that change an entity's body or intent.

use super::command::Command;
use super::entity::Entity;
use super::lane::Lanes;
use super::stage::Stage;
use crate::level::{LevelChanges, Transit};
use crate::models::{Action, Actions, Body, Intent};
use crate::tuning::MOST;
use glam::DVec2;

/// Whether a command makes a body let go of the wall or roof that it holds: an order to do so, or a velocity that does
/// not press it against the wall.
pub(super) fn lets_go(body: &Body, command: &Command) -> bool {
    match (command, body.cling) {
        (Command::LetGo, _) => true,
        (Command::SetVelocity(v, _), Some(cling)) => *v != DVec2::ZERO && v.dot(cling.normal) >= 0.0,
        _ => false,
    }
}

/// Applies a command that sets part of an entity's motion. Returns false for all other commands.
pub(super) fn move_body(lanes: &mut Lanes, entity: &Entity, command: &Command) -> bool {
    let body = lanes.body_mut(entity);
    match *command {
        Command::SetVelocity(v, z) => {
            body.vel = v;
            body.vel_z = z;
        }
        Command::Spin(spin) => body.spin = spin,
        Command::SetExternal(v) => body.external = v,
        Command::Push(v) => {
            body.external = (body.external + v).clamp(DVec2::splat(-MOST), DVec2::splat(MOST));
        }
        Command::Turn(angle) => {
            body.angle = angle;
            body.sensed = false;
            return true;
        }
        Command::Face(side) => {
            body.facing = side;
            return true;
        }
        _ => return false,
    }
    lanes.scratch_mut(entity).pushed = true;
    true
}

/// Whether a command changes what an entity intends to do in this tick.
pub(super) fn is_for_intent(command: &Command) -> bool {
    matches!(command, Command::Hold(_) | Command::Release(_) | Command::Steer(_) | Command::Aim(_))
}

/// Applies a command that changes what an entity intends to do. `before` are the actions it held in the
/// previous tick.
pub(super) fn apply_to_intent(intent: &mut Intent, before: Actions, command: &Command) {
    match *command {
        Command::Hold(action) => intent.hold(action, before),
        Command::Release(action) => intent.release(action, before),
        Command::Steer(stick) => intent.stick = stick,
        Command::Aim(point) => intent.aim = Some(point),
        _ => {}
    }
}

/// Starts a jump, on the ground or in the air. `carried` is the velocity of what the entity stands on.
pub(super) fn begin_jump(lanes: &mut Lanes, entity: &Entity, carried: DVec2, now: u64) {
    let stood = lanes.body(entity).stands();
    let free = !lanes.intent(entity).held.has(Action::Jump);
    let body = lanes.body_mut(entity);
    body.ground = None;
    body.floor = None;
    let dropped = body.cling.take().is_some();
    body.jump.begin(now, free);
    let report = &mut lanes.scratch_mut(entity).report;
    report.jumped = true;
    report.stood |= stood;
    report.dropped |= dropped;
    if stood {
        report.carried = carried;
    }
}

/// The velocity at which the ground under a body carries it in the tick `now`, px/s: that of a platform
/// plus that of conveyors.
pub(super) fn carrier_velocity(body: &Body, stage: &Stage, changes: &LevelChanges, now: u64) -> DVec2 {
    let terrain = &stage.level.terrain;
    let mut transit = Transit::default();
    transit.step(terrain.platforms(), changes, now, f64::from(stage.hz));
    let around = stage.surroundings(now, &transit);
    let here = around.within(body.pos);
    let around = here.as_ref().unwrap_or(&around);
    if let Some(contact) = body.ground {
        return around.carrier_velocity(contact.feature);
    }
    let solid = body.floor.and_then(|floor| floor.solid);
    let platform = solid.and_then(|solid| terrain.platform_of(solid));
    let moved = platform.map_or(DVec2::ZERO, |p| transit.steps[p as usize] * around.hz);
    moved + around.air.conveyor
}
