//! Platforms: a body that stands on a moving one is carried, a body in its way is pushed. A body on
//! a platform that is switched off falls, and one inside a platform that appears is moved out of
//! it.

use super::{rotating::rotate, *};
use crate::level::TurnPart;

/// Moves a body along with its platform, and out of the way of all others. A body that `meets`
/// platforms in its own motion is left to that motion, if nothing carries it.
pub fn carry(body: &mut Body, meets: bool, context: &MoveContext, report: &mut Report) {
    let transit = context.around.transit;
    let moves = transit.widest != DVec2::ZERO;
    if moves || !transit.switched.is_empty() {
        let carrier = carrier_of(body, report.refitted, context);
        let floats = carrier.is_none() && body.ground.is_none() && body.cling.is_none();
        let from = body.pos;
        if transit.swept > 0.0 {
            rotate(body, carrier, context);
        }
        if meets && floats && may_meet(body, context.around) {
            report.meets = true;
            return;
        }
        if let Some(number) = carrier {
            let touched = body.ground.map(|contact| contact.point(context.shape, body.pos));
            let at = touched.unwrap_or(body.pos) + transit.steps[number as usize];
            report.carried = context.around.platform_velocity(carrier, at);
        }
        if moves || carrier.is_some() {
            report.pressed = longer(report.pressed, ride(body, carrier, context));
            report.ridden = if body.sensed { body.pos - from } else { DVec2::ZERO };
        }
        if carrier.is_some_and(|carrier| !context.scenery().has_platform(carrier)) {
            body.sensed = false;
        }
    }
    if is_inside(body, context) {
        make_room(body, context);
    }
    if moves || body.crushed || appeared(context) || context.around.others.is_some() {
        squeeze(body, context, report);
    }
}

/// Whether a body in the air may meet platforms in its own motion: its surroundings are as in the last tick, apart from
/// platforms that have moved.
pub(super) fn may_meet(body: &Body, around: &Surroundings) -> bool {
    let transit = around.transit;
    transit.widest != DVec2::ZERO && body.sensed && !body.crushed && transit.switched.is_empty()
}

/// Moves a body out of what it still overlaps after it has met platforms in its own motion.
#[cold]
pub fn settle(body: &mut Body, context: &MoveContext, report: &mut Report) {
    let sensed = body.sensed;
    squeeze(body, context, report);
    if !body.stands() && body.cling.is_none() {
        // A body in the air looks for ground in any case.
        body.sensed = sensed;
    }
}

/// Moves a body out of others into which its turn has led it, and takes its velocity into them away.
#[cold]
pub fn give_room(body: &mut Body, context: &MoveContext, report: &mut Report) {
    let from = body.pos;
    settle(body, context, report);
    let out = (body.pos - from).normalize_or_zero();
    for v in [&mut body.vel, &mut body.external] {
        *v -= out * v.dot(out).min(0.0);
    }
}

/// Whether any platform appeared when this tick began.
fn appeared(context: &MoveContext) -> bool {
    let transit = context.around.transit;
    transit.switched.iter().any(|p| transit.is_there(*p))
}

/// The platform that a body stands on or clings to. It also carries a body that was only `refitted`.
fn carrier_of(body: &Body, refitted: bool, context: &MoveContext) -> Option<u16> {
    let terrain = context.scenery().terrain;
    let held = body.cling.map(|cling| cling.feature);
    let on = body.ground.map(|contact| contact.feature).or(held);
    let on = on.and_then(|feature| terrain.edge_of(feature).platform);
    let under = body.floor.and_then(|floor| terrain.platform_of(floor.solid?));
    on.or(under).filter(|_| body.sensed || refitted)
}

/// How far a platform may move into a body, px, before it has gone through it.
const ROOM: f64 = 1.0;

/// Moves a body through the tick along with its platform, which carries it one last time if it is switched off, and ahead
/// of the others. Each meets the body when it gets there; one that comes up under its feet carries it from then on.
/// Returns how they move into it because something else is in its way, along their normal, px.
fn ride(body: &mut Body, mut carrier: Option<u16>, context: &MoveContext) -> DVec2 {
    let scenery = context.scenery();
    let terrain = scenery.terrain;
    let mut span = TickSpan { left: 1.0, length: 1.0 };
    let bears = body.ground.map(|contact| contact.normal).or(body.cling.map(|cling| cling.normal));
    let (mut bears, mut pressed) = (bears.unwrap_or_default(), DVec2::ZERO);
    let into = |short: DVec2, bears: DVec2| short.dot(bears).max(0.0) * bears;
    for _ in 0..MOST_CARRIERS {
        let step = carrier.map_or(DVec2::ZERO, |carrier| context.around.transit.steps[carrier as usize]);
        let by = step * span.left;
        let others = carrier.map_or(scenery, |carrier| scenery.without(carrier));
        let is_body = |number| context.around.others.is_some_and(|others| others.bodies.body_of(number).is_some());
        // A body does not drive what it carries into itself.
        let borne = carrier.filter(|carrier| is_body(*carrier)).map(|_| bears);
        if !others.meets_platforms(context.shape, body.pos, by) {
            let short = move_along(body, by, borne, &others, context);
            return longer(pressed, into(short, bears));
        }
        let carries =
            |hit: &Hit, _| others.step_under(hit.feature) != DVec2::ZERO && context.rule().walkable(hit.normal);
        let slid = slide_in_tick(&others, context.shape, body.pos, by, span, carries);
        if slid.pos != body.pos + by {
            body.sensed = false;
        }
        let short = body.pos + by - slid.pos;
        body.pos = slid.pos;
        pressed = longer(pressed, slid.pressed);
        let stopped = slid.stopped.iter().map(|(hit, _)| hit);
        for hit in slid.bumps.iter().chain(stopped) {
            give_way(body, hit, &others, context);
        }
        let Some((hit, time)) = slid.stopped else { return longer(pressed, into(short, bears)) };
        (body.sensed, bears) = (false, hit.normal);
        carrier = terrain.edge_of(hit.feature).platform;
        span = span.after(time);
    }
    // Platforms that hand it back and forth: the last one has it.
    if let Some(carrier) = carrier {
        let by = context.around.transit.steps[carrier as usize] * span.left;
        pressed = longer(pressed, into(shift(body, by, carrier, context), bears));
    }
    pressed
}

/// The maximum number of platforms that carry a body in one tick.
const MOST_CARRIERS: usize = 4;

/// Removes the velocity of a body into a platform that ran into it.
fn give_way(body: &mut Body, hit: &Hit, scenery: &Scenery, context: &MoveContext) {
    let step = scenery.step_under(hit.feature);
    if step == DVec2::ZERO {
        return;
    }
    let velocity = step * context.around.pace;
    for v in [&mut body.vel, &mut body.external] {
        let against = (*v - velocity).dot(hit.normal);
        if against < 0.0 && v.dot(hit.normal) < 0.0 {
            *v -= hit.normal * v.dot(hit.normal);
        }
    }
}

/// Whether a body is inside something that just appeared.
pub(super) fn is_inside(body: &Body, context: &MoveContext) -> bool {
    appeared(context) && context.scenery().overlap(context.shape, body.pos).is_some()
}

/// Moves a body out of something that just appeared, by the shortest straight way that does not lead behind another
/// solid. Without one, it may find room around a corner.
fn make_room(body: &mut Body, context: &MoveContext) {
    let (scenery, shape) = (context.scenery(), context.shape);
    let open = |free: &DVec2| is_open(body.pos, *free, &scenery);
    let straight = scenery.straight_out(shape, body.pos, |place| open(&place));
    if let Some(free) = straight.or_else(|| scenery.push_out(shape, body.pos).filter(open)) {
        body.pos = free;
        body.sensed = false;
    }
}

/// Whether the straight line between two places was free before this tick's platforms appeared.
pub(super) fn is_open(from: DVec2, to: DVec2, scenery: &Scenery) -> bool {
    let before = scenery.as_it_was().dropping(true);
    before.cast(from, to - from).is_none()
}

/// Moves a body along with a platform. All other terrain stops it or makes it slide: returns by how much it falls short.
pub fn shift(body: &mut Body, by: DVec2, platform: u16, context: &MoveContext) -> DVec2 {
    move_along(body, by, None, &context.scenery().without(platform), context)
}

/// Moves a body along with what carries it; if that is a body, `borne` is the normal with which it bears the rider.
fn move_along(body: &mut Body, by: DVec2, borne: Option<DVec2>, others: &Scenery, context: &MoveContext) -> DVec2 {
    let overhangs = |hit: &Hit, _| borne.is_some_and(|bears| hit.normal.dot(bears) < -CEILING);
    let slid = slide(others, context.shape, body.pos, by, overhangs);
    if slid.pos != body.pos + by {
        // Something blocked it, so it no longer stands on the same point of its platform.
        body.sensed = false;
    }
    let short = body.pos + by - slid.pos;
    body.pos = slid.pos;
    match borne {
        Some(bears) if by.dot(bears) <= 0.0 => DVec2::ZERO,
        _ => short,
    }
}

/// Moves a body out of anything it still overlaps. Without a short way out it is crushed, and so is one that a platform has
/// gone through.
fn squeeze(body: &mut Body, context: &MoveContext, report: &mut Report) {
    let others = context.around.others;
    let carried = others.is_some_and(|others| others.part == TurnPart::Carried);
    // In a top view, its turn ends here.
    let continues = carried && context.around.level.view == View::Side;
    let pressed = std::mem::take(&mut report.pressed);
    let free = others.is_some_and(|others| others.is_free(body.pos));
    let overlaps = !free && context.scenery().overlap(context.shape, body.pos).is_some();
    if !overlaps && pressed.length() <= ROOM {
        // It may still be in others that will be carried with it.
        body.crushed &= continues;
        return;
    }
    // The limit keeps a crushed body from popping out on the other side, and so does the direction in which it was pressed.
    // It does not depend on the speed of platforms, so that it is the same at every tick rate.
    let most = context.footing.rule.adherence;
    let leads_back = |way: DVec2| way.dot(pressed.normalize_or_zero()) < -ROOM;
    match context.scenery().push_out(context.shape, body.pos) {
        Some(free) if overlaps && free.distance(body.pos) <= most && !leads_back(free - body.pos) => {
            body.pos = free;
            body.sensed = false;
            body.crushed &= continues;
        }
        _ => {
            report.crushed |= !body.crushed;
            body.crushed = true;
            report.pressed = if continues { pressed } else { DVec2::ZERO };
        }
    }
}
