//! Zones: areas with their own wind, gravity, conveyor or surface.

use super::*;
use glam::Vec2Swizzles as _;

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
    /// Whether it is on when the level begins.
    pub present: bool,
    /// Multiplier for the rate of the time of bodies.
    pub time_scale: f64,
}

/// The combined effect of all zones at a point: accelerations and conveyors add up, gravity factors
/// multiply, and the last surface in the file wins.
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
    /// Multiplier for the rate of the time of bodies.
    pub time_scale: f64,
}

impl Default for Air {
    fn default() -> Self {
        Self { external_accel: DVec2::ZERO, gravity_scale: 1.0, conveyor: DVec2::ZERO, surface: None, time_scale: 1.0 }
    }
}

impl Air {
    /// Whether a body moves alike under `other`.
    pub fn moves_like(&self, other: &Self) -> bool {
        self.external_accel == other.external_accel
            && self.gravity_scale == other.gravity_scale
            && self.conveyor == other.conveyor
            && self.surface == other.surface
            && self.time_scale == other.time_scale
    }

    /// Adds the effect of a zone.
    fn add(&mut self, zone: &Zone) {
        self.external_accel += zone.external_accel;
        self.gravity_scale *= zone.gravity_scale;
        self.time_scale *= zone.time_scale;
        self.conveyor += zone.conveyor;
        self.surface = zone.surface.or(self.surface);
    }
}

/// One edge of a zone's outline.
#[derive(Clone, Copy, Debug)]
struct Border {
    ends: [DVec2; 2],
    /// Whether bodies move differently on its two sides.
    felt: bool,
    zone: u16,
}

/// All zones of a level. Some may be switched off: they contain nothing, and bodies cross their borders unchanged. Clones
/// share the rest.
#[derive(Clone, Debug)]
pub struct Zones {
    all: Arc<AllZones>,
    off: Absent,
}

/// The zones of a level, and where they are.
#[derive(Debug)]
struct AllZones {
    list: Vec<Zone>,
    /// The edges of outlines that have many.
    insides: Vec<Option<Inside>>,
    grid: Grid<u16>,
    borders: Grid<Border>,
}

/// Maximum number of zones that a body is in at a time. If there are more, the first ones in the level file count.
pub const MOST_ZONES: usize = 64;

/// Width of a cell of the grid of zones, px.
const CELL: f64 = 160.0;

impl Default for Zones {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl Zones {
    /// Zones with validated outlines, as returned by [`crate::geometry::polygon::outline`].
    pub fn new(list: Vec<Zone>) -> Self {
        let boxes: Vec<(Bounds, u16)> = list
            .iter()
            .enumerate()
            .map(|(i, zone)| (Bounds::around(&zone.points), i as u16))
            .collect();
        let borders: Vec<(Bounds, Border)> = (0_u16..).zip(&list).flat_map(borders_of).collect();
        let all = AllZones {
            grid: Grid::shaped(&boxes, CELL, |i| Extent::Outline(&list[*i as usize].points)),
            insides: list.iter().map(|zone| Inside::of(&zone.points)).collect(),
            borders: Grid::shaped(&borders, CELL, |border| Extent::Line(border.ends)),
            list,
        };
        Self { all: Arc::new(all), off: Absent::default() }
    }

    /// The same zones with these switched off and all others on.
    pub fn without(&self, off: &Absent) -> Self {
        Self { all: self.all.clone(), off: off.clone() }
    }

    /// Whether a zone is switched on.
    #[inline]
    fn is_on(&self, zone: u16) -> bool {
        self.off.is_empty() || !self.off.holds(u32::from(zone))
    }

    /// The zones, in the order of the level file.
    #[inline]
    pub fn list(&self) -> &[Zone] {
        &self.all.list
    }

    /// Whether time runs at another rate in any of them.
    pub fn scale_time(&self) -> bool {
        self.all.list.iter().any(|zone| zone.time_scale != 1.0)
    }

    /// Calls `visit` with the index of each zone that contains the point, in file order; of more than
    /// [`MOST_ZONES`] only the first ones.
    pub fn visit(&self, point: DVec2, mut visit: impl FnMut(u16)) {
        if self.all.list.is_empty() {
            return;
        }
        let mut count = 0;
        self.all.grid.visit(&Bounds::of(point, point), |zone| {
            if count < MOST_ZONES && self.contains(*zone, point) {
                count += 1;
                visit(*zone);
            }
        });
    }

    /// Calls `visit` with the zone of each border that may be in the area.
    fn visit_borders(&self, area: &Bounds, mut visit: impl FnMut(u16)) {
        let (middle, half) = (area.min.midpoint(area.max), (area.max - area.min) / 2.0);
        self.all.borders.visit(area, |border| {
            let [a, b] = border.ends;
            let edge = b - a;
            // The whole area is on one side of the edge's line.
            let aside = edge.perp_dot(middle - a).abs() > edge.abs().dot(half.yx());
            if !aside && Bounds::of(a, b).meets(area) && self.is_on(border.zone) {
                visit(border.zone);
            }
        });
    }

    /// Whether a zone is switched on and contains the point.
    fn contains(&self, zone: u16, point: DVec2) -> bool {
        if !self.is_on(zone) {
            return false;
        }
        let inside = self.all.insides[zone as usize].as_ref();
        lies_in(&self.all.list[zone as usize].points, inside, point)
    }

    /// About how many edges are compared to find the zones that contain `point`.
    pub fn crowd(&self, point: DVec2) -> usize {
        const OF_A_LARGE_ONE: usize = 16;
        let mut count = 0;
        if self.all.list.is_empty() {
            return count;
        }
        self.all.grid.visit(&Bounds::of(point, point), |index| {
            let points = self.all.list[*index as usize].points.len();
            count += points.min(OF_A_LARGE_ONE);
        });
        count
    }

    /// Whether a border at which motion changes may be in `area`. Cheap, and true a little too
    /// often: it compares boxes.
    pub fn felt_border_near(&self, area: &Bounds) -> bool {
        let mut any = false;
        self.all.borders.visit(area, |border| {
            let [a, b] = border.ends;
            any |= border.felt && Bounds::of(a, b).meets(area) && self.is_on(border.zone);
        });
        any
    }

    /// Where the straight line from `from` to `to` meets the borders of zones.
    pub fn cuts(&self, from: DVec2, to: DVec2) -> Cuts {
        let mut cuts = Cuts::default();
        if self.all.list.is_empty() || from == to {
            return cuts;
        }
        let way = to - from;
        self.all.borders.visit(&Bounds::of(from, to), |border| {
            if !self.is_on(border.zone) {
                return;
            }
            let [a, b] = border.ends;
            let edge = b - a;
            let across = way.perp_dot(edge);
            if across == 0.0 {
                // Along the border. The neighboring edges say where the line enters or leaves.
                return;
            }
            let share = (a - from).perp_dot(edge) / across;
            let place = (a - from).perp_dot(way) / across;
            let slack = 1e-9;
            if (0.0..=1.0).contains(&share) && (-slack..=1.0 + slack).contains(&place) {
                cuts.insert(share);
            }
        });
        cuts
    }

    /// The combined effect of the zones at a point; `None` outside all zones.
    pub fn air_at(&self, point: DVec2) -> Option<Air> {
        let mut air = None;
        self.visit(point, |index| {
            air.get_or_insert_with(Air::default).add(&self.all.list[index as usize]);
        });
        air
    }
}

/// The edges of a zone, with their boxes.
fn borders_of((index, zone): (u16, &Zone)) -> impl Iterator<Item = (Bounds, Border)> + use<'_> {
    let mut air = Air::default();
    air.add(zone);
    let felt = !air.moves_like(&Air::default());
    polygon::sides(&zone.points).map(move |(a, b)| (Bounds::of(a, b), Border { ends: [a, b], felt, zone: index }))
}

/// Most cuts of one line. Later ones are left out.
const MOST_CUTS: usize = 32;

/// The places at which a straight line meets borders of zones, as ascending shares of its length, each
/// only once. Between two of them, the line is in the same zones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cuts(ArrayVec<f64, MOST_CUTS>);

impl Cuts {
    /// Inserts a share in order. If there is no room left, the largest one is dropped.
    fn insert(&mut self, share: f64) {
        let place = self.0.partition_point(|s| *s < share);
        if place == MOST_CUTS || self.0.get(place) == Some(&share) {
            return;
        }
        if self.0.is_full() {
            self.0.pop();
        }
        self.0.insert(place, share);
    }

    /// The shares.
    pub fn shares(&self) -> &[f64] {
        &self.0
    }

    /// The stretches between the cuts, as the shares at which they begin and end; none if there is
    /// no cut.
    pub fn stretches(&self) -> impl Iterator<Item = (f64, f64)> + use<'_> {
        let ends = self.0.iter().copied().chain([1.0]);
        let starts = [0.0].into_iter().chain(self.0.iter().copied());
        starts.zip(ends).filter(move |(start, end)| !self.0.is_empty() && end - start > SHORTEST)
    }
}

/// Stretches up to this share of a line are rounding errors.
const SHORTEST: f64 = 1e-12;

/// The zones that can contain points of an area. For points in it, [`air_at`](Self::air_at) answers as
/// [`Zones::air_at`] does, and compares only the zones whose border is in the area.
#[derive(Clone, Debug)]
pub struct NearZones<'a> {
    zones: &'a Zones,
    area: Bounds,
    /// The zones that contain at least one point of the area, in file order, and whether a border of the
    /// zone is in the area. The others contain all of it.
    list: ArrayVec<(u16, bool), CAPACITY>,
}

/// Where more zones are near, the area counts as empty, and points are looked up as usual.
const CAPACITY: usize = 128;

impl<'a> NearZones<'a> {
    /// The zones that can contain points of the area.
    pub fn of(zones: &'a Zones, area: Bounds) -> Self {
        let mut list = ArrayVec::new();
        let mut fits = true;
        let mut add = |zone: u16, borders: bool| {
            let known = list.iter().any(|(other, _)| *other == zone);
            fits &= known || list.try_push((zone, borders)).is_ok();
        };
        zones.visit_borders(&area, |zone| add(zone, true));
        let middle = area.min.midpoint(area.max);
        zones.all.grid.visit(&Bounds::of(middle, middle), |zone| {
            if zones.contains(*zone, middle) {
                add(*zone, false);
            }
        });
        list.sort_unstable();
        Self { zones, area: if fits { area } else { Bounds::NONE }, list }
    }

    /// The combined effect of the zones at a point; `None` outside all zones.
    pub fn air_at(&self, point: DVec2) -> Option<Air> {
        if !self.area.holds(point) {
            return self.zones.air_at(point);
        }
        let around = self.list.iter().filter(|(zone, borders)| !borders || self.zones.contains(*zone, point));
        let mut air = None;
        for (zone, _) in around.take(MOST_ZONES) {
            air.get_or_insert_with(Air::default).add(&self.zones.list()[*zone as usize]);
        }
        air
    }
}
