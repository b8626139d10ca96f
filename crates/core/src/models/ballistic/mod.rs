//! `ballistic`: flights in closed form, to a destination or as a free projectile.
//!
//! The equations follow a post on targeted jumps. On a flight to a destination, the position
//! depends only on the time since the launch: drag, wind and keys have no effect. The flight ends
//! at the destination, or at an obstacle that has moved in the way. Without a destination the body
//! is a projectile: it falls, slides along walls, and stops where it lands.

mod path;
mod plan;
mod projectile;
mod tuning;

pub use plan::{Aim, CLEARANCE, Launch, MOST_SECONDS, Plan, PlanError, PlanWork, launch, plan};
pub use tuning::BallisticTuning;

use super::*;
use path::{FlightPath, Obstacle};
use projectile::strike;

/// The `ballistic` model.
#[derive(Clone, Debug, PartialEq)]
pub struct Ballistic;

/// State that the model keeps between ticks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BallisticState {
    /// The current flight to a destination. Boxed, since it is large and most bodies have none.
    flight: Option<Box<Flight>>,
    /// Whether it touched a wall in the previous tick. Sliding along a wall is reported only once.
    touching: bool,
}

/// A body farther than this from its path has been teleported, px.
const ASTRAY: f64 = 1e-6;

/// A destination at most this far above the ground is on it, px.
const ON_GROUND: f64 = 1e-3;

impl Model for Ballistic {
    const MODES: &'static [Mode] = &[Mode::Flying, Mode::Landed];
    const VIEWS: &'static [View] = &[View::Side, View::Top];
    const JUMP_VIEWS: &'static [View] = &[];
    const MOVES: &'static [(&'static [Action], &'static str)] = &[];
    // A rigid body keeps its angle while it flies to a destination.
    const TURNS: bool = true;
    const OUTLINE: [u8; 3] = [255, 130, 226];
    type State = BallisticState;
    type Tuning = BallisticTuning;

    fn carry(state: &mut BallisticState, body: &mut Body, step: &Step<BallisticTuning>, report: &mut Report) {
        let context = step.context;
        if let Some(flight) = state.flight.as_deref() {
            // In the first tick, the platform that it stood on may push it without ending the
            // flight.
            let first = flight.began == context.around.now;
            let pushed = path(flight, context).pushed(place(body));
            if let Some((hit, moved)) = pushed.filter(|_| !first) {
                strike(body, &hit, moved * context.around.pace, context.shape, report);
            } else if !riding::is_inside(body, context) {
                return;
            }
            state.flight = None;
            report.flight_over = Some(false);
            riding::carry(body, false, context, report);
            return;
        }
        riding::carry(body, true, context, report);
    }

    fn sense(
        state: &mut BallisticState,
        body: &mut Body,
        step: &Step<BallisticTuning>,
        pushed: bool,
        report: &mut Report,
    ) {
        let context = step.context;
        let around = context.around;
        if let Some(flight) = &state.flight {
            let due = flight.at(flight.span([around.now; 2], around.hz).0);
            let astray = !body.sensed && place(body).distance(due) > ASTRAY;
            if !pushed && !astray {
                body.sensed = true;
                return;
            }
            state.flight = None;
            report.flight_over = Some(false);
        }
        context.sense(body, pushed, report);
    }

    fn drive(
        state: &mut BallisticState,
        body: &mut Body,
        _intent: &Intent,
        loadout: &Loadout<BallisticTuning>,
        around: &Surroundings,
        _report: &mut Report,
    ) -> Motion {
        match state.flight {
            // Its displacement is not used; `travel` follows the path by time.
            Some(_) => Motion { start: body.vel, velocity: body.vel, vel_z: body.vel_z, ..Motion::default() },
            None => projectile::drive(body, loadout, around),
        }
    }

    fn travel(
        state: &mut BallisticState,
        body: &mut Body,
        motion: &Motion,
        step: &Step<BallisticTuning>,
        report: &mut Report,
    ) {
        let Some(flight) = state.flight.take() else {
            projectile::travel(body, motion, step, &mut state.touching, report);
            return;
        };
        let context = step.context;
        let keeps = step.loadout.tuning.keep_landing_velocity;
        let around = context.around;
        // External velocity does not act on such a flight, but it decays.
        body.external *= around.decay().kept;
        body.external_z = around.drift_z(body.external_z).1;
        let (from, to) = flight.span([around.now, around.next()], around.hz);
        if let Err(stop) = path(&flight, context).follow(place(body), from, to) {
            report.flight_over = Some(false);
            put(body, stop.at, flight.velocity_at(stop.time));
            match stop.on {
                Obstacle::Solid(struck) => strike(body, &struck, DVec2::ZERO, context.shape, report),
                Obstacle::Floor(floor) => touch_down(body, floor, keeps, report),
            }
            return;
        }
        put(body, flight.at(to), flight.velocity_at(to));
        if to < flight.time {
            state.flight = Some(flight);
            return;
        }
        report.flight_over = Some(true);
        arrive(body, keeps, context, report);
        let rest = around.since(flight.began) + around.dt - flight.time;
        convey(body, rest, context);
    }

    fn settle(state: &mut BallisticState, body: &mut Body, step: &Step<BallisticTuning>, report: &mut Report) {
        let context = step.context;
        // A flight that ends in the air does not land, however near the ground is.
        let in_flight = state.flight.is_some() || report.flight_over == Some(true);
        if in_flight && !body.stands() {
            report.left_ground = report.stood;
            return;
        }
        if !body.stands() && !report.stood && context.around.level.view == View::Side {
            // It lands where it touches, not where a probe reaches, unless something steep holds it.
            let rule = context.rule();
            let below = context.scenery().probe(context.shape, body.pos, rule.probe + TOUCH);
            if below.is_none_or(|hit| rule.walkable(hit.normal)) {
                return;
            }
        }
        let landed = report.details().landed.is_some();
        context.settle(body, report);
        let lands = !landed && report.details().landed.is_some();
        if lands && !step.loadout.tuning.keep_landing_velocity {
            body.vel = DVec2::ZERO;
        }
    }

    fn division(state: &BallisticState, body: &Body, context: &MoveContext) -> Division {
        if state.flight.is_some() {
            return Division::Whole;
        }
        match Division::of_walker(body, context) {
            Division::Falling(_) => Division::Falling(f64::INFINITY),
            other => other,
        }
    }

    fn sees_turns(state: &BallisticState, _intent: &Intent) -> bool {
        state.flight.is_none()
    }

    fn mode(_state: &BallisticState, body: &Body) -> Mode {
        if body.stands() { Mode::Landed } else { Mode::Flying }
    }

    fn check(state: &BallisticState, _loadout: &Loadout<BallisticTuning>, saved: &SavedContext) -> Checked {
        let flight = state.flight.as_ref();
        flight.map_or(Ok(()), |flight| flight.check(saved).within("flight"))
    }

    fn digest(state: &BallisticState, digest: &mut Digest) {
        digest.flags(&[state.touching, state.flight.is_some()]);
        if let Some(flight) = &state.flight {
            flight.digest(digest);
        }
    }

    const FLYING: Option<&'static dyn Flying<BallisticState>> = Some(&Self);
}

impl Flying<BallisticState> for Ballistic {
    fn launch(&self, state: &mut BallisticState, flight: &Flight) {
        state.flight = Some(Box::new(*flight));
        state.touching = false;
    }
}

/// The position of a body: its center, and the height of its feet as z.
fn place(body: &Body) -> DVec3 {
    body.pos.extend(body.z)
}

fn put(body: &mut Body, place: DVec3, velocity: DVec3) {
    (body.pos, body.z) = Flight::split(place);
    (body.vel, body.vel_z) = Flight::split(velocity);
}

/// The path of a flight in this tick. Keys have no effect: Down does not drop the body through
/// one-way platforms.
fn path<'a>(flight: &'a Flight, context: &MoveContext<'a>) -> FlightPath<'a> {
    let around = context.around;
    FlightPath { flight, shape: context.shape, level: around.level, transit: around.transit, only: None, whole: false }
}

/// Ends a flight at its destination. If there is ground, the body stands on it.
fn arrive(body: &mut Body, keeps: bool, context: &MoveContext, report: &mut Report) {
    let MoveContext { shape, footing, around, .. } = context;
    if around.level.view == View::Top {
        let scenery = context.scenery();
        let floor = scenery.floor_below(*shape, body.pos, body.z);
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
    let speed = (context.carrier_velocity(body, &contact) - body.vel).dot(contact.normal).max(0.0);
    report.details_mut().landed = Some(footing::landing(body, &contact, speed, context));
    body.vel = if keeps {
        contact.tangent() * body.vel.dot(contact.tangent())
    } else {
        DVec2::ZERO
    };
    body.jump.land();
    footing::stand(body, contact);
}

/// Moves a body that has landed along with a conveyor for the rest of the tick, s.
fn convey(body: &mut Body, rest: f64, context: &MoveContext) {
    // The tick began in the air of another place.
    let by = context.around.at(body.pos).air.conveyor * rest;
    if by == DVec2::ZERO || !body.stands() {
        return;
    }
    let scenery = MoveContext { z: body.z, ..*context }.scenery();
    let Some(contact) = body.ground else {
        body.pos = slide(&scenery, context.shape, body.pos, by, |_, _| false).pos;
        return;
    };
    let walked = walk(&scenery, context.shape, body.pos, contact, by.dot(contact.tangent()), context.rule());
    body.pos = walked.pos;
    body.ground = walked.standing.then_some(walked.contact);
}

/// Lands a body on a floor of a top view.
fn touch_down(body: &mut Body, floor: Floor, keeps: bool, report: &mut Report) {
    report.details_mut().landed = Some(plane::landing(floor, (-body.vel_z).max(0.0), body.pos));
    plane::stand(body, floor);
    if !keeps {
        body.vel = DVec2::ZERO;
    }
}
