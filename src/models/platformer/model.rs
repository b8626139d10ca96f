//! The phases of a platformer's tick.

use super::gait::{air_drift, stride};
use super::grab::GrabRule;
use super::rest::rest;
use super::state::PlatformerState;
use super::tuning::PlatformerTuning;
use crate::level::View;
use crate::models::{
    Action, Body, Climbing, Division, Hooked, Intent, Loadout, Mode, Model, Motion, MoveContext,
    Report, Step, Surroundings, footing, travel,
};
use glam::DVec2;

/// The `platformer` model.
#[derive(Clone, Debug, PartialEq)]
pub struct Platformer;

impl Model for Platformer {
    const NAME: &'static str = "platformer";
    const MODES: &'static [Mode] = &[Mode::Ground, Mode::Air, Mode::Wall, Mode::Roof];
    const VIEWS: &'static [View] = &[View::Side];
    const OUTLINE: [u8; 3] = [255, 226, 178];
    type State = PlatformerState;
    type Tuning = PlatformerTuning;

    fn drive(
        state: &mut PlatformerState,
        body: &mut Body,
        intent: &Intent,
        loadout: &Loadout<PlatformerTuning>,
        around: &Surroundings<'_>,
        report: &mut Report,
    ) -> Motion {
        let tuning = &loadout.tuning;
        face(body, intent);
        state.consumed = state.consumed.and(intent.held);
        let_go(state, body, intent, around, report);
        // A script may have started a jump in this tick already.
        let may_jump = report.jumped || body.ground.is_some() && intent.pressed.has(Action::Jump);
        let at_wall = body.cling.is_some() || may_jump && near_wall(body, intent, loadout, around);
        let jumps = footing::try_jump(body, intent, &tuning.jump, around, report) || report.jumped;
        if jumps && at_wall {
            state.consumed = intent.held;
        }
        let hook = &mut state.hook;
        hook.act(body, intent, tuning, around, &mut report.hook);
        if body.cling.is_some() {
            return Motion::default();
        }
        let hooked = state.hook.is_attached();
        if let Some(contact) = body.ground {
            let tangent = contact.tangent();
            let speed = body.vel.dot(tangent);
            let along = stride(speed, intent.side(), body.facing, tuning, around.dt);
            let walk = Motion {
                start: body.vel,
                pull: 0.0,
                displacement: tangent * along.distance,
                velocity: tangent * along.velocity,
                ..Motion::default()
            };
            if !hooked {
                return walk;
            }
            // Gravity acts on a hooked body even on the ground, and the rope can lift it off.
            body.ground = None;
            body.vel = walk.velocity;
            let fall = footing::rise_and_fall(body, intent, &tuning.jump, &loadout.footing, around);
            return Motion {
                displacement: DVec2::new(walk.displacement.x, fall.distance),
                velocity: DVec2::new(walk.velocity.x, fall.velocity),
                ..walk
            };
        }
        let soft = if hooked {
            tuning.air_speed_soft_hooked
        } else {
            tuning.air_speed_soft
        };
        let x = air_drift(body.vel.x, intent.side(), soft, tuning, around.dt);
        let y = footing::rise_and_fall(body, intent, &tuning.jump, &loadout.footing, around);
        Motion {
            start: body.vel,
            pull: loadout.footing.gravity_scale * around.gravity,
            displacement: DVec2::new(x.distance, y.distance),
            velocity: DVec2::new(x.velocity, y.velocity),
            ..Motion::default()
        }
    }

    fn travel(
        state: &mut PlatformerState,
        body: &mut Body,
        motion: &Motion,
        step: &Step<'_, PlatformerTuning>,
        report: &mut Report,
    ) {
        let (loadout, context) = (step.loadout, step.context);
        if !state.hook.is_attached() && rest(body, motion, &loadout.tuning, context) {
            return;
        }
        let rule = GrabRule::new(state, step.intent, loadout);
        travel::travel(body, motion, context, report, |hit, at| {
            rule.may_grab(hit, at, context)
        });
        state.hook.hold_back(body, context);
    }

    fn division(state: &PlatformerState, body: &Body, context: &MoveContext<'_>) -> Division {
        if state.hook.is_attached() {
            // The rope has changed the motion of the whole tick.
            return Division::Whole;
        }
        Division::of_walker(body, context)
    }

    fn mode(_state: &PlatformerState, body: &Body) -> Mode {
        match body.cling {
            Some(cling) if cling.is_roof() => Mode::Roof,
            Some(_) => Mode::Wall,
            None if body.ground.is_some() => Mode::Ground,
            None => Mode::Air,
        }
    }

    fn digest(state: &PlatformerState, feed: &mut dyn FnMut(u64)) {
        feed(u64::from(state.consumed.bits()));
        state.hook.digest(feed);
    }

    const HOOKED: Option<&'static dyn Hooked<PlatformerState, PlatformerTuning>> = Some(&Self);
    const CLIMBING: Option<&'static dyn Climbing<PlatformerState, PlatformerTuning>> = Some(&Self);
}

/// Lets go of a wall or roof while Down or the key away from the wall is held.
fn let_go(
    state: &PlatformerState,
    body: &mut Body,
    intent: &Intent,
    around: &Surroundings<'_>,
    report: &mut Report,
) {
    let Some(cling) = body.cling else { return };
    let fresh = state.fresh(intent);
    let away = !cling.is_roof() && fresh.side() == cling.away();
    if away || fresh.held.has(Action::Down) {
        body.cling = None;
        body.jump.leave_ground(around.now);
        report.dropped = true;
    }
}

/// Whether the body stands right in front of a wall while the key toward it is held. If it jumps
/// from there, that key must not grab the wall at once.
fn near_wall(
    body: &Body,
    intent: &Intent,
    loadout: &Loadout<PlatformerTuning>,
    around: &Surroundings<'_>,
) -> bool {
    let side = intent.side();
    if side == 0.0 {
        return false;
    }
    let reach = DVec2::new(side * loadout.footing.rule.probe, 0.0);
    let hit = around.scenery().sweep(loadout.shape, body.pos, reach);
    hit.is_some_and(|hit| hit.normal.y.abs() <= loadout.steepest_grab())
}

/// Faces the side of the aim, or without one the direction of the last direction key.
fn face(body: &mut Body, intent: &Intent) {
    let wanted = intent.aim.map_or(intent.side(), |aim| aim.x - body.pos.x);
    if wanted != 0.0 {
        body.facing = wanted.signum();
    }
}
