//! The zones around a short path, found once for many points on it.

use super::zone::{Air, MOST_ZONES, Zones};
use crate::geometry::grid::Bounds;
use glam::DVec2;

/// The zones that can contain points of an area. For points in it, [`air_at`](Self::air_at) answers as
/// [`Zones::air_at`] does, and compares only the zones whose border is in the area.
#[derive(Clone, Debug)]
pub struct NearZones<'a> {
    zones: &'a Zones,
    area: Bounds,
    /// The zones that contain at least one point of the area, in file order, and whether a border of the
    /// zone is in the area. The others contain all of it.
    list: [(u16, bool); CAPACITY],
    count: usize,
}

/// Where more zones are near, the area counts as empty, and points are looked up as usual.
const CAPACITY: usize = 128;

impl<'a> NearZones<'a> {
    /// The zones that can contain points of the area.
    pub fn of(zones: &'a Zones, area: Bounds) -> Self {
        let mut near = Self { zones, area, list: [(0, false); CAPACITY], count: 0 };
        let mut fits = near.find_borders();
        let middle = area.min.midpoint(area.max);
        let bordering = near.count;
        zones.visit_all(middle, |zone| {
            let known = near.list[..bordering].iter().any(|(other, _)| *other == zone);
            fits &= known || near.insert(zone, false);
        });
        if !fits {
            near.area = Bounds::around(&[]);
        }
        near.list[..near.count].sort_unstable();
        near
    }

    /// Lists the zones with a border in the area. Returns whether there is room for all of them.
    fn find_borders(&mut self) -> bool {
        let mut fits = true;
        let (zones, area) = (self.zones, self.area);
        zones.visit_borders(&area, |zone| {
            let known = self.list[..self.count].iter().any(|(other, _)| *other == zone);
            fits &= known || self.insert(zone, true);
        });
        fits
    }

    /// Adds a zone. Returns whether there was room.
    fn insert(&mut self, zone: u16, borders: bool) -> bool {
        let Some(place) = self.list.get_mut(self.count) else {
            return false;
        };
        *place = (zone, borders);
        self.count += 1;
        true
    }

    /// The combined effect of the zones at a point; `None` outside all zones.
    pub fn air_at(&self, point: DVec2) -> Option<Air> {
        if !self.area.holds(point) {
            return self.zones.air_at(point);
        }
        let near = self.list[..self.count].iter();
        let around = near.filter(|(zone, borders)| !borders || self.zones.contains(*zone, point));
        let mut air = None;
        for (zone, _) in around.take(MOST_ZONES) {
            air.get_or_insert_with(Air::default).add(&self.zones.list()[*zone as usize]);
        }
        air
    }
}
