//! Colours.

use super::Camera;
use crate::level::Level;
use crate::models::ModelName;
use crate::sim::EntityView;
use tiny_skia::{Paint, Pixmap, PremultipliedColorU8, Rect, Transform};

/// An opaque colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub u8, pub u8, pub u8);

impl Colour {
    pub(super) fn paint(self) -> Paint<'static> {
        let mut paint = Paint::default();
        paint.set_color_rgba8(self.0, self.1, self.2, 255);
        paint.anti_alias = true;
        paint
    }

    pub(super) fn pixel(self) -> PremultipliedColorU8 {
        PremultipliedColorU8::from_rgba(self.0, self.1, self.2, 255)
            .unwrap_or(PremultipliedColorU8::TRANSPARENT)
    }

    /// This colour, `share` of the way to another.
    fn towards(self, other: Self, share: f32) -> Self {
        let mix =
            |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * share).round() as u8;
        Self(
            mix(self.0, other.0),
            mix(self.1, other.1),
            mix(self.2, other.2),
        )
    }
}

pub(super) const TEXT: Colour = Colour(232, 236, 244);
/// The rope of a hook.
pub(super) const ROPE: Colour = Colour(226, 214, 190);
pub(super) const EYE: Colour = Colour(250, 250, 250);
pub(super) const PUPIL: Colour = Colour(24, 24, 32);
pub(super) const BANNER: Colour = Colour(118, 28, 40);
const SKY_HIGH: Colour = Colour(29, 36, 58);
const SKY_LOW: Colour = Colour(58, 74, 104);
const SKY_LINE: Colour = Colour(64, 80, 112);

/// Bands of the sky; few, so that a GIF needs few colours.
const BANDS: u32 = 12;

/// The sky, with faint lines every 80 px of the level that show how fast one moves.
pub(super) fn paint_sky(canvas: &mut Pixmap, camera: &Camera) {
    let (width, height) = (canvas.width(), canvas.height());
    for band in 0..BANDS {
        let top = height * band / BANDS;
        let bottom = height * (band + 1) / BANDS;
        let range = (top * width) as usize..(bottom * width) as usize;
        canvas.pixels_mut()[range].fill(band_of_sky(band).pixel());
    }
    let spacing = 80.0;
    let paint = SKY_LINE.paint();
    let mut x = (camera.corner.x / spacing).ceil() * spacing;
    while x < camera.corner.x + f64::from(width) {
        let at = (x - camera.corner.x).floor() as f32;
        if let Some(line) = Rect::from_xywh(at, 0.0, 1.0, height as f32) {
            canvas.fill_rect(line, &paint, Transform::identity(), None);
        }
        x += spacing;
    }
}

fn band_of_sky(band: u32) -> Colour {
    SKY_HIGH.towards(SKY_LOW, band as f32 / (BANDS - 1) as f32)
}

/// Fill and edge of something.
pub(super) struct Pair {
    pub fill: Colour,
    pub edge: Colour,
}

/// A body's colours: players' are warm, others cool; the edge shows the model.
pub(super) fn body(body: &EntityView) -> Pair {
    Pair {
        fill: fill_of_player(body.player),
        edge: edge_of_model(body.model),
    }
}

fn fill_of_player(player: u8) -> Colour {
    match player {
        1 => Colour(244, 150, 62),
        2 => Colour(110, 200, 120),
        0 => Colour(150, 128, 200),
        _ => Colour(226, 200, 90),
    }
}

fn edge_of_model(model: &str) -> Colour {
    match model {
        "platformer" => Colour(255, 226, 178),
        "two_velocity" => Colour(96, 214, 255),
        _ => Colour(255, 255, 255),
    }
}

/// Every colour that pictures of a level are made of: what a film has to choose its colours from
/// before it has seen all of the level.
pub(super) fn all(level: &Level) -> Vec<Colour> {
    let surfaces = level.surfaces.iter().map(|name| surface(name));
    let players = (0..4).map(fill_of_player);
    let models = ModelName::ALL
        .iter()
        .map(|model| edge_of_model(model.as_str()));
    surfaces
        .flat_map(|pair| [pair.fill, pair.edge])
        .chain(players)
        .chain(models)
        .chain((0..BANDS).map(band_of_sky))
        .chain([TEXT, EYE, PUPIL, ROPE, SKY_LINE])
        .collect()
}

/// A surface's colours: some names have their own, others get one from their letters.
pub(super) fn surface(name: &str) -> Pair {
    let fill = match name {
        "plain" | "stone" => Colour(74, 78, 92),
        "ice" => Colour(138, 190, 218),
        "grass" => Colour(72, 118, 76),
        "wood" => Colour(126, 92, 62),
        "brick" => Colour(140, 78, 66),
        "metal" => Colour(104, 112, 122),
        other => {
            let sum = other
                .bytes()
                .fold(7_u32, |h, b| h.wrapping_mul(31).wrapping_add(b.into()));
            let part = |shift: u32| (70 + (sum >> shift) % 110) as u8;
            Colour(part(0), part(8), part(16))
        }
    };
    Pair {
        fill,
        edge: fill.towards(Colour(255, 255, 255), 0.45),
    }
}
