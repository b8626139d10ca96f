//! Standing, falling and landing, for every model that walks in side view.

use super::{
    Action, Body, Cling, Intent, JumpTuning, Landing, Report, Support, Surroundings, jump,
    motion::Stretch,
};
use crate::geometry::{Ellipse, TOUCH};
use crate::level::{Contact, GroundRule, Scenery};
use crate::tuning::{LENGTH, SPEED, range, tunables};

tunables! {
    /// What every walking model tunes about the ground.
    pub struct FootingTuning {
        /// Factor on gravity for this model. 0 floats, above 1 falls harder.
        gravity_scale: f64 = 1.0, "", range(0.0, 100.0);
        /// Fastest fall that gravity alone leads to.
        max_fall_speed: f64 = 700.0, "px/s", SPEED;
        /// How far below the body the ground is looked for. Much larger and bodies land in mid-air;
        /// 0 and they stand only where they touch.
        ground_probe: f64 = 0.5, "px", LENGTH;
        /// How far down a walking body follows ground that falls away. 0 makes it fly off every
        /// bump and lose the ability to jump there.
        ground_adherence: f64 = 20.0, "px", LENGTH;
        /// How high a step is walked up. 0 stops at every step too steep to round; more than a few px
        /// looks like climbing.
        step_height: f64 = 0.0, "px", LENGTH;
        /// How far a body that rises into the end of a ceiling is moved aside to pass it. 0 lets
        /// every clip of a corner end a jump; more than a few px shows.
        corner_correction: f64 = 0.0, "px", LENGTH;
        /// Steepest slope that can be stood and walked on.
        max_slope_deg: f64 = 45.0, "°", range(0.0, 89.0);
    }
}

/// What follows from [`FootingTuning`], computed once.
#[derive(Clone, Debug, PartialEq)]
pub struct Footing {
    /// What counts as ground.
    pub rule: GroundRule,
    /// Factor on gravity.
    pub gravity_scale: f64,
    /// Fastest fall, px/s.
    pub max_fall_speed: f64,
    /// Sine of the steepest walkable slope.
    pub steepest_climb: f64,
    /// How far a rising body is moved aside to pass a corner, px.
    pub corner_correction: f64,
}

impl Footing {
    /// Computes it.
    #[must_use]
    pub fn new(tuning: &FootingTuning) -> Self {
        let steepest = tuning.max_slope_deg * std::f64::consts::PI / 180.0;
        Self {
            rule: GroundRule {
                least_up: libm::cos(steepest),
                probe: tuning.ground_probe,
                adherence: tuning.ground_adherence,
                step: tuning.step_height,
            },
            gravity_scale: tuning.gravity_scale,
            max_fall_speed: tuning.max_fall_speed,
            steepest_climb: libm::sin(steepest),
            corner_correction: tuning.corner_correction,
        }
    }

    /// The least speed, px/s, that throws a standing body off its ground: one that lifts it out of
    /// the probe's reach, `√(2·gravity·ground_probe)`.
    #[must_use]
    pub fn least_throw(&self, gravity: f64) -> f64 {
        (2.0 * gravity * self.gravity_scale * self.rule.probe)
            .max(0.0)
            .sqrt()
    }
}

/// What a body's motion depends on beside the body itself.
#[derive(Clone, Copy, Debug)]
pub struct MoveContext<'a> {
    /// Its collider.
    pub shape: Ellipse,
    /// How it stands.
    pub footing: &'a Footing,
    /// What holds for everybody.
    pub around: &'a Surroundings<'a>,
    /// The terrain as it meets it: while it holds Down there are no one-way platforms.
    pub scenery: Scenery<'a>,
}

impl<'a> MoveContext<'a> {
    /// For a body of this shape that wants this, where it is.
    #[must_use]
    pub fn new(
        shape: Ellipse,
        footing: &'a Footing,
        around: &'a Surroundings<'a>,
        intent: &Intent,
        body: &Body,
    ) -> Self {
        let scenery = around.scenery_at(body.z);
        Self {
            shape,
            footing,
            around,
            scenery: scenery.dropping(intent.held.has(Action::Down)),
        }
    }
}

/// Finds out what a body stands on or clings to, and whether something throws it off: a push, or an
/// updraft that is stronger than gravity.
pub fn feel(body: &mut Body, context: &MoveContext<'_>, pushed: bool, report: &mut Report) {
    // Who has been told to jump leaves the ground, however new it is to them.
    body.sensed |= report.jumped;
    report.stood |= body.ground.is_some();
    let (held, flew) = (body.cling.is_some(), body.ground.is_none());
    sense(body, context);
    report.dropped |= held && body.cling.is_none();
    if let Some(contact) = body.ground.filter(|_| flew) {
        report.landed = Some(Landing {
            on: Support::Feature(contact.feature),
            normal: contact.normal,
            speed: 0.0,
        });
    }
    report.stood |= body.ground.is_some();
    let around = context.around;
    if pushed {
        let least = context.footing.least_throw(around.gravity);
        body.lift_off(least, around.now);
    }
    let Some(contact) = body.ground else { return };
    let weight = around.gravity * context.footing.gravity_scale * contact.normal.y;
    if around.air.external_accel.dot(contact.normal) > weight {
        body.ground = None;
        body.jump.leave_ground(around.now);
        return;
    }
    report.carried += around.air.conveyor;
}

/// Looks for the ground under a body that was placed, or whose terrain changed. One that stands on
/// a one-way platform and drops through it stands no more.
pub fn sense(body: &mut Body, context: &MoveContext<'_>) {
    if body.sensed {
        let through = |c: Contact| !context.scenery.is_there(c.feature);
        if body.ground.is_some_and(through) {
            body.ground = None;
        }
        return;
    }
    body.sensed = true;
    let stood = body.ground.take().is_some();
    if let Some(hold) = body.cling {
        body.cling = still_there(body, &hold, context);
        if body.cling.is_some() {
            return;
        }
        body.jump.leave_ground(context.around.now);
    }
    if let Some((contact, _)) = ground_below(body, context) {
        stand(body, contact);
        body.jump.land();
        body.surface = Some(context.around.surface_of(contact.feature));
    } else if stood {
        body.jump.leave_ground(context.around.now);
    }
}

/// What a body clings to, after it or its hold has been moved.
pub(super) fn still_there(body: &Body, hold: &Cling, context: &MoveContext<'_>) -> Option<Cling> {
    let reach = hold.normal * -(context.footing.rule.probe + TOUCH);
    let hit = context.scenery.sweep(context.shape, body.pos, reach)?;
    (hit.normal.dot(hold.normal) > 0.9).then_some(Cling {
        feature: hit.feature,
        normal: hit.normal,
    })
}

/// Vertical motion of a tick in the air: the jump's hold, then gravity.
pub fn rise_and_fall(
    body: &mut Body,
    intent: &Intent,
    tuning: &JumpTuning,
    footing: &Footing,
    around: &Surroundings<'_>,
) -> Stretch {
    let windows = body.windows;
    let (speed, held) = body.jump.hold(body.vel.y, intent, &windows, tuning, around);
    body.vel.y = speed;
    let gravity = around.gravity * footing.gravity_scale;
    jump::fall(speed, held, gravity, footing.max_fall_speed, around.dt)
}

/// Starts a jump if one is wanted and possible, from ground, wall or roof, which is left at once.
pub fn try_jump(
    body: &mut Body,
    intent: &Intent,
    tuning: &JumpTuning,
    around: &Surroundings<'_>,
    report: &mut Report,
) -> bool {
    let windows = body.windows;
    let supported = body.stands() || body.cling.is_some();
    let jumps = body.jump.start(intent, supported, &windows, tuning, around);
    if jumps {
        body.ground = None;
        body.floor = None;
        report.dropped |= body.cling.take().is_some();
        report.jumped = true;
    }
    jumps
}

/// Looks for ground under a body in the air and notes what became of one that stood.
pub fn settle(body: &mut Body, context: &MoveContext<'_>, report: &mut Report) {
    if body.ground.is_none()
        && body.cling.is_none()
        && !body.jump.rising()
        && let Some((contact, gap)) = ground_below(body, context)
    {
        // The last bit of the fall belongs to this landing, whatever the tick rate.
        let pull = context.around.gravity * context.footing.gravity_scale;
        let most = context.footing.max_fall_speed;
        let fallen = -(body.vel.y * body.vel.y + 2.0 * pull * gap).max(0.0).sqrt();
        if body.vel.y <= 0.0 && body.vel.y > -most {
            body.vel.y = fallen.max(-most);
        }
        land(body, contact, context, report);
    }
    match body.ground {
        Some(contact) => {
            let under = context.around.surface_of(contact.feature);
            if body.surface != Some(under) {
                report.new_surface = Some(body.surface);
                body.surface = Some(under);
            }
        }
        None => {
            if body.cling.is_none() {
                // What carried the body goes on to carry it for a while.
                body.external += report.carried;
            }
            report.left_ground = report.stood;
            if report.stood && !report.jumped && body.cling.is_none() {
                body.jump.leave_ground(context.around.now + 1);
            }
        }
    }
}

/// Walkable ground within the probe, if the body does not move away from it, and how far below the
/// body it was, px. Moves the body down onto it.
fn ground_below(body: &mut Body, context: &MoveContext<'_>) -> Option<(Contact, f64)> {
    let reach = context.footing.rule.probe + TOUCH;
    let scenery = &context.scenery;
    let hit = scenery.probe(context.shape, body.pos, reach)?;
    let contact = Contact::of(scenery, &hit, &context.footing.rule)?;
    let ground = context.around.carrier_velocity(contact.feature);
    let into = -(body.vel + body.external - ground).dot(contact.normal);
    if into < -1e-6 {
        return None;
    }
    let gap = reach * hit.time;
    body.pos.y -= gap;
    body.pos.y = contact.resting_height(scenery, context.shape, body.pos);
    Some((contact, gap))
}

/// Takes the landing's speed out of the body and lets it stand.
pub(super) fn land(
    body: &mut Body,
    contact: Contact,
    context: &MoveContext<'_>,
    report: &mut Report,
) {
    let ground = context.around.carrier_velocity(contact.feature);
    let speed = -(body.vel + body.external - ground).dot(contact.normal);
    // Who stood when the tick began has not come down: a rope can pull on those who stand.
    if !report.stood {
        report.landed = Some(Landing {
            on: Support::Feature(contact.feature),
            normal: contact.normal,
            speed: speed.max(0.0),
        });
    }
    let tangent = contact.tangent();
    body.vel = tangent * body.vel.dot(tangent);
    // What held the body up while it came down is used up, too, and so is what a platform gave it
    // that carries it again.
    body.external = tangent * body.external.dot(tangent);
    let along = ground.normalize_or_zero();
    let shared = body.external.dot(along).clamp(0.0, ground.length());
    body.external -= along * shared;
    body.jump.land();
    stand(body, contact);
}

/// Lets the body stand on `contact`, which holds what pushes into it.
pub(super) fn stand(body: &mut Body, contact: Contact) {
    let into = body.external.dot(contact.normal);
    if into < 0.0 {
        body.external -= contact.normal * into;
    }
    body.ground = Some(contact);
}
