//! Where the picture lies in the level.

use crate::geometry::grid::Bounds;
use crate::level::{Level, View};
use crate::sim::EntityView;
use glam::{DVec2, dvec2};
use tiny_skia::Pixmap;

/// Where the picture lies in the level.
pub(super) struct Camera {
    /// The point of the level at the picture's upper left corner.
    pub corner: DVec2,
    size: DVec2,
}

/// By how much of its height a picture from the side looks above the players.
const ABOVE: f64 = 0.18;

impl Camera {
    /// Looks at the players, or at the first body, and stays within the bounds.
    pub fn new(canvas: &Pixmap, level: &Level, bodies: &[EntityView]) -> Self {
        let size = dvec2(f64::from(canvas.width()), f64::from(canvas.height()));
        let players: Vec<DVec2> = bodies
            .iter()
            .filter(|b| b.player > 0)
            .map(|b| b.pos)
            .collect();
        let middle = if players.is_empty() {
            bodies.first().map_or(DVec2::ZERO, |b| b.pos)
        } else {
            players.iter().sum::<DVec2>() / players.len() as f64
        };
        // From the side there is more to see above than below; from above there is as much to the
        // north as to the south.
        let above = match level.view {
            View::Side => ABOVE,
            View::Top => 0.0,
        };
        let center = middle + dvec2(0.0, size.y * above);
        // What stands high is painted further up, beyond where the plane ends.
        let tops = level.terrain.solids().iter().map(|solid| solid.top);
        let highest = tops.filter(|top| top.is_finite()).fold(0.0, f64::max);
        let bounds = Bounds {
            min: level.bounds.min + size * 0.5,
            max: level.bounds.max - size * 0.5 + dvec2(0.0, highest),
        };
        let center = center.min(bounds.max).max(bounds.min.min(bounds.max));
        let corner = dvec2(center.x - size.x * 0.5, center.y + size.y * 0.5);
        Self { corner, size }
    }

    /// A point of the level on the picture, where y points down.
    pub fn at(&self, point: DVec2) -> (f32, f32) {
        (
            (point.x - self.corner.x) as f32,
            (self.corner.y - point.y) as f32,
        )
    }

    /// The part of the level that the picture shows.
    pub fn shows(&self) -> Bounds {
        let far = dvec2(self.corner.x + self.size.x, self.corner.y - self.size.y);
        Bounds::of(self.corner, far)
    }
}
