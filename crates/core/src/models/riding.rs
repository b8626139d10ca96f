//! Platforms: a body that stands on a moving one is carried, a body in its way is pushed. A body on
//! a platform that is switched off falls, and one inside a platform that appears is moved out of
//! it.

use super::*;

/// Moves a body along with its platform, and out of the way of all others. A body that `meets`
/// platforms in its own motion is left to that motion, if nothing carries it.
pub fn carry(body: &mut Body, meets: bool, context: &MoveContext, report: &mut Report) {
    let transit = context.around.transit;
    let moves = transit.widest != DVec2::ZERO;
    if moves || !transit.switched.is_empty() {
        let carrier = carrier_of(body, report.refitted, context);
        let floats = carrier.is_none() && body.ground.is_none() && body.cling.is_none();
        if meets && floats && may_meet(body, context.around) {
            report.meets = true;
            return;
        }
        if let Some(carrier) = carrier {
            ride(body, carrier, context, report);
        }
        if moves {
            push_all(body, carrier, context);
        }
    }
    if is_inside(body, context) {
        make_room(body, context);
    }
    if moves || body.crushed || appeared(context) {
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
    if !on_something(body) {
        // A body in the air looks for ground in any case.
        body.sensed = sensed;
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

/// Moves a body along with its platform. A platform that is switched off carries its riders one
/// last time; then they look for other ground.
fn ride(body: &mut Body, carrier: u16, context: &MoveContext, report: &mut Report) {
    let step = context.around.transit.steps[carrier as usize];
    report.carried = step * context.around.pace;
    shift(body, step, carrier, context);
    report.ridden = if body.sensed { step } else { DVec2::ZERO };
    if !context.scenery().has_platform(carrier) {
        body.sensed = false;
    }
}

/// Whether a body is inside something that just appeared.
pub(super) fn is_inside(body: &Body, context: &MoveContext) -> bool {
    appeared(context) && context.scenery().overlap(context.shape, body.pos).is_some()
}

/// Moves a body out of something that just appeared, by the shortest way, unless that leads behind
/// another solid.
fn make_room(body: &mut Body, context: &MoveContext) {
    let free = context.scenery().push_out(context.shape, body.pos);
    if let Some(free) = free.filter(|free| is_open(body.pos, *free, &context.scenery())) {
        body.pos = free;
        body.sensed = false;
    }
}

/// Whether the straight line between two places was free before this tick's platforms appeared.
pub(super) fn is_open(from: DVec2, to: DVec2, scenery: &Scenery) -> bool {
    let before = scenery.as_it_was().dropping(true);
    before.cast(from, to - from).is_none()
}

/// Moves a body along with or ahead of a platform. All other terrain stops it or makes it slide.
pub(super) fn shift(body: &mut Body, by: DVec2, platform: u16, context: &MoveContext) {
    let others = context.scenery().without(platform);
    let slid = slide(&others, context.shape, body.pos, by, |_, _| false);
    if slid.pos != body.pos + by {
        // Something blocked it, so it no longer stands on the same point of its platform.
        body.sensed = false;
    }
    body.pos = slid.pos;
}

/// Pushes the body ahead of the platforms that ran into it in this tick, except its own.
fn push_all(body: &mut Body, carrier: Option<u16>, context: &MoveContext) {
    let mut last = None;
    let mut pushes = 0;
    'places: loop {
        let place = body.pos;
        let area = Bounds::of(place, place).grown(context.shape.half);
        let movers = context.scenery().movers_after(last, &area);
        if movers.is_empty() {
            return;
        }
        for platform in movers {
            pushes += 1;
            if pushes > MOST_PUSHES {
                return;
            }
            last = Some(platform);
            if Some(platform) != carrier {
                push(body, platform, context);
            }
            if body.pos != place {
                // Others may be near it now.
                continue 'places;
            }
        }
    }
}

/// Maximum number of platforms near a body that can push it in one tick.
const MOST_PUSHES: usize = 256;

/// Pushes the body ahead of a platform that ran into it in this tick.
fn push(body: &mut Body, platform: u16, context: &MoveContext) {
    let transit = context.around.transit;
    let step = transit.steps[platform as usize];
    // In the frame of the platform at its old position, the body moves toward it.
    let Some(hit) = context.scenery().sweep_platform(platform, context.shape, body.pos + step, -step) else {
        return;
    };
    let left = step * (1.0 - hit.time);
    let before = body.pos;
    // One that comes up under its feet carries it from then on.
    let carries = context.rule().walkable(hit.normal);
    let by = if carries { left } else { hit.normal * left.dot(hit.normal) };
    shift(body, by, platform, context);
    let velocity = step * context.around.pace;
    for v in [&mut body.vel, &mut body.external] {
        let against = (*v - velocity).dot(hit.normal);
        if against < 0.0 && v.dot(hit.normal) < 0.0 {
            *v -= hit.normal * v.dot(hit.normal);
        }
    }
    if on_something(body) && before != body.pos {
        body.sensed = false;
    }
}

fn on_something(body: &Body) -> bool {
    body.stands() || body.cling.is_some()
}

/// Moves a body out of anything it still overlaps. Without a short way out it is crushed.
fn squeeze(body: &mut Body, context: &MoveContext, report: &mut Report) {
    if context.scenery().overlap(context.shape, body.pos).is_none() {
        body.crushed = false;
        return;
    }
    // The limit keeps a crushed body from popping out on the other side.
    let most = context.around.transit.longest + context.footing.rule.adherence;
    match context.scenery().push_out(context.shape, body.pos) {
        Some(free) if free.distance(body.pos) <= most => {
            body.pos = free;
            body.sensed = false;
            body.crushed = false;
        }
        _ => {
            report.crushed = !body.crushed;
            body.crushed = true;
        }
    }
}
