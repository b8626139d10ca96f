//! A vessel that crosses the borders of zones inside a step.

use super::*;
use crate::models::crossing::{first_change, most_crossings};

/// Whether the vessel may cross the border of a zone in this step. Cheap, and true a little too
/// often.
#[inline]
pub fn may_cross(step: &VesselStep, body: &Body) -> bool {
    let around = step.context.around;
    if around.zones.list().is_empty() {
        return false;
    }
    let dt = around.dt;
    let (drift, _) = around.drift(body.external, None);
    let pull = 0.5 * (step.gravity.abs() + step.thrust) * dt * dt;
    let own = (body.vel.length() + around.air.conveyor.length()) * dt;
    let reach = DVec2::splat(own + drift.length() + pull);
    let area = Bounds::of(body.pos, body.pos).grown(reach);
    around.zones.felt_border_near(&area)
}

/// Moves the vessel through its step, with the conditions of each zone from its border on.
#[cold]
pub fn cross_zones(step: &VesselStep, body: &mut Body, state: &mut VesselState, report: &mut Report) {
    let mut here = *step.context.around;
    let tick = here.dt;
    let mut left = tick;
    let [first, last] = step.span;
    let mut began = first;
    for _ in 0..most_crossings(body, step.context.around) {
        let change = if state.touching {
            let rest = here.lasting(left);
            change_in_contact(step, &rest, [began, last], body, state)
        } else {
            change_in_flight(step, &here, left, body)
        };
        let Some(seconds) = change else {
            break;
        };
        let ended = last - (last - first) * (left - seconds) / tick;
        let part = here.lasting(seconds);
        step.under(&part, [began, ended], |part| part.run(body, state, report));
        (left, began) = (left - seconds, ended);
        here = here.at(body.pos);
    }
    step.under(&here.lasting(left), [began, last], |part| part.run(body, state, report));
}

/// When a vessel in free flight first gets into other conditions, within `left` seconds.
fn change_in_flight(step: &VesselStep, here: &Surroundings, left: f64, body: &Body) -> Option<f64> {
    let start = MotionState::of(body);
    step.under(here, step.span, |part| {
        first_change(here, left, |time| {
            let (drift, _) = here.lasting(time).drift(body.external, None);
            part.fly(&start, time, drift).pose.pos
        })
    })
}

/// When a vessel in contact first gets into other conditions, in the time that `rest` lasts. Its
/// path is a parabola from its velocity to the place where it would be at the end without a border.
fn change_in_contact(
    step: &VesselStep,
    rest: &Surroundings,
    span: [f64; 2],
    body: &Body,
    state: &VesselState,
) -> Option<f64> {
    let (mut moved, mut pressed) = (body.clone(), state.clone());
    let report = &mut Report::default();
    step.under(rest, span, |part| part.run(&mut moved, &mut pressed, report));
    let (from, seconds) = (body.pos, rest.dt);
    let steady = (body.vel + body.external) * seconds;
    let bent = moved.pos - from - steady;
    first_change(rest, seconds, |time| {
        let share = time / seconds;
        from + steady * share + bent * (share * share)
    })
}
