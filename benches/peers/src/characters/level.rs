//! The level, start positions and keys, the same for all engines.

use crate::chance::chance;
use glam::{DVec2, dvec2};
use hangtime::geometry::{Collider, separation::separation};

/// The characters' collider: half-widths, px.
pub const BODY: Collider = Collider::ellipse(10.0, 19.0);

/// The same with a margin of 1 px.
const SKIN: Collider = Collider::ellipse(11.0, 20.0);

/// The keys that a character holds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Keys {
    /// −1, 0 or 1.
    pub side: f64,
    pub jump: bool,
    /// Whether jump was pressed in this tick.
    pub pressed: bool,
}

/// Convex solids with four edges each: hilly ground, walls, blocks and roofs, in stories.
pub struct Layout {
    pub edges: usize,
    pub solids: Vec<[DVec2; 4]>,
    /// The width of the level, px.
    width: f64,
    storeys: usize,
}

const STOREY: f64 = 260.0;
const PIECE: f64 = 90.0;

fn block(x: f64, y: f64, w: f64, h: f64) -> [DVec2; 4] {
    [dvec2(x, y), dvec2(x + w, y), dvec2(x + w, y + h), dvec2(x, y + h)]
}

impl Layout {
    pub fn new(edges: usize) -> Self {
        let storeys = if edges > 2_000 { 12 } else { 2 };
        // Three solids per piece of ground on average, including the walls at its ends.
        let pieces = edges / 4 / storeys / 2;
        let width = pieces as f64 * PIECE;
        let mut solids = Vec::new();
        for storey in 0..storeys {
            let floor = storey as f64 * STOREY;
            let height = |i: usize| floor + (chance(storey as u64, i as u64) * 5.0).floor() * 11.0;
            for i in 0..pieces {
                let (a, b) = (i as f64 * PIECE, (i + 1) as f64 * PIECE);
                let (left, right) = (height(i), if i + 1 == pieces { height(i) } else { height(i + 1) });
                solids.push([dvec2(a, floor - 30.0), dvec2(b, floor - 30.0), dvec2(b, right), dvec2(a, left)]);
                let what = chance(storey as u64 + 77, i as u64);
                let x = a + 20.0;
                solids.push(if i == 0 {
                    block(-30.0, floor - 30.0, 30.0, STOREY)
                } else if i + 1 == pieces {
                    block(b, floor - 30.0, 30.0, STOREY)
                } else if what < 0.025 {
                    // A wall to run against or jump over.
                    block(x, floor - 10.0, 24.0, 60.0)
                } else if what < 0.7 {
                    // A hump, walkable from both sides.
                    let y = left.min(right) - 10.0;
                    [dvec2(x, y), dvec2(x + 70.0, y), dvec2(x + 37.0, y + 26.0), dvec2(x + 33.0, y + 26.0)]
                } else {
                    // A roof over the ground.
                    block(x, floor + 110.0, 50.0, 16.0)
                });
            }
        }
        Self { edges: solids.len() * 4, solids, width, storeys }
    }

    /// Random free positions.
    pub fn starts(&self, count: usize) -> Vec<DVec2> {
        let mut starts = Vec::with_capacity(count);
        let mut attempt = 0;
        while starts.len() < count {
            attempt += 1;
            let x = 20.0 + chance(attempt, 1) * (self.width - 40.0);
            let storey = (chance(attempt, 2) * self.storeys as f64).floor();
            let at = dvec2(x, storey * STOREY + 60.0 + chance(attempt, 3) * 120.0);
            if !self.near(at).any(|solid| separation(BODY, at, solid).gap < 0.1) {
                starts.push(at);
            }
        }
        starts
    }

    fn near(&self, at: DVec2) -> impl Iterator<Item = &[DVec2; 4]> {
        self.solids.iter().filter(move |solid| {
            let close = |p: &DVec2| (*p - at).abs().cmplt(dvec2(140.0, 220.0)).all();
            solid.iter().any(close)
        })
    }

    /// Whether a character there touches a wall or a slope, and how deep it is inside a solid, px.
    pub fn contact(&self, at: DVec2) -> (bool, f64) {
        let (mut leans, mut deepest) = (false, 0.0_f64);
        for solid in self.near(at) {
            let apart = separation(BODY, at, solid);
            if apart.overlaps() {
                deepest = deepest.max(apart.to_touch.length());
            }
            // Engines with a skin around bodies touch from up to 1 px away.
            let skin = separation(SKIN, at, solid);
            leans |= skin.overlaps() && skin.to_touch.normalize_or_zero().x.abs() > 0.1;
        }
        (leans, deepest)
    }
}

/// The size of groups of characters that hold the same keys.
pub const GROUPS: usize = 200;

/// The keys of each character in a tick: one direction for a while, and a jump now and then.
pub fn press(keys: &mut [Keys], tick: u64) {
    for (i, key) in keys.iter_mut().enumerate() {
        let group = (i % GROUPS) as u64;
        let phase = tick + group * 13;
        let side = chance(group, phase / 40);
        key.side = if side < 0.5 { -1.0 } else { 1.0 };
        let jump = |phase: u64| chance(group + 1000, phase / 18) < 0.5;
        key.jump = jump(phase);
        key.pressed = key.jump && !jump(phase.wrapping_sub(1)) && phase.is_multiple_of(18);
    }
}
