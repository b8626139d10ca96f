//! Layer 5: pictures of a level, as a pure function of its state.
//!
//! The window, a PNG of a headless run and a GIF all show exactly what [`paint`] paints. Nothing
//! here depends on a window or a file.

mod above;
mod banner;
mod body;
mod brush;
mod camera;
mod color;
mod ghosts;
mod palette;
mod picture;
mod terrain;
mod text;
mod why;
mod zones;

pub use color::Color;
pub use ghosts::{GhostPicture, paint_ghosts};
pub use picture::Picture;

use crate::level::{Level, View};
use crate::sim::EntityView;
use camera::Camera;
use glam::DVec2;
use tiny_skia::Pixmap;

/// Default size of a picture, px.
pub const DEFAULT_SIZE: (u32, u32) = (640, 360);

/// Paints a picture over the whole `canvas`.
pub fn paint(canvas: &mut Pixmap, picture: &Picture<'_>) {
    let camera = Camera::new(canvas, picture.level, picture.bodies);
    match picture.level.view {
        View::Side => paint_side(canvas, picture, &camera),
        View::Top => above::paint(canvas, picture, &camera),
    }
    mark_disabled(canvas, picture, &camera);
    text::paint_line(canvas, picture.hud, 6, 5, palette::TEXT);
    why::paint(canvas, picture.why);
    banner::paint(canvas, picture.banner);
}

fn paint_side(canvas: &mut Pixmap, picture: &Picture<'_>, camera: &Camera) {
    palette::paint_sky(canvas, camera);
    // Zones are painted behind solids, like air and water.
    zones::paint(canvas, picture, camera);
    terrain::paint(canvas, picture, camera);
    // Players are painted last, so that no other body covers them.
    for player in [false, true] {
        let bodies = picture.bodies.iter().filter(|b| (b.player > 0) == player);
        bodies.for_each(|one| body::paint(canvas, one, picture.time, camera));
    }
}

/// Marks the entities whose script is disabled after repeated failures.
fn mark_disabled(canvas: &mut Pixmap, picture: &Picture<'_>, camera: &Camera) {
    for body in picture.bodies.iter().filter(|body| body.quarantined) {
        let head = match picture.level.view {
            View::Side => 0.0,
            View::Top => body.z + above::head(body),
        };
        let above = DVec2::new(0.0, body.half.y + head);
        let (x, y) = camera.at(body.pos + above);
        let (left, top) = (x as i32 - 1, y as i32 - text::HEIGHT as i32 - 1);
        text::paint_line(canvas, "!", left - 2, top, palette::WARN);
    }
}

/// All colors that pictures of a level can contain.
#[must_use]
pub fn colors(level: &Level) -> Vec<Color> {
    palette::all(level)
}

/// The status line for a body: model, mode, speed, and the active revision.
#[must_use]
pub fn hud_line(body: Option<&EntityView>, revision: u64) -> String {
    match body {
        Some(body) => {
            let speed = (body.vel + body.external).length();
            format!(
                "{}   {}   {speed:.0} px/s   revision {revision}",
                body.model_name(),
                body.mode.as_str()
            )
        }
        None => format!("revision {revision}"),
    }
}
