//! A flight without a destination: it follows a parabola, slides along walls, and lands.

use super::path::SolidHit;
use super::*;

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
        View::Side => Motion {
            displacement: still.displacement - DVec2::new(0.0, drop),
            velocity: body.vel - DVec2::new(0.0, pull * dt),
            pull,
            ..still
        },
        View::Top => Motion { rise: body.vel_z * dt - drop, vel_z: body.vel_z - pull * dt, pull, ..still },
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
    let around = context.around;
    let (drift, external) = around.drift(body.external, None);
    let displacement = motion.displacement + drift;
    let scenery = context.scenery();
    let ahead = scenery.sweep(context.shape, body.pos, displacement);
    let top = around.level.view == View::Top;
    if let Some(hit) = ahead
        && (top || !context.rule().walkable(hit.normal))
    {
        *touching = true;
        if !touched {
            let (_, velocity) = motion.at_share(hit.time, around.dt);
            let center = body.pos + displacement * hit.time;
            let speed = -(velocity + body.external).dot(hit.normal);
            let struck = SolidHit::by(&hit, scenery.terrain);
            report_hit(&struck, speed.max(0.0), context.shape, center, report);
        }
    }
    match around.level.view {
        View::Side if ahead.is_none() => {
            body.pos += displacement;
            body.vel = motion.velocity;
            body.external = external;
        }
        View::Side => fall(body, motion, keeps, context, report),
        View::Top => {
            plane::travel(body, motion, context, report);
            if report.details().landed.is_some() && !keeps {
                body.vel = DVec2::ZERO;
            }
        }
    }
}

/// Falls, sliding along walls, until it lands. There it stops, unless it `keeps` its velocity along
/// the ground.
fn fall(body: &mut Body, motion: &Motion, keeps: bool, context: &MoveContext, report: &mut Report) {
    let MoveContext { shape, around, .. } = context;
    let (scenery, rule) = (&context.scenery(), context.rule());
    let (drift, external) = around.drift(body.external, None);
    let displacement = motion.displacement + drift;
    let slid = slide(scenery, *shape, body.pos, displacement, |hit, _| rule.walkable(hit.normal));
    body.pos = slid.pos;
    body.vel = slid.bumps.clip(motion.velocity);
    body.external = slid.bumps.clip(external);
    let Some((hit, share)) = slid.stopped else {
        return;
    };
    if let Some(contact) = Contact::of(scenery, &hit, rule) {
        let (_, velocity) = motion.at_share(share, around.dt);
        body.vel = slid.bumps.clip(velocity);
        land(body, contact, context, report);
        if !keeps {
            body.vel = DVec2::ZERO;
        }
    }
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
