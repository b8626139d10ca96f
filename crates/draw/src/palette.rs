//! The palette: the colors that pictures use, except for the art.

use super::*;

pub const TEXT: Color = rgb(0xe8ecf4);
/// The rope of a hook.
pub const ROPE: Color = rgb(0xe2d6be);
pub const EYE: Color = rgb(0xfafafa);
pub const PUPIL: Color = rgb(0x181820);
/// Refusals in the `why` panel.
pub const WARN: Color = rgb(0xffce5c);
/// The path under the newest revision, and those under older ones.
pub const NEW_PATH: Color = rgb(0x78ec96);
pub const OLD_PATH: Color = rgb(0xf884b0);
/// What could happen.
pub const FAN: Color = rgb(0x8fd0ff);
/// A jump as it is, with the points of it that can be dragged.
pub const DRAWN: Color = rgb(0xffffff);
/// What is not known to be reached.
pub const UNKNOWN: Color = rgb(0xb4bac6);
/// Bars that scripts draw: full, half empty, and nearly empty.
pub const BAR: [Color; 3] = [rgb(0x68d684), rgb(0xffce5c), rgb(0xe84848)];
/// The dot where two paths part.
pub const PARTED: Color = rgb(0xfff078);
pub const BANNER: Color = rgb(0x761c28);
/// Struts and feet of a vessel.
pub const LEG: Color = rgb(0x78808e);
pub const FLAME: Color = rgb(0xff9230);
pub const FLAME_HEART: Color = rgb(0xffe896);
/// Blended into surfaces that face away from the light.
pub const DARK: Color = rgb(0x0e101c);
pub const LIGHT: Color = rgb(0xffffff);
/// Shadows on the floor.
pub const SHADOW: Ink = Ink::faint(DARK, SHADE);
/// Their opacity.
pub const SHADE: f32 = 0.45;
/// Fill and outline color of a shape.
#[derive(Clone, Copy)]
pub struct ShapeColors {
    pub fill: Color,
    pub edge: Color,
}

/// A body's colors: warm for players, cool for others; the outline shows the model.
pub fn body(body: &EntityView) -> ShapeColors {
    ShapeColors { fill: fill_of_player(body.player), edge: body.model.map_or(LIGHT, edge_of_model) }
}

pub fn fill_of_player(player: u8) -> Color {
    match player {
        1 => rgb(0xf4963e),
        2 => rgb(0x6ec878),
        0 => rgb(0x9680c8),
        _ => rgb(0xe2c85a),
    }
}

pub fn edge_of_model(model: ModelName) -> Color {
    let [red, green, blue] = model.outline();
    Color(red, green, blue)
}

/// Opacity of a zone's tint, and of its hints.
pub const TINT: f32 = 0.2;
pub const HINT: f32 = 0.5;

/// Opacity of a switched-off solid: its area, and its outline.
pub const GHOST: (f32, f32) = (0.08, 0.6);

/// The color that marks a switched-off solid.
pub fn ghost(level: &Level, solid: &Solid) -> Color {
    let name = level.surface_name(solid.surface);
    match level.view {
        View::Side => surface(name).edge,
        View::Top => light(block(name, solid.top).edge),
    }
}

/// The color of a zone: some names have their own, otherwise its effect or its name decides.
pub fn zone(zone: &Zone) -> Color {
    let has = |words: &[&str]| words.iter().any(|word| zone.name.contains(word));
    if is_wet(zone) {
        rgb(0x3488d8)
    } else if has(&["ladder", "vine"]) {
        rgb(0xb08454)
    } else if has(&["pad", "goal", "flag"]) {
        rgb(0x68d684)
    } else if has(&["lava", "fire"]) {
        rgb(0xee6032)
    } else if zone.external_accel != DVec2::ZERO {
        rgb(0xbee0ee)
    } else if zone.conveyor != DVec2::ZERO {
        rgb(0xf0be50)
    } else if zone.gravity_scale != 1.0 {
        rgb(0xaa8cf0)
    } else if zone.time_scale != 1.0 {
        rgb(0x78c8dc)
    } else {
        surface(&zone.name).fill
    }
}

/// Whether a zone looks like water.
pub fn is_wet(zone: &Zone) -> bool {
    ["water", "lake", "pool", "sea", "lagoon"].iter().any(|word| zone.name.contains(word))
}

/// The color behind everything.
pub fn background(level: &Level) -> Color {
    match level.view {
        View::Side => DARK,
        View::Top => floor(level.surface_name(level.plain))[0],
    }
}

/// The colors of a solid that is painted as a plain area.
pub fn solid(level: &Level, solid: &Solid) -> ShapeColors {
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
pub fn light(color: Color) -> Color {
    color.towards(LIGHT, 0.45)
}

/// A color, lighter by this share.
pub fn lighter(color: Color, share: f32) -> Color {
    color.towards(LIGHT, share)
}

/// Colors of a block in a top view.
pub struct BlockColors {
    pub top: Color,
    pub side: Color,
    pub edge: Color,
}

/// The colors of a block of this height, px. Higher blocks have lighter tops; infinitely high
/// blocks are dark.
pub fn block(name: &str, height: f64) -> BlockColors {
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
pub fn floor(name: &str) -> [Color; 2] {
    let fill = surface(name).fill.towards(DARK, 0.36);
    [fill, fill.towards(LIGHT, 0.035)]
}

/// A surface's colors: some names have their own, others get one derived from their letters.
pub fn surface(name: &str) -> ShapeColors {
    let fill = match name {
        "plain" | "stone" => rgb(0x4a4e5c),
        "ice" => rgb(0x8abeda),
        "grass" => rgb(0x48764c),
        "wood" => rgb(0x7e5c3e),
        "brick" => rgb(0x8c4e42),
        "metal" => rgb(0x68707a),
        other => {
            let sum = other.bytes().fold(7_u32, |h, b| h.wrapping_mul(31).wrapping_add(b.into()));
            let part = |shift: u32| (70 + (sum >> shift) % 110) as u8;
            Color(part(0), part(8), part(16))
        }
    };
    ShapeColors { fill, edge: light(fill) }
}

/// Dust and other things that fly up.
pub const SWIRL: Color = rgb(0xcec8be);

/// The colors of overlays.
pub const TRAIL: Color = rgb(0xffe278);
pub const OUTLINE: Color = rgb(0x78ffbe);
pub const NORMAL: Color = rgb(0xff96dc);
pub const CONTACT: Color = rgb(0xff6060);
pub const SWEEP: Color = rgb(0x78dcff);
pub const VELOCITY: Color = rgb(0x96f05a);
pub const EXTERNAL: Color = rgb(0xff78c8);
pub const REACH: Color = rgb(0xffbe5a);
pub const REST: Color = rgb(0xbeaaff);
pub const PICKED: Color = rgb(0xffffff);

/// The shades of a body: the lit part and the dark part.
pub fn shaded(fill: Color) -> [Color; 2] {
    [lighter(fill, 0.22), fill.towards(DARK, 0.24)]
}

/// The color of a rope: the tauter, the redder; `strain` from 0 to 1.
pub fn rope(strain: f64) -> Color {
    const TENSE: Color = rgb(0xff5c46);
    // A few steps, so that a GIF needs few colors.
    let step = (strain.clamp(0.0, 1.0) * 4.0).round() as f32 / 4.0;
    ROPE.towards(TENSE, step)
}
