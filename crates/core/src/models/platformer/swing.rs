//! Travel of a hooked body that hits something: in short parts, so that it hits with the velocity
//! that it has there, and the rope pulls on it for the rest of the tick.

use super::grapple::GrapplingHook;
use super::rope::{AirForces, Bob, STEPS};
use super::tuning::PlatformerTuning;
use crate::models::{Body, Motion, MoveContext, Report, Steering, Step, Surroundings, travel};
use glam::DVec2;

/// In how many parts a hooked body travels; 1 if it meets nothing in this tick.
pub(super) fn parts(
    hook: &GrapplingHook,
    body: &Body,
    motion: &Motion,
    context: &MoveContext<'_>,
    report: &Report,
) -> u32 {
    if !hook.is_attached() || body.cling.is_some() {
        return 1;
    }
    let around = context.around;
    let count = (around.dt * STEPS - 1e-6).ceil().max(1.0) as u32;
    // In the tick in which it attaches, and on a platform, the body has not moved evenly.
    let whole = report.details().hook.since > 0.0 || report.carried != DVec2::ZERO;
    if count == 1 || whole {
        return 1;
    }
    let by = motion.displacement + around.drift(body.external, None).0;
    let hit = context.scenery().sweep(context.shape, body.pos, by);
    if hit.is_some() { count } else { 1 }
}

/// Travels in `count` parts. Stops at something to grab, like [`travel::travel`].
#[cold]
pub(super) fn travel_in_parts(
    hook: &GrapplingHook,
    body: &mut Body,
    count: u32,
    step: &Step<'_, PlatformerTuning>,
    report: &mut Report,
    steering: &impl Steering,
) {
    let context = step.context;
    let around = context.around;
    let (loadout, whole) = (step.loadout, around.dt);
    let rope = hook.rope(DVec2::ZERO, body, step);
    let forces = AirForces {
        tuning: &loadout.tuning,
        side: Some(step.intent.side()),
        steady: 0.0,
        pull: loadout.footing.gravity_scale * around.gravity,
        max_fall_speed: loadout.footing.max_fall_speed,
        jump: (0.0, 0.0),
    };
    let share = 1.0 / f64::from(count);
    for part in 0..count {
        let last = part + 1 == count;
        let left = whole - f64::from(part) * (whole * share);
        let around = Surroundings {
            dt: whole * share,
            after: left - whole * share,
            external_seconds: around.external_seconds * share,
            external_kept: if last { around.external_kept } else { 1.0 },
            external_drift: around.external_drift * share,
            ..*around
        };
        let context = MoveContext { around: &around, ..*context };
        let motion = if body.ground.is_some() {
            // It has landed. The rest of the tick it glides.
            Motion::steady(body.vel, around.dt)
        } else {
            let tip = hook.tip - rope.tip_velocity * left;
            let bob = Bob { at: body.pos - tip, velocity: body.vel };
            let after = forces.swing(bob, &rope, whole - left, whole - left + around.dt);
            let tip = tip + rope.tip_velocity * around.dt;
            Motion {
                start: after.velocity,
                velocity: after.velocity,
                displacement: tip + after.at - body.pos - rope.wind * around.dt,
                ..Motion::default()
            }
        };
        travel::travel(body, &motion, &context, report, steering);
        if let Some(grasp) = report.grasp_mut() {
            // If a rule refuses, the body moves past it for the rest of the tick.
            let later = left - around.dt;
            grasp.left = (grasp.left * around.dt + later) / whole;
            grasp.rest += body.vel * later;
            return;
        }
    }
}
