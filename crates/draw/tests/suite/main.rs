//! Pictures, pixel by pixel.

mod bodies_between;
mod camera_settings;
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
mod glyphs;
mod level_map;
mod menu;
mod screen;
mod screen_limits;
#[path = "../../../../tests/support/sheets.rs"]
mod sheets;
mod sprites;
mod switches_kept;
