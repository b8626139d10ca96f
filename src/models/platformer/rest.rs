//! Rest positions: a body that stands still or clings moves to the nearest one.

use super::tuning::PlatformerTuning;
use crate::level::{Feature, walk};
use crate::models::footing::still_there;
use crate::models::{Body, Motion, MoveContext};
use glam::DVec2;

/// Bodies closer to their rest position than this stay where they are, px.
const NEGLIGIBLE: f64 = 1e-9;

/// Moves a still body to its rest position, along the edge that it stands on or clings to, and
/// never into an obstacle. Returns whether the body was still, so that its tick is done.
pub(super) fn rest(
    body: &mut Body,
    motion: &Motion,
    tuning: &PlatformerTuning,
    context: &MoveContext<'_>,
) -> bool {
    // A rest position would take back a short push, the more often the higher the tick rate is.
    let pushed = std::mem::take(&mut body.pushed_aside);
    let still = !pushed
        && motion.start.length() <= tuning.rest_speed
        && motion.velocity == motion.start
        && body.external == DVec2::ZERO
        && context.around.air.external_accel == DVec2::ZERO
        && context.around.air.conveyor == DVec2::ZERO;
    if !still || tuning.rest_spacing <= 0.0 {
        return false;
    }
    let ground = body.ground.map(|contact| contact.feature);
    let clung = body.cling.map(|cling| cling.feature);
    let Some(Feature::Face(edge)) = ground.or(clung) else {
        return false;
    };
    let scenery = &context.scenery;
    let missing = scenery.to_rest(edge, context.shape, body.pos, tuning.rest_spacing);
    body.vel = motion.velocity;
    if missing.abs() <= NEGLIGIBLE || missing.abs() > 0.5 * tuning.rest_spacing + NEGLIGIBLE {
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
    } else if let Some(cling) = body.cling
        && scenery.sweep(context.shape, body.pos, by).is_none()
    {
        body.pos += by;
        // The body may now cling to another edge of the same line.
        body.cling = still_there(body, &cling, context).or(body.cling);
    }
    true
}
