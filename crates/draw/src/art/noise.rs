//! Numbers that look random and are the same for the same place.

use super::*;

/// A number for a place.
pub fn scatter(x: i64, y: i64) -> u32 {
    let mixed = (x as u64)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .wrapping_add((y as u64).wrapping_mul(0xC2B2_AE3D_27D4_EB4F));
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (mixed >> 32) as u32
}

/// The same as a fraction, 0 to 1.
pub fn fraction(x: i64, y: i64) -> f32 {
    scatter(x, y) as f32 / u32::MAX as f32
}

/// Smooth noise along a line, 0 to 1, with a hill about every `wide`; `row` tells lines apart.
pub struct Hills {
    wide: f64,
    row: i64,
    /// The place of the last hill, and the noise at its ends.
    cell: i64,
    ends: (f32, f32),
}

impl Hills {
    pub fn new(wide: f64, row: i64) -> Self {
        let ends = (fraction(0, row), fraction(1, row));
        Self { wide, row, cell: 0, ends }
    }

    pub fn at(&mut self, x: f64) -> f32 {
        let place = x / self.wide;
        let cell = wide_floor(place);
        if cell != self.cell {
            self.cell = cell;
            self.ends = (fraction(cell, self.row), fraction(cell + 1, self.row));
        }
        let along = (place - cell as f64) as f32;
        let eased = along * along * (3.0 - 2.0 * along);
        let (left, right) = self.ends;
        left + (right - left) * eased
    }
}

/// The order in which the pixels of a row change while something is dithered, 0 to 15.
pub fn dither_order(y: usize) -> [u8; 4] {
    const ORDER: [[u8; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];
    ORDER[y & 3]
}

/// Thresholds of ordered dithering, 0 to 1, for a pixel.
pub fn dither(x: usize, y: usize) -> f32 {
    (f32::from(dither_order(y)[x & 3]) + 0.5) / 16.0
}
