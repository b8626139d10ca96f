//! The colors of the panel: of edited values, of what replaces a value, of conflicts, and of the plots.

use super::*;

pub const EDITED: Color32 = Color32::from_rgb(255, 200, 90);
pub const REPLACED: Color32 = Color32::from_rgb(150, 200, 255);
pub const CONFLICT: Color32 = Color32::from_rgb(255, 120, 120);
/// Contracts that hold, and that hold with little to spare. Broken ones have the color of conflicts.
pub const HOLDS: Color32 = Color32::from_rgb(120, 220, 140);
pub const NEAR: Color32 = Color32::from_rgb(255, 200, 90);
/// Where two paths part.
pub const PARTED: Color32 = Color32::from_rgb(255, 150, 220);

/// The color of a curve.
pub fn curve_color(curve: MotionCurve) -> Color32 {
    match curve {
        MotionCurve::Height => Color32::from_rgb(240, 240, 240),
        MotionCurve::VelX => Color32::from_rgb(90, 200, 255),
        MotionCurve::VelY => Color32::from_rgb(255, 130, 110),
        MotionCurve::VelZ => Color32::from_rgb(160, 230, 110),
        MotionCurve::Speed => Color32::from_rgb(250, 225, 70),
    }
}

/// The color of a band, which lets curves and other bands through.
pub fn band_color(band: MotionBand) -> Color32 {
    let (r, g, b, opacity) = match band {
        MotionBand::Ground => (70, 170, 90, 70),
        MotionBand::Coyote => (240, 170, 40, 110),
        MotionBand::Buffer => (70, 130, 255, 130),
        MotionBand::Hold => (190, 100, 240, 100),
        MotionBand::Press => (255, 255, 255, 170),
    };
    Color32::from_rgba_unmultiplied(r, g, b, opacity)
}

#[cfg(test)]
#[path = "../../tests/unit/panel/colors.rs"]
mod tests;
