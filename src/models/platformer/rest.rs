//! Coming to rest: who stands still, or holds on, moves to the nearest rest position.

use super::PlatformerTuning;
use crate::level::{Feature, walk};
use crate::models::footing::still_there;
use crate::models::{Body, Motion, MoveContext};
use glam::DVec2;

/// Moves to rest are not made over less than this, px: rounding alone moves nobody.
const NOTHING: f64 = 1e-9;

/// Moves a body that does not move to its rest position, along what it stands on or clings to, and
/// never into anything. Whether there was nothing else to do in this tick.
pub(super) fn rest(
    body: &mut Body,
    motion: &Motion,
    tuning: &PlatformerTuning,
    context: &MoveContext<'_>,
) -> bool {
    let still = motion.start.length() <= tuning.rest_speed
        && motion.velocity == motion.start
        && body.external == DVec2::ZERO
        && context.around.air.external_accel == DVec2::ZERO
        && context.around.air.conveyor == DVec2::ZERO;
    if !still || tuning.rest_spacing <= 0.0 {
        return false;
    }
    let ground = body.ground.map(|contact| contact.feature);
    let held = body.cling.map(|hold| hold.feature);
    let Some(Feature::Face(edge)) = ground.or(held) else {
        return false;
    };
    let scenery = &context.scenery;
    let missing = scenery.to_rest(edge, context.shape, body.pos, tuning.rest_spacing);
    body.vel = motion.velocity;
    if missing.abs() <= NOTHING || missing.abs() > 0.5 * tuning.rest_spacing + NOTHING {
        return true;
    }
    let by = scenery.face(edge).along * missing;
    if let Some(contact) = body.ground {
        let along = by.dot(contact.tangent());
        let rule = &context.footing.rule;
        let walked = walk(scenery, context.shape, body.pos, contact, along, rule);
        if walked.standing && walked.blocked.is_none() {
            body.pos = walked.pos;
            body.ground = Some(walked.contact);
        }
    } else if let Some(hold) = body.cling
        && scenery.sweep(context.shape, body.pos, by).is_none()
    {
        body.pos += by;
        // The hold may be on another edge of the same line now.
        body.cling = still_there(body, &hold, context).or(body.cling);
    }
    true
}
