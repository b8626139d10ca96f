//! Standing, walking, falling and landing, for every model that walks in side view.

use super::{
    Body, Intent, JumpTuning, Landing, Motion, Report, Surroundings, jump, motion::Stretch,
};
use crate::geometry::Ellipse;
use crate::level::{Bumps, Contact, GroundRule, slide, walk};
use crate::tuning::{LENGTH, SPEED, range, tunables};
use glam::DVec2;

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
            },
            gravity_scale: tuning.gravity_scale,
            max_fall_speed: tuning.max_fall_speed,
            steepest_climb: libm::sin(steepest),
        }
    }

    /// The least speed, px/s, that throws a standing body off its ground: one that lifts it out of
    /// the probe's reach, `√(2·gravity·ground_probe)`.
    #[must_use]
    pub fn least_throw(&self, gravity: f64) -> f64 {
        (2.0 * gravity * self.gravity_scale * self.rule.probe).sqrt()
    }
}

/// A surface whose normal points down by more than this is a ceiling, which ends a jump's hold;
/// up to it, it is a wall (5.73° from vertical).
const CEILING: f64 = 0.1;

/// Looks for the ground under a body that was placed, or whose terrain changed.
pub fn sense(body: &mut Body, shape: Ellipse, footing: &Footing, around: &Surroundings<'_>) {
    if body.sensed {
        return;
    }
    body.sensed = true;
    body.ground = None;
    if let Some((contact, _)) = ground_below(body, shape, footing, around) {
        stand(body, contact);
        body.jump.land();
        body.surface = Some(around.level.terrain.solid_of(contact.feature).surface);
    }
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

/// Starts a jump if one is wanted and possible; the ground is left at once.
pub fn try_jump(
    body: &mut Body,
    intent: &Intent,
    tuning: &JumpTuning,
    around: &Surroundings<'_>,
    report: &mut Report,
) {
    let (grounded, windows) = (body.ground.is_some(), body.windows);
    if body.jump.start(intent, grounded, &windows, tuning, around) {
        body.ground = None;
        report.jumped = true;
    }
}

/// Moves the body by a model's motion and its external velocity: along the ground while it
/// stands, else freely until it lands.
pub fn travel(
    body: &mut Body,
    motion: &Motion,
    shape: Ellipse,
    footing: &Footing,
    around: &Surroundings<'_>,
    report: &mut Report,
) {
    let displacement = motion.displacement + body.external * around.external_seconds;
    body.vel = motion.velocity;
    body.external *= around.external_kept;
    let rest = match body.ground {
        Some(contact) => go_along(body, contact, displacement, shape, footing, around),
        None => displacement,
    };
    if body.ground.is_none() {
        let left = rest.length() / displacement.length().max(f64::MIN_POSITIVE);
        let flight = Flight { motion, rest, left };
        fly(body, &flight, shape, footing, around, report);
    }
}

/// The part of a tick in which a body flies.
struct Flight<'a> {
    motion: &'a Motion,
    /// What is left of the tick's displacement, px.
    rest: DVec2,
    /// What is left of the tick, as a share.
    left: f64,
}

/// Walks along the ground; returns the displacement that is left when it ended.
fn go_along(
    body: &mut Body,
    contact: Contact,
    displacement: DVec2,
    shape: Ellipse,
    footing: &Footing,
    around: &Surroundings<'_>,
) -> DVec2 {
    let tangent = contact.tangent();
    let distance = displacement.dot(tangent);
    let walked = walk(
        &around.level.terrain,
        shape,
        body.pos,
        contact,
        distance,
        &footing.rule,
    );
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
    }
    walked.rest
}

/// Moves freely; lands on the first walkable surface, unless the body rises in its own jump.
fn fly(
    body: &mut Body,
    flight: &Flight<'_>,
    shape: Ellipse,
    footing: &Footing,
    around: &Surroundings<'_>,
    report: &mut Report,
) {
    let terrain = &around.level.terrain;
    // One that is past the top of its jump when the tick ends may land in it.
    let may_land = !body.jump.rising() || flight.motion.velocity.y <= 0.0;
    let slid = slide(terrain, shape, body.pos, flight.rest, |hit| {
        may_land && footing.rule.walkable(hit.normal)
    });
    body.pos = slid.pos;
    body.vel = slid.bumps.clip(body.vel);
    body.external = slid.bumps.clip(body.external);
    if slid.bumps.iter().any(|hit| hit.normal.y < -CEILING) {
        body.jump.bump_head();
    }
    let Some((hit, share)) = slid.stopped else {
        return;
    };
    let Some(contact) = Contact::of(terrain, &hit, &footing.rule) else {
        return;
    };
    let (gone, velocity) = flight.motion.at_share(share, around.dt);
    body.vel = slid.bumps.clip(velocity);
    land(body, contact, report);
    let rest = (body.vel + body.external) * ((around.dt - gone) * flight.left);
    go_along(body, contact, rest, shape, footing, around);
}

/// Looks for ground under a body in the air and notes what became of one that stood.
pub fn settle(
    body: &mut Body,
    shape: Ellipse,
    footing: &Footing,
    around: &Surroundings<'_>,
    report: &mut Report,
) {
    if body.ground.is_none()
        && !body.jump.rising()
        && let Some((contact, gap)) = ground_below(body, shape, footing, around)
    {
        // The last bit of the fall belongs to this landing, whatever the tick rate.
        let pull = around.gravity * footing.gravity_scale;
        let fallen = -(body.vel.y * body.vel.y + 2.0 * pull * gap).sqrt();
        if body.vel.y <= 0.0 && body.vel.y > -footing.max_fall_speed {
            body.vel.y = fallen.max(-footing.max_fall_speed);
        }
        land(body, contact, report);
    }
    match body.ground {
        Some(contact) => {
            let under = around.level.terrain.solid_of(contact.feature).surface;
            if body.surface != Some(under) {
                report.new_surface = Some(body.surface);
                body.surface = Some(under);
            }
        }
        None if report.stood => {
            report.left_ground = true;
            if !report.jumped {
                body.jump.leave_ground(around.now + 1);
            }
        }
        None => {}
    }
}

/// Walkable ground within the probe, if the body does not move away from it, and how far below the
/// body it was, px. Moves the body down onto it.
fn ground_below(
    body: &mut Body,
    shape: Ellipse,
    footing: &Footing,
    around: &Surroundings<'_>,
) -> Option<(Contact, f64)> {
    let velocity = body.vel + body.external;
    let reach = footing.rule.probe + crate::geometry::TOUCH;
    let terrain = &around.level.terrain;
    let hit = terrain.probe(shape, body.pos, reach)?;
    let contact = Contact::of(terrain, &hit, &footing.rule)?;
    let into = -velocity.dot(contact.normal);
    if into < -1e-6 {
        return None;
    }
    let gap = reach * hit.time;
    body.pos.y -= gap;
    body.pos.y = contact.resting_height(terrain, shape, body.pos);
    Some((contact, gap))
}

/// Takes the landing's speed out of the body and lets it stand.
fn land(body: &mut Body, contact: Contact, report: &mut Report) {
    let speed = -(body.vel + body.external).dot(contact.normal);
    report.landed = Some(Landing {
        contact,
        speed: speed.max(0.0),
    });
    let tangent = contact.tangent();
    body.vel = tangent * body.vel.dot(tangent);
    // What held the body up while it came down is used up, too.
    body.external = tangent * body.external.dot(tangent);
    body.jump.land();
    stand(body, contact);
}

/// Lets the body stand on `contact`, which holds what pushes into it.
fn stand(body: &mut Body, contact: Contact) {
    let into = body.external.dot(contact.normal);
    if into < 0.0 {
        body.external -= contact.normal * into;
    }
    body.ground = Some(contact);
}
