//! A tree over the places of entities, for crowds in which many are one above the other.
//!
//! A sweep from left to right compares an entity with all that begin between its left and its right
//! end, however far above or below they are. In a shaft that is everything. The tree halves the places
//! where they are spread the most, and a walk through it finds for each entity the same pairs as the sweep.

use super::*;

/// The space that an entity takes up.
#[derive(Clone, Copy)]
pub struct Extents {
    /// Its box, px.
    pub area: Bounds,
    /// Its height above the ground plane in a top view, px.
    pub z: f64,
    /// How tall it is, px.
    pub tall: f64,
}

impl Extents {
    /// Whether two entities are close enough to be a pair.
    #[inline]
    pub fn meets(&self, other: &Self) -> bool {
        self.area.meets(&other.area) && (self.z - other.z).abs() < self.tall.max(other.tall)
    }
}

/// The tree. Places are known by their rank from left to right.
#[derive(Default)]
pub struct CrowdTree {
    /// A binary tree: the children of node `n` are `2n + 1` and `2n + 2`.
    nodes: Vec<CrowdNode>,
    /// Ranks, leaf by leaf.
    ranks: Vec<u32>,
    /// The leaf of each rank.
    leaf_of: Vec<u32>,
}

/// A walk through the ranks of a tree in descending order. A query finds only places to the right, which the walk has
/// passed. Walks through parts of the ranks do not see each other.
#[derive(Default)]
pub struct CrowdWalk {
    /// The lowest rank below each node that can be found.
    lowest: Vec<u32>,
    /// The rank where the walk is; it has passed all ranks above.
    at: u32,
    /// The ranks that a query has found, in ascending order.
    found: Vec<u32>,
    /// How many nodes and places the queries have looked at.
    #[cfg(test)]
    pub looks: usize,
}

#[derive(Clone, Copy)]
struct CrowdNode {
    area: Bounds,
    z: [f64; 2],
    tall: f64,
    /// The range of its ranks.
    ranks: (u32, u32),
}

/// The lowest rank of a node below which nothing can be found.
const NONE: u32 = u32::MAX;

/// Leaves have at most this many places.
const LEAF: usize = 8;

impl CrowdTree {
    /// Builds the tree over places, by rank.
    pub fn build(&mut self, places: &[Extents]) {
        let count = places.len();
        let mut levels = 0;
        while (count >> levels) > LEAF {
            levels += 1;
        }
        self.ranks.clear();
        self.ranks.extend(0..count as u32);
        self.leaf_of.clear();
        self.leaf_of.resize(count, 0);
        self.nodes.clear();
        let total = (1_usize << (levels + 1)) - 1;
        for node in 0..total {
            let ranks = match node {
                0 => (0, count as u32),
                _ => {
                    let (from, to) = self.nodes[(node - 1) / 2].ranks;
                    let middle = from.midpoint(to);
                    if node % 2 == 1 { (from, middle) } else { (middle, to) }
                }
            };
            let listed = &mut self.ranks[ranks.0 as usize..ranks.1 as usize];
            let (made, axis) = CrowdNode::around(listed, ranks, places);
            self.nodes.push(made);
            if 2 * node + 1 < total {
                let middle = listed.len() / 2;
                let key = |rank: &u32| (center(&places[*rank as usize], axis), *rank);
                listed.select_nth_unstable_by(middle, |a, b| {
                    let ((x, i), (y, j)) = (key(a), key(b));
                    x.total_cmp(&y).then(i.cmp(&j))
                });
            } else {
                for rank in listed {
                    self.leaf_of[*rank as usize] = node as u32;
                }
            }
        }
    }
}

impl CrowdWalk {
    /// Begins to the left of the rank `from`. From there on, all places can be found that `count`.
    pub fn begin(&mut self, tree: &CrowdTree, from: usize, counts: impl Fn(u32) -> bool) {
        self.at = from as u32;
        self.lowest.clear();
        self.lowest.resize(tree.nodes.len(), NONE);
        // Children come after their parents.
        for (node, CrowdNode { ranks, .. }) in tree.nodes.iter().enumerate().rev() {
            let [left, right] = [2 * node + 1, 2 * node + 2];
            self.lowest[node] = if right < tree.nodes.len() {
                self.lowest[left].min(self.lowest[right])
            } else {
                let below = tree.ranks[ranks.0 as usize..ranks.1 as usize].iter();
                let found = below.filter(|rank| **rank >= self.at && counts(**rank));
                found.min().copied().unwrap_or(NONE)
            };
        }
    }

    /// Moves to the next lower rank. Its place can be found from there on if it `counts`.
    pub fn pass(&mut self, tree: &CrowdTree, counts: bool) {
        self.at -= 1;
        if !counts {
            return;
        }
        let mut node = tree.leaf_of[self.at as usize] as usize;
        loop {
            self.lowest[node] = self.at;
            if node == 0 {
                return;
            }
            node = (node - 1) / 2;
        }
    }

    /// The lowest ranks, at most `most`, of the places that it has passed and that are close to a place and `count`.
    pub fn lowest(
        &mut self,
        tree: &CrowdTree,
        place: &Extents,
        places: &[Extents],
        most: usize,
        counts: &impl Fn(u32) -> bool,
    ) -> &[u32] {
        self.found.clear();
        self.found.reserve(most);
        self.search(tree, 0, place, places, most, counts);
        &self.found
    }

    fn search(
        &mut self,
        tree: &CrowdTree,
        node: usize,
        place: &Extents,
        places: &[Extents],
        most: usize,
        counts: &impl Fn(u32) -> bool,
    ) {
        let lowest = self.lowest[node];
        #[cfg(test)]
        {
            self.looks += LEAF;
        }
        let full = self.found.len() == most;
        if lowest == NONE
            || full && self.found.last().is_none_or(|last| lowest > *last)
            || !tree.nodes[node].may_meet(place)
        {
            return;
        }
        let [left, right] = [2 * node + 1, 2 * node + 2];
        if right < tree.nodes.len() {
            // The lower ranks first, so that the others can be left out.
            let swap = self.lowest[right] < self.lowest[left];
            let order = if swap { [right, left] } else { [left, right] };
            for child in order {
                self.search(tree, child, place, places, most, counts);
            }
            return;
        }
        let (from, to) = tree.nodes[node].ranks;
        for rank in &tree.ranks[from as usize..to as usize] {
            if *rank >= self.at && counts(*rank) && places[*rank as usize].meets(place) {
                let at = self.found.partition_point(|found| found < rank);
                if at < most {
                    self.found.truncate(most - 1);
                    self.found.insert(at, *rank);
                }
            }
        }
    }
}

impl CrowdNode {
    /// The node of these ranks, and the axis along which their places are spread the most.
    fn around(listed: &[u32], ranks: (u32, u32), places: &[Extents]) -> (Self, usize) {
        let mut node = Self { area: Bounds::NONE, z: [f64::INFINITY, f64::NEG_INFINITY], tall: 0.0, ranks };
        let mut spread = [[f64::INFINITY, f64::NEG_INFINITY]; 3];
        for rank in listed {
            let place = &places[*rank as usize];
            node.area = node.area.joined(&place.area);
            node.z = [node.z[0].min(place.z), node.z[1].max(place.z)];
            node.tall = node.tall.max(place.tall);
            for (axis, [low, high]) in spread.iter_mut().enumerate() {
                let at = center(place, axis);
                (*low, *high) = (low.min(at), high.max(at));
            }
        }
        let widths = spread.map(|[low, high]| high - low);
        let longer = |axis, other| if widths[other] > widths[axis] { other } else { axis };
        (node, [1, 2].into_iter().fold(0, longer))
    }

    /// Whether any of its places may be close to a place.
    fn may_meet(&self, place: &Extents) -> bool {
        let reach = self.tall.max(place.tall);
        self.area.meets(&place.area) && place.z - reach < self.z[1] && place.z + reach > self.z[0]
    }
}

/// Twice the center of a place along x, y or z.
fn center(place: &Extents, axis: usize) -> f64 {
    match axis {
        2 => place.z,
        _ => place.area.min[axis] + place.area.max[axis],
    }
}

#[cfg(test)]
#[path = "../../tests/unit/sim/crowd.rs"]
mod tests;
