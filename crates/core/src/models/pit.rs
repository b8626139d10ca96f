//! Getting stuck between surfaces that are too steep to stand on.

use super::MoveContext;
use crate::geometry::TOUCH;
use crate::level::{Contact, Hit};
use glam::DVec2;

/// A body that slides less than this between the sides of a pit is stopped by both at once, px.
pub(super) const SUDDEN: f64 = 0.01;

/// The steep surfaces that a motion has touched so far, which may end up holding the body.
#[derive(Default)]
pub(super) struct Pit {
    /// The side of the first one, 1 or −1, and where the body touched it.
    side: f64,
    pub entry: Option<DVec2>,
    /// Where the body is stuck, and its contact there.
    pub bottom: Option<(DVec2, Contact)>,
}

impl Pit {
    /// Whether the body, with its center `at`, is stuck between what it hit and an earlier surface.
    pub fn holds(&mut self, hit: &Hit, at: DVec2, context: &MoveContext<'_>) -> bool {
        if self.entry.is_none() {
            (self.side, self.entry) = (hit.normal.x.signum(), Some(at));
            return false;
        }
        if hit.normal.x * self.side >= 0.0 {
            return false;
        }
        let rule = context.rule();
        let reach = rule.probe + TOUCH;
        let wedge = context.scenery().wedge(context.shape, at, reach, rule);
        self.bottom = wedge.filter(|(_, contact)| contact.is_wedged());
        self.bottom.is_some()
    }
}
