//! The phases of a vessel's tick.

use super::contact::CONTACT_MARGIN;
use super::foot::Foot;
use super::hull::Hull;
use super::out::fit_hull;
use super::pilot::pilot;
use super::room::longest_way;
use super::state::VesselState;
use super::step::VesselStep;
use super::tuning::VesselTuning;
use super::zones::{cross_zones, may_cross};
use crate::geometry::grid::Bounds;
use crate::level::View;
use crate::models::motion::normalized_share;
use crate::models::saved::{Checked, SavedContext};
use crate::models::{
    Action, Body, Division, Intent, Landing, Loadout, Mode, Model, Motion, MoveContext, Report, Rigid, Step, Support,
    SurfaceChange, Surroundings, riding,
};
use glam::DVec2;

/// The `vessel` model.
#[derive(Clone, Debug, PartialEq)]
pub struct Vessel;

impl Model for Vessel {
    const NAME: &'static str = "vessel";
    const MODES: &'static [Mode] = &[Mode::Free, Mode::Contact];
    const VIEWS: &'static [View] = &[View::Side];
    const JUMP_VIEWS: &'static [View] = &[];
    const MOVES: &'static [(&'static [Action], &'static str)] =
        &[(&[Action::Up], "thrust"), (&[Action::Left, Action::Right], "turn")];
    const TURNS: bool = true;
    const OUTLINE: [u8; 3] = [255, 112, 112];
    type State = VesselState;
    type Tuning = VesselTuning;

    /// Moves the vessel out of platforms that appear. Contacts with moving platforms are found
    /// while it travels.
    fn carry(_state: &mut VesselState, body: &mut Body, step: &Step<'_, VesselTuning>, report: &mut Report) {
        if step.context.around.transit.switched.is_empty() && !body.crushed {
            return;
        }
        let scenery = &step.context.scenery();
        let (mut any, mut appeared) = (false, false);
        switched_near(body, step, |platform| {
            any = true;
            appeared |= scenery.has_platform(platform);
        });
        // Its support may be gone.
        body.sensed &= !any;
        if !appeared && !body.crushed {
            return;
        }
        let fit = fit_hull(&step.loadout.derived, scenery, body.pos, body.angle);
        let most = if appeared {
            f64::INFINITY
        } else {
            longest_way(&step.context.around.transit.steps)
        };
        let free = fit.filter(|free| free.distance(body.pos) <= most && riding::is_open(body.pos, *free, scenery));
        report.crushed = free.is_none() && !body.crushed;
        body.crushed = free.is_none();
        body.pos = free.unwrap_or(body.pos);
    }

    // Inlined, it does without the context.
    #[inline(always)]
    fn sense(
        state: &mut VesselState,
        body: &mut Body,
        step: &Step<'_, VesselTuning>,
        pushed: bool,
        report: &mut Report,
    ) {
        report.stood |= body.ground.is_some();
        let feet = step.loadout.derived.feet;
        if state.feet.len() != feet {
            state.feet = vec![Foot::default(); feet];
        }
        if pushed || !body.sensed {
            state.stood_under = None;
            state.wake();
        }
        body.sensed = true;
    }

    fn check(state: &VesselState, loadout: &Loadout<VesselTuning>, saved: &SavedContext<'_>) -> Checked {
        state.check(loadout.derived.feet, saved)
    }

    fn drive(
        _state: &mut VesselState,
        body: &mut Body,
        intent: &Intent,
        _loadout: &Loadout<VesselTuning>,
        _around: &Surroundings<'_>,
        _report: &mut Report,
    ) -> Motion {
        let side = intent.side();
        if side != 0.0 {
            body.facing = side;
        }
        Motion { start: body.vel, velocity: body.vel, ..Motion::default() }
    }

    fn travel(
        state: &mut VesselState,
        body: &mut Body,
        _motion: &Motion,
        step: &Step<'_, VesselTuning>,
        report: &mut Report,
    ) {
        let (thrust, turn) = pilot(step.intent);
        let (loadout, context) = (step.loadout, step.context);
        let (tuning, around) = (&loadout.tuning, context.around);
        let (thrust, torque) = (thrust * tuning.thrust_accel, turn * tuning.turn_accel);
        let wind = around.air.external_accel != DVec2::ZERO || around.air.conveyor != DVec2::ZERO;
        if state.resting {
            let moved = thrust != 0.0 || torque != 0.0 || body.external != DVec2::ZERO;
            if !moved && !wind && !platform_near(body, &loadout.derived, context) {
                return;
            }
            state.wake();
        }
        let step = VesselStep {
            tuning,
            hull: &loadout.derived,
            context,
            gravity: around.gravity * tuning.gravity_scale,
            thrust,
            torque,
            friction: normalized_share(tuning.friction, around.dt),
            span: [0.0, 1.0],
        };
        if body.crushed && step.stays_crushed(body, state) {
            return;
        }
        if step.keeps_standing(body, state) && !wind && !platform_near(body, &loadout.derived, context) {
            step.stay(body, state);
            return;
        }
        if may_cross(&step, body) {
            cross_zones(&step, body, state, report);
        } else {
            step.run(body, state, report);
        }
    }

    fn settle(_state: &mut VesselState, body: &mut Body, step: &Step<'_, VesselTuning>, report: &mut Report) {
        let around = step.context.around;
        let Some(contact) = body.ground else {
            report.left_ground = report.stood;
            if report.stood {
                body.jump.leave_ground(around.now + 1);
            }
            return;
        };
        if !report.stood {
            report.details_mut().landed = Some(Landing {
                on: Support::Feature(contact.feature),
                normal: contact.normal,
                speed: report.details().hit.map_or(0.0, |hit| hit.speed),
                at: report
                    .details()
                    .hit
                    .map_or_else(|| body.pos - contact.normal * step.loadout.shape.reach(contact.normal), |hit| hit.at),
            });
            body.jump.land();
        }
        let under = around.surface_of(contact.feature);
        if body.surface != Some(under) {
            report.new_surface = Some(SurfaceChange { from: body.surface, to: under });
            body.surface = Some(under);
        }
    }

    fn division(_state: &VesselState, _body: &Body, _context: &MoveContext<'_>) -> Division {
        // It divides its tick itself, since its engine and contacts are part of its path.
        Division::Whole
    }

    fn mode(state: &VesselState, _body: &Body) -> Mode {
        if state.touching { Mode::Contact } else { Mode::Free }
    }

    fn digest(state: &VesselState, feed: &mut dyn FnMut(u64)) {
        for foot in &state.feet {
            feed(foot.pos.to_bits());
            feed(foot.rate.to_bits());
        }
        feed(u64::from(state.calm_since.0));
        feed(u64::from(state.perch.since.0));
        for number in [state.perch.pos[0], state.perch.pos[1], state.perch.angle] {
            feed(u64::from(number.to_bits()));
        }
        feed(u64::from(state.resting) + 2 * u64::from(state.touching));
    }

    const RIGID: Option<&'static dyn Rigid<VesselState, VesselTuning>> = Some(&Self);
}

/// Calls `visit` with each platform near the body that was switched on or off when the tick began.
fn switched_near(body: &Body, step: &Step<'_, VesselTuning>, mut visit: impl FnMut(u16)) {
    let (loadout, context) = (step.loadout, step.context);
    let (transit, terrain) = (context.around.transit, context.scenery().terrain);
    let radius = loadout.derived.radius + loadout.tuning.foot_travel + CONTACT_MARGIN;
    let reach = Bounds::of(body.pos, body.pos).grown(DVec2::splat(radius));
    for &platform in &transit.switched {
        let solid = &terrain.solids()[terrain.platforms()[platform as usize].solid as usize];
        let now = solid.bounds.moved(context.scenery().offset(platform));
        let step = transit.steps[platform as usize];
        if now.grown(step.abs()).meets(&reach) {
            visit(platform);
        }
    }
}

/// Whether a moving platform is near enough to wake a vessel at rest.
fn platform_near(body: &Body, hull: &Hull, context: &MoveContext<'_>) -> bool {
    let terrain = context.terrain();
    if terrain.movers().is_empty() {
        return false;
    }
    let steps = &context.around.transit.steps;
    let reach = Bounds::of(body.pos, body.pos).grown(DVec2::splat(hull.radius));
    let mut any = false;
    context.scenery().visit_movers(&reach.grown(context.scenery().widest_step()), |i| {
        let (step, offset) = (steps[i as usize], context.scenery().offset(i));
        let solid = &terrain.solids()[terrain.platforms()[i as usize].solid as usize];
        let near = solid.bounds.moved(offset).grown(step.abs()).meets(&reach);
        any |= near && step != DVec2::ZERO && context.scenery().has_platform(i);
    });
    any
}
