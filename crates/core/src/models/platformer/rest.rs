//! Rest positions: a body that stands still or clings moves to the nearest one.

use super::*;
use crate::level::RestPosition;

impl Loadout<PlatformerTuning> {
    /// For which body to look for rest positions.
    pub fn rest_query(&self) -> RestQuery<'_> {
        RestQuery {
            shape: self.shape,
            rule: &self.footing.rule,
            steepest: self.steepest_grab(),
            spacing: self.tuning.rest_spacing,
        }
    }

    /// The mode of a body that rests on an edge with this unit normal.
    pub fn rest_mode(&self, normal: DVec2) -> Mode {
        if self.footing.rule.walkable(normal) {
            Mode::Ground
        } else if normal.y < -self.steepest_grab() {
            Mode::Roof
        } else {
            Mode::Wall
        }
    }
}

/// Bodies closer to a rest position than this are at it, px.
const NEGLIGIBLE: f64 = 1e-9;

/// Moves a still body to its rest position, along the line that it stands on or clings to, and
/// never into an obstacle. Returns whether the body was still, so that its tick is done.
pub fn rest(body: &mut Body, motion: &Motion, tuning: &PlatformerTuning, context: &MoveContext) -> bool {
    // A rest position would take back a short push, the more often the higher the tick rate is.
    let pushed = mem::take(&mut body.pushed_aside);
    let spacing = tuning.rest_spacing;
    let still = !pushed
        && spacing > 0.0
        && motion.velocity == motion.start
        && motion.start.length() <= tuning.rest_speed
        && body.external == DVec2::ZERO
        && context.around.air.external_accel == DVec2::ZERO
        && context.around.air.conveyor == DVec2::ZERO;
    if !still {
        return false;
    }
    let ground = body.ground.filter(|contact| !contact.is_wedged());
    let ground = ground.map(|contact| contact.feature);
    let clung = body.cling.map(|cling| cling.feature);
    let Some(feature) = ground.or(clung) else {
        return false;
    };
    body.vel = motion.velocity;
    let (scenery, shape) = (&context.scenery(), context.shape);
    if let Feature::Face(edge) = feature {
        let nearest = scenery.nearest_rest(edge, shape, body.pos, spacing);
        if nearest.at.distance_squared(body.pos) <= NEGLIGIBLE * NEGLIGIBLE {
            rest_at(body, nearest, context);
            return true;
        }
    }
    move_to_rest(body, feature, spacing, context);
    true
}

/// Moves the body to the nearest rest position that it can reach: on its line, or at a corner on
/// one of the two that meet there.
#[cold]
fn move_to_rest(body: &mut Body, feature: Feature, spacing: f64, context: &MoveContext) {
    let (scenery, shape, from) = (&context.scenery(), context.shape, body.pos);
    let lines = match feature {
        Feature::Face(edge) => [Some(edge), None],
        Feature::Corner(edge) => [Some(edge), Some(scenery.edge(edge).after)],
    };
    let lines = lines.into_iter().flatten();
    let near = lines.flat_map(|line| scenery.rests_next_to(line, shape, from, spacing));
    let reached = near.filter(|place| is_within_reach(body, place, context));
    let distance = |place: &RestPosition| place.at.distance_squared(from);
    if let Some(place) = reached.min_by(|a, b| distance(a).total_cmp(&distance(b))) {
        rest_at(body, place, context);
    }
}

/// Whether the body can move to a rest position, along its line and around its end: nothing is
/// in the way, and the line holds the body as its ground or as its wall does now.
fn is_within_reach(body: &Body, place: &RestPosition, context: &MoveContext) -> bool {
    let (scenery, shape) = (&context.scenery(), context.shape);
    let normal = scenery.face(place.edge).normal;
    let walkable = context.rule().walkable(normal);
    let holds = if body.ground.is_some() {
        walkable
    } else {
        !walkable && scenery.edge(place.edge).side == Side::Solid
    };
    if !holds || !scenery.is_there(Feature::Face(place.edge)) {
        return false;
    }
    let by = place.at - body.pos;
    // Around a corner, first away from the line, to the height at which bodies stand on it.
    let off = normal * by.dot(normal).max(0.0);
    let free = |from, by| scenery.sweep(shape, from, by).is_none();
    (off.length() <= TOUCH || free(body.pos, off)) && free(body.pos + off, by - off)
}

/// Puts the body at a rest position, exactly.
fn rest_at(body: &mut Body, place: RestPosition, context: &MoveContext) {
    let feature = Feature::Face(place.edge);
    let normal = context.scenery().face(place.edge).normal;
    body.pos = place.at;
    if body.ground.is_some() {
        body.ground = Some(Contact { feature, normal, touch: normal });
    } else {
        body.cling = Some(Cling { feature, normal });
    }
}
