//! Heights in a top view: the obstacles at a given height, and the floors to stand on.

use super::*;

/// The obstacles at each height. Between two consecutive tops the same solids are in the way, so
/// each such interval has one joined terrain: a body slides along the outline of everything higher
/// than its feet and never hits a seam.
#[derive(Clone, Debug, Default)]
pub struct Heights {
    /// The tops of solids in ascending order, each with the terrain of all higher solids.
    above: Vec<(f64, Terrain)>,
    /// A solid with the highest top, if there are too many different tops.
    too_many: Option<u32>,
}

/// Maximum number of points of solids in the terrains of all heights together.
pub const MOST_HIGHER: usize = 600_000;

/// The floor a body stands on in a top view.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Floor {
    /// Height above the ground plane, px.
    pub height: f64,
    /// The solid whose top it is; `None` for the plain ground at height 0.
    pub solid: Option<u32>,
}

impl Heights {
    /// Computes the heights for these solids.
    pub fn new(solids: &Arc<[Solid]>) -> Self {
        let mut tops: Vec<f64> = solids.iter().map(|s| s.top).collect();
        tops.retain(|top| top.is_finite());
        tops.sort_by(f64::total_cmp);
        tops.dedup();
        if let Some(too_many) = too_many(solids, &tops) {
            return Self { above: Vec::new(), too_many: Some(too_many) };
        }
        let above = |top: f64| {
            let terrain = Terrain::of(solids, |solid| solid.top > top);
            (top, terrain)
        };
        Self { above: tops.into_iter().map(above).collect(), too_many: None }
    }

    /// Adds the solids behind those of `base` as platforms of bodies to each terrain.
    pub(super) fn set_bodies(&mut self, base: &Self, solids: &Arc<[Solid]>) {
        for ((_, terrain), (_, base)) in self.above.iter_mut().zip(&base.above) {
            terrain.set_bodies(base, solids);
        }
    }

    /// If the terrains above all tops would have more points than [`MOST_HIGHER`]: the index of a
    /// solid with the highest top. No top counts as a floor then.
    pub fn too_many(&self) -> Option<u32> {
        self.too_many
    }

    /// The terrain that blocks feet at height `z`; `None` if it is the whole terrain.
    #[inline(always)]
    pub fn above(&self, z: f64) -> Option<&Terrain> {
        let lower = self.above.partition_point(|(top, _)| *top <= z + TOUCH);
        lower.checked_sub(1).map(|last| &self.above[last].1)
    }

    /// The lowest top above height `z`.
    pub fn next_above(&self, z: f64) -> Option<f64> {
        let higher = self.above.partition_point(|(top, _)| *top <= z + TOUCH);
        self.above.get(higher).map(|(top, _)| *top)
    }

    /// The highest top below height `z`; the plain ground counts.
    pub fn next_below(&self, z: f64) -> Option<f64> {
        let lower = self.above.partition_point(|(top, _)| *top < z);
        let top = lower.checked_sub(1).map(|last| self.above[last].0);
        top.or((z > 0.0).then_some(0.0))
    }
}

/// A solid with the highest of these tops, if they are too many.
fn too_many(solids: &[Solid], tops: &[f64]) -> Option<u32> {
    let below = |solid: &Solid| tops.partition_point(|top| *top < solid.top);
    let higher: usize = solids.iter().map(|s| s.points.len() * below(s)).sum();
    let highest = tops.last()?;
    let place = solids.iter().position(|s| s.top == *highest)?;
    (higher > MOST_HIGHER).then_some(place as u32)
}

impl Scenery<'_> {
    /// The highest floor under a body of this shape at `at` with its feet at height `z`: the
    /// highest overlapped solid that is not above `z`, else the plain ground.
    pub fn floor_below(&self, shape: Collider, at: DVec2, z: f64) -> Floor {
        let mut floor = Floor { height: 0.0, solid: None };
        let area = Bounds::of(at, at).grown(shape.half);
        let solids = &self.terrain.solids;
        // If several floors have the same height, the one that supports most of the body wins,
        // whatever their order.
        let mut deepest = 0.0;
        let mut consider = |index: u32, overlap: &dyn Fn() -> Option<Separation>| {
            let solid = &solids[index as usize];
            if solid.top > z + TOUCH || solid.top < floor.height {
                return;
            }
            let Some(overlap) = overlap() else {
                return;
            };
            if solid.top > floor.height || overlap.gap < deepest {
                deepest = overlap.gap;
                floor = Floor { height: solid.top, solid: Some(index) };
            }
        };
        self.terrain
            .tops
            .visit(&area, |index| consider(*index, &|| solids[*index as usize].overlap(shape, at)));
        self.visit_platforms(&area, |number, platform, offset| {
            consider(platform.solid, &|| self.overlap_with(number, shape, at - offset));
        });
        floor
    }
}
