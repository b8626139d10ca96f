//! The mouse over the picture.

use super::*;

/// The mouse aims for this long after it has moved, or one of its buttons was down.
const AIMS_FOR: Duration = Duration::from_secs(2);

/// Where the mouse is, and when it was last used.
#[derive(Clone, Copy, Default)]
pub struct Pointer {
    /// Pixels of the picture from its upper left corner; `None` until the mouse has been over the window.
    at: Option<(f64, f64)>,
    /// The size of that picture.
    picture: (u32, u32),
    used: Option<Instant>,
}

impl Pointer {
    /// The mouse has moved to a pixel of a picture of this size.
    pub fn move_to(&mut self, at: (f64, f64), picture: (u32, u32), now: Instant) {
        (self.at, self.picture) = (Some(at), picture);
        self.used = Some(now);
    }

    /// A button of the mouse went down or is down.
    pub fn use_at(&mut self, now: Instant) {
        self.used = Some(now);
    }

    /// The mouse has left the window, or is over a panel.
    pub fn leave(&mut self) {
        self.used = None;
    }

    /// The pixel of the picture under the mouse.
    pub fn at(&self) -> Option<(f64, f64)> {
        self.at
    }

    /// The size of the picture.
    pub fn picture(&self) -> (u32, u32) {
        self.picture
    }

    /// The pixel that the mouse aims at, if it has been used lately.
    pub fn aim(&self, now: Instant) -> Option<(f64, f64)> {
        let used = self.used?;
        let lately = now.saturating_duration_since(used) < AIMS_FOR;
        self.at.filter(|_| lately)
    }
}

#[cfg(test)]
#[path = "../tests/unit/pointer.rs"]
mod tests;
