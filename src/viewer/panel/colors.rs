//! The colors of edited values, of what replaces a value, and of conflicts.

use egui::Color32;

pub(super) const EDITED: Color32 = Color32::from_rgb(255, 200, 90);
pub(super) const REPLACED: Color32 = Color32::from_rgb(150, 200, 255);
pub(super) const CONFLICT: Color32 = Color32::from_rgb(255, 120, 120);
