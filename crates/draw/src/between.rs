//! Bodies between two ticks.

use super::*;

/// An entity that moved farther than this in a tick, px, was teleported: its motion is not interpolated.
const TELEPORTED: f64 = 200.0;

/// Interpolates entities between two ticks; `share` is 0 at the first and 1 at the second. Both lists are
/// sorted by id, like the views of a world.
pub fn between(before: &[EntityView], now: &[EntityView], share: f64) -> Vec<EntityView> {
    let mut bodies = now.to_vec();
    let mut rest = before.iter().peekable();
    for body in &mut bodies {
        while rest.next_if(|last| last.id < body.id).is_some() {}
        let last = rest.next_if(|last| last.id == body.id);
        if let Some(last) = last.filter(|l| l.pos.distance(body.pos) < TELEPORTED) {
            let mix = |from: f64, to: f64| from + (to - from) * share;
            body.pos = last.pos.lerp(body.pos, share);
            body.z = mix(last.z, body.z);
            // Angles do not wrap at full turns, so mixing them never turns the wrong way.
            body.angle = mix(last.angle, body.angle);
            for (foot, last) in body.feet.iter_mut().zip(&last.feet) {
                *foot = mix(*last, *foot);
            }
        }
    }
    bodies
}
