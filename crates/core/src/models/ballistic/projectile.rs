//! A flight without a destination: it follows a parabola, slides along walls, and lands.

use super::{path::SolidHit, *};
use crate::models::riding::shift;

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
    let touched = mem::take(touching);
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
    let (drift, external) = context.around.drift(body.external, None);
    let way = motion.displacement + drift;
    let began = (body.pos, body.external);
    let scenery = context.scenery();
    let ahead = if report.meets {
        scenery.sweep_in_tick(context.shape, body.pos, way, meeting::span(context.around, 1.0))
    } else {
        scenery.sweep(context.shape, body.pos, way)
    };
    if let Some(hit) = ahead.filter(|hit| !context.rule().walkable(hit.normal)) {
        *touching = true;
        if !touched {
            report_wall(began, &hit, way, motion, context, report);
        }
    }
    // Most projectiles meet nothing in a tick, and need no second sweep to find that. One that passes the top of its path
    // may meet something above the straight line.
    let rises_and_falls = || motion.top(context.footing.max_fall_speed, context.around.dt).is_some();
    if ahead.is_none() && body.ground.is_none() && !rises_and_falls() {
        body.pos += way;
        (body.vel, body.external) = (motion.velocity, external);
        return;
    }
    travel::travel(body, motion, context, report, &Thrown { footing: context.footing, keeps });
}

/// How a projectile continues after it has met something: it falls, and it stops where it lands, unless it `keeps` its
/// velocity.
struct Thrown<'a> {
    footing: &'a Footing,
    keeps: bool,
}

impl Steering for Thrown<'_> {
    fn resumes(&self) -> bool {
        true
    }

    fn landed(&self, body: &mut Body) {
        stop(body, self.keeps);
    }

    #[cold]
    fn resume(&self, body: &Body, around: &Surroundings, held: f64) -> Motion {
        Coasting(self.footing).resume(body, around, held)
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
        let decay = around.lasting(time).decay();
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
    let whole = mem::replace(body, before);
    plane::drift(
        body,
        &Motion::steady(motion.velocity, until.dt),
        report.meets,
        &MoveContext { around: until, ..*context },
    );
    let there = context.scenery().floor_below(context.shape, body.pos, body.z);
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
        shift(body, step * ((rest.dt + rest.after) * rest.pace), platform, context);
    }
    plane::drift(body, &Motion::steady(body.vel, rest.dt), false, context);
}

/// Stops a body that has landed, unless it keeps its velocity.
fn stop(body: &mut Body, keeps: bool) {
    if !keeps {
        (body.vel, body.external) = (DVec2::ZERO, DVec2::ZERO);
    }
}

/// Reports a hit on a wall, on this path through the tick from a place and with an external velocity.
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
pub fn report_hit(hit: &SolidHit, speed: f64, shape: Collider, center: DVec2, report: &mut Report) {
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
pub fn strike(body: &mut Body, hit: &SolidHit, velocity: DVec2, shape: Collider, report: &mut Report) {
    let normal = hit.normal;
    let speed = (velocity - body.vel).dot(normal).max(0.0);
    report_hit(hit, speed, shape, body.pos, report);
    body.vel -= normal * body.vel.dot(normal).min(0.0);
}
