//! Floor 5: pictures of a level, as a pure function of what is in it.
//!
//! The window, a PNG of a headless run and a GIF all show what [`paint`] paints. Nothing here
//! knows a window or a file.

mod above;
mod banner;
mod body;
mod brush;
mod camera;
mod palette;
mod terrain;
mod text;
mod why;
mod zones;

pub use palette::Color;

use crate::level::{Absent, Level, View};
use crate::sim::EntityView;
use camera::Camera;
use glam::DVec2;
use tiny_skia::Pixmap;

/// Everything that a picture shows.
pub struct Picture<'a> {
    /// The terrain.
    pub level: &'a Level,
    /// Seconds since the level began, which say where its platforms are.
    pub time: f64,
    /// Which of its solids are switched off.
    pub absent: &'a Absent,
    /// The bodies, where they are to be drawn.
    pub bodies: &'a [EntityView],
    /// One line at the top, such as what [`hud_line`] says.
    pub hud: &'a str,
    /// A message that stays until its cause is mended; empty for none.
    pub banner: &'a str,
    /// Why somebody moves as it does, a line for each reason; empty for nothing.
    pub why: &'a str,
}

/// Size of a picture, px.
pub const DEFAULT_SIZE: (u32, u32) = (640, 360);

/// Paints a picture over all of `canvas`.
pub fn paint(canvas: &mut Pixmap, picture: &Picture<'_>) {
    let camera = Camera::new(canvas, picture.level, picture.bodies);
    match picture.level.view {
        View::Side => paint_side(canvas, picture, &camera),
        View::Top => above::paint(canvas, picture, &camera),
    }
    mark_the_silent(canvas, picture, &camera);
    text::paint_line(canvas, picture.hud, 6, 5, palette::TEXT);
    why::paint(canvas, picture.why);
    banner::paint(canvas, picture.banner);
}

fn paint_side(canvas: &mut Pixmap, picture: &Picture<'_>, camera: &Camera) {
    palette::paint_sky(canvas, camera);
    // Zones are the air and the water between solids.
    zones::paint(canvas, picture, camera);
    terrain::paint(canvas, picture, camera);
    // Players are never hidden behind others.
    for player in [false, true] {
        let bodies = picture.bodies.iter().filter(|b| (b.player > 0) == player);
        bodies.for_each(|one| body::paint(canvas, one, picture.time, camera));
    }
}

/// A mark over those whose scripts are not called any more, as they have failed too often.
fn mark_the_silent(canvas: &mut Pixmap, picture: &Picture<'_>, camera: &Camera) {
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

/// The colors that pictures of a level are made of.
#[must_use]
pub fn colors(level: &Level) -> Vec<Color> {
    palette::all(level)
}

/// What the line at the top says of a body: model, mode, speed, and the revision that runs.
#[must_use]
pub fn hud_line(body: Option<&EntityView>, revision: u64) -> String {
    match body {
        Some(body) => {
            let speed = (body.vel + body.external).length();
            format!(
                "{}   {}   {speed:.0} px/s   revision {revision}",
                body.model.as_str(),
                body.mode.as_str()
            )
        }
        None => format!("revision {revision}"),
    }
}
