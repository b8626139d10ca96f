//! The outlines of a body along a path: where two paths are the same line and only their times differ, the line does not
//! show it.

use super::*;
use hangtime_core::{
    geometry::{Collider, turn, turned},
    models::Piece,
};

/// Outlines along a path: about this many a second, and no more than one in some ticks, so that they take little memory.
const PER_SECOND: u32 = 10;
const LEAST_TICKS: u32 = 3;

/// The most pairs of outlines that are drawn.
const MOST_OUTLINES: usize = 24;

/// Paths that are not farther from each other are the same line, px.
const SAME_LINE: f64 = 3.0;

/// Bodies that are at most this many times their size apart are near each other.
const MOST_SIZES: f64 = 8.0;

/// The ticks from one outline of a path to the next.
pub fn outline_ticks(hz: u32) -> u64 {
    u64::from((hz / PER_SECOND).max(LEAST_TICKS))
}

/// The body of an entity at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyOutline {
    at: DVec2,
    collider: Collider,
    /// The pieces of a rigid body.
    pieces: Option<Arc<[Piece]>>,
    angle: f64,
}

impl BodyOutline {
    /// The outline of a body.
    pub fn of(body: &EntityView) -> Self {
        Self { at: body.pos, collider: body.collider(), pieces: body.pieces.clone(), angle: body.angle }
    }

    /// How wide it is along a direction at most, px.
    fn size(&self) -> f64 {
        2.0 * self.collider.half.max_element()
    }

    fn drawn(&self, is_new: bool) -> GhostOutline {
        let shape = match &self.pieces {
            None => GhostShape::Upright(self.collider),
            Some(pieces) => {
                let turn = turn(self.angle);
                let corners = |piece: &Piece| piece.points.iter().map(|point| turned(turn, *point)).collect();
                GhostShape::Pieces(pieces.iter().map(corners).collect())
            }
        };
        GhostOutline { center: self.at, shape, is_new }
    }
}

/// The outlines of both bodies in the same ticks, where the paths are one line and the bodies are apart.
pub fn outlines_apart(old: &Ghost, new: &Ghost) -> Vec<GhostOutline> {
    let mut drawn = Vec::new();
    let mut last: Option<DVec2> = None;
    // Along a long path, outlines are rare.
    let moments = old.outlines.len().min(new.outlines.len());
    let every = moments.div_ceil(4 * MOST_OUTLINES).max(1);
    for (a, b) in old.outlines.iter().zip(&new.outlines).step_by(every) {
        let is_near = |last: DVec2| last.distance(b.at) < 2.0 * b.size();
        if a.at.distance(b.at) <= PARTED || last.is_some_and(is_near) {
            continue;
        }
        let on = [is_on(&old.path, b.at), is_on(&new.path, a.at)];
        // One may be farther along the line than the other ever gets. Far away, it is rather at its start again.
        let is_far = a.at.distance(b.at) > MOST_SIZES * b.size();
        if on == [true; 2] || on != [false; 2] && !is_far {
            drawn.extend([a.drawn(false), b.drawn(true)]);
            last = Some(b.at);
        }
        if drawn.len() == 2 * MOST_OUTLINES {
            break;
        }
    }
    drawn
}

/// Whether a point is on a path.
fn is_on(path: &[DVec2], point: DVec2) -> bool {
    path.windows(2).any(|pair| {
        let (from, along) = (pair[0], pair[1] - pair[0]);
        let share = ((point - from).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        let share = if share.is_finite() { share } else { 0.0 };
        from.lerp(pair[1], share).distance_squared(point) <= SAME_LINE * SAME_LINE
    })
}
