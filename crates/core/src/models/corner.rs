//! Moving a rising body aside, past the end of a ceiling.

use super::{Body, CEILING, MoveContext};
use glam::DVec2;

/// Step size when looking for a way around a corner, px.
const ASIDE: f64 = 0.5;

/// Moves a body aside that would bump into the end of a ceiling, if that lets it pass.
pub(super) fn pass_corner(body: &mut Body, rest: DVec2, context: &MoveContext<'_>) {
    let MoveContext { shape, footing, .. } = context;
    let (scenery, up) = (context.scenery(), context.up());
    let hit = scenery.sweep(*shape, body.pos, rest);
    if !hit.is_some_and(|hit| hit.normal.y * up < -CEILING) {
        return;
    }
    // The whole body has to get past, in this tick or a later one.
    let past = DVec2::new(rest.x, (rest.y * up).max(2.0 * shape.half.y) * up);
    let steps = (footing.corner_correction / ASIDE).floor() as u32;
    for step in 1..=steps {
        // Tries the direction of motion first.
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
