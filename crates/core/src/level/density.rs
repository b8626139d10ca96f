//! How many edges lie in one place. That bounds the work of a body there, whatever the level's size.

use super::{platform::FEW_EDGES, *};

/// The place with the most edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DensestPlace {
    /// How many edges are in it. A platform's edges count in every place that it reaches.
    pub edges: f64,
    /// The place, px.
    pub area: Bounds,
}

/// Maximum number of cells along one side of a map.
const MOST_CELLS: usize = 256;

/// Edge counts by place.
struct DensityMap {
    cell: f64,
    side: usize,
    /// Counts of areas, as differences from the cell to the left and the cell below.
    areas: Vec<f64>,
    lines: Vec<f64>,
}

impl Level {
    /// The number of edges that solids have, or those that zones have.
    pub fn edge_count(&self, of_zones: bool) -> usize {
        if of_zones {
            return self.zones.list().iter().map(|z| z.points.len()).sum();
        }
        // A solid with a top has its edges, and its top.
        self.terrain.edges.len() + self.tops().map(|s| s.points.len()).sum::<usize>()
    }

    /// The solids with a top to stand on.
    fn tops(&self) -> impl Iterator<Item = &Solid> {
        let solids = self.terrain.solids.iter();
        solids.filter(|s| self.view == View::Top && s.top.is_finite())
    }

    /// The place about this wide, px, with the most edges of solids, or of zones.
    pub fn densest_place(&self, width: f64, of_zones: bool) -> DensestPlace {
        let mut map = DensityMap::new(width);
        if of_zones {
            for zone in self.zones.list() {
                map.add_outline(&zone.points, Bounds::around(&zone.points));
            }
            return map.densest();
        }
        let terrain = &self.terrain;
        for edge in terrain.edges.iter().filter(|e| e.platform.is_none()) {
            map.add_line(edge.face.start, edge.end);
        }
        for platform in &terrain.platforms {
            let solid = &terrain.solids[platform.solid as usize];
            map.add_outline(&solid.points, solid.range());
        }
        for solid in self.tops() {
            map.add_area(solid.bounds, few(solid.points.len()));
        }
        map.densest()
    }
}

/// How many edges of an outline are looked at by a body that is in its box, but not near its edges.
fn few(points: usize) -> f64 {
    points.min(FEW_EDGES as usize) as f64
}

/// A point's place in the square around 0 that reaches to [`FARTHEST`], from the lower left corner.
fn folded(point: DVec2) -> DVec2 {
    let width = 2.0 * FARTHEST;
    DVec2::new((point.x + FARTHEST).rem_euclid(width), (point.y + FARTHEST).rem_euclid(width))
}

/// The shares of a line between which it is in that square; equal ones if it is outside.
fn within(from: DVec2, to: DVec2) -> (f64, f64) {
    let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
    for axis in 0..2 {
        let (start, way) = (from[axis], to[axis] - from[axis]);
        if way == 0.0 {
            if start.abs() > FARTHEST {
                return (0.0, 0.0);
            }
            continue;
        }
        let (one, other) = ((-FARTHEST - start) / way, (FARTHEST - start) / way);
        enters = enters.max(one.min(other));
        leaves = leaves.min(one.max(other));
    }
    if enters < leaves { (enters, leaves) } else { (0.0, 0.0) }
}

impl DensityMap {
    fn new(width: f64) -> Self {
        let cell = width.max(2.0 * FARTHEST / MOST_CELLS as f64);
        // One more for rounding.
        let side = (2.0 * FARTHEST / cell) as usize + 2;
        Self { cell, side, areas: vec![0.0; side * side], lines: vec![0.0; side * side] }
    }

    /// The column and the row of a point. Places beyond [`FARTHEST`] count for one within.
    fn cell(&self, point: DVec2) -> (usize, usize) {
        let place = folded(point) / self.cell;
        (place.x as usize, place.y as usize)
    }

    /// An outline whose few edges, or box, are looked at everywhere in `reach`, and whose many edges
    /// only where they are.
    fn add_outline(&mut self, points: &[DVec2], reach: Bounds) {
        self.add_area(reach, few(points.len()));
        if points.len() > FEW_EDGES as usize {
            polygon::sides(points).for_each(|(from, to)| self.add_line(from, to));
        }
    }

    fn add_area(&mut self, area: Bounds, count: f64) {
        let far = DVec2::splat(FARTHEST);
        // What reaches into the usual range counts there, and only what is wholly outside is folded.
        let (from, to) = if area.meets(&Bounds::of(-far, far)) {
            (area.min.max(-far) + far, area.max.min(far) + far)
        } else {
            let from = folded(area.min);
            (from, (from + (area.max - area.min)).min(2.0 * far))
        };
        let cell = |place: f64| (place / self.cell) as usize;
        let (left, bottom, right, top) = (cell(from.x), cell(from.y), cell(to.x), cell(to.y));
        for (x, y, sign) in
            [(left, bottom, 1.0), (right + 1, bottom, -1.0), (left, top + 1, -1.0), (right + 1, top + 1, 1.0)]
        {
            if x < self.side && y < self.side {
                self.areas[y * self.side + x] += sign * count;
            }
        }
    }

    fn add_line(&mut self, from: DVec2, to: DVec2) {
        let (enters, leaves) = within(from, to);
        // Exactly where bodies are supposed to be, roughly farther out.
        self.sample(from, to, [enters, leaves], usize::MAX);
        for outside in [[0.0, enters], [leaves, 1.0]] {
            if outside[0] < outside[1] {
                self.sample(from, to, outside, MOST_CELLS);
            }
        }
    }

    /// Counts a line in the cells that it passes between two shares of it, in up to `most` of them.
    fn sample(&mut self, from: DVec2, to: DVec2, [begin, end]: [f64; 2], most: usize) {
        let cells = ((to - from) * (end - begin)).abs().max_element() / self.cell;
        let steps = (cells.ceil() as usize).min(most);
        let mut last = None;
        for step in 0..=steps {
            let share = begin + (end - begin) * step as f64 / steps.max(1) as f64;
            let (x, y) = self.cell(from.lerp(to, share));
            if last.replace((x, y)) != Some((x, y)) {
                self.lines[y * self.side + x] += 1.0;
            }
        }
    }

    fn densest(mut self) -> DensestPlace {
        let mut densest = (0.0, (0, 0));
        for y in 0..self.side {
            for x in 0..self.side {
                let at = y * self.side + x;
                let left = if x > 0 { self.areas[at - 1] } else { 0.0 };
                let below = if y > 0 { self.areas[at - self.side] } else { 0.0 };
                let both = match (x, y) {
                    (0, _) | (_, 0) => 0.0,
                    _ => self.areas[at - self.side - 1],
                };
                self.areas[at] += left + below - both;
                let count = self.areas[at] + self.lines[at];
                if count > densest.0 {
                    densest = (count, (x, y));
                }
            }
        }
        let (edges, (x, y)) = densest;
        let min = DVec2::new(x as f64, y as f64) * self.cell - FARTHEST;
        DensestPlace { edges, area: Bounds::of(min, min + self.cell) }
    }
}
