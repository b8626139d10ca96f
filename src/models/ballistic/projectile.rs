//! A flight without a destination: a parabola, walls to slide along, and a place to land.

use super::way::Struck;
use super::{BallisticTuning, tell};
use crate::level::{Contact, Hit, View, slide};
use crate::models::footing::land;
use crate::models::{Body, Loadout, Motion, MoveContext, Report, Surroundings, plane, travel};
use glam::DVec2;

/// This tick's motion: a fall in the air, none of its own on the ground but what it keeps.
pub(super) fn drive(
    body: &mut Body,
    loadout: &Loadout<BallisticTuning>,
    around: &Surroundings<'_>,
) -> Motion {
    // A jump of another model is over: no key cuts it any more.
    if body.jump.rising() {
        body.jump.bump_head();
    }
    let dt = around.dt;
    let still = Motion {
        start: body.vel,
        displacement: body.vel * dt,
        velocity: body.vel,
        ..Motion::default()
    };
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
        View::Top => Motion {
            rise: body.vel_z * dt - drop,
            vel_z: body.vel_z - pull * dt,
            pull,
            ..still
        },
    }
}

/// Moves it. `touching` says whether it touched a wall in the last tick, and then in this one.
pub(super) fn travel(
    body: &mut Body,
    motion: &Motion,
    keeps: bool,
    context: &MoveContext<'_>,
    touching: &mut bool,
    report: &mut Report,
) {
    let touched = std::mem::take(touching);
    if body.ground.is_some() || body.cling.is_some() {
        travel::travel(body, motion, context, report, |_, _| false);
        return;
    }
    if let Some((hit, speed)) = wall_ahead(body, motion, context) {
        *touching = true;
        if !touched {
            let struck = Struck::by(&hit, context.scenery.terrain);
            tell(&struck, speed, report);
        }
    }
    match context.around.level.view {
        View::Side => fall(body, motion, keeps, context, report),
        View::Top => {
            plane::travel(body, motion, context, report);
            if report.landed.is_some() && !keeps {
                body.vel = DVec2::ZERO;
            }
        }
    }
}

/// The first thing on its way if it cannot land there, and how fast it runs into that, px/s.
fn wall_ahead(body: &Body, motion: &Motion, context: &MoveContext<'_>) -> Option<(Hit, f64)> {
    let around = context.around;
    let way = motion.displacement + around.blow(body.external, None).0;
    let hit = context.scenery.sweep(context.shape, body.pos, way)?;
    let lands = around.level.view == View::Side && context.footing.rule.walkable(hit.normal);
    let (_, velocity) = motion.at_share(hit.time, around.dt);
    let speed = -(velocity + body.external).dot(hit.normal);
    (!lands).then_some((hit, speed.max(0.0)))
}

/// Falls past walls, to where it lands; there it stops, unless it keeps what leads along the ground.
fn fall(
    body: &mut Body,
    motion: &Motion,
    keeps: bool,
    context: &MoveContext<'_>,
    report: &mut Report,
) {
    let MoveContext {
        shape,
        scenery,
        footing,
        around,
    } = context;
    let (blown, external) = around.blow(body.external, None);
    let way = motion.displacement + blown;
    let slid = slide(scenery, *shape, body.pos, way, |hit, _| {
        footing.rule.walkable(hit.normal)
    });
    body.pos = slid.pos;
    body.vel = slid.bumps.clip(motion.velocity);
    body.external = slid.bumps.clip(external);
    let Some((hit, share)) = slid.stopped else {
        return;
    };
    if let Some(contact) = Contact::of(scenery, &hit, &footing.rule) {
        let (_, velocity) = motion.at_share(share, around.dt);
        body.vel = slid.bumps.clip(velocity);
        land(body, contact, context, report);
        if !keeps {
            body.vel = DVec2::ZERO;
        }
    }
}
