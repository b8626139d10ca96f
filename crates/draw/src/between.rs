//! Bodies between two ticks.

use hangtime_core::sim::EntityView;

/// An entity that moved farther than this in a tick, px, was teleported: its motion is not interpolated.
const TELEPORTED: f64 = 200.0;

/// Interpolates entities between two ticks; `share` is 0 at the first and 1 at the second. Both lists are
/// sorted by id, like the views of a world.
#[must_use]
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

#[cfg(test)]
mod tests {
    use super::between;
    use glam::dvec2;
    use hangtime_core::sim::{EntityId, EntityView};

    fn body(id: u32, x: f64) -> EntityView {
        EntityView { id: EntityId(id), pos: dvec2(x, 0.0), feet: vec![x], ..EntityView::empty() }
    }

    #[test]
    fn each_body_moves_from_where_it_was_itself() {
        // 2 is gone, 4 is new, and 7 was teleported.
        let before = [1, 2, 3, 5, 7].map(|id| body(id, f64::from(id)));
        let far = [(1, 11.0), (3, 13.0), (4, 14.0), (5, 15.0), (7, 207.5)];
        let now = far.map(|(id, x)| body(id, x));
        for share in [0.0, 0.25, 1.0] {
            let shown = between(&before, &now, share);
            let x: Vec<f64> = shown.iter().map(|b| b.pos.x).collect();
            let (one, three) = (1.0 + 10.0 * share, 3.0 + 10.0 * share);
            assert_eq!(x, [one, three, 14.0, 5.0 + 10.0 * share, 207.5]);
            assert_eq!(shown[0].feet, [one]);
        }
    }
}
