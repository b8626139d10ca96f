//! Bodies that are held up although nothing under them is walkable: in a gap narrower than they
//! are, or at the bottom of a pit.

use super::{Bumps, Contact, GroundRule, Scenery, slide};
use crate::geometry::{Ellipse, TOUCH};
use glam::DVec2;

/// Maximum number of slides until a body has settled. Each at least halves what is left of the way.
const MOST_SLIDES: usize = 8;

/// A body that slides less than this does not move, px.
const STILL: f64 = 1e-7;

/// A body this close to its place on walkable ground stands there already, px.
const THERE: f64 = 1e-3;

/// Surfaces that lean less than this toward or over the body (as a sine) do not hold it.
const LEVEL: f64 = 1e-9;

impl Scenery<'_> {
    /// Where a body that something steep stops within `reach` px below `from` comes to rest, and
    /// its contact there; `None` if there is a way down.
    ///
    /// The contact is [wedged](Contact::is_wedged) if no side of what holds the body is walkable.
    #[cold]
    pub fn wedge(&self, shape: Ellipse, from: DVec2, reach: f64, rule: &GroundRule) -> Option<(DVec2, Contact)> {
        let down = DVec2::new(0.0, -reach * rule.up);
        let mut at = from;
        for _ in 0..MOST_SLIDES {
            let slid = slide(self, shape, at, down, |hit, _| rule.walkable(hit.normal));
            if let Some((hit, _)) = slid.stopped {
                let there = slid.pos.distance_squared(from) < THERE * THERE;
                let contact = Contact::of(self, &hit, rule).filter(|_| there)?;
                return Some((slid.pos, contact));
            }
            let still = slid.pos.distance_squared(at) < STILL * STILL;
            at = slid.pos;
            if still {
                return held_by(&slid.bumps, rule).map(|contact| (at, contact));
            }
            if slid.bumps.iter().count() < 2 || (at.y - from.y).abs() > reach + TOUCH {
                return None;
            }
        }
        None
    }
}

/// The contact of a body that touches all of these steep surfaces; `None` if they leave it a way
/// down.
fn held_by(bumps: &Bumps, rule: &GroundRule) -> Option<Contact> {
    let side = |sign: f64| bumps.iter().filter(move |hit| hit.normal.x * sign > LEVEL);
    for left in side(1.0) {
        for right in side(-1.0) {
            // Two surfaces hold a body if some pushes from both add up to a push straight up.
            let (l, r) = (left.normal, right.normal);
            if (l.x * r.y - r.x * l.y) * rule.up > LEVEL {
                let lower = if (r.y - l.y) * rule.up > 0.0 { right } else { left };
                return Some(Contact::wedged(lower.feature, rule));
            }
        }
    }
    None
}
