//! `ballistic`: flights in closed form, to a destination or wherever they lead.
//!
//! The kinematic equations, after a post on targeted jumps. On its way to a destination a body is
//! where the time since its launch says, and nothing bends that: no drag, no wind, no key. It ends
//! on the destination, or where something has come into the way. Without a destination the body is
//! a projectile: it falls, slides along walls, and stops where it lands.

mod launch;
mod plan;
mod projectile;
mod tuning;
mod way;

pub use launch::{Launch, MOST_SECONDS, PlanError, launch};
pub use plan::{Aim, Plan, plan};
pub use tuning::BallisticTuning;

use super::{
    Body, Flight, Impact, Intent, Landing, Loadout, Model, Motion, MoveContext, Report, Support,
    Surroundings, footing, plane, riding,
};
use crate::geometry::TOUCH;
use crate::level::{Contact, Floor, View};
use glam::{DVec2, DVec3};
use serde::{Deserialize, Serialize};
use way::{Met, Stop, Struck, Way};

/// The model.
#[derive(Clone, Debug, PartialEq)]
pub struct Ballistic;

/// What the model remembers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BallisticState {
    /// The flight to a destination that it is on. Few bodies are on one, and it is large.
    flight: Option<Box<Flight>>,
    /// Whether it touched a wall in the last tick: sliding along one is told once.
    touching: bool,
}

/// Farther than this from its way a body has been put elsewhere, px.
const ASTRAY: f64 = 1e-6;

/// Within this above the ground a destination is on it, px.
const ON_GROUND: f64 = 1e-3;

impl Model for Ballistic {
    const NAME: &'static str = "ballistic";
    const MODES: &'static [&'static str] = &["flying", "landed"];
    const VIEWS: &'static [View] = &[View::Side, View::Top];
    // A vessel that jumps keeps its angle.
    const TURNS: bool = true;
    const JUMPS: bool = false;
    type State = BallisticState;
    type Tuning = BallisticTuning;

    fn carry(
        state: &mut BallisticState,
        body: &mut Body,
        _outfit: &Loadout<BallisticTuning>,
        context: &MoveContext<'_>,
        report: &mut Report,
    ) {
        if let Some(flight) = state.flight.as_deref() {
            // What it stood on may rise in the first tick, and is left in it.
            let first = flight.began == context.around.now;
            let pushed = way(flight, context).pushed(place(body));
            if let Some((struck, step)) = pushed.filter(|_| !first) {
                strike(body, &struck, step * context.around.hz, report);
            } else if !riding::is_inside(body, context) {
                return;
            }
            state.flight = None;
            report.flight_over = Some(false);
        }
        riding::carry(body, context, report);
    }

    fn sense(
        state: &mut BallisticState,
        body: &mut Body,
        _outfit: &Loadout<BallisticTuning>,
        context: &MoveContext<'_>,
        pushed: bool,
        report: &mut Report,
    ) {
        let around = context.around;
        if let Some(flight) = &state.flight {
            let due = flight.at(flight.span(around.now, around.hz).0);
            let astray = !body.sensed && place(body).distance(due) > ASTRAY;
            if !pushed && !astray {
                body.sensed = true;
                return;
            }
            state.flight = None;
            report.flight_over = Some(false);
        }
        match around.level.view {
            View::Side => footing::feel(body, context, pushed, report),
            View::Top => plane::feel(body, context, pushed, report),
        }
    }

    fn drive(
        state: &mut BallisticState,
        body: &mut Body,
        _intent: &Intent,
        loadout: &Loadout<BallisticTuning>,
        around: &Surroundings<'_>,
        _report: &mut Report,
    ) -> Motion {
        match state.flight {
            // Where it leads does not follow from this; travelling looks at the clock.
            Some(_) => Motion {
                start: body.vel,
                velocity: body.vel,
                vel_z: body.vel_z,
                ..Motion::default()
            },
            None => projectile::drive(body, loadout, around),
        }
    }

    fn travel(
        state: &mut BallisticState,
        body: &mut Body,
        _intent: &Intent,
        motion: &Motion,
        loadout: &Loadout<BallisticTuning>,
        context: &MoveContext<'_>,
        report: &mut Report,
    ) {
        let keeps = loadout.tuning.keep_landing_velocity;
        let Some(flight) = state.flight.take() else {
            projectile::travel(body, motion, keeps, context, &mut state.touching, report);
            return;
        };
        let around = context.around;
        // It acts on nobody in such a flight, but dies away.
        body.external *= around.external_kept;
        let (from, to) = flight.span(around.now, around.hz);
        if let Err(stop) = way(&flight, context).go(place(body), from, to) {
            report.flight_over = Some(false);
            interrupt(body, &flight, &stop, keeps, report);
            return;
        }
        put(body, flight.at(to), flight.velocity_at(to));
        if to < flight.time {
            state.flight = Some(flight);
            return;
        }
        report.flight_over = Some(true);
        arrive(body, keeps, context, report);
    }

    fn settle(
        state: &mut BallisticState,
        body: &mut Body,
        _intent: &Intent,
        loadout: &Loadout<BallisticTuning>,
        context: &MoveContext<'_>,
        report: &mut Report,
    ) {
        // A flight that ends in the air ends there, however near the ground is.
        let in_flight = state.flight.is_some() || report.flight_over == Some(true);
        if in_flight && !body.stands() {
            report.left_ground = report.stood;
            return;
        }
        let landed = report.landed.is_some();
        match context.around.level.view {
            View::Side => footing::settle(body, context, report),
            View::Top => plane::settle(body, context, report),
        }
        let lands = !landed && report.landed.is_some();
        if lands && !loadout.tuning.keep_landing_velocity {
            body.vel = DVec2::ZERO;
        }
    }

    fn launch(state: &mut BallisticState, flight: &Flight) {
        state.flight = Some(Box::new(*flight));
        state.touching = false;
    }

    fn mode(_state: &BallisticState, body: &Body) -> &'static str {
        if body.stands() { "landed" } else { "flying" }
    }

    fn digest(state: &BallisticState, feed: &mut dyn FnMut(u64)) {
        feed(u64::from(state.touching) + 2 * u64::from(state.flight.is_some()));
        if let Some(flight) = &state.flight {
            flight.digest(feed);
        }
    }
}

/// Where a body is: its center, and the height of its feet.
fn place(body: &Body) -> DVec3 {
    body.pos.extend(body.z)
}

fn put(body: &mut Body, place: DVec3, velocity: DVec3) {
    (body.pos, body.z) = Flight::split(place);
    (body.vel, body.vel_z) = Flight::split(velocity);
}

/// The way of a flight in this tick. Keys do not change it: it falls through no one-way platform.
fn way<'a>(flight: &'a Flight, context: &MoveContext<'a>) -> Way<'a> {
    Way {
        flight,
        shape: context.shape,
        level: context.around.level,
        transit: context.around.transit,
    }
}

/// Takes what goes into something that moves at `velocity` out of a body's own, and tells of it.
fn strike(body: &mut Body, struck: &Struck, velocity: DVec2, report: &mut Report) {
    let normal = struck.normal;
    tell(struck, (velocity - body.vel).dot(normal).max(0.0), report);
    body.vel -= normal * body.vel.dot(normal).min(0.0);
}

/// Tells of something that the body has run into.
fn tell(struck: &Struck, speed: f64, report: &mut Report) {
    report.hit = Some(Impact {
        feature: struck.feature,
        normal: struck.normal,
        speed,
        foot: false,
    });
    report.struck = Some(struck.solid);
}

/// Ends a flight at what is in its way.
fn interrupt(body: &mut Body, flight: &Flight, stop: &Stop, keeps: bool, report: &mut Report) {
    put(body, stop.at, flight.velocity_at(stop.time));
    match stop.on {
        Met::Solid(struck) => strike(body, &struck, DVec2::ZERO, report),
        Met::Floor(floor) => touch_down(body, floor, keeps, report),
    }
}

/// Ends a flight on its destination, where there is ground lets the body stand.
fn arrive(body: &mut Body, keeps: bool, context: &MoveContext<'_>, report: &mut Report) {
    let MoveContext {
        shape,
        scenery,
        footing,
        around,
    } = context;
    if around.level.view == View::Top {
        let plain = around.level.plain;
        let floor = scenery.floor_below(*shape, body.pos, body.z, plain);
        if floor.height >= body.z - footing.rule.probe {
            touch_down(body, floor, keeps, report);
        }
        return;
    }
    let scenery = around.scenery();
    let reach = footing.rule.probe + TOUCH;
    let hit = scenery.probe(*shape, body.pos, reach);
    let contact = hit.and_then(|hit| Contact::of(&scenery, &hit, &footing.rule));
    let (Some(hit), Some(contact)) = (hit, contact) else {
        return;
    };
    if reach * hit.time <= ON_GROUND {
        body.pos.y = contact.resting_height(&scenery, *shape, body.pos);
    }
    let ground = around.carrier_velocity(contact.feature);
    report.landed = Some(Landing {
        on: Support::Feature(contact.feature),
        normal: contact.normal,
        speed: (ground - body.vel).dot(contact.normal).max(0.0),
    });
    body.vel = if keeps {
        contact.tangent() * body.vel.dot(contact.tangent())
    } else {
        DVec2::ZERO
    };
    body.jump.land();
    footing::stand(body, contact);
}

/// Lets a body stand on a floor of a top view.
fn touch_down(body: &mut Body, floor: Floor, keeps: bool, report: &mut Report) {
    report.landed = Some(Landing {
        on: Support::Floor(floor),
        normal: DVec2::ZERO,
        speed: (-body.vel_z).max(0.0),
    });
    body.z = floor.height;
    body.vel_z = 0.0;
    if !keeps {
        body.vel = DVec2::ZERO;
    }
    body.floor = Some(floor);
    body.jump.land();
}
