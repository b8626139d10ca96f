//! Zones: areas with their own wind, gravity, conveyor or surface.

use super::SurfaceId;
use crate::geometry::grid::Bounds;
use crate::geometry::{Grid, polygon};
use glam::DVec2;
use std::sync::Arc;

/// An area with its own rules for every body whose center is in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Zone {
    /// Its name.
    pub name: Arc<str>,
    /// Its outline, px, wound counterclockwise.
    pub points: Vec<DVec2>,
    /// Acceleration added to external velocity, px/s².
    pub external_accel: DVec2,
    /// Multiplier for gravity.
    pub gravity_scale: f64,
    /// Velocity at which standing bodies are carried, px/s.
    pub conveyor: DVec2,
    /// Surface that replaces the surface of the solids in it.
    pub surface: Option<SurfaceId>,
}

/// The combined effect of all zones at a point: accelerations and conveyors add up, gravity factors
/// multiply, and of several surfaces the last in the file wins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Air {
    /// Acceleration added to external velocity, px/s².
    pub external_accel: DVec2,
    /// Multiplier for gravity.
    pub gravity_scale: f64,
    /// Velocity at which standing bodies are carried, px/s.
    pub conveyor: DVec2,
    /// Surface that replaces the surface of the solids.
    pub surface: Option<SurfaceId>,
}

impl Default for Air {
    fn default() -> Self {
        Self {
            external_accel: DVec2::ZERO,
            gravity_scale: 1.0,
            conveyor: DVec2::ZERO,
            surface: None,
        }
    }
}

/// All zones of a level.
#[derive(Clone, Debug)]
pub struct Zones {
    list: Vec<Zone>,
    grid: Grid<u16>,
}

/// Width of a cell of the grid of zones, px.
const CELL: f64 = 160.0;

impl Default for Zones {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl Zones {
    /// Zones with validated outlines, as returned by [`crate::geometry::polygon::outline`].
    #[must_use]
    pub fn new(list: Vec<Zone>) -> Self {
        let boxes: Vec<(Bounds, u16)> = list
            .iter()
            .enumerate()
            .map(|(i, zone)| (Bounds::around(&zone.points), i as u16))
            .collect();
        Self {
            grid: Grid::new(&boxes, CELL),
            list,
        }
    }

    /// The zones, in the order of the level file.
    #[must_use]
    #[inline]
    pub fn list(&self) -> &[Zone] {
        &self.list
    }

    /// Calls `visit` with the index of each zone that contains the point, in file order.
    pub fn visit(&self, point: DVec2, mut visit: impl FnMut(u16)) {
        if self.list.is_empty() {
            return;
        }
        self.grid.visit(&Bounds::of(point, point), |index| {
            if polygon::contains(&self.list[*index as usize].points, point) {
                visit(*index);
            }
        });
    }

    /// The combined effect of the zones at a point; `None` outside all zones.
    #[must_use]
    pub fn air_at(&self, point: DVec2) -> Option<Air> {
        let mut air = None;
        self.visit(point, |index| {
            let zone = &self.list[index as usize];
            let sum = air.get_or_insert_with(Air::default);
            sum.external_accel += zone.external_accel;
            sum.gravity_scale *= zone.gravity_scale;
            sum.conveyor += zone.conveyor;
            sum.surface = zone.surface.or(sum.surface);
        });
        air
    }
}
