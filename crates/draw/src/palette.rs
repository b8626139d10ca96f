//! The palette: the colors that pictures use, except for the art.

use super::{Color, Ink};
use hangtime_core::level::{Level, Solid, View, Zone};
use hangtime_core::models::ModelName;
use hangtime_core::sim::EntityView;

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
/// Bars that scripts draw: full, half empty, and nearly empty.
pub(super) const BAR: [Color; 3] = [Color(104, 214, 132), Color(255, 206, 92), Color(232, 72, 72)];
/// The dot where two paths part.
pub(super) const PARTED: Color = Color(255, 240, 120);
pub(super) const BANNER: Color = Color(118, 28, 40);
/// Struts and feet of a vessel.
pub(super) const LEG: Color = Color(120, 128, 142);
pub(super) const FLAME: Color = Color(255, 146, 48);
pub(super) const FLAME_HEART: Color = Color(255, 232, 150);
/// Blended into surfaces that face away from the light.
pub(super) const DARK: Color = Color(14, 16, 28);
pub(super) const LIGHT: Color = Color(255, 255, 255);
/// Shadows on the floor.
pub(super) const SHADOW: Ink = Ink::faint(DARK, SHADE);
/// Their opacity.
pub(super) const SHADE: f32 = 0.45;
/// Fill and outline color of a shape.
#[derive(Clone, Copy)]
pub(super) struct ShapeColors {
    pub fill: Color,
    pub edge: Color,
}

/// A body's colors: warm for players, cool for others; the outline shows the model.
pub(super) fn body(body: &EntityView) -> ShapeColors {
    ShapeColors { fill: fill_of_player(body.player), edge: body.model.map_or(LIGHT, edge_of_model) }
}

pub(super) fn fill_of_player(player: u8) -> Color {
    match player {
        1 => Color(244, 150, 62),
        2 => Color(110, 200, 120),
        0 => Color(150, 128, 200),
        _ => Color(226, 200, 90),
    }
}

pub(super) fn edge_of_model(model: ModelName) -> Color {
    let [red, green, blue] = model.outline();
    Color(red, green, blue)
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
    ["water", "lake", "pool", "sea", "lagoon"].iter().any(|word| zone.name.contains(word))
}

/// The color behind everything.
pub(super) fn background(level: &Level) -> Color {
    match level.view {
        View::Side => DARK,
        View::Top => floor(level.surface_name(level.plain))[0],
    }
}

/// The colors of a solid that is painted as a plain area.
pub(super) fn solid(level: &Level, solid: &Solid) -> ShapeColors {
    let name = level.surface_name(solid.surface);
    match level.view {
        View::Side => surface(name),
        View::Top => {
            let BlockColors { top, edge, .. } = block(name, solid.top);
            ShapeColors { fill: top, edge }
        }
    }
}

/// A lighter shade of a color.
pub(super) fn light(color: Color) -> Color {
    color.towards(LIGHT, 0.45)
}

/// A color, lighter by this share.
pub(super) fn lighter(color: Color, share: f32) -> Color {
    color.towards(LIGHT, share)
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
        return BlockColors { top, side: fill.towards(DARK, 0.78), edge: top.towards(LIGHT, 0.12) };
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
            let sum = other.bytes().fold(7_u32, |h, b| h.wrapping_mul(31).wrapping_add(b.into()));
            let part = |shift: u32| (70 + (sum >> shift) % 110) as u8;
            Color(part(0), part(8), part(16))
        }
    };
    ShapeColors { fill, edge: light(fill) }
}

/// Dust and other things that fly up.
pub(super) const SWIRL: Color = Color(206, 200, 190);

/// The colors of overlays.
pub(super) const TRAIL: Color = Color(255, 226, 120);
pub(super) const OUTLINE: Color = Color(120, 255, 190);
pub(super) const NORMAL: Color = Color(255, 150, 220);
pub(super) const CONTACT: Color = Color(255, 96, 96);
pub(super) const SWEEP: Color = Color(120, 220, 255);
pub(super) const VELOCITY: Color = Color(150, 240, 90);
pub(super) const EXTERNAL: Color = Color(255, 120, 200);
pub(super) const REACH: Color = Color(255, 190, 90);
pub(super) const REST: Color = Color(190, 170, 255);
pub(super) const PICKED: Color = Color(255, 255, 255);

/// The shades of a body: the lit part and the dark part.
pub(super) fn shaded(fill: Color) -> [Color; 2] {
    [lighter(fill, 0.22), fill.towards(DARK, 0.24)]
}

/// The color of a rope: the tauter, the redder; `strain` from 0 to 1.
pub(super) fn rope(strain: f64) -> Color {
    const TENSE: Color = Color(255, 92, 70);
    // A few steps, so that a GIF needs few colors.
    let step = (strain.clamp(0.0, 1.0) * 4.0).round() as f32 / 4.0;
    ROPE.towards(TENSE, step)
}
