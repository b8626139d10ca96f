//! Tests of `src/sim/crowd.rs`.

use super::{CrowdTree, CrowdWalk, Extents};
use crate::geometry::grid::Bounds;
use glam::DVec2;

/// Numbers from 0 to 1 that are the same every time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f64 / (1_u64 << 24) as f64
    }
}

/// Places in a box of this size, sorted from left to right; a few of them are large.
fn places(count: usize, size: [f64; 3], numbers: &mut Numbers) -> Vec<Extents> {
    let mut all: Vec<Extents> = (0..count)
        .map(|_| {
            let at = DVec2::new(numbers.next() * size[0], numbers.next() * size[1]);
            let large = if numbers.next() < 0.05 { 20.0 } else { 1.0 };
            let half = DVec2::new(numbers.next() * large, numbers.next() * large);
            Extents {
                area: Bounds::of(at - half, at + half),
                z: numbers.next() * size[2],
                tall: 0.1 + numbers.next() * large,
            }
        })
        .collect();
    all.sort_by(|a, b| a.area.min.x.total_cmp(&b.area.min.x));
    all
}

#[test]
fn the_tree_finds_what_comparing_all_finds() {
    let mut numbers = Numbers(1);
    let counts = |rank: u32| !rank.is_multiple_of(5);
    for count in [1, 2, 8, 9, 17, 100, 400] {
        for size in [[0.0; 3], [100.0; 3], [0.0, 200.0, 0.0], [50.0, 0.0, 90.0]] {
            let places = places(count, size, &mut numbers);
            let mut tree = CrowdTree::default();
            tree.build(&places);
            for (most, parts) in [1, 8, 32].into_iter().flat_map(|most| [1, 2, 5].map(|parts| (most, parts))) {
                // A walk for each part of the ranks, as threads share them.
                for part in 0..parts {
                    let (from, to) = (count * part / parts, count * (part + 1) / parts);
                    let mut walk = CrowdWalk::default();
                    walk.begin(&tree, to, counts);
                    for rank in (from..to).rev() {
                        let found = walk.lowest(&tree, &places[rank], &places, most, &counts).to_vec();
                        let after = (rank + 1..count)
                            .filter(|other| !other.is_multiple_of(5) && places[*other].meets(&places[rank]));
                        let expected: Vec<u32> = after.map(|i| i as u32).take(most).collect();
                        assert_eq!(found, expected, "{rank} of {count} in {size:?}, part {part} of {parts}");
                        walk.pass(&tree, counts(rank as u32));
                    }
                }
            }
        }
    }
}

#[test]
fn in_a_shaft_the_work_grows_with_the_number_of_bodies_and_not_its_square() {
    let looks = |count: usize| {
        // As high as it takes to leave as much room for each.
        let size = [0.5, 3.0 * count as f64, 0.0];
        let places = places(count, size, &mut Numbers(7));
        let mut tree = CrowdTree::default();
        tree.build(&places);
        let mut walk = CrowdWalk::default();
        walk.begin(&tree, count, |_| true);
        for rank in (0..count).rev() {
            walk.lowest(&tree, &places[rank], &places, 32, &|_| true);
            walk.pass(&tree, true);
        }
        walk.looks as f64
    };
    let (few, many) = (looks(500), looks(4_000));
    // The depth of the tree grows from 6 levels to 9.
    let expected = 8.0 * 9.0 / 6.0;
    assert!(many / few < 1.5 * expected, "{few}, {many}");
}
