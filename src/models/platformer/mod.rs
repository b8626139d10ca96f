//! `platformer`: run, walk, slow down and jump; momentum in the air; walls and roofs to hold, and a
//! grappling hook.
//!
//! After "Platformer Physics and Trosnoth". On the ground speed along the slope goes through
//! three gaits: *running* with the key and the facing agreeing, *walking* against the facing,
//! *slowing* without a key. In the air a key adds speed up to a soft limit, and what is faster is
//! never cut. A body on the ground is not pulled by gravity, so that it stays on slopes, unless
//! its hook is attached.

mod grab;
mod hook;
mod rest;
mod tuning;

pub use hook::{Hook, Phase};
pub use tuning::PlatformerTuning;

use grab::{Hands, ungrabbed};
use rest::rest;

use super::motion::{Stretch, approach, reach};
use super::travel::{finish, travel};
use super::{
    Action, Actions, Body, Grasp, HookOrder, HookView, Intent, Loadout, Model, Motion, MoveContext,
    Refusal, Report, Strain, Surroundings, footing,
};
use crate::level::{Scenery, Terrain, View, slide};
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// What the model remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlatformerState {
    /// The hook.
    pub hook: Hook,
    /// Keys that were held when something was grabbed, or when a jump left it: until they are let
    /// go they neither drop nor grab.
    consumed: Actions,
}

/// The model.
#[derive(Clone, Debug, PartialEq)]
pub struct Platformer;

impl Model for Platformer {
    const NAME: &'static str = "platformer";
    const MODES: &'static [&'static str] = &["ground", "air", "wall", "roof"];
    const VIEWS: &'static [View] = &[View::Side];
    const HOOKS: bool = true;
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
        turn(body, intent);
        state.consumed = state.consumed.and(intent.held);
        let_go(state, body, intent, around, report);
        // A script may have begun a jump in this tick already.
        let jumps = report.jumped || body.ground.is_some() && intent.pressed.has(Action::Jump);
        let beside = body.cling.is_some() || jumps && beside_wall(body, intent, loadout, around);
        let jumps = footing::try_jump(body, intent, &tuning.jump, around, report) || report.jumped;
        if jumps && beside {
            state.consumed = intent.held;
        }
        state
            .hook
            .act(body, intent, tuning, around, &mut report.hook);
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
            // Who hangs on a rope is pulled down even on the ground, and can be lifted off it.
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
        let x = drift(body.vel.x, intent.side(), soft, tuning, around.dt);
        let y = footing::rise_and_fall(body, intent, &tuning.jump, &loadout.footing, around);
        Motion {
            start: body.vel,
            pull: loadout.footing.gravity_scale * around.gravity,
            displacement: DVec2::new(x.distance, y.distance),
            velocity: DVec2::new(x.velocity, y.velocity),
            ..Motion::default()
        }
    }

    fn is_strained(state: &PlatformerState) -> bool {
        state.hook.is_attached()
    }

    fn strain(
        state: &PlatformerState,
        body: &Body,
        intent: &Intent,
        motion: &Motion,
        loadout: &Loadout<PlatformerTuning>,
    ) -> Option<Strain> {
        state.hook.strain(body, intent, motion, &loadout.tuning)
    }

    fn haul(
        state: &mut PlatformerState,
        body: &Body,
        motion: &mut Motion,
        snaps: bool,
        loadout: &Loadout<PlatformerTuning>,
        around: &Surroundings<'_>,
        report: &mut Report,
    ) {
        let tuning = &loadout.tuning;
        state
            .hook
            .haul(body, motion, snaps, tuning, around, &mut report.hook);
    }

    fn travel(
        state: &mut PlatformerState,
        body: &mut Body,
        intent: &Intent,
        motion: &Motion,
        loadout: &Loadout<PlatformerTuning>,
        context: &MoveContext<'_>,
        report: &mut Report,
    ) {
        if !state.hook.is_attached() && rest(body, motion, &loadout.tuning, context) {
            return;
        }
        let hands = Hands::new(state, intent, loadout);
        travel(body, motion, context, report, |hit, at| {
            hands.may_grab(hit, at, context)
        });
        stay_on_rope(&state.hook, body, context);
    }

    fn finish(
        state: &mut PlatformerState,
        body: &mut Body,
        intent: &Intent,
        motion: &Motion,
        grasp: &Grasp,
        granted: bool,
        context: &MoveContext<'_>,
        report: &mut Report,
    ) {
        finish(body, motion, grasp, granted, context, report);
        stay_on_rope(&state.hook, body, context);
        if granted {
            state.consumed = intent.held;
        }
    }

    fn ungrabbed(
        state: &PlatformerState,
        body: &Body,
        intent: &Intent,
        motion: &Motion,
        loadout: &Loadout<PlatformerTuning>,
        context: &MoveContext<'_>,
    ) -> Option<Refusal> {
        ungrabbed(state, body, intent, motion, loadout, context)
    }

    fn order(state: &mut PlatformerState, body: &Body, order: HookOrder, report: &mut Report) {
        match order {
            HookOrder::Fire(at) => {
                state.hook.release(&mut report.hook);
                state.hook.fire(body.pos, at, true);
            }
            HookOrder::Release => state.hook.release(&mut report.hook),
        }
    }

    fn adopt(state: &mut PlatformerState, old: &Terrain, new: &Scenery<'_>) -> bool {
        state.hook.adopt(old, new)
    }

    fn hook(state: &PlatformerState) -> HookView {
        HookView {
            state: state.hook.phase.name(),
            tip: state.hook.tip,
            length: state.hook.length,
        }
    }

    fn mode(_state: &PlatformerState, body: &Body) -> &'static str {
        match body.cling {
            Some(hold) if hold.is_roof() => "roof",
            Some(_) => "wall",
            None if body.ground.is_some() => "ground",
            None => "air",
        }
    }

    fn digest(state: &PlatformerState, feed: &mut dyn FnMut(u64)) {
        feed(u64::from(state.consumed.bits()));
        state.hook.digest(feed);
    }
}

/// Tries to get back within the rope's length, each along what the one before met.
const MOST_PULLS: usize = 4;

/// Moves a body back within the length of its rope, where sliding along things has led it beyond.
fn stay_on_rope(hook: &Hook, body: &mut Body, context: &MoveContext<'_>) {
    if body.cling.is_some() {
        return;
    }
    for _ in 0..MOST_PULLS {
        let Some(back) = hook.excess(body.pos) else {
            return;
        };
        let slid = slide(&context.scenery, context.shape, body.pos, back, |_, _| {
            false
        });
        body.pos = slid.pos;
        // What it stood on is looked for again.
        body.ground = None;
    }
}

/// What is held, without the keys that a grab has consumed.
fn fresh(state: &PlatformerState, intent: &Intent) -> Intent {
    Intent {
        held: intent.held.without(state.consumed),
        ..*intent
    }
}

/// Lets go of a wall or roof when Down is held, or the key away from the wall.
fn let_go(
    state: &PlatformerState,
    body: &mut Body,
    intent: &Intent,
    around: &Surroundings<'_>,
    report: &mut Report,
) {
    let Some(hold) = body.cling else { return };
    let fresh = fresh(state, intent);
    let away = !hold.is_roof() && fresh.side() == hold.away();
    if away || fresh.held.has(Action::Down) {
        body.cling = None;
        body.jump.leave_ground(around.now);
        report.dropped = true;
    }
}

/// Whether a jump in this tick would start beside a wall with the key into it held: from that wall
/// itself, or from the ground before it. Such a key does not grab the wall at once.
fn beside_wall(
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

/// Facing is the side of the aim while there is one, else the last direction key.
fn turn(body: &mut Body, intent: &Intent) {
    let wanted = intent.aim.map_or(intent.side(), |aim| aim.x - body.pos.x);
    if wanted != 0.0 {
        body.facing = wanted.signum();
    }
}

/// Motion along the ground, where `speed` counts towards +x and `side` is the key held.
fn stride(speed: f64, side: f64, facing: f64, t: &PlatformerTuning, dt: f64) -> Stretch {
    if side == 0.0 {
        return approach(speed, 0.0, t.ground_decel, dt);
    }
    // Seen in the direction of the key.
    let forward = speed * side;
    let (braking, dt) = if forward < 0.0 {
        let brake = reach(forward, 0.0, t.ground_decel, dt);
        (brake, brake.left)
    } else {
        (
            Stretch {
                distance: 0.0,
                velocity: forward,
                left: dt,
            },
            dt,
        )
    };
    let gait = if braking.velocity < 0.0 {
        Stretch {
            distance: 0.0,
            velocity: braking.velocity,
            left: 0.0,
        }
    } else if side == facing {
        let start = braking.velocity.max(t.run_speed_min);
        approach(start, t.run_speed_max.max(start), t.run_accel, dt)
    } else {
        let start = braking.velocity.max(t.walk_speed_min);
        approach(start, t.walk_speed_min, t.ground_decel, dt)
    };
    Stretch {
        distance: (braking.distance + gait.distance) * side,
        velocity: gait.velocity * side,
        left: 0.0,
    }
}

/// Horizontal motion in the air: a key adds speed up to the `soft` limit.
fn drift(speed: f64, side: f64, soft: f64, t: &PlatformerTuning, dt: f64) -> Stretch {
    if side == 0.0 {
        return approach(speed, 0.0, t.air_brake, dt);
    }
    let forward = speed * side;
    let push = approach(forward, soft.max(forward), t.air_accel, dt);
    Stretch {
        distance: push.distance * side,
        velocity: push.velocity * side,
        left: 0.0,
    }
}
