//! Where a drag ends: at the grid, or in line with another thing of the level.

use super::*;

/// The distance between two lines of the grid, px.
pub const GRID: f64 = 8.0;

/// The most corners that a drag is compared with.
pub const MOST_TARGETS: usize = 4_000;

/// How a drag snaps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SnapRules {
    /// How near a line counts, px.
    pub reach: f64,
    /// Whole px instead of the grid and lines.
    pub free: bool,
    /// Only along the axis that was dragged farther.
    pub straight: bool,
    /// The axes along which what is held can go.
    pub axes: [bool; 2],
}

/// How far something that was dragged by some px goes, and the lines that it then touches: each from another thing's corner
/// to its own. `held` are the points that snap to lines; `anchor` snaps to the grid.
pub fn snapped(
    (anchor, held): (DVec2, &[DVec2]),
    by: DVec2,
    targets: &[DVec2],
    rules: SnapRules,
) -> (DVec2, Vec<[DVec2; 2]>) {
    let mut by = by;
    if rules.straight && rules.axes == [true; 2] {
        let shorter = usize::from(by.x.abs() >= by.y.abs());
        by[shorter] = 0.0;
    }
    let mut lines = [None; 2];
    for axis in 0..2 {
        // The hand is not steady: what hardly moves along an axis stays.
        let rests = by[axis] == 0.0 || !rules.free && by[axis].abs() < rules.reach * 0.5;
        if rests || !rules.axes[axis] {
            by[axis] = 0.0;
            continue;
        }
        let step = if rules.free { 1.0 } else { GRID };
        let line = (!rules.free).then(|| nearest(held, by, targets, axis, rules.reach)).flatten();
        let moved = anchor[axis] + by[axis];
        match line {
            Some((point, target)) => {
                by[axis] = target[axis] - point[axis];
                lines[axis] = Some((point, target));
            }
            None => by[axis] = (moved / step).round() * step - anchor[axis],
        }
    }
    let guides = lines.into_iter().flatten().map(|(point, target)| [target, point + by]);
    (by, guides.collect())
}

/// The held point and the corner that come nearest to each other along an axis; of equally near ones, those nearest in all.
fn nearest(held: &[DVec2], by: DVec2, targets: &[DVec2], axis: usize, reach: f64) -> Option<(DVec2, DVec2)> {
    let mut best: Option<((f64, f64), (DVec2, DVec2))> = None;
    for point in held {
        let moved = *point + by;
        for target in targets {
            let off = (target[axis] - moved[axis]).abs();
            let rank = (off, target.distance_squared(moved));
            if off <= reach && best.is_none_or(|(known, _)| rank < known) {
                best = Some((rank, (*point, *target)));
            }
        }
    }
    best.map(|(_, pair)| pair)
}

#[cfg(test)]
#[path = "../tests/unit/snapping.rs"]
mod tests;
