//! Bodies between two ticks.

use glam::dvec2;
use hangtime_core::sim::{EntityId, EntityView};
use hangtime_draw::between;

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
