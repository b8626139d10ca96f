//! A free vessel that crosses the borders of zones inside a tick.

use super::state::VesselState;
use super::step::{MotionState, VesselStep};
use crate::geometry::grid::Bounds;
use crate::models::crossing::{MOST_CROSSINGS, first_change};
use crate::models::{Body, MoveContext, Report, Surroundings};
use glam::DVec2;

/// Whether the vessel may cross the border of a zone in this tick. Cheap, and true a little too
/// often.
pub(super) fn may_cross(step: &VesselStep<'_>, body: &Body) -> bool {
    let around = step.context.around;
    let zones = &around.level.zones;
    if zones.list().is_empty() {
        return false;
    }
    let dt = around.dt;
    let (drift, _) = around.drift(body.external, None);
    let pull = 0.5 * (step.gravity.abs() + step.thrust) * dt * dt;
    let reach = DVec2::splat(body.vel.length() * dt + drift.length() + pull);
    zones.felt_border_near(&Bounds::of(body.pos, body.pos).grown(reach))
}

/// Moves the vessel through its tick, with the conditions of each zone from its border on. After a
/// contact the tick is not divided any more.
#[cold]
pub(super) fn cross_zones(
    step: &VesselStep<'_>,
    body: &mut Body,
    state: &mut VesselState,
    report: &mut Report,
) {
    let mut here = *step.context.around;
    let mut left = here.dt;
    for _ in 0..MOST_CROSSINGS {
        let start = MotionState::of(body);
        let change = with(step, &here, |part| {
            first_change(&here, left, |time| {
                let (drift, _) = here.lasting(time).drift(body.external, None);
                part.fly(&start, time, drift).pose.pos
            })
        });
        let Some(seconds) = change.filter(|_| !state.touching) else {
            break;
        };
        run(step, &here.lasting(seconds), body, state, report);
        left -= seconds;
        here = here.at(body.pos);
    }
    run(step, &here.lasting(left), body, state, report);
}

/// Runs a part of the tick, and keeps the hardest hit.
fn run(
    step: &VesselStep<'_>,
    around: &Surroundings<'_>,
    body: &mut Body,
    state: &mut VesselState,
    report: &mut Report,
) {
    let before = report.hit;
    with(step, around, |part| part.run(body, state, report));
    if let Some(hit) = before
        && report.hit.is_none_or(|now| now.speed < hit.speed)
    {
        report.hit = Some(hit);
    }
}

/// The step under other conditions.
fn with<T>(
    step: &VesselStep<'_>,
    around: &Surroundings<'_>,
    run: impl FnOnce(&VesselStep<'_>) -> T,
) -> T {
    let context = &MoveContext {
        around,
        ..*step.context
    };
    run(&VesselStep {
        context,
        gravity: around.gravity * step.tuning.gravity_scale,
        ..*step
    })
}
