//! Colors.

use super::brush::Ink;
use super::camera::Camera;
use crate::level::{Level, Solid, View, Zone};
use crate::models::ModelName;
use crate::sim::EntityView;
use tiny_skia::{Paint, Pixmap, PremultipliedColorU8, Rect, Transform};

/// An opaque color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(pub u8, pub u8, pub u8);

impl Color {
    pub(super) fn paint(self) -> Paint<'static> {
        let mut paint = Paint::default();
        paint.set_color_rgba8(self.0, self.1, self.2, 255);
        paint.anti_alias = true;
        paint
    }

    /// The same, letting through what is behind it but for a `share`.
    pub(super) fn faint_paint(self, share: f32) -> Paint<'static> {
        let mut paint = self.paint();
        paint.set_color_rgba8(self.0, self.1, self.2, (255.0 * share) as u8);
        paint
    }

    pub(super) fn pixel(self) -> PremultipliedColorU8 {
        PremultipliedColorU8::from_rgba(self.0, self.1, self.2, 255)
            .unwrap_or(PremultipliedColorU8::TRANSPARENT)
    }

    /// This color, `share` of the way to another.
    pub(super) fn towards(self, other: Self, share: f32) -> Self {
        let mix =
            |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * share).round() as u8;
        Self(
            mix(self.0, other.0),
            mix(self.1, other.1),
            mix(self.2, other.2),
        )
    }
}

pub(super) const TEXT: Color = Color(232, 236, 244);
/// The rope of a hook.
pub(super) const ROPE: Color = Color(226, 214, 190);
pub(super) const EYE: Color = Color(250, 250, 250);
pub(super) const PUPIL: Color = Color(24, 24, 32);
/// What was refused, where it is told why.
pub(super) const WARN: Color = Color(255, 206, 92);
pub(super) const BANNER: Color = Color(118, 28, 40);
/// Struts and feet of a vessel.
pub(super) const LEG: Color = Color(120, 128, 142);
pub(super) const FLAME: Color = Color(255, 146, 48);
pub(super) const FLAME_HEART: Color = Color(255, 232, 150);
/// What turns from the light is mixed with.
pub(super) const DARK: Color = Color(14, 16, 28);
const LIGHT: Color = Color(255, 255, 255);
/// What shadows lay over the floor.
pub(super) const SHADOW: Ink = Ink::faint(DARK, SHADE);
const SHADE: f32 = 0.45;
const SKY_HIGH: Color = Color(29, 36, 58);
const SKY_LOW: Color = Color(58, 74, 104);
const SKY_LINE: Color = Color(64, 80, 112);

/// Bands of the sky; few, so that a GIF needs few colors.
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

fn band_of_sky(band: u32) -> Color {
    SKY_HIGH.towards(SKY_LOW, band as f32 / (BANDS - 1) as f32)
}

/// Fill and edge of something.
pub(super) struct Pair {
    pub fill: Color,
    pub edge: Color,
}

/// A body's colors: players' are warm, others cool; the edge shows the model.
pub(super) fn body(body: &EntityView) -> Pair {
    Pair {
        fill: fill_of_player(body.player),
        edge: edge_of_model(body.model),
    }
}

fn fill_of_player(player: u8) -> Color {
    match player {
        1 => Color(244, 150, 62),
        2 => Color(110, 200, 120),
        0 => Color(150, 128, 200),
        _ => Color(226, 200, 90),
    }
}

fn edge_of_model(model: ModelName) -> Color {
    let [red, green, blue] = model.outline();
    Color(red, green, blue)
}

/// Every color that pictures of a level are made of: what a film has to choose its colors from
/// before it has seen all of the level.
pub(super) fn all(level: &Level) -> Vec<Color> {
    let mut all: Vec<Color> = (0..4).map(fill_of_player).collect();
    let models = ModelName::ALL.iter().map(|m| edge_of_model(*m));
    all.extend(models);
    all.extend([TEXT, EYE, PUPIL, ROPE, LEG, FLAME, FLAME_HEART]);
    match level.view {
        View::Side => {
            let surfaces = level.surfaces.iter().map(|name| surface(name));
            all.extend(surfaces.flat_map(|pair| [pair.fill, pair.edge]));
            all.extend((0..BANDS).map(band_of_sky));
            all.push(SKY_LINE);
        }
        View::Top => {
            let grounds = level.terrain.solids().iter();
            let grounds = grounds.map(|s| block(level.surface_name(s.surface), s.top));
            let floor = floor(level.surface_name(level.plain));
            let lit: Vec<Color> = grounds.clone().map(|g| g.top).chain(floor).collect();
            all.extend(lit.iter().map(|c| c.towards(DARK, SHADE)));
            all.extend(lit);
            all.extend(grounds.flat_map(|g| [g.side, g.edge]));
            all.extend((0..4).map(|player| fill_of_player(player).towards(DARK, 0.4)));
        }
    }
    // Zones are seen through: what they look like over all that may lie below them.
    let below: Vec<Color> = match level.view {
        View::Side => (0..BANDS).map(band_of_sky).collect(),
        View::Top => floor(level.surface_name(level.plain)).into(),
    };
    let mut zones: Vec<Color> = level.zones.list().iter().map(zone).collect();
    zones.sort_unstable_by_key(|c| (c.0, c.1, c.2));
    zones.dedup();
    let hinted = |solid: &&Solid| solid.present.is_some();
    let mut hints: Vec<Color> = level
        .terrain
        .solids()
        .iter()
        .filter(hinted)
        .map(|solid| ghost(level, solid))
        .collect();
    hints.sort_unstable_by_key(|c| (c.0, c.1, c.2));
    hints.dedup();
    for hint in hints {
        for below in below.iter().step_by(3) {
            all.extend([GHOST.0, GHOST.1].map(|cover| below.towards(hint, cover)));
        }
    }
    for zone in zones {
        let tints = below.iter().map(|c| c.towards(zone, TINT));
        all.extend(tints.clone());
        // Of hints a few shades do.
        all.extend(tints.step_by(4).map(|c| c.towards(light(zone), HINT)));
    }
    all.dedup();
    all
}

/// How much of what lies below a zone's tint hides, and its hints.
pub(super) const TINT: f32 = 0.2;
pub(super) const HINT: f32 = 0.5;

/// The same for what is switched off: of its inside, and of its outline.
pub(super) const GHOST: (f32, f32) = (0.08, 0.6);

/// The color of the hint at a solid that is switched off.
pub(super) fn ghost(level: &Level, solid: &Solid) -> Color {
    let name = level.surface_name(solid.surface);
    match level.view {
        View::Side => surface(name).edge,
        View::Top => light(block(name, solid.top).edge),
    }
}

/// The color of a zone: some names have their own; else what it does says it, or its letters.
pub(super) fn zone(zone: &Zone) -> Color {
    let has = |words: &[&str]| words.iter().any(|word| zone.name.contains(word));
    if is_wet(zone) {
        Color(52, 136, 216)
    } else if has(&["ladder", "vine"]) {
        Color(176, 132, 84)
    } else if has(&["pad", "goal", "flag"]) {
        Color(104, 214, 132)
    } else if has(&["lava", "fire"]) {
        Color(238, 96, 50)
    } else if zone.external_accel != glam::DVec2::ZERO {
        Color(190, 224, 238)
    } else if zone.conveyor != glam::DVec2::ZERO {
        Color(240, 190, 80)
    } else if zone.gravity_scale != 1.0 {
        Color(170, 140, 240)
    } else {
        surface(&zone.name).fill
    }
}

/// Whether a zone looks like water.
pub(super) fn is_wet(zone: &Zone) -> bool {
    ["water", "lake", "pool", "sea", "lagoon"]
        .iter()
        .any(|word| zone.name.contains(word))
}

/// A lighter shade of a color.
pub(super) fn light(color: Color) -> Color {
    color.towards(LIGHT, 0.45)
}

/// Colors of a block in a top view.
pub(super) struct Ground {
    pub top: Color,
    pub side: Color,
    pub edge: Color,
}

/// The colors of a block of this height, px: the higher, the lighter its top; what is endlessly
/// high is dark.
pub(super) fn block(name: &str, height: f64) -> Ground {
    let Pair { fill, edge } = surface(name);
    if height.is_infinite() {
        let top = fill.towards(DARK, 0.5);
        return Ground {
            top,
            side: fill.towards(DARK, 0.78),
            edge: top.towards(LIGHT, 0.12),
        };
    }
    let share = (height / 160.0).min(1.0) as f32;
    Ground {
        top: fill.towards(LIGHT, 0.08 + 0.3 * share),
        side: fill.towards(DARK, 0.55),
        edge: edge.towards(LIGHT, 0.25 * share),
    }
}

/// The two colors of the tiles of the plain ground.
pub(super) fn floor(name: &str) -> [Color; 2] {
    let fill = surface(name).fill.towards(DARK, 0.36);
    [fill, fill.towards(LIGHT, 0.035)]
}

/// A surface's colors: some names have their own, others get one from their letters.
pub(super) fn surface(name: &str) -> Pair {
    let fill = match name {
        "plain" | "stone" => Color(74, 78, 92),
        "ice" => Color(138, 190, 218),
        "grass" => Color(72, 118, 76),
        "wood" => Color(126, 92, 62),
        "brick" => Color(140, 78, 66),
        "metal" => Color(104, 112, 122),
        other => {
            let sum = other
                .bytes()
                .fold(7_u32, |h, b| h.wrapping_mul(31).wrapping_add(b.into()));
            let part = |shift: u32| (70 + (sum >> shift) % 110) as u8;
            Color(part(0), part(8), part(16))
        }
    };
    Pair {
        fill,
        edge: light(fill),
    }
}
