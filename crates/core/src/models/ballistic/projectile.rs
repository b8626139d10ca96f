//! A flight without a destination: it follows a parabola, slides along walls, and lands.

use super::path::SolidHit;
use super::*;
use crate::models::crossing::halve;
use crate::models::riding::shift;

/// A tick in which it lands is divided into parts whose chords are at most this far from its arc, px.
const BOW: f64 = 1e-4;

/// Maximum number of such parts.
const MOST_PARTS: f64 = 64.0;

/// This tick's motion: free fall in the air, constant velocity on the ground.
pub fn drive(body: &mut Body, loadout: &Loadout<BallisticTuning>, around: &Surroundings) -> Motion {
    // Ends a jump that began in another model, since no key can cut it short here.
    if body.jump.rising() {
        body.jump.bump_head();
    }
    let dt = around.dt;
    let still = Motion { start: body.vel, displacement: body.vel * dt, velocity: body.vel, ..Motion::default() };
    if body.stands() || body.cling.is_some() {
        return still;
    }
    let pull = around.gravity * loadout.footing.gravity_scale;
    let drop = 0.5 * pull * dt * dt;
    match around.level.view {
        View::Side => falling(body.vel, pull, dt),
        View::Top => Motion { rise: body.vel_z * dt - drop, vel_z: body.vel_z - pull * dt, pull, ..still },
    }
}

/// `seconds` of free fall from a velocity, in a side view.
fn falling(start: DVec2, pull: f64, seconds: f64) -> Motion {
    Motion {
        start,
        displacement: start * seconds - DVec2::new(0.0, 0.5 * pull * seconds * seconds),
        velocity: start - DVec2::new(0.0, pull * seconds),
        pull,
        ..Motion::default()
    }
}

/// Moves the projectile. `touching` says whether it touched a wall in the previous tick, and is
/// updated.
pub fn travel(
    body: &mut Body,
    motion: &Motion,
    step: &Step<BallisticTuning>,
    touching: &mut bool,
    report: &mut Report,
) {
    let context = step.context;
    let keeps = step.loadout.tuning.keep_landing_velocity;
    let touched = std::mem::take(touching);
    if body.ground.is_some() || body.cling.is_some() {
        travel::travel(body, motion, context, report, &Unsteered);
        return;
    }
    if context.around.level.view == View::Top {
        let (drift, _) = context.around.drift(body.external, None);
        let way = motion.displacement + drift;
        let ahead = context.scenery().sweep(context.shape, body.pos, way);
        *touching = ahead.is_some();
        if let Some(hit) = ahead.filter(|_| !touched) {
            report_wall((body.pos, body.external), &hit, way, motion, context, report);
        }
        match body.floor {
            Some(_) => plane::travel(body, motion, context, report),
            None => sink(body, motion, keeps, context, report),
        }
        return;
    }
    let began = (body.pos, body.external);
    let (slid, way) = fly(body, motion, context, report);
    if let Some(hit) = slid.bumps.iter().next() {
        *touching = true;
        if !touched {
            report_wall(began, hit, way, motion, context, report);
        }
    }
    if slid.stopped.is_some() {
        (body.pos, body.external) = began;
        land_in_parts(body, motion, keeps, context, report);
    }
}

/// Flies, sliding along walls, up to the first surface that it can land on. Returns that motion, and
/// the displacement without anything in the way.
fn fly(body: &mut Body, motion: &Motion, context: &MoveContext, report: &Report) -> (Slide, DVec2) {
    let (drift, external) = context.around.drift(body.external, None);
    let (rule, meets) = (context.rule(), report.meets);
    let free = FreeMotion { motion, rest: motion.displacement + drift, left: 1.0 };
    let slid = meeting::slide(body.pos, &free, meets, context, |hit, _| rule.walkable(hit.normal));
    (body.pos, body.vel, body.external) = (slid.pos, motion.velocity, external);
    meeting::deflect(body, &slid.bumps, &free, meets, context);
    (slid, free.rest)
}

/// Lands exactly where its arc touches the ground: the chord of a long tick gets there elsewhere.
#[cold]
fn land_in_parts(body: &mut Body, motion: &Motion, keeps: bool, context: &MoveContext, report: &mut Report) {
    let around = context.around;
    let (tick, damping) = (around.dt, around.decay.damping);
    let bend = motion.pull.abs() + around.air.external_accel.length() + body.external.length() * damping;
    let parts = (bend * tick * tick / (8.0 * BOW)).sqrt().ceil().clamp(1.0, MOST_PARTS);
    body.vel = motion.start;
    for part in 1..=parts as u32 {
        let left = tick * (1.0 - f64::from(part) / parts);
        let here = &Surroundings { after: around.after + left, ..around.lasting(tick / parts) };
        let context = &MoveContext { around: here, ..*context };
        let motion = falling(body.vel, motion.pull, here.dt);
        let external = body.external;
        let (slid, _) = fly(body, &motion, context, report);
        let Some((hit, share)) = slid.stopped else {
            continue;
        };
        let Some(contact) = Contact::of(&context.scenery(), &hit, context.rule()) else {
            return;
        };
        let (elapsed, velocity) = motion.at_share(share, here.dt);
        let (_, external) = here.lasting(elapsed).drift(external, None);
        body.vel = slid.bumps.clip_at(velocity, around.hz);
        body.external = slid.bumps.clip(external);
        report.details_mut().bend = Some(body.pos);
        let carry = meeting::carried(&hit, 1.0 - elapsed / here.dt, report.meets, context);
        meeting::board(body, hit.feature, carry, context);
        body.pos.y = contact.resting_height(&context.scenery(), context.shape, body.pos);
        land(body, contact, context, report);
        stop(body, keeps);
        let rest = &around.lasting(here.dt - elapsed + left);
        let context = &MoveContext { around: rest, ..*context };
        travel::travel(body, &Motion::steady(body.vel, rest.dt), context, report, &Unsteered);
        return;
    }
}

/// Moves in a top view, and lands where its feet touch the floor, which is within the tick.
fn sink(body: &mut Body, motion: &Motion, keeps: bool, context: &MoveContext, report: &mut Report) {
    let around = context.around;
    let before = body.clone();
    plane::travel(body, motion, context, report);
    let Some(floor) = body.floor else {
        return;
    };
    // What pushes it up or down decays while gravity acts.
    let path = |time: f64| {
        let decay = around.lasting(time).decay;
        let own = before.vel_z - motion.pull * time;
        let height = 0.5 * (before.vel_z + own) * time + before.external_z * decay.seconds;
        (before.z + height, own + before.external_z * decay.kept)
    };
    let rises = path(0.0).1 > 0.0;
    let summit = if rises { halve(0.0, around.dt, |time| path(time).1 > 0.0) } else { 0.0 };
    let time = halve(summit, around.dt, |time| path(time).0 > floor.height);
    let arrival = (-path(time).1).max(0.0);
    let until = around.lasting(time);
    let rest = &around.lasting(around.dt - until.dt);
    let until = &Surroundings { after: around.after + rest.dt, ..until };
    let whole = std::mem::replace(body, before);
    plane::drift(
        body,
        &Motion::steady(motion.velocity, until.dt),
        report.meets,
        &MoveContext { around: until, ..*context },
    );
    let there = context.scenery().floor_below(context.shape, body.pos, body.z, around.level.plain);
    if there.height != floor.height {
        // It lands on the edge of something else.
        *body = whole;
        stop(body, keeps);
        return;
    }
    if !report.stood {
        report.details_mut().landed = Some(plane::landing(there, arrival, body.pos));
    }
    plane::stand(body, there);
    stop(body, keeps);
    let context = &MoveContext { around: rest, z: body.z, ..*context };
    if let Some(platform) = there.solid.and_then(|solid| around.level.terrain.platform_of(solid)) {
        let step = around.transit.steps[platform as usize];
        shift(body, step * ((rest.dt + rest.after) * rest.hz), platform, context);
    }
    plane::drift(body, &Motion::steady(body.vel, rest.dt), false, context);
}

/// Stops a body that has landed, unless it keeps its velocity.
fn stop(body: &mut Body, keeps: bool) {
    if !keeps {
        (body.vel, body.external) = (DVec2::ZERO, DVec2::ZERO);
    }
}

/// Reports a hit on a wall, on this way through the tick from a place and with an external velocity.
fn report_wall(
    (from, external): (DVec2, DVec2),
    hit: &Hit,
    way: DVec2,
    motion: &Motion,
    context: &MoveContext,
    report: &mut Report,
) {
    let (_, velocity) = motion.at_share(hit.time, context.around.dt);
    let speed = -(velocity + external).dot(hit.normal);
    let struck = SolidHit::by(hit, context.scenery().terrain);
    report_hit(&struck, speed.max(0.0), context.shape, from + way * hit.time, report);
}

/// Reports a hit of a body of this shape with its center at `center`.
pub fn report_hit(hit: &SolidHit, speed: f64, shape: Ellipse, center: DVec2, report: &mut Report) {
    report.details_mut().hit = Some(Impact {
        feature: hit.feature,
        normal: hit.normal,
        speed,
        foot: false,
        at: center - shape.farthest(hit.normal),
        piece: 0,
    });
    report.details_mut().struck = Some(hit.solid);
}

/// Reports a hit on a solid that moves at `velocity`, and removes the body's velocity into it.
pub fn strike(body: &mut Body, hit: &SolidHit, velocity: DVec2, shape: Ellipse, report: &mut Report) {
    let normal = hit.normal;
    let speed = (velocity - body.vel).dot(normal).max(0.0);
    report_hit(hit, speed, shape, body.pos, report);
    body.vel -= normal * body.vel.dot(normal).min(0.0);
}
