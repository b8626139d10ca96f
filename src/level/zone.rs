//! Zones: places where something else holds, such as wind, weak gravity or a conveyor.

use super::SurfaceId;
use crate::geometry::grid::Bounds;
use crate::geometry::{Grid, polygon};
use glam::DVec2;
use std::sync::Arc;

/// A place where something else holds for those whose center is in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Zone {
    /// Its name.
    pub name: Arc<str>,
    /// Its outline, px, wound counter-clockwise.
    pub points: Vec<DVec2>,
    /// What it adds to external velocity, px/s².
    pub external_accel: DVec2,
    /// Factor on gravity.
    pub gravity_scale: f64,
    /// The speed at which what stands in it is carried, px/s.
    pub conveyor: DVec2,
    /// What the ground in it is made of, instead of what its solids are made of.
    pub surface: Option<SurfaceId>,
}

/// What all zones at a place do together: accelerations and conveyors are added, factors
/// multiplied, and of several surfaces the last one named in the file counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Air {
    /// What is added to external velocity, px/s².
    pub external_accel: DVec2,
    /// Factor on gravity.
    pub gravity_scale: f64,
    /// The speed at which what stands here is carried, px/s.
    pub conveyor: DVec2,
    /// What the ground here is made of.
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
    /// The zones with checked outlines, as [`crate::geometry::polygon::outline`] returns them.
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

    /// Calls `visit` with the index of every zone that holds the point, in the order of the file.
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

    /// What the zones at a point do together; none where there are none.
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
