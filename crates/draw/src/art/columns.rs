//! Filling a solid with its pattern, column by column from the top, so that it gets darker with the
//! depth below its own surface.

use super::noise::dither;
use super::pattern::TILE;
use super::style::{DEEPER, Style};
use crate::{Brush, Lens, ceil};
use glam::DVec2;
use std::ops::Range;
use tiny_skia::Pixmap;

/// The depth at which a solid is one shade darker, px.
const FADE: f32 = 46.0;

/// A place where the outline crosses the middle of a column: the column, and the distance from the top
/// of the picture, pixels.
type Crossing = (usize, f32);

/// Fills an outline, offset from where its file draws it, with the pattern of a surface.
pub(crate) fn fill_ground(brush: &mut Brush<'_>, points: &[DVec2], offset: DVec2, style: &Style) {
    let crossings = sorted_crossings(brush, points, offset);
    let mut columns = ColumnBrush::new(brush.canvas, &brush.lens, offset, style);
    for pair in crossings.chunks_exact(2) {
        columns.fill(pair[0].0, pair[0].1, pair[1].1);
    }
}

/// Calls a function with each stretch of a column that is inside of an outline: the column, and the rows.
pub(crate) fn for_each_column(
    brush: &mut Brush<'_>,
    points: &[DVec2],
    offset: DVec2,
    mut paint: impl FnMut(&mut Pixmap, usize, Range<usize>),
) {
    for pair in sorted_crossings(brush, points, offset).chunks_exact(2) {
        let rows = rows_between(brush.canvas, pair[0].1, pair[1].1);
        paint(brush.canvas, pair[0].0, rows);
    }
}

/// The rows whose middles lie between two distances from the top.
fn rows_between(canvas: &Pixmap, top: f32, bottom: f32) -> Range<usize> {
    let height = canvas.height() as f32;
    let row = |at: f32| ceil((at - 0.5).clamp(-0.5, height)) as usize;
    row(top)..row(bottom)
}

fn sorted_crossings(brush: &Brush<'_>, points: &[DVec2], offset: DVec2) -> Vec<Crossing> {
    let mut crossings = crossings(brush, points, offset);
    crossings.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    crossings
}

/// All crossings on the canvas. Each column has an even number of them.
fn crossings(brush: &Brush<'_>, points: &[DVec2], offset: DVec2) -> Vec<Crossing> {
    let width = brush.canvas.width() as i32;
    let mut found = Vec::with_capacity(2 * brush.canvas.width() as usize);
    for (i, start) in points.iter().enumerate() {
        let end = points[(i + 1) % points.len()];
        let (a, b) = (brush.lens.at(*start + offset), brush.lens.at(end + offset));
        let (left, right) = if a.0 < b.0 { (a, b) } else { (b, a) };
        // The columns whose middles lie from the left end up to, but not at, the right one.
        let first = ceil(left.0 - 0.5).clamp(0, width) as usize;
        let last = ceil(right.0 - 0.5).clamp(0, width) as usize;
        let slope = (right.1 - left.1) / (right.0 - left.0);
        for column in first..last {
            found.push((column, left.1 + slope * (column as f32 + 0.5 - left.0)));
        }
    }
    found
}

struct ColumnBrush<'a> {
    canvas: &'a mut Pixmap,
    style: &'a Style,
    /// Column of the tile, px, at the picture's left end, and px for each pixel.
    left: f32,
    step: f32,
    /// The row of the tile at each row of the picture.
    tile_rows: Vec<u8>,
}

impl<'a> ColumnBrush<'a> {
    fn new(canvas: &'a mut Pixmap, lens: &Lens, offset: DVec2, style: &'a Style) -> Self {
        // Single precision is exact enough within a tile, but not in a large level.
        let tile = TILE as f64;
        let corner = lens.corner - offset;
        let (left, top) = (corner.x.rem_euclid(tile) as f32, (-corner.y).rem_euclid(tile) as f32);
        let step = (1.0 / lens.scale) as f32;
        let tile_row = |row: u32| ((top + (row as f32 + 0.5) * step) as usize % TILE) as u8;
        Self { tile_rows: (0..canvas.height()).map(tile_row).collect(), canvas, style, left, step }
    }

    fn fill(&mut self, column: usize, top: f32, bottom: f32) {
        let width = self.canvas.width() as usize;
        let Range { start: first, end } = rows_between(self.canvas, top, bottom);
        let x = (self.left + (column as f32 + 0.5) * self.step) as usize % TILE;
        let (tile, steps) = (self.style.pattern.tile(), [0, 1, 2, 3].map(|y| dither(x, y)));
        if first >= end {
            return;
        }
        let places = &mut self.canvas.pixels_mut()[first * width + column..];
        let rows = (first..).zip(&self.tile_rows[first..end]);
        for ((row, y), pixel) in rows.zip(places.iter_mut().step_by(width)) {
            let y = usize::from(*y);
            let depth = (row as f32 + 0.5 - top) * self.step / FADE - 0.4;
            let darker = (depth + steps[y & 3]).clamp(0.0, DEEPER as f32) as i32;
            let shade = usize::from(tile[y * TILE + x]) + darker as usize;
            *pixel = self.style.pixels[shade];
        }
    }
}
