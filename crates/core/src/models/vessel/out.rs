//! Ways out of overlapping terrain.

use super::contact::{ContactSet, Manifold};
use super::hull::{Hull, Pose};
use super::query::{CLEAR, ContactQuery};
use crate::geometry::{Ellipse, turn, turned};
use crate::level::Scenery;
use glam::DVec2;

/// Maximum number of corrections when several surfaces overlap.
const SWEEPS: u32 = 16;

/// Longest way out, as a multiple of the largest depth, and in px. Between two nearly parallel
/// walls the way out would otherwise lead far away.
const FARTHEST: (f64, f64) = (4.0, 2.0);

/// The shortest way out of all contacts, along their normals. Several contacts along one normal
/// need only one way.
pub(super) fn way_out(contacts: &ContactSet, depth: impl Fn(&Manifold) -> f64) -> DVec2 {
    let mut out = DVec2::ZERO;
    let mut deepest = 0.0_f64;
    for contact in contacts.iter() {
        deepest = deepest.max(depth(contact));
    }
    let missing = |out: DVec2, contact: &Manifold| depth(contact) - out.dot(contact.normal);
    let worst = |out: DVec2| {
        let all = contacts.iter().map(|t| (missing(out, t), t));
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
            Some((more, contact)) if more > 1e-9 => out += contact.normal * more,
            _ => break,
        }
    }
    out.clamp_length_max((FARTHEST.0 * deepest).max(FARTHEST.1))
}

/// A place near `at` where a hull turned by `angle` (radians) overlaps nothing; `None` if there is
/// no such place.
pub(super) fn fit_hull(hull: &Hull, scenery: &Scenery<'_>, at: DVec2, angle: f64) -> Option<DVec2> {
    const MOST_MOVES: usize = 64;
    let steps = vec![DVec2::ZERO; scenery.terrain.platforms().len()];
    let turn = turn(angle);
    let query = ContactQuery {
        scenery: *scenery,
        ahead: (0.0, &steps),
        hull,
        foot_travel: 0.0,
        // From far below, so that no one-way platform is in the way.
        before: Pose { pos: at - DVec2::new(0.0, 1e6), turn },
    };
    let clear = |from: DVec2| {
        let mut pos = from;
        for _ in 0..MOST_MOVES {
            let contacts = query.contacts_when_placed(&Pose { pos, turn });
            let out = way_out(&contacts, |contact| contact.depth);
            if out.length() < CLEAR {
                return Some(pos);
            }
            pos += out;
        }
        None
    };
    clear(at).or_else(|| {
        let corners = hull.pieces.iter().flat_map(|piece| &piece.points);
        let half = corners.fold(DVec2::ZERO, |half, p| half.max(turned(turn, *p).abs()));
        // An ellipse around the bounding box.
        let shape = Ellipse { half: half * std::f64::consts::SQRT_2 };
        clear(query.scenery.push_out(shape, at)?)
    })
}
