//! Moves a body through a tick: along the ground while it stands, else through the air until it
//! lands.

use super::footing::{note_one_way, stand};
use super::steering::along_slope;
use super::*;
use crate::level::walk;

/// Moves the body by a model's motion and its external velocity. In the air, the motion stops at a
/// hit that the body [may grab](Steering::may_grab). The hit is then stored in [`ReportDetails::grasp`](super::ReportDetails::grasp),
/// and [`grab`] or [`pass`] has to end the motion.
pub fn travel(body: &mut Body, motion: &Motion, context: &MoveContext, report: &mut Report, steering: &impl Steering) {
    let around = context.around;
    let tangent = body.ground.map(|contact| contact.tangent());
    let (drift, external) = around.drift(body.external, tangent);
    let mut displacement = motion.displacement + drift;
    if body.ground.is_some() {
        displacement += around.air.conveyor * around.dt;
    }
    body.vel = motion.velocity;
    body.external = external;
    if body.cling.is_some() {
        return;
    }
    let rest = match body.ground {
        Some(contact) => go_along(body, contact, displacement, context),
        None => displacement,
    };
    if body.ground.is_none() {
        let left = if rest == displacement {
            1.0
        } else {
            rest.length() / displacement.length().max(f64::MIN_POSITIVE)
        };
        let free = FreeMotion { motion, rest, left };
        fly(body, &free, context, report, steering);
    }
}

/// Grabs the surface that a motion stopped at.
pub fn grab(body: &mut Body, grasp: &Grasp, report: &mut Report) {
    if !body.sensed {
        // A script has teleported the body while its rule was asked.
        return;
    }
    body.cling = Some(Cling { feature: grasp.feature, normal: grasp.normal });
    body.vel = DVec2::ZERO;
    body.external = DVec2::ZERO;
    body.jump.land();
    report.grabbed = true;
}

/// Continues a motion along a surface that is not grabbed.
pub fn pass(body: &mut Body, motion: &Motion, grasp: &Grasp, context: &MoveContext, report: &mut Report) {
    if !body.sensed {
        // A script has teleported the body while its rule was asked.
        return;
    }
    let free = FreeMotion { motion, rest: grasp.rest, left: grasp.left };
    fly(body, &free, context, report, &Unsteered);
}

/// Walks along the ground. Returns the displacement that remains where the ground ended.
fn go_along(body: &mut Body, contact: Contact, displacement: DVec2, context: &MoveContext) -> DVec2 {
    let tangent = contact.tangent();
    let distance = displacement.dot(tangent);
    let rule = context.rule();
    let walked = walk(&context.scenery(), context.shape, body.pos, contact, distance, rule);
    let mut speed = body.vel.dot(tangent);
    if let Some(hit) = walked.blocked {
        let mut bump = Bumps::default();
        bump.push(hit);
        body.external = bump.clip(body.external);
        if (tangent * speed).dot(hit.normal) < 0.0 {
            speed = 0.0;
        }
    }
    body.pos = walked.pos;
    body.vel = walked.contact.tangent() * speed;
    if walked.standing {
        stand(body, walked.contact);
    } else {
        body.ground = None;
        note_one_way(body, walked.contact, context);
    }
    walked.rest
}

/// Surfaces that lean less than this against gravity (as a cosine) do not bear a sliding body.
const LEVEL: f64 = 1e-9;

/// A body slides down at most this many steep surfaces in one tick. What is left of the tick then
/// keeps its velocity.
const MOST_SLOPES: u32 = 8;

/// What a flight has met so far in this tick.
struct Descent<'s, S> {
    steering: &'s S,
    pit: Pit,
    /// The surfaces that have deflected it in earlier parts.
    bumps: Option<Bumps>,
    /// The number of slopes that it has come to.
    slopes: u32,
    /// The velocity with which it came to the first of them, px/s.
    arrival: Option<DVec2>,
    /// The share of the tick that its current part began with.
    left: f64,
}

impl<'s, S: Steering> Descent<'s, S> {
    fn new(steering: &'s S) -> Self {
        Self { steering, pit: Pit::default(), bumps: None, slopes: 0, arrival: None, left: 1.0 }
    }
}

/// Where a part of a flight stopped.
struct Stop {
    slid: Slide,
    hit: Hit,
    /// The fraction of the part that was completed by then.
    share: f64,
}

/// Moves through the air, and lands on the first walkable surface, or where the body gets stuck
/// between steep ones, unless it rises in its jump.
fn fly(body: &mut Body, free: &FreeMotion, context: &MoveContext, report: &mut Report, steering: &impl Steering) {
    if context.footing.corner_correction > 0.0 && free.rest.y * context.up() > 0.0 {
        pass_corner(body, free.rest, context);
    }
    let mut descent = Descent::new(steering);
    fly_part(body, free, context, report, &mut descent);
}

/// Flies until the motion ends or something stops it.
fn fly_part<S: Steering>(
    body: &mut Body,
    free: &FreeMotion,
    context: &MoveContext,
    report: &mut Report,
    descent: &mut Descent<'_, S>,
) {
    let steering = descent.steering;
    let (scenery, rule) = (&context.scenery(), context.rule());
    let (up, meets) = (rule.up, report.meets);
    // A body that passes the top of its jump in this tick may land in it.
    let may_land = !body.jump.rising() || free.motion.velocity.y * up <= 0.0;
    let slides = may_land && steering.resumes() && descent.slopes < MOST_SLOPES;
    let mut steep = false;
    let pit = &mut descent.pit;
    let slid = meeting::slide(body.pos, free, meets, context, |hit, at| {
        if rule.walkable(hit.normal) {
            return may_land || meets && scenery.step_under(hit.feature).y * up > 0.0;
        }
        if steering.may_grab(hit, at, context) || may_land && pit.holds(hit, at, context) {
            return true;
        }
        steep = slides && hit.normal.y * up > LEVEL;
        steep
    });
    body.pos = slid.pos;
    meeting::deflect(body, &slid.bumps, free, meets, context);
    if slid.bumps.iter().any(|hit| hit.normal.y * up < -CEILING) {
        body.jump.bump_head();
    }
    let Some((hit, share)) = slid.stopped else {
        return;
    };
    if steep {
        slide_down(body, free, &Stop { slid, hit, share }, context, report, descent);
        return;
    }
    // It lands, or may grab something.
    let around = context.around;
    let pit = &descent.pit;
    if let Some((at, contact)) = pit.bottom {
        let (_, velocity) = free.motion.at_share(share, around.dt);
        let sudden = pit.entry.is_some_and(|entry| entry.distance(at) < SUDDEN);
        // Where both sides stop the body at once, it lands with all of its speed.
        let clipped = slid.bumps.clip_at(velocity, around.hz);
        let arrival = descent.arrival.unwrap_or(velocity);
        body.vel = if sudden { arrival } else { clipped };
        body.pos = at;
        land(body, contact, context, report);
        (body.vel, body.external) = (DVec2::ZERO, DVec2::ZERO);
        return;
    }
    let later = free.left * (1.0 - share);
    let carry = meeting::carried(&hit, later, meets, context);
    if !rule.walkable(hit.normal) {
        let rest = free.rest * (1.0 - share);
        report.details_mut().grasp = Some(Grasp {
            feature: hit.feature,
            normal: hit.normal,
            roof: false,
            rest: slid.bumps.clip_at(rest, later * around.dt * around.hz),
            left: descent.left * later,
            carry,
        });
        return;
    }
    let Some(contact) = Contact::of(scenery, &hit, rule) else {
        return;
    };
    let (elapsed, velocity) = free.motion.at_share(share, around.dt);
    body.vel = slid.bumps.clip_at(velocity, around.hz);
    report.details_mut().bend = Some(body.pos);
    meeting::board(body, &hit, carry, context);
    land(body, contact, context, report);
    let part = around.lasting((around.dt - elapsed) * free.left);
    let motion = if steering.resumes() {
        steering.resume(body, &part)
    } else {
        Motion::steady(body.vel, part.dt)
    };
    body.vel = motion.velocity;
    let rest = motion.displacement + body.external * part.dt;
    let context = &MoveContext { around: &part, ..*context };
    go_along(body, contact, rest, context);
}

/// Continues a flight that has come to a slope too steep to stand on: from the velocity that the
/// body has there, gravity and its keys speed it up along the slope for the rest of the tick.
#[cold]
fn slide_down<S: Steering>(
    body: &mut Body,
    free: &FreeMotion,
    stop: &Stop,
    context: &MoveContext,
    report: &mut Report,
    descent: &mut Descent<'_, S>,
) {
    let Stop { slid, hit, share } = stop;
    let (share, steering) = (*share, descent.steering);
    let around = context.around;
    let (elapsed, velocity) = free.motion.at_share(share, around.dt);
    let mut bumps = descent.bumps.unwrap_or_default();
    slid.bumps.iter().for_each(|bump| bumps.push(*bump));
    bumps.push(*hit);
    body.vel = bumps.clip(velocity);
    body.external = bumps.clip(body.external);
    let part = around.lasting(around.dt - elapsed);
    if part.dt <= 0.0 {
        return;
    }
    let motion = along_slope(&steering.resume(body, &part), hit.normal, context, part.dt);
    body.vel = motion.velocity;
    let rest =
        FreeMotion { motion: &motion, rest: bumps.clip(motion.displacement + body.external * part.dt), left: 1.0 };
    descent.bumps = Some(bumps);
    descent.arrival = descent.arrival.or(Some(velocity));
    descent.slopes += 1;
    descent.left *= free.left * (part.dt / around.dt);
    let context = &MoveContext { around: &part, ..*context };
    fly_part(body, &rest, context, report, descent);
}

/// Step size when looking for a way around a corner, px.
const ASIDE: f64 = 0.5;

/// Moves a body aside that would bump into the end of a ceiling, if that lets it pass.
pub fn pass_corner(body: &mut Body, rest: DVec2, context: &MoveContext) {
    let MoveContext { shape, footing, .. } = context;
    let (scenery, up) = (context.scenery(), context.up());
    let hit = scenery.sweep(*shape, body.pos, rest);
    if !hit.is_some_and(|hit| hit.normal.y * up < -CEILING) {
        return;
    }
    // The whole body has to get past, in this tick or a later one.
    let past = DVec2::new(rest.x, (rest.y * up).max(2.0 * shape.half.y) * up);
    let steps = (footing.corner_correction / ASIDE).floor() as u32;
    for step in 1..=steps {
        // Tries the direction of motion first.
        for side in [1.0, -1.0] {
            let ahead = if rest.x < 0.0 { -side } else { side };
            let aside = DVec2::new(ahead * ASIDE * f64::from(step), 0.0);
            let free = scenery.sweep(*shape, body.pos, aside).is_none();
            if free && scenery.sweep(*shape, body.pos + aside, past).is_none() {
                body.pos += aside;
                return;
            }
        }
    }
}

/// A body that slides less than this between the sides of a pit is stopped by both at once, px.
pub const SUDDEN: f64 = 0.01;

/// The steep surfaces that a motion has touched so far, which may end up holding the body.
#[derive(Default)]
pub struct Pit {
    /// The side of the first one, 1 or −1, and where the body touched it.
    side: f64,
    pub entry: Option<DVec2>,
    /// Where the body is stuck, and its contact there.
    pub bottom: Option<(DVec2, Contact)>,
}

impl Pit {
    /// Whether the body, with its center `at`, is stuck between what it hit and an earlier surface.
    pub fn holds(&mut self, hit: &Hit, at: DVec2, context: &MoveContext) -> bool {
        if self.entry.is_none() {
            (self.side, self.entry) = (hit.normal.x.signum(), Some(at));
            return false;
        }
        if hit.normal.x * self.side >= 0.0 {
            return false;
        }
        let rule = context.rule();
        let reach = rule.probe + TOUCH;
        let wedge = context.scenery().wedge(context.shape, at, reach, rule);
        self.bottom = wedge.filter(|(_, contact)| contact.is_wedged());
        self.bottom.is_some()
    }
}
