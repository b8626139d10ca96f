//! Pictures, pixel by pixel.

#[expect(dead_code, reason = "shared with the tests of other crates")]
#[path = "../../../../tests/support/common.rs"]
mod common;
mod draw;
mod draw_art;
mod draw_camera;
mod draw_effects;
mod draw_ghosts;
mod draw_overlays;
#[expect(dead_code, reason = "shared with the tests of other crates")]
#[path = "../../../../tests/support/folder.rs"]
mod folder;
mod screen;
mod screen_limits;
#[path = "../../../../tests/support/sheets.rs"]
mod sheets;
mod sprites;
mod switches_kept;
