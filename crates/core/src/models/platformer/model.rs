//! The phases of a platformer's tick.

use super::{climbing::may_grab, grapple::HookOwner, rest::rest, rope::travel_on_rope, *};
use crate::models::motion::reach;
use std::cell::Cell;

/// State that the model keeps between ticks. What a tick of a walking body reads comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[repr(C)]
pub struct PlatformerState {
    /// Keys that were held during a grab, or during a jump off a wall; the stick counts as the keys
    /// that it acts as. Until they are released they neither drop nor grab.
    pub(super) consumed: Actions,
    /// Whether what it clings to is a roof rather than a wall.
    pub(super) roof: bool,
    /// The grappling hook.
    pub hook: GrapplingHook,
}

impl PlatformerState {
    /// The held keys, and those that the stick acts as, without consumed ones.
    pub(super) fn fresh(&self, intent: &Intent) -> Intent {
        Intent { held: intent.directions().without(self.consumed), stick: DVec2::ZERO, ..*intent }
    }
}

/// The `platformer` model.
#[derive(Clone, Debug, PartialEq)]
pub struct Platformer;

impl Model for Platformer {
    const MODES: &'static [Mode] = &[Mode::Ground, Mode::Air, Mode::Wall, Mode::Roof];
    const VIEWS: &'static [View] = &[View::Side];
    const OUTLINE: [u8; 3] = [255, 226, 178];
    type State = PlatformerState;
    type Tuning = PlatformerTuning;

    #[inline(always)]
    fn drive(
        state: &mut PlatformerState,
        body: &mut Body,
        intent: &Intent,
        loadout: &Loadout<PlatformerTuning>,
        around: &Surroundings,
        report: &mut Report,
    ) -> Motion {
        let (tuning, side) = (&loadout.tuning, intent.side());
        face(body, intent, side);
        if state.consumed != Actions::NONE {
            state.consumed = state.consumed.and(intent.directions());
        }
        if let Some(cling) = body.cling {
            // The tolerance may have changed since the grab.
            state.roof = loadout.is_roof(cling.normal, body.up());
            let_go(&state.fresh(intent), body, loadout, around, report);
        }
        let may_jump = intent.has_ordered_jump() || body.ground.is_some() && intent.pressed.has(Action::Jump);
        let at_wall = body.cling.is_some() || may_jump && near_wall(body, intent, loadout, around);
        let jumps = footing::try_jump(body, intent, &tuning.jump, around, report) || intent.has_ordered_jump();
        if jumps && at_wall {
            state.consumed = intent.directions();
        }
        let hook = &mut state.hook;
        if hook.state != HookState::Idle || intent.pressed.has(Action::Hook) {
            let body: &Body = body;
            let owner = HookOwner { body, intent, place: |seconds| place_at(body, intent, loadout, around, seconds) };
            hook.act(&owner, tuning, around, &mut report.details_mut().hook);
        }
        if body.cling.is_some() {
            return Motion::default();
        }
        let hooked = hook.is_attached();
        if let Some(contact) = body.ground {
            let walk = walk(body, contact, side, loadout, around);
            if !hook.is_on_terrain() {
                return walk;
            }
            // Gravity acts on a hooked body even on the ground, and the rope can lift it off.
            return hang(body, &walk, intent, loadout, around, report.details().hook.since);
        }
        let soft = if hooked { tuning.air_speed_soft_hooked } else { tuning.air_speed_soft };
        let motion = in_the_air(body, (intent, side), loadout, around, soft);
        if hooked && body.jump.rising() && motion.pull != 0.0 {
            let falling = (motion.start.y - motion.velocity.y) / motion.pull;
            report.details_mut().hook.held = (motion.start.y, (around.dt - falling).clamp(0.0, around.dt));
        }
        motion
    }

    #[inline(always)]
    fn travel(
        state: &mut PlatformerState,
        body: &mut Body,
        motion: &Motion,
        step: &Step<PlatformerTuning>,
        report: &mut Report,
    ) {
        let (loadout, context) = (step.loadout, step.context);
        let hooked = state.hook.is_attached();
        if !hooked && rest(body, motion, &loadout.tuning, context) {
            return;
        }
        let steering = PlatformerSteering { state, step, hook_holds: Cell::new(true) };
        if state.hook.is_on_terrain() {
            travel_on_rope(&state.hook, body, motion, step, report, &steering);
        } else {
            travel::travel(body, motion, context, report, &steering);
        }
        if let Some(grasp) = report.grasp_mut() {
            grasp.roof = loadout.is_roof(grasp.normal, context.up());
        }
    }

    fn division(state: &PlatformerState, body: &Body, context: &MoveContext) -> Division {
        if state.hook.is_attached() {
            // The rope has changed the motion of the whole tick.
            return Division::Whole;
        }
        Division::of_walker(body, context)
    }

    fn sees_turns(state: &PlatformerState, intent: &Intent) -> bool {
        // A hook flies, and a rope pulls, through the whole tick.
        state.hook.state == HookState::Idle && !intent.pressed.has(Action::Hook)
    }

    fn resume(
        state: &PlatformerState,
        body: &Body,
        step: &Step<PlatformerTuning>,
        around: &Surroundings,
        held: f64,
    ) -> Option<Motion> {
        body.cling
            .is_none()
            .then(|| PlatformerSteering { state, step, hook_holds: Cell::new(true) }.resume(body, around, held))
    }

    fn tread(
        body: &Body,
        contact: Contact,
        intent: &Intent,
        loadout: &Loadout<PlatformerTuning>,
        around: &Surroundings,
    ) -> Option<Tread> {
        let (t, side) = (&loadout.tuning, intent.side());
        let grip = grip_of(contact, t, around);
        let (push, brake) = (t.run_accel * grip, t.ground_decel * grip);
        // On slippery ground no speed is reached at once.
        let start = |least: f64| if grip < 1.0 { 0.0 } else { least };
        let (run, walk) = (start(t.run_speed_min), start(t.walk_speed_min));
        Some(match side {
            0.0 => Tread { side: 1.0, start: 0.0, most: 0.0, push, over: brake, brake },
            _ if side == body.facing => {
                Tread { side, start: run, most: t.run_speed_max.max(run), push, over: 0.0, brake }
            }
            _ => Tread { side, start: walk, most: t.walk_speed_min, push, over: brake, brake },
        })
    }

    fn rest_query(loadout: &Loadout<PlatformerTuning>, up: f64) -> Option<RestQuery<'_>> {
        Some(RestQuery { rule: loadout.footing.rule_for(up), ..loadout.rest_query() })
    }

    fn mode(state: &PlatformerState, body: &Body) -> Mode {
        match body.cling {
            Some(_) if state.roof => Mode::Roof,
            Some(_) => Mode::Wall,
            None if body.ground.is_some() => Mode::Ground,
            None => Mode::Air,
        }
    }

    fn check(state: &PlatformerState, _loadout: &Loadout<PlatformerTuning>, saved: &SavedContext) -> Checked {
        state.consumed.check("consumed")?;
        state.hook.check(saved).within("hook")
    }

    fn digest(state: &PlatformerState, digest: &mut Digest) {
        digest.word(state.consumed.bits().into());
        state.hook.digest(digest);
    }

    const HOOKED: Option<&'static dyn Hooked<PlatformerState, PlatformerTuning>> = Some(&Self);
    const CLIMBING: Option<&'static dyn Climbing<PlatformerState, PlatformerTuning>> = Some(&Self);
}

/// What a platformer's keys do in the rest of a tick, after it has met something.
pub struct PlatformerSteering<'a> {
    state: &'a PlatformerState,
    step: &'a Step<'a, PlatformerTuning>,
    /// Whether its hook, if it is attached in this tick, already is.
    pub hook_holds: Cell<bool>,
}

impl Steering for PlatformerSteering<'_> {
    fn may_grab(&self, hit: &Hit, at: DVec2, context: &MoveContext) -> bool {
        let hook = Some(&self.state.hook).filter(|_| self.hook_holds.get());
        may_grab((self.state, hook), self.step, hit, at, context)
    }

    fn resumes(&self) -> bool {
        // A rope has changed the motion of the whole tick.
        !self.state.hook.is_attached()
    }

    fn leads_away(&self, normal: DVec2) -> bool {
        self.step.intent.side() * normal.x > 0.0
    }

    #[cold]
    fn stops(&self, body: &Body, contact: Contact, around: &Surroundings) -> Option<f64> {
        let tuning = &self.step.loadout.tuning;
        let brakes = tuning.ground_decel * grip_of(contact, tuning, around);
        let seconds = body.vel.dot(contact.tangent()).abs() / brakes;
        (seconds < around.dt).then_some(seconds)
    }

    #[cold]
    fn resume(&self, body: &Body, around: &Surroundings, held: f64) -> Motion {
        let Step { intent, loadout, .. } = self.step;
        let tuning = &loadout.tuning;
        if let Some(contact) = body.ground {
            return match body.jump.stays_buffered(&body.windows, &tuning.jump, around) {
                // It jumps off at once, before its keys could change its speed.
                true => Motion::steady(body.vel, around.dt),
                false => walk(body, contact, intent.side(), loadout, around),
            };
        }
        let soft = tuning.air_speed_soft;
        let x = air_drift(body.vel.x, intent.side(), soft, tuning, around.dt);
        let y = falling(body, &loadout.footing, around, held);
        air_motion(body, [x, y], loadout, around)
    }
}

/// The motion of a standing body. `side` is the held direction key.
#[inline(always)]
fn walk(
    body: &Body,
    contact: Contact,
    side: f64,
    loadout: &Loadout<PlatformerTuning>,
    around: &Surroundings,
) -> Motion {
    let (tuning, tangent) = (&loadout.tuning, contact.tangent());
    let speed = body.vel.dot(tangent);
    // A body that stands still has no use for grip.
    let still = speed == 0.0 && side == 0.0;
    let grip = if still { 1.0 } else { grip_of(contact, tuning, around) };
    let mut along = stride(speed, side, body.facing, grip, tuning, around.dt);
    if around.level.terrain.is_mixed()
        && may_leave(body, contact, along.distance, loadout, around)
        && let Some(changed) = over_a_border(body, contact, (along.distance, side), loadout, around)
    {
        along = changed;
    }
    Motion {
        start: body.vel,
        pull: 0.0,
        displacement: tangent * along.distance,
        velocity: tangent * along.velocity,
        ..Motion::default()
    }
}

/// The grip of the ground at a contact, for a body with this tuning.
fn grip_of(contact: Contact, tuning: &PlatformerTuning, around: &Surroundings) -> f64 {
    around.surface(around.surface_of(contact.feature)).grip.max(tuning.least_grip)
}

/// Whether a body that walks by `distance` may get off the face that it stands on. Cheap, and true a little too often:
/// the point of contact lies below the center only on level ground, so the longer half of the body is added on both
/// sides.
#[inline]
fn may_leave(
    body: &Body,
    contact: Contact,
    distance: f64,
    loadout: &Loadout<PlatformerTuning>,
    around: &Surroundings,
) -> bool {
    if distance == 0.0 {
        return false;
    }
    let Feature::Face(edge) = contact.feature else {
        return true;
    };
    let face = around.scenery().face(edge);
    let place = face.along.dot(body.pos - face.start);
    let reach = distance.abs() + loadout.shape.half.max_element();
    place < reach || place + reach > face.length
}

/// The motion along the ground of a body that reaches ground with another grip, where the grip under it would take it
/// by `distance`. It has the grip of each ground for as long as it is there.
#[cold]
fn over_a_border(
    body: &Body,
    contact: Contact,
    (distance, side): (f64, f64),
    loadout: &Loadout<PlatformerTuning>,
    around: &Surroundings,
) -> Option<Stretch> {
    // A zone's surface covers all ground in it.
    if around.air.surface.is_some() {
        return None;
    }
    let tuning = &loadout.tuning;
    let grip = grip_of(contact, tuning, around);
    let reach = loadout.footing.rule.adherence.max(loadout.footing.rule.step) + TOUCH;
    let area = Bounds::of(body.pos, body.pos).grown(loadout.shape.half + DVec2::splat(distance.abs() + reach));
    let other = |surface| around.surface(surface).grip.max(tuning.least_grip) != grip;
    if !around.scenery().has_ground(&area, other) {
        return None;
    }
    let (border, next) = other_grip(body, contact, distance, loadout, around)?;
    let speed = body.vel.dot(contact.tangent());
    let stride = |speed, grip, dt| stride(speed, side, body.facing, grip, tuning, dt);
    let time = halve(0.0, around.dt, |time| stride(speed, grip, time).distance.abs() < border);
    let before = stride(speed, grip, time);
    let after = stride(before.velocity, next, around.dt - time);
    Some(Stretch { distance: before.distance + after.distance, ..after })
}

/// How far a body that walks by `distance` gets until the ground has another grip, px, and that grip.
fn other_grip(
    body: &Body,
    contact: Contact,
    distance: f64,
    loadout: &Loadout<PlatformerTuning>,
    around: &Surroundings,
) -> Option<(f64, f64)> {
    let (scenery, rule) = (&around.scenery(), loadout.footing.rule_for(body.up()));
    let at = |share: f64| {
        let walked = level::walk(scenery, loadout.shape, body.pos, contact, distance * share, rule);
        grip_of(walked.contact, &loadout.tuning, around)
    };
    let (here, there) = (grip_of(contact, &loadout.tuning, around), at(1.0));
    (here != there).then(|| (distance.abs() * halve(0.0, 1.0, |share| at(share) == here), there))
}

/// The motion of a hooked body that walks: as if there were no ground from time `since` on.
fn hang(
    body: &mut Body,
    walk: &Motion,
    intent: &Intent,
    loadout: &Loadout<PlatformerTuning>,
    around: &Surroundings,
    since: f64,
) -> Motion {
    let after = Surroundings { dt: around.dt - since, ..*around };
    let jump = &loadout.tuning.jump;
    let (_, fall) = footing::jump_and_fall(body, walk.velocity.y, intent, jump, &loadout.footing, &after);
    Motion {
        start: walk.velocity,
        pull: loadout.footing.gravity_scale * around.gravity,
        displacement: DVec2::new(walk.displacement.x, fall.distance + walk.velocity.y * since),
        velocity: DVec2::new(walk.velocity.x, fall.velocity),
        ..*walk
    }
}

/// The motion of a body in the air; keys add speed up to the `soft` limit.
#[inline(always)]
fn in_the_air(
    body: &mut Body,
    (intent, side): (&Intent, f64),
    loadout: &Loadout<PlatformerTuning>,
    around: &Surroundings,
    soft: f64,
) -> Motion {
    let tuning = &loadout.tuning;
    let x = air_drift(body.vel.x, side, soft, tuning, around.dt);
    let y = footing::rise_and_fall(body, intent, &tuning.jump, &loadout.footing, around);
    air_motion(body, [x, y], loadout, around)
}

/// The motion of a body in the air that moves this way along each axis.
#[inline]
fn air_motion(body: &Body, [x, y]: [Stretch; 2], loadout: &Loadout<PlatformerTuning>, around: &Surroundings) -> Motion {
    Motion {
        start: body.vel,
        pull: loadout.footing.gravity_scale * around.gravity,
        displacement: DVec2::new(x.distance, y.distance),
        velocity: DVec2::new(x.velocity, y.velocity),
        ..Motion::default()
    }
}

/// Where a body is after this many seconds of a tick, if no rope holds it.
#[cold]
fn place_at(
    body: &Body,
    intent: &Intent,
    loadout: &Loadout<PlatformerTuning>,
    around: &Surroundings,
    seconds: f64,
) -> DVec2 {
    if body.cling.is_some() || seconds <= 0.0 {
        return body.pos;
    }
    let part = Surroundings { dt: seconds, ..*around };
    let motion = match body.ground {
        Some(contact) => walk(body, contact, intent.side(), loadout, &part),
        None => {
            let soft = loadout.tuning.air_speed_soft;
            in_the_air(&mut body.clone(), (intent, intent.side()), loadout, &part, soft)
        }
    };
    let drift = around.drift(body.external, None).0 * (seconds / around.dt);
    let scenery = around.scenery().dropping(intent.drops());
    let by = motion.displacement + drift;
    slide(&scenery, loadout.shape, body.pos, by, |_, _| false).pos
}

/// Lets go of a wall or roof while Down or the key away from it is held. `fresh` is the input
/// without consumed keys.
fn let_go(
    fresh: &Intent,
    body: &mut Body,
    loadout: &Loadout<PlatformerTuning>,
    around: &Surroundings,
    report: &mut Report,
) {
    let Some(cling) = body.cling else { return };
    let side = fresh.side();
    let (normal, tolerance) = (cling.normal, loadout.steepest_grab());
    // No key lets go of a roof that is as close to level as a wall may be to vertical.
    let level = normal.x.abs() <= tolerance && loadout.is_roof(normal, body.up());
    let away = side != 0.0 && !level && side == normal.x.signum();
    if away || fresh.down() {
        footing::take_off(body, around, report);
        body.cling = None;
        body.jump.leave_ground(around.now);
        report.dropped = true;
    }
}

/// Whether the body stands right in front of a wall while the key toward it is held. If it jumps
/// from there, that key must not grab the wall at once.
fn near_wall(body: &Body, intent: &Intent, loadout: &Loadout<PlatformerTuning>, around: &Surroundings) -> bool {
    let side = intent.side();
    if side == 0.0 {
        return false;
    }
    let reach = DVec2::new(side * loadout.footing.rule.probe, 0.0);
    let hit = around.scenery().sweep(loadout.shape, body.pos, reach);
    hit.is_some_and(|hit| hit.normal.y.abs() <= loadout.steepest_grab())
}

/// Faces the side of the aim, or without one the direction of the last direction key.
fn face(body: &mut Body, intent: &Intent, side: f64) {
    let wanted = intent.aim.map_or(side, |aim| aim.x - body.pos.x);
    if wanted != 0.0 {
        body.facing = 1.0_f64.copysign(wanted);
    }
}

/// Motion along the ground. `speed` is positive toward +x, and `side` is the held direction key.
#[inline]
pub fn stride(speed: f64, side: f64, facing: f64, grip: f64, t: &PlatformerTuning, dt: f64) -> Stretch {
    let (accel, decel) = (t.run_accel * grip, t.ground_decel * grip);
    if side == 0.0 {
        return approach(speed, 0.0, decel, dt);
    }
    // From here on, positive is the direction of the key.
    let forward = speed * side;
    let (braking, dt) = if forward < 0.0 {
        let brake = reach(forward, 0.0, decel, dt);
        (brake, brake.left)
    } else {
        (Stretch { distance: 0.0, velocity: forward, left: dt }, dt)
    };
    // On slippery ground no speed is reached at once.
    let begin = |least: f64| if grip < 1.0 { braking.velocity } else { braking.velocity.max(least) };
    let gait = if braking.velocity < 0.0 {
        Stretch { distance: 0.0, velocity: braking.velocity, left: 0.0 }
    } else if side == facing {
        let start = begin(t.run_speed_min);
        approach(start, t.run_speed_max.max(start), accel, dt)
    } else {
        let start = begin(t.walk_speed_min);
        approach(start, t.walk_speed_min, if start < t.walk_speed_min { accel } else { decel }, dt)
    };
    Stretch { distance: (braking.distance + gait.distance) * side, velocity: gait.velocity * side, left: 0.0 }
}

/// Horizontal motion in the air: a key adds speed up to the `soft` limit.
pub fn air_drift(speed: f64, side: f64, soft: f64, t: &PlatformerTuning, dt: f64) -> Stretch {
    if side == 0.0 {
        return approach(speed, 0.0, t.air_brake, dt);
    }
    let forward = speed * side;
    let push = approach(forward, soft.max(forward), t.air_accel, dt);
    Stretch { distance: push.distance * side, velocity: push.velocity * side, left: 0.0 }
}
