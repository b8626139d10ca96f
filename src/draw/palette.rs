//! The palette: every color that pictures use.

use super::camera::Camera;
use super::color::{Color, Ink};
use crate::level::{Level, Solid, View, Zone};
use crate::models::ModelName;
use crate::sim::EntityView;
use tiny_skia::{Pixmap, Rect, Transform};

pub(super) const TEXT: Color = Color(232, 236, 244);
/// The rope of a hook.
pub(super) const ROPE: Color = Color(226, 214, 190);
pub(super) const EYE: Color = Color(250, 250, 250);
pub(super) const PUPIL: Color = Color(24, 24, 32);
/// Refusals in the `why` panel.
pub(super) const WARN: Color = Color(255, 206, 92);
/// The path under the newest revision, and those under older ones.
pub(super) const NEW_PATH: Color = Color(120, 236, 150);
pub(super) const OLD_PATH: Color = Color(248, 132, 176);
/// The dot where two paths part.
pub(super) const PARTED: Color = Color(255, 240, 120);
pub(super) const BANNER: Color = Color(118, 28, 40);
/// Struts and feet of a vessel.
pub(super) const LEG: Color = Color(120, 128, 142);
pub(super) const FLAME: Color = Color(255, 146, 48);
pub(super) const FLAME_HEART: Color = Color(255, 232, 150);
/// Blended into surfaces that face away from the light.
pub(super) const DARK: Color = Color(14, 16, 28);
const LIGHT: Color = Color(255, 255, 255);
/// Shadows on the floor.
pub(super) const SHADOW: Ink = Ink::faint(DARK, SHADE);
const SHADE: f32 = 0.45;
const SKY_HIGH: Color = Color(29, 36, 58);
const SKY_LOW: Color = Color(58, 74, 104);
const SKY_LINE: Color = Color(64, 80, 112);

/// Number of bands in the sky; few, so that a GIF needs few colors.
const BANDS: u32 = 12;

/// Paints the sky, with faint vertical lines every 80 px of the level that make speed visible.
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

/// Fill and outline color of a shape.
pub(super) struct ShapeColors {
    pub fill: Color,
    pub edge: Color,
}

/// A body's colors: warm for players, cool for others; the outline shows the model.
pub(super) fn body(body: &EntityView) -> ShapeColors {
    ShapeColors {
        fill: fill_of_player(body.player),
        edge: body.model.map_or(LIGHT, edge_of_model),
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

/// Every color that pictures of a level can contain. A GIF needs its palette before the whole level
/// has been seen.
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
    // Zones are translucent: these are their colors over every background they may cover.
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
        // A few shades are enough for hints.
        all.extend(tints.step_by(4).map(|c| c.towards(light(zone), HINT)));
    }
    all.dedup();
    all
}

/// Opacity of a zone's tint, and of its hints.
pub(super) const TINT: f32 = 0.2;
pub(super) const HINT: f32 = 0.5;

/// Opacity of a switched-off solid: its area, and its outline.
pub(super) const GHOST: (f32, f32) = (0.08, 0.6);

/// The color that marks a switched-off solid.
pub(super) fn ghost(level: &Level, solid: &Solid) -> Color {
    let name = level.surface_name(solid.surface);
    match level.view {
        View::Side => surface(name).edge,
        View::Top => light(block(name, solid.top).edge),
    }
}

/// The color of a zone: some names have their own, otherwise its effect or its name decides.
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
pub(super) struct BlockColors {
    pub top: Color,
    pub side: Color,
    pub edge: Color,
}

/// The colors of a block of this height, px. Higher blocks have lighter tops; infinitely high
/// blocks are dark.
pub(super) fn block(name: &str, height: f64) -> BlockColors {
    let ShapeColors { fill, edge } = surface(name);
    if height.is_infinite() {
        let top = fill.towards(DARK, 0.5);
        return BlockColors {
            top,
            side: fill.towards(DARK, 0.78),
            edge: top.towards(LIGHT, 0.12),
        };
    }
    let share = (height / 160.0).min(1.0) as f32;
    BlockColors {
        top: fill.towards(LIGHT, 0.08 + 0.3 * share),
        side: fill.towards(DARK, 0.55),
        edge: edge.towards(LIGHT, 0.25 * share),
    }
}

/// The two colors of the plain ground's tiles.
pub(super) fn floor(name: &str) -> [Color; 2] {
    let fill = surface(name).fill.towards(DARK, 0.36);
    [fill, fill.towards(LIGHT, 0.035)]
}

/// A surface's colors: some names have their own, others get one derived from their letters.
pub(super) fn surface(name: &str) -> ShapeColors {
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
    ShapeColors {
        fill,
        edge: light(fill),
    }
}
