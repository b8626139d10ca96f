//! Ways out of what a vessel has run into.

use super::hull::{Hull, Pose};
use super::touch::{Site, Touch, Touches};
use crate::geometry::{Ellipse, turned};
use glam::DVec2;

/// Sweeps over the ways out of several surfaces.
const SWEEPS: u32 = 16;

/// No way out is longer than this many depths, or than this, px: between two walls that hardly open
/// it would lead far away.
const FARTHEST: (f64, f64) = (4.0, 2.0);

/// The shortest way out of all touches, along their normals; a depth is not gone twice along one.
pub(super) fn way_out(touches: &Touches, depth: impl Fn(&Touch) -> f64) -> DVec2 {
    let mut out = DVec2::ZERO;
    let mut deepest = 0.0_f64;
    for touch in touches.iter() {
        deepest = deepest.max(depth(touch));
    }
    let missing = |out: DVec2, touch: &Touch| depth(touch) - out.dot(touch.normal);
    let worst = |out: DVec2| {
        let all = touches.iter().map(|t| (missing(out, t), t));
        all.max_by(|a, b| a.0.total_cmp(&b.0))
    };
    let Some((need, first)) = worst(out).filter(|(need, _)| *need > 0.0) else {
        return out;
    };
    out = first.normal * need;
    if let Some((more, second)) = worst(out)
        && more > 1e-12
    {
        // Out of two surfaces at once, in closed form.
        let cosine = first.normal.dot(second.normal);
        let det = 1.0 - cosine * cosine;
        let other = depth(second);
        let (a, b) = (need - cosine * other, other - cosine * need);
        if det > 1e-9 && a >= 0.0 && b >= 0.0 {
            out = (first.normal * a + second.normal * b) / det;
        }
    }
    for _ in 0..SWEEPS {
        match worst(out) {
            Some((more, touch)) if more > 1e-9 => out += touch.normal * more,
            _ => break,
        }
    }
    out.clamp_length_max((FARTHEST.0 * deepest).max(FARTHEST.1))
}

/// A place near `at` in which a hull that is turned so overlaps nothing, or none.
pub(super) fn fit(hull: &Hull, site: &Site<'_>, at: DVec2, turn: DVec2) -> Option<DVec2> {
    const MOST_MOVES: usize = 64;
    let clear = |from: DVec2| {
        let mut pos = from;
        for _ in 0..MOST_MOVES {
            let touches = site.touches_placed(&Pose { pos, turn });
            let out = way_out(&touches, |touch| touch.depth);
            if out.length() < 1e-7 {
                return Some(pos);
            }
            pos += out;
        }
        None
    };
    clear(at).or_else(|| {
        let corners = hull.pieces.iter().flat_map(|piece| &piece.points);
        let half = corners.fold(DVec2::ZERO, |half, p| half.max(turned(turn, *p).abs()));
        // The ellipse around the box around it.
        let shape = Ellipse {
            half: half * std::f64::consts::SQRT_2,
        };
        clear(site.scenery.push_out(shape, at)?)
    })
}
