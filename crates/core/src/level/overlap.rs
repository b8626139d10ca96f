//! Whether a body at rest is inside a solid, and how to get it out.

use super::*;
use crate::geometry::{apart::colliders, separation::Nearest};

/// Maximum number of consecutive moves out of solids: from the body's own position, and from each
/// of the nearby positions tried when that fails.
const MOST_MOVES: usize = 64;
const MOVES_AROUND: usize = 8;

/// How far around a body to search for a free position, in half-widths.
const RINGS: u32 = 32;

/// Number of directions to search.
const DIRECTIONS: u32 = 16;

/// Maximum number of directions along nearby edges and away from them.
const EDGE_DIRECTIONS: usize = 64;

/// Directions whose unit vectors differ by less than this are one.
const SAME: f64 = 1e-9;

impl Scenery<'_> {
    /// How the body overlaps the solid it is deepest in; `None` if it overlaps nothing. One-way
    /// platforms are lines and overlap nothing.
    pub fn overlap(&self, shape: Collider, at: DVec2) -> Option<Separation> {
        let area = Bounds::of(at, at).grown(shape.half);
        let mut deepest: Option<Separation> = None;
        let mut consider = |overlap: Separation| {
            if overlap.overlaps() && deepest.is_none_or(|d| overlap.gap < d.gap) {
                deepest = Some(overlap);
            }
        };
        self.visit_platforms(&area, |number, platform, offset| {
            let solid = &self.terrain.solids[platform.solid as usize];
            if !solid.one_way && !platform.edges.is_empty() {
                let round = self.others.and_then(|others| others.bodies.round_shape(number));
                let overlap = match round {
                    None => self.overlap_with(number, shape, at - offset),
                    Some(body) => colliders(shape, at - offset, body, DVec2::ZERO)
                        .map(|to_touch| Separation { gap: -(to_touch / shape.half).length(), to_touch }),
                };
                overlap.map(&mut consider);
            }
        });
        self.terrain.separation(shape, at).map(consider);
        deepest
    }

    /// Whether the body overlaps a platform, at its position at the end of this tick.
    pub fn overlaps_platform(&self, platform: u16, shape: Collider, at: DVec2) -> bool {
        let solid = &self.terrain.solids[self.terrain.platforms[platform as usize].solid as usize];
        let overlap = self.overlap_with(platform, shape, at - self.offset(platform));
        !solid.one_way && overlap.is_some_and(|overlap| overlap.overlaps())
    }

    /// The name of the solid that the body is deepest in.
    pub fn solid_at(&self, shape: Collider, at: DVec2) -> Option<&Arc<str>> {
        let mut deepest: Option<(f64, &Arc<str>)> = None;
        let mut consider = |number: u32, overlap: Option<Separation>| {
            let solid = &self.terrain.solids[number as usize];
            let overlap = overlap.filter(|_| !solid.one_way);
            let overlap = overlap.filter(|o| o.overlaps() && deepest.is_none_or(|(gap, _)| o.gap < gap));
            deepest = overlap.map(|o| (o.gap, &solid.name)).or(deepest);
        };
        let area = Bounds::of(at, at).grown(shape.half);
        self.visit_platforms(&area, |number, platform, offset| {
            consider(platform.solid, self.overlap_with(number, shape, at - offset));
        });
        let solids = &self.terrain.solids;
        self.terrain
            .solid_grid
            .visit(&area, |solid| consider(*solid, solids[*solid as usize].overlap(shape, at)));
        deepest.map(|(_, name)| name)
    }

    /// The platform that the body touches or is inside of.
    pub fn platform_at(&self, shape: Collider, at: DVec2) -> Option<u16> {
        let mut found = None;
        let area = Bounds::of(at, at).grown(shape.half);
        self.visit_platforms(&area, |number, platform, offset| {
            let mut nearest = Nearest::default();
            platform.visit_edges(&area.moved(-offset), |index| {
                let [start, end] = [self.face(index).start, self.end(index)].map(|place| place - offset);
                nearest.consider(shape, at - offset, start, end);
            });
            if nearest.distance() <= 1.0 || self.overlaps_platform(number, shape, at) {
                found = Some(number);
            }
        });
        found
    }

    /// A position near `from` where the body overlaps no solid, or `None`.
    ///
    /// The body leaves the solid it is deepest in, then checks again. Where leaving one solid
    /// always enters another, the same is tried from nearby positions, the nearest first.
    pub fn push_out(&self, shape: Collider, from: DVec2) -> Option<DVec2> {
        self.move_out(shape, from, MOST_MOVES).or_else(|| self.search_around(shape, from))
    }

    /// Where the body overlaps no solid after at most this many moves, each out of the solid it is deepest in.
    pub fn move_out(&self, shape: Collider, from: DVec2, moves: usize) -> Option<DVec2> {
        let mut place = from;
        for _ in 0..moves {
            match self.overlap(shape, place) {
                None => return Some(place),
                Some(overlap) => place += overlap.to_touch,
            }
        }
        None
    }

    /// The nearest place straight away from `from` where the body overlaps no solid and that `is_open`, or `None`.
    ///
    /// It lies on the way out of the solid that the body is deepest in, in one of the directions around the body, or along
    /// one of the edges near it, or at a right angle to one.
    pub fn straight_out(&self, shape: Collider, from: DVec2, is_open: impl Fn(DVec2) -> bool) -> Option<DVec2> {
        let first = self.overlap(shape, from)?;
        let mut best = None;
        let mut most = f64::INFINITY;
        let mut consider = |towards: DVec2| {
            let length = self.length_out(shape, from, first, towards, most)?;
            let place = from + towards * length;
            if is_open(place) {
                (most, best) = (length, Some(place));
            }
            best
        };
        // What is likely to be short comes first, so that most other directions need no search.
        let likely = first.to_touch.try_normalize();
        let around = likely.into_iter().chain(directions()).filter_map(&mut consider).last()?;
        let area = Bounds::of(from, from).grown(shape.half + DVec2::splat(around.distance(from)));
        let along_edges = self.edge_directions(&area);
        along_edges.into_iter().for_each(|towards| _ = consider(towards));
        best
    }

    /// How far the body has to move in this direction, less than `most`, until it overlaps nothing. It begins with this
    /// overlap.
    fn length_out(
        &self,
        shape: Collider,
        from: DVec2,
        mut overlap: Separation,
        towards: DVec2,
        most: f64,
    ) -> Option<f64> {
        let mut length = 0.0;
        for _ in 0..MOST_MOVES {
            // In no direction is the way out of this solid shorter.
            length -= overlap.gap / shape.gauge(towards);
            if length >= most {
                return None;
            }
            match self.overlap(shape, from + towards * length) {
                None => return Some(length),
                Some(next) => overlap = next,
            }
        }
        None
    }

    /// The different directions along the solid edges in an area, and away from them.
    fn edge_directions(&self, area: &Bounds) -> Vec<DVec2> {
        let mut found: Vec<DVec2> = Vec::new();
        let mut add = |along: DVec2| {
            for towards in [along, -along, along.perp(), -along.perp()] {
                let is_new = found.iter().all(|other| (*other - towards).abs().max_element() > SAME);
                if is_new && found.len() < EDGE_DIRECTIONS {
                    found.push(towards);
                }
            }
        };
        self.visit_platforms(area, |_, platform, offset| {
            if !self.terrain.solids[platform.solid as usize].one_way {
                platform.visit_edges(&area.moved(-offset), |index| add(self.face(index).along));
            }
        });
        self.terrain.grid.visit(area, |near| {
            if near.side == Side::Solid {
                add((near.end - near.start).normalize_or(DVec2::X));
            }
        });
        found
    }

    fn search_around(&self, shape: Collider, from: DVec2) -> Option<DVec2> {
        for ring in 1..=RINGS {
            for towards in directions() {
                let place = from + towards * shape.half * f64::from(ring);
                if let Some(free) = self.move_out(shape, place, MOVES_AROUND) {
                    return Some(free);
                }
            }
        }
        None
    }
}

/// Unit vectors in all directions, evenly spaced.
fn directions() -> impl Iterator<Item = DVec2> {
    (0..DIRECTIONS).map(|direction| {
        let angle = std::f64::consts::TAU * f64::from(direction) / f64::from(DIRECTIONS);
        DVec2::new(libm::cos(angle), libm::sin(angle))
    })
}

impl Terrain {
    /// How a body lies relative to the nearest edge of the joined outlines; `None` if the edge is
    /// out of the body's reach.
    fn separation(&self, shape: Collider, at: DVec2) -> Option<Separation> {
        let mut inside = false;
        self.solid_grid.visit(&Bounds::of(at, at), |solid| {
            let solid = &self.solids[*solid as usize];
            inside |= solid.contains(at);
        });
        Nearest::search(shape, at, inside, |nearest, area| {
            self.grid.visit(area, |near| {
                if near.side == Side::Solid {
                    nearest.consider(shape, at, near.start, near.end);
                }
            });
        })
    }
}
