//! The mouse in the level: picking an entity, and moving it while time stands still.

use super::bench::Workbench;
use super::dragged::Drag;
use super::excerpt::PickedEntity;
use crate::level::View;
use crate::sim::EntityView;
use glam::{DVec2, dvec2};
use std::sync::Arc;

/// How far outside an entity a click still picks it, px.
const NEAR: f64 = 6.0;

/// A shorter way of the mouse is a click, px.
const CLICK: f64 = 2.0;

impl Workbench {
    /// Picks the entity at a point of the level, px, and holds it for [`drag_to`](Self::drag_to). Returns
    /// whether there is one.
    pub fn grab(&mut self, point: DVec2) -> bool {
        self.drag = None;
        let top = self.live.revision().stage.level.view == View::Top;
        let views = self.live.views();
        let hit = views.filter_map(|view| Some((distance(&view, point, top)?, view)));
        let Some((_, view)) = hit.min_by(|(a, _), (b, _)| a.total_cmp(b)) else {
            return false;
        };
        self.pick_by_hand(PickedEntity {
            id: view.id,
            name: view.name.clone(),
        });
        self.drag = Some(Drag {
            id: view.id,
            name: view.name.clone(),
            offset: view.pos - point,
            last: point,
            moved: false,
        });
        true
    }

    /// The mouse is at a point of the level, px. While time stands still, the entity that was grabbed goes
    /// with it, as far as there is room. That continues the line with another world, as a restart does.
    pub fn drag_to(&mut self, point: DVec2) {
        let Some(drag) = &mut self.drag else { return };
        let still = match drag.moved {
            true => point == drag.last,
            false => point.distance(drag.last) < CLICK,
        };
        if !self.paused || still || !point.is_finite() {
            return;
        }
        drag.last = point;
        let (id, at, first) = (drag.id, point + drag.offset, !drag.moved);
        if first && !Arc::ptr_eq(self.live.revision(), &self.latest) {
            self.live.adopt(self.latest.clone());
        }
        if !self.live.place(id, at) {
            return;
        }
        if first {
            self.marks.looping = None;
            self.ghosts.clear();
        }
        let world = Arc::new(self.live.world().clone());
        self.begin_chapter(world);
        if let Some(drag) = &mut self.drag {
            drag.moved = true;
        }
    }

    /// Lets go of the entity that was grabbed.
    pub fn drop_dragged(&mut self) {
        let Some(drag) = self.drag.take() else { return };
        if drag.moved {
            let at = drag.last + drag.offset;
            self.note(format!("moved {} to {:.0}, {:.0}", drag.name, at.x, at.y));
        }
    }
}

/// How far a point is from the center of an entity at which it is; `None` if it is outside of it.
fn distance(view: &EntityView, point: DVec2, top: bool) -> Option<f64> {
    // In a top view, what is high is painted further up.
    let lift = if top { view.z } else { 0.0 };
    let away = point - view.pos - dvec2(0.0, lift);
    let near = view.half + NEAR;
    away.abs().cmple(near).all().then(|| away.length())
}
