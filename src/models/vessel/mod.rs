//! `vessel`: a rigid body of convex pieces that turns, bounces and lands on feet.
//!
//! After "Implementing a small physics engine for a platformer game" (MoonLanding). It moves
//! freely for a tick, then looks what it has run into: for each piece and each solid a contact at
//! the barycenter of their intersection. Impulses change velocity and spin there, and the vessel is
//! moved out along the normals. Feet are pieces on damped springs that take a share of it.
//!
//! What leaves room in the published text is settled so that vessels come to rest: slow touches do
//! not bounce, hold with friction at both ends of the intersection, and a vessel that is calm for a
//! quarter of a second rests until something wakes it.

mod foot;
mod hull;
mod intersect;
mod out;
mod rest;
mod solve;
mod stand;
mod step;
mod touch;
mod tuning;

pub use foot::{Foot, Swing};
pub use hull::{Hull, MOST_CORNERS, Pose};
pub use solve::{Law, Meeting, Outcome, Speed};
pub use touch::{Site, Touch, Touches};
pub use tuning::{Solver, VesselTuning};

use super::{
    Action, Body, Intent, Landing, Loadout, Model, Motion, MoveContext, Piece, Report, Support,
};
use super::{Surroundings, riding};
use crate::geometry::{grid::Bounds, turn};
use crate::level::{Scenery, View};
use crate::models::motion::normalised_share;
use glam::DVec2;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use step::Step;

/// What the model remembers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct VesselState {
    /// Its feet, in the order of its pieces.
    pub feet: Vec<Foot>,
    /// Since which tick it has been calm.
    calm_since: Since,
    /// Where it has been, and how it was turned, since when it has hardly moved.
    haunt: Haunt,
    /// Whether it is at rest, until something wakes it.
    pub resting: bool,
    /// Whether it touches anything.
    pub touching: bool,
    /// Under which conditions it stood through the last tick; 0 if it did not.
    standing: u64,
}

/// A tick since when something holds, or none.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Since(u32);

impl Default for Since {
    fn default() -> Self {
        Self(u32::MAX)
    }
}

impl Since {
    /// How many ticks ago that was, up to what a number of 32 bits counts. From now on, if it did not
    /// hold before.
    fn ticks(&mut self, now: u64) -> u32 {
        let now = now as u32;
        if *self == Self::default() {
            self.0 = now;
        }
        now.wrapping_sub(self.0)
    }
}

/// A place that a vessel does not leave; roughly, to take little room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Haunt {
    since: Since,
    pos: [f32; 2],
    angle: f32,
}

/// The model.
#[derive(Clone, Debug, PartialEq)]
pub struct Vessel;

impl Model for Vessel {
    const NAME: &'static str = "vessel";
    const MODES: &'static [&'static str] = &["free", "contact"];
    const VIEWS: &'static [View] = &[View::Side];
    const TURNS: bool = true;
    const JUMPS: bool = false;
    type State = VesselState;
    type Tuning = VesselTuning;

    /// Platforms that move are touched like all else, part by part of the tick. It is moved out of what
    /// has appeared.
    fn carry(
        _state: &mut VesselState,
        body: &mut Body,
        loadout: &Loadout<VesselTuning>,
        context: &MoveContext<'_>,
        report: &mut Report,
    ) {
        let MoveContext { scenery, .. } = context;
        let (mut met, mut appeared) = (false, false);
        switched_near(body, loadout, context, |platform| {
            met = true;
            appeared |= scenery.has_platform(platform);
        });
        // What it leaned on may be gone.
        body.sensed &= !met;
        if !appeared && !body.crushed {
            return;
        }
        let fit = Self::fit(loadout, scenery, body.pos, body.angle);
        let free = fit.filter(|free| riding::is_open(body.pos, *free, scenery));
        report.crushed = free.is_none() && !body.crushed;
        body.crushed = free.is_none();
        body.pos = free.unwrap_or(body.pos);
    }

    fn sense(
        state: &mut VesselState,
        body: &mut Body,
        loadout: &Loadout<VesselTuning>,
        _locale: &MoveContext<'_>,
        pushed: bool,
        report: &mut Report,
    ) {
        report.stood |= body.ground.is_some();
        if state.feet.len() != loadout.kit.feet {
            state.feet = vec![Foot::default(); loadout.kit.feet];
        }
        if pushed || !body.sensed {
            state.standing = 0;
            state.wake();
        }
        body.sensed = true;
    }

    fn drive(
        _state: &mut VesselState,
        body: &mut Body,
        intent: &Intent,
        _outfit: &Loadout<VesselTuning>,
        _around: &Surroundings<'_>,
        _report: &mut Report,
    ) -> Motion {
        let side = intent.side();
        if side != 0.0 {
            body.facing = side;
        }
        Motion {
            start: body.vel,
            velocity: body.vel,
            ..Motion::default()
        }
    }

    fn travel(
        state: &mut VesselState,
        body: &mut Body,
        intent: &Intent,
        _motion: &Motion,
        loadout: &Loadout<VesselTuning>,
        context: &MoveContext<'_>,
        report: &mut Report,
    ) {
        let (thrust, turn) = pilot(intent);
        let around = context.around;
        let step = Step {
            tuning: &loadout.tuning,
            hull: &loadout.kit,
            context,
            gravity: around.gravity * loadout.tuning.gravity_scale,
            thrust: thrust * loadout.tuning.thrust_accel,
            torque: turn * loadout.tuning.turn_accel,
            friction: normalised_share(loadout.tuning.friction, around.dt),
        };
        let blows = around.air.external_accel != DVec2::ZERO || around.air.conveyor != DVec2::ZERO;
        if state.resting {
            let moved = step.thrust != 0.0 || step.torque != 0.0 || body.external != DVec2::ZERO;
            if !moved && !blows && !is_met(body, &loadout.kit, context) {
                return;
            }
            state.wake();
        }
        if step.stands_on(body, state) && !blows && !is_met(body, &loadout.kit, context) {
            step.stay(body, state);
            return;
        }
        step.run(body, state, report);
    }

    fn settle(
        _state: &mut VesselState,
        body: &mut Body,
        _intent: &Intent,
        _outfit: &Loadout<VesselTuning>,
        context: &MoveContext<'_>,
        report: &mut Report,
    ) {
        let Some(contact) = body.ground else {
            report.left_ground = report.stood;
            if report.stood {
                body.jump.leave_ground(context.around.now + 1);
            }
            return;
        };
        if !report.stood {
            report.landed = Some(Landing {
                on: Support::Feature(contact.feature),
                normal: contact.normal,
                speed: report.hit.map_or(0.0, |hit| hit.speed),
            });
            body.jump.land();
        }
        let under = context.around.surface_of(contact.feature);
        if body.surface != Some(under) {
            report.new_surface = Some(body.surface);
            body.surface = Some(under);
        }
    }

    fn fit(
        loadout: &Loadout<VesselTuning>,
        scenery: &Scenery<'_>,
        at: DVec2,
        angle: f64,
    ) -> Option<DVec2> {
        let steps = vec![DVec2::ZERO; scenery.terrain.platforms().len()];
        let turn = turn(angle);
        let site = Site {
            scenery: *scenery,
            ahead: (0.0, &steps),
            hull: &loadout.kit,
            foot_travel: 0.0,
            // Far below, so that one-way platforms are in nobody's way.
            before: Pose {
                pos: at - DVec2::new(0.0, 1e6),
                turn,
            },
        };
        out::fit(&loadout.kit, &site, at, turn)
    }

    fn depth(loadout: &Loadout<VesselTuning>, angle: f64) -> f64 {
        loadout.kit.depth(turn(angle))
    }

    fn feet(state: &VesselState) -> Vec<f64> {
        state.feet.iter().map(|foot| foot.pos).collect()
    }

    fn thrust(intent: &Intent) -> f64 {
        pilot(intent).0
    }

    fn foot_travel(loadout: &Loadout<VesselTuning>) -> f64 {
        loadout.tuning.foot_travel
    }

    fn pieces(loadout: &Loadout<VesselTuning>) -> Option<Arc<[Piece]>> {
        Some(loadout.kit.pieces.clone())
    }

    fn mode(state: &VesselState, _body: &Body) -> &'static str {
        if state.touching { "contact" } else { "free" }
    }

    fn digest(state: &VesselState, feed: &mut dyn FnMut(u64)) {
        for foot in &state.feet {
            feed(foot.pos.to_bits());
            feed(foot.rate.to_bits());
        }
        feed(u64::from(state.calm_since.0));
        feed(u64::from(state.haunt.since.0));
        for number in [state.haunt.pos[0], state.haunt.pos[1], state.haunt.angle] {
            feed(u64::from(number.to_bits()));
        }
        feed(u64::from(state.resting) + 2 * u64::from(state.touching));
    }
}

impl VesselState {
    /// Ends a rest.
    fn wake(&mut self) {
        self.resting = false;
        self.calm_since = Since::default();
        self.haunt = Haunt::default();
    }
}

/// What a pilot wants: thrust, 0..=1, and turn, −1..=1 with left turning counter-clockwise. Keys come
/// before the stick.
fn pilot(intent: &Intent) -> (f64, f64) {
    let held = |action| intent.held.has(action);
    let thrust = if held(Action::Up) {
        1.0
    } else {
        intent.stick.y.clamp(0.0, 1.0)
    };
    let turn = if held(Action::Left) || held(Action::Right) {
        f64::from(i8::from(held(Action::Left)) - i8::from(held(Action::Right)))
    } else {
        -intent.stick.x.clamp(-1.0, 1.0)
    };
    (thrust, turn)
}

/// Calls `met` with what is near of all that was switched on or off as the tick began.
fn switched_near(
    body: &Body,
    loadout: &Loadout<VesselTuning>,
    context: &MoveContext<'_>,
    mut met: impl FnMut(u16),
) {
    let (transit, terrain) = (context.around.transit, context.scenery.terrain);
    let radius = loadout.kit.radius + loadout.tuning.foot_travel + touch::NEAR;
    let reach = Bounds::of(body.pos, body.pos).grown(DVec2::splat(radius));
    for &platform in &transit.switched {
        let solid = &terrain.solids()[terrain.platforms()[platform as usize].solid as usize];
        let now = solid.bounds.moved(context.scenery.offset(platform));
        let step = transit.steps[platform as usize];
        if now.grown(step.abs()).meets(&reach) {
            met(platform);
        }
    }
}

/// Whether a moving platform is near enough to wake a vessel at rest.
fn is_met(body: &Body, hull: &Hull, context: &MoveContext<'_>) -> bool {
    let terrain = context.scenery.terrain;
    let steps = &context.around.transit.steps;
    let reach = Bounds::of(body.pos, body.pos).grown(DVec2::splat(hull.radius));
    terrain.movers().iter().any(|&i| {
        let (step, offset) = (steps[i as usize], context.scenery.offset(i));
        let solid = &terrain.solids()[terrain.platforms()[i as usize].solid as usize];
        let near = solid.bounds.moved(offset).grown(step.abs()).meets(&reach);
        near && step != DVec2::ZERO && context.scenery.has_platform(i)
    })
}
