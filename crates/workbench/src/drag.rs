//! The mouse in the level: picking an entity, and moving it while time stands still.

use super::*;
use glam::dvec2;

/// How far outside an entity a click still picks it, px.
const NEAR: f64 = 6.0;

/// The number of places on a path at which there has to be room, and how often a path is halved to find
/// where there is none.
const PLACES: u32 = 16;
const HALVINGS: u32 = 20;

/// Places closer than this are the same, px.
const SAME: f64 = 1e-6;

/// A shorter motion of the mouse is a click, px.
const CLICK: f64 = 2.0;

/// An entity that the mouse holds.
pub struct Drag {
    entity: PickedEntity,
    /// From the mouse to the entity's center, px.
    offset: DVec2,
    /// Where the mouse was last, px.
    last: DVec2,
    /// Whether it has been moved.
    moved: bool,
}

impl Workbench {
    /// Picks the entity at a point of the level, px, and holds it for [`drag_to`](Self::drag_to); while the level is edited,
    /// any thing of it. Returns whether there is one.
    pub fn grab(&mut self, point: DVec2) -> bool {
        self.drag = None;
        #[cfg(feature = "disk")]
        if self.is_editing() {
            return self.grab_thing(point);
        }
        if self.drawing.is_open() {
            return self.grab_handle(point);
        }
        let live = &self.line.live;
        let top = live.revision().stage.level.view == View::Top;
        let hit = live.views().filter_map(|view| Some((distance(&view, point, top)?, view)));
        let Some((_, view)) = hit.min_by(|(a, _), (b, _)| a.total_cmp(b)) else {
            return false;
        };
        let entity = PickedEntity { id: view.id, name: view.name };
        self.pick_by_hand(entity.clone());
        self.drag = Some(Drag { entity, offset: view.pos - point, last: point, moved: false });
        true
    }

    /// The mouse is at a point of the level, px. While time stands still, the entity that was grabbed goes
    /// with it until something is in the way. That continues the line with another world, as a restart does.
    pub fn drag_to(&mut self, point: DVec2) {
        #[cfg(feature = "disk")]
        self.drag_thing_to(point);
        self.drag_handle(point);
        let Some(drag) = &mut self.drag else { return };
        let still = if drag.moved { point == drag.last } else { point.distance(drag.last) < CLICK };
        if !self.time.paused || still || !point.is_finite() {
            return;
        }
        drag.last = point;
        let (id, at, first) = (drag.entity.id, point + drag.offset, !drag.moved);
        let adopts = first && !self.line.is_latest();
        if first {
            self.line.adopt_latest();
        }
        let from = self.position_of(id);
        let Some(from) = from.filter(|_| self.line.live.place(id, at)) else {
            if adopts {
                // Nothing has moved, so the shown tick stays under its own revision.
                self.seek(self.line.at());
            }
            return;
        };
        let pushed_out = self.position_of(id).is_none_or(|pos| pos.distance(at) > SAME);
        if pushed_out && !self.is_reached(id, from) {
            self.move_until_blocked(id, [from, at]);
        }
        if first {
            self.comparison.end_loop();
            self.comparison.race.clear();
        }
        self.begin_chapter(self.line.shared_world());
        if let Some(drag) = &mut self.drag {
            drag.moved = true;
        }
    }

    /// Lets go of the entity that was grabbed.
    pub fn drop_dragged(&mut self) {
        #[cfg(feature = "disk")]
        self.drop_thing();
        self.drop_handle();
        let Some(drag) = self.drag.take() else { return };
        if drag.moved {
            let at = self.position_of(drag.entity.id).unwrap_or(drag.last);
            self.note(format!("moved {} to {:.0}, {:.0}", drag.entity.name, at.x, at.y));
        }
    }

    fn position_of(&self, id: EntityId) -> Option<DVec2> {
        let world = self.line.live.world();
        let entity = world.entities().iter().find(|entity| entity.id == id)?;
        Some(world.body(entity).pos)
    }

    /// Moves an entity to a point, px. Returns whether it had room there, so that it is there now.
    fn has_room(&mut self, id: EntityId, at: DVec2) -> bool {
        let near = |pos: DVec2| pos.distance(at) <= SAME;
        self.line.live.place(id, at) && self.position_of(id).is_some_and(near)
    }

    /// Whether there is room all the way from a point, px, to where an entity is now. A body that is moved
    /// deep into a wall is pushed out of it on the nearer side, which may be the other one.
    fn is_reached(&mut self, id: EntityId, from: DVec2) -> bool {
        let Some(at) = self.position_of(id) else {
            return false;
        };
        let shares = (1..PLACES).map(|place| f64::from(place) / f64::from(PLACES));
        let on_the_way: Vec<DVec2> = shares.map(|share| from.lerp(at, share)).collect();
        let open = on_the_way.into_iter().all(|place| self.has_room(id, place));
        self.line.live.place(id, at);
        open
    }

    /// Moves an entity from one point toward another, px, and stops it where it has no more room.
    fn move_until_blocked(&mut self, id: EntityId, [from, to]: [DVec2; 2]) {
        let (mut open, mut blocked) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let share = f64::midpoint(open, blocked);
            if self.has_room(id, from.lerp(to, share)) {
                open = share;
            } else {
                blocked = share;
            }
        }
        self.line.live.place(id, from.lerp(to, open));
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
