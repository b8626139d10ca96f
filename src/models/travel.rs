//! The way of a body through a tick: along the ground while it stands, else freely until it lands.

use super::footing::{MoveContext, land, stand};
use super::{Body, Cling, Grasp, Motion, ROOF, Report};
use crate::level::{Bumps, Contact, Hit, slide, walk};
use glam::DVec2;

/// Moves the body by a model's motion and its external velocity. A hit in the air, with the center
/// there, that `may_grab` says can be grabbed ends the motion: it is noted in the report and has to
/// be finished.
pub fn travel(
    body: &mut Body,
    motion: &Motion,
    context: &MoveContext<'_>,
    report: &mut Report,
    may_grab: impl Fn(&Hit, DVec2) -> bool,
) {
    let around = context.around;
    let tangent = body.ground.map(|contact| contact.tangent());
    let (blown, external) = around.blow(body.external, tangent);
    let mut displacement = motion.displacement + blown;
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
        let left = rest.length() / displacement.length().max(f64::MIN_POSITIVE);
        fly(
            body,
            &Flight { motion, rest, left },
            context,
            report,
            may_grab,
        );
    }
}

/// Ends a motion that has stopped at something to grab: there if that is `granted`, else along it.
pub fn finish(
    body: &mut Body,
    motion: &Motion,
    grasp: &Grasp,
    granted: bool,
    context: &MoveContext<'_>,
    report: &mut Report,
) {
    if !body.sensed {
        // A script has put it elsewhere while it was asked.
        return;
    }
    if granted {
        body.cling = Some(Cling {
            feature: grasp.feature,
            normal: grasp.normal,
        });
        body.vel = DVec2::ZERO;
        body.external = DVec2::ZERO;
        body.jump.land();
        report.grabbed = true;
        return;
    }
    let flight = Flight {
        motion,
        rest: grasp.rest,
        left: grasp.left,
    };
    fly(body, &flight, context, report, |_, _| false);
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
    context: &MoveContext<'_>,
) -> DVec2 {
    let tangent = contact.tangent();
    let distance = displacement.dot(tangent);
    let rule = &context.footing.rule;
    let walked = walk(
        &context.scenery,
        context.shape,
        body.pos,
        contact,
        distance,
        rule,
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

/// Steps in which a place beside a corner is looked for, px.
const ASIDE: f64 = 0.5;

/// Moves a body aside that would rise into the end of a ceiling, if that lets it pass.
fn pass_corner(body: &mut Body, rest: DVec2, context: &MoveContext<'_>) {
    let MoveContext {
        shape,
        scenery,
        footing,
        ..
    } = context;
    let hit = scenery.sweep(*shape, body.pos, rest);
    if !hit.is_some_and(|hit| hit.normal.y < -ROOF) {
        return;
    }
    // All of the body has to get past, in this tick or a later one.
    let past = DVec2::new(rest.x, rest.y.max(2.0 * shape.half.y));
    let steps = (footing.corner_correction / ASIDE).floor() as u32;
    for step in 1..=steps {
        // First to the side to which it moves.
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

/// Moves freely; lands on the first walkable surface, unless the body rises in its own jump.
fn fly(
    body: &mut Body,
    flight: &Flight<'_>,
    context: &MoveContext<'_>,
    report: &mut Report,
    may_grab: impl Fn(&Hit, DVec2) -> bool,
) {
    let MoveContext {
        shape,
        scenery,
        footing,
        around,
    } = context;
    // One that is past the top of its jump when the tick ends may land in it.
    let may_land = !body.jump.rising() || flight.motion.velocity.y <= 0.0;
    if footing.corner_correction > 0.0 && flight.rest.y > 0.0 {
        pass_corner(body, flight.rest, context);
    }
    let slid = slide(scenery, *shape, body.pos, flight.rest, |hit, at| {
        if footing.rule.walkable(hit.normal) {
            may_land
        } else {
            may_grab(hit, at)
        }
    });
    body.pos = slid.pos;
    body.vel = slid.bumps.clip(body.vel);
    body.external = slid.bumps.clip(body.external);
    if slid.bumps.iter().any(|hit| hit.normal.y < -ROOF) {
        body.jump.bump_head();
    }
    let Some((hit, share)) = slid.stopped else {
        return;
    };
    if !footing.rule.walkable(hit.normal) {
        report.grasp = Some(Grasp {
            feature: hit.feature,
            normal: hit.normal,
            rest: slid.bumps.clip(flight.rest * (1.0 - share)),
            left: flight.left * (1.0 - share),
        });
        return;
    }
    let Some(contact) = Contact::of(scenery, &hit, &footing.rule) else {
        return;
    };
    let (gone, velocity) = flight.motion.at_share(share, around.dt);
    body.vel = slid.bumps.clip(velocity);
    land(body, contact, context, report);
    let rest = (body.vel + body.external) * ((around.dt - gone) * flight.left);
    go_along(body, contact, rest, context);
}
