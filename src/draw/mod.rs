//! Floor 5: pictures of a level, as a pure function of what is in it.
//!
//! The window, a PNG of a headless run and a GIF all show what [`paint`] paints. Nothing here
//! knows a window or a file.

mod banner;
mod palette;
mod terrain;
mod text;

pub use palette::Colour;

use crate::geometry::grid::Bounds;
use crate::level::Level;
use crate::sim::EntityView;
use glam::{DVec2, dvec2};
use tiny_skia::{Paint, PathBuilder, Pixmap, Rect, Stroke, Transform};

/// Everything that a picture shows.
pub struct Picture<'a> {
    /// The terrain.
    pub level: &'a Level,
    /// Seconds since the level began, which say where its platforms are.
    pub time: f64,
    /// The bodies, where they are to be drawn.
    pub bodies: &'a [EntityView],
    /// One line at the top, such as what [`hud_line`] says.
    pub hud: &'a str,
    /// A message that stays until its cause is mended; empty for none.
    pub banner: &'a str,
}

/// Size of a picture, px.
pub const DEFAULT_SIZE: (u32, u32) = (640, 360);

/// Paints a picture over all of `canvas`.
pub fn paint(canvas: &mut Pixmap, picture: &Picture<'_>) {
    let camera = Camera::new(canvas, picture.level, picture.bodies);
    palette::paint_sky(canvas, &camera);
    terrain::paint(canvas, picture, &camera);
    // Players are never hidden behind others.
    for player in [false, true] {
        let bodies = picture.bodies.iter().filter(|b| (b.player > 0) == player);
        bodies.for_each(|body| {
            paint_hook(canvas, body, &camera);
            paint_body(canvas, body, &camera);
        });
    }
    text::paint_line(canvas, picture.hud, 6, 5, palette::TEXT);
    banner::paint(canvas, picture.banner);
}

/// The colours that pictures of a level are made of.
#[must_use]
pub fn colours(level: &Level) -> Vec<Colour> {
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
                body.model, body.mode
            )
        }
        None => format!("revision {revision}"),
    }
}

/// Where the picture lies in the level.
pub(crate) struct Camera {
    /// The point of the level at the picture's upper left corner.
    corner: DVec2,
    size: DVec2,
}

/// By how much of its height the picture looks above the players.
const ABOVE: f64 = 0.18;

impl Camera {
    /// Looks at the players, or at the middle of the terrain, and stays within the bounds.
    fn new(canvas: &Pixmap, level: &Level, bodies: &[EntityView]) -> Self {
        let size = dvec2(f64::from(canvas.width()), f64::from(canvas.height()));
        let players: Vec<DVec2> = bodies
            .iter()
            .filter(|b| b.player > 0)
            .map(|b| b.pos)
            .collect();
        let middle = if players.is_empty() {
            bodies.first().map_or(DVec2::ZERO, |b| b.pos)
        } else {
            players.iter().sum::<DVec2>() / players.len() as f64
        };
        // More of what lies above than of what lies below.
        let centre = middle + dvec2(0.0, size.y * ABOVE);
        let bounds = Bounds {
            min: level.bounds.min + size * 0.5,
            max: level.bounds.max - size * 0.5,
        };
        let centre = centre.min(bounds.max).max(bounds.min.min(bounds.max));
        let corner = dvec2(centre.x - size.x * 0.5, centre.y + size.y * 0.5);
        Self { corner, size }
    }

    /// A point of the level on the picture, where y points down.
    fn at(&self, point: DVec2) -> (f32, f32) {
        (
            (point.x - self.corner.x) as f32,
            (self.corner.y - point.y) as f32,
        )
    }

    /// The part of the level that the picture shows.
    fn shows(&self) -> Bounds {
        let far = dvec2(self.corner.x + self.size.x, self.corner.y - self.size.y);
        Bounds::of(self.corner, far)
    }
}

/// The rope from a body's middle to the tip of its hook.
fn paint_hook(canvas: &mut Pixmap, body: &EntityView, camera: &Camera) {
    if body.hook.state == "idle" {
        return;
    }
    let ends = [body.pos, body.hook.tip];
    terrain::stroke(canvas, camera, ends, 1.5, palette::ROPE);
    let (x, y) = camera.at(body.hook.tip);
    if let Some(tip) = oval(x, y, 3.0, 3.0) {
        let rule = tiny_skia::FillRule::Winding;
        canvas.fill_path(
            &tip,
            &palette::ROPE.paint(),
            rule,
            Transform::identity(),
            None,
        );
    }
}

fn paint_body(canvas: &mut Pixmap, body: &EntityView, camera: &Camera) {
    let (x, y) = camera.at(body.pos);
    let (w, h) = (body.half.x as f32, body.half.y as f32);
    let Some(outline) = oval(x, y, w, h) else {
        return;
    };
    let colours = palette::body(body);
    canvas.fill_path(
        &outline,
        &colours.fill.paint(),
        tiny_skia::FillRule::Winding,
        Transform::identity(),
        None,
    );
    let stroke = Stroke {
        width: 1.5,
        ..Stroke::default()
    };
    canvas.stroke_path(
        &outline,
        &colours.edge.paint(),
        &stroke,
        Transform::identity(),
        None,
    );
    // An eye on the side it faces.
    let eye_x = x + body.facing as f32 * w * 0.45;
    let eye_y = y - h * 0.45;
    let size = (w * 0.28).clamp(1.0, 6.0);
    for (size, colour) in [(size, palette::EYE), (size * 0.5, palette::PUPIL)] {
        if let Some(circle) = oval(eye_x, eye_y, size, size) {
            let paint: Paint<'_> = colour.paint();
            let rule = tiny_skia::FillRule::Winding;
            canvas.fill_path(&circle, &paint, rule, Transform::identity(), None);
        }
    }
}

fn oval(x: f32, y: f32, w: f32, h: f32) -> Option<tiny_skia::Path> {
    let rect = Rect::from_xywh(x - w, y - h, 2.0 * w, 2.0 * h)?;
    PathBuilder::from_oval(rect)
}
