//! The camera: which part of the level the picture shows.

use crate::geometry::grid::Bounds;
use crate::level::{Level, View};
use crate::sim::EntityView;
use glam::{DVec2, dvec2};
use tiny_skia::Pixmap;

/// Which part of the level the picture shows.
pub(super) struct Camera {
    /// The point of the level in the picture's upper left corner, px.
    pub corner: DVec2,
    size: DVec2,
}

/// How far a side view looks above the players, as a fraction of the picture's height.
const ABOVE: f64 = 0.18;

impl Camera {
    /// Centers on the players, or on the first body without one, and stays within the bounds.
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
        // A side view has more to show above than below; a top view shows equally much in all
        // directions.
        let above = match level.view {
            View::Side => ABOVE,
            View::Top => 0.0,
        };
        let center = middle + dvec2(0.0, size.y * above);
        // High solids are painted further up, beyond the edge of the plane.
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

    /// Converts a point of the level to picture coordinates, where y points down.
    pub fn at(&self, point: DVec2) -> (f32, f32) {
        (
            (point.x - self.corner.x) as f32,
            (self.corner.y - point.y) as f32,
        )
    }

    /// The part of the level that is visible.
    pub fn shows(&self) -> Bounds {
        let far = dvec2(self.corner.x + self.size.x, self.corner.y - self.size.y);
        Bounds::of(self.corner, far)
    }
}
