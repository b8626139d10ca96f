//! Patterns: tiles of shades that repeat over a solid.

use super::*;
use std::sync::LazyLock;

/// Width and height of a tile, px; a power of two.
pub const TILE: usize = 64;

/// A tile of shades, row by row from the top: 0 is the lightest.
pub type Tile = [u8; TILE * TILE];

/// What a surface is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Rounded stones.
    Stone,
    /// Earth with pebbles.
    Earth,
    /// Smooth ice with slanted glints.
    Ice,
    /// Boards.
    Wood,
    /// Rows of bricks.
    Brick,
    /// Riveted plates.
    Metal,
    /// A few speckles, for surfaces that the game names itself.
    Speckled,
}

impl Pattern {
    /// The tile of this pattern.
    pub fn tile(self) -> &'static Tile {
        // In the order of the patterns.
        static TILES: LazyLock<[Tile; 7]> =
            LazyLock::new(|| [stone, earth, ice, wood, brick, metal, speckled].map(tile));
        &TILES[self as usize]
    }
}

fn tile(shade: fn(i64, i64) -> u8) -> Tile {
    std::array::from_fn(|i| shade((i % TILE) as i64, (i / TILE) as i64))
}

/// Stones of different sizes: the cells around scattered points. The tile continues at its ends.
fn stone(x: i64, y: i64) -> u8 {
    const CELL: i64 = 16;
    const CELLS: i64 = TILE as i64 / CELL;
    let (column, row) = (x / CELL, y / CELL);
    let mut near: Vec<(i64, i64, i64)> = Vec::with_capacity(25);
    for r in row - 2..=row + 2 {
        for c in column - 2..=column + 2 {
            let seed = scatter(c.rem_euclid(CELLS), r.rem_euclid(CELLS) + 40);
            let at_x = c * CELL + i64::from(seed % 16);
            let at_y = r * CELL + i64::from(seed / 16 % 16);
            // Stones are wider than high.
            let (dx, dy) = (x - at_x, (y - at_y) * 5 / 4);
            near.push((dx * dx + dy * dy, dx, dy));
        }
    }
    near.sort_unstable();
    let edge = near[1].0 - near[0].0;
    let (_, dx, dy) = near[0];
    match edge {
        0..=26 => 3,
        _ if dx + dy < -7 => 0,
        _ if dx + dy > 8 => 2,
        _ => 1,
    }
}

fn earth(x: i64, y: i64) -> u8 {
    // Pebbles: two px wide, with a shadow below.
    let pebble = |x: i64, y: i64| {
        let (x, y) = (x.rem_euclid(TILE as i64), y.rem_euclid(TILE as i64));
        scatter(x / 2, y + 900).is_multiple_of(61)
    };
    if pebble(x, y) {
        return 0;
    }
    if pebble(x, y - 1) || pebble(x, y - 2) {
        return 2;
    }
    // Layers of soil, and a few crumbs.
    let layer = (y + i64::from(scatter(x / 9, 5) % 3)).rem_euclid(TILE as i64);
    let crumb = scatter(x, y).is_multiple_of(47);
    match layer {
        14..=15 | 41 if !scatter(x / 5, layer + 20).is_multiple_of(3) => 2,
        28 if scatter(x / 4, 21).is_multiple_of(2) => 0,
        _ if crumb => 2,
        _ => 1,
    }
}

fn ice(x: i64, y: i64) -> u8 {
    // Slanted bands, broken into pieces of different lengths.
    let along = (x + y).rem_euclid(TILE as i64);
    let piece = scatter(along / 2, (y / 8).rem_euclid(8) + 70) % 5;
    match along {
        6..=9 | 40..=41 if piece > 1 => 0,
        12 | 45..=47 if piece > 0 => 1,
        24..=25 if piece > 2 => 3,
        _ => 2,
    }
}

fn wood(x: i64, y: i64) -> u8 {
    const BOARD: i64 = 16;
    let (board, line) = (y / BOARD, y % BOARD);
    let seam = (board * 37 + 11).rem_euclid(TILE as i64);
    if line == BOARD - 1 || x == seam {
        return 3;
    }
    if line == 0 {
        return 0;
    }
    let nail = (x - seam).rem_euclid(TILE as i64);
    if (nail == 3 || nail == TILE as i64 - 3) && (line == 4 || line == 11) {
        return 3;
    }
    let grain = scatter(x / 11 + line % 2 * 3, y + 500) % 6;
    if line % 3 == 1 && grain < 3 { 2 } else { 1 }
}

fn brick(x: i64, y: i64) -> u8 {
    let (row, line) = (y / 8, y % 8);
    let along = (x + row % 2 * 8).rem_euclid(TILE as i64);
    let (number, place) = (along / 16, along % 16);
    if line == 7 || place == 15 {
        return 3;
    }
    if line == 0 || place == 0 {
        return 0;
    }
    let tone = scatter(number, row + 600) % 4;
    u8::from(tone > 0) + u8::from(tone > 2)
}

fn metal(x: i64, y: i64) -> u8 {
    let (x, y) = (x % 32, y % 32);
    if x == 31 || y == 31 {
        return 3;
    }
    if x == 0 || y == 0 {
        return 0;
    }
    let rivet = |at: i64| at == 3 || at == 27;
    if rivet(x) && rivet(y) {
        return 0;
    }
    if rivet(x - 1) && rivet(y - 1) {
        return 3;
    }
    if (y + i64::from(scatter(y, 8) % 3)) % 11 == 0 { 2 } else { 1 }
}

fn speckled(x: i64, y: i64) -> u8 {
    match scatter(x / 2, y / 2 + 1200) % 23 {
        0 => 0,
        1 | 2 => 2,
        _ => 1,
    }
}
