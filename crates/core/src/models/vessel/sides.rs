//! The sides on which things touch a vessel.

use glam::DVec2;

/// The sides on which something touched a vessel: one bit for each of up, down, right and left.
#[derive(Clone, Copy, Default)]
pub(super) struct Sides(u8);

impl Sides {
    /// Adds the side of a contact with this unit normal.
    pub fn add(&mut self, normal: DVec2) {
        let parts = [normal.y, -normal.y, normal.x, -normal.x];
        for (bit, part) in parts.into_iter().enumerate() {
            self.0 |= u8::from(part > 0.5) << bit;
        }
    }

    /// Whether two of them are opposite.
    pub const fn squeeze(self) -> bool {
        self.0 & 0b11 == 0b11 || self.0 & 0b1100 == 0b1100
    }
}
