//! How each surface looks from the side.

use super::{pattern::Pattern, *};
use crate::palette::DARK;

/// The number of shades that a pattern uses, and how many darker ones follow in the depth.
pub const SHADES: usize = 4;
pub const DEEPER: usize = 3;
const ALL: usize = SHADES + DEEPER;

/// The colors of flowers.
pub const FLOWERS: [Color; 3] = [rgb(0xfade6e), rgb(0xec889e), rgb(0xf0f4fa)];

/// How bodies see an edge that they stand on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crest {
    /// Blades of grass.
    Grass,
    /// Snow and ice.
    Frost,
    /// A course of flat stones.
    Coping,
    /// One bright line.
    Line,
}

/// The colors and the pattern of a surface.
pub struct Style {
    pub pattern: Pattern,
    pub crest: Crest,
    /// From light to dark.
    shades: [Color; ALL],
    /// The same for the canvas.
    pub pixels: [PremultipliedColorU8; ALL],
    /// Of the edge that bodies stand on: light, middle, dark.
    pub top: [Color; 3],
}

/// What surfaces with known names are made of: their names, pattern, edge, color, and the color of the edge.
#[rustfmt::skip]
const KNOWN: [(&[&str], Pattern, Crest, Color, Color); 8] = [
    (&["plain", "stone"], Pattern::Stone, Crest::Coping, rgb(0x52566a), rgb(0x969cb0)),
    (&["grass"], Pattern::Earth, Crest::Grass, rgb(0x705242), rgb(0x70b254)),
    (&["ice"], Pattern::Ice, Crest::Frost, rgb(0x88bede), rgb(0xf4faff)),
    (&["wood"], Pattern::Wood, Crest::Line, rgb(0x8c6440), rgb(0xcea26c)),
    (&["brick"], Pattern::Brick, Crest::Coping, rgb(0x9a5446), rgb(0xc8b0a0)),
    (&["metal"], Pattern::Metal, Crest::Line, rgb(0x626c7a), rgb(0xbecad6)),
    (&["spring"], Pattern::Speckled, Crest::Line, rgb(0xc45474), rgb(0xffb0c4)),
    (&["belt"], Pattern::Metal, Crest::Line, rgb(0x4a4854), rgb(0xf0be50)),
];

impl Style {
    /// The style of a surface.
    pub fn of(name: &str) -> Self {
        let known = KNOWN.iter().find(|(names, ..)| names.contains(&name));
        let (pattern, crest, base, top) = match known {
            Some((_, pattern, crest, base, top)) => (*pattern, *crest, *base, *top),
            None => {
                let colors = palette::surface(name);
                (Pattern::Speckled, Crest::Line, colors.fill, colors.edge)
            }
        };
        let shades = std::array::from_fn(|i| shade(base, pattern, i));
        Self {
            pattern,
            crest,
            shades,
            pixels: shades.map(Color::pixel),
            top: [top, top.towards(DARK, 0.22), top.towards(DARK, 0.48)],
        }
    }

    /// The color of its dust.
    pub fn dust(&self) -> Color {
        self.top[1]
    }

    /// The color of a plank of this surface.
    pub fn base(&self) -> Color {
        self.shades[1]
    }

    /// The darkest color inside.
    pub fn shadow(&self) -> Color {
        self.shades[ALL - 1]
    }

    /// The lightest color inside.
    pub fn light(&self) -> Color {
        self.shades[0]
    }
}

/// The shade with this number: a lighter one, the base, and ever darker ones.
fn shade(base: Color, pattern: Pattern, number: usize) -> Color {
    let step = match pattern {
        // Ice hardly changes with the depth.
        Pattern::Ice => 0.09,
        Pattern::Earth => 0.13,
        _ => 0.15,
    };
    match number {
        0 => palette::lighter(base, 0.14),
        n => base.towards(DARK, step * (n - 1) as f32),
    }
}

/// Every color of the art of a level.
pub fn all_colors(level: &Level) -> Vec<Color> {
    let styles = level.surfaces.iter().map(|name| Style::of(name));
    let mut all: Vec<Color> = styles.flat_map(|s| s.shades.into_iter().chain(s.top)).collect();
    all.extend(super::sky::all_colors());
    all.extend(FLOWERS);
    all
}
