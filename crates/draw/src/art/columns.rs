//! Filling a solid with its pattern, column by column from the top, so that it gets darker with the
//! depth below its own surface.

use super::{pattern::TILE, style::DEEPER, *};

/// The depth at which a solid is one shade darker, px.
const FADE: f32 = 46.0;

/// A place where the outline crosses the middle of a column: the column, and the distance from the top
/// of the picture, pixels.
type Crossing = (usize, f32);

/// Fills an outline, offset from where its file draws it, with the pattern of a surface.
pub fn fill_ground(brush: &mut Brush<'_>, points: &[DVec2], offset: DVec2, style: &Style) {
    // Single precision is exact enough within a tile, but not in a large level.
    let corner = (brush.lens.corner - offset) * dvec2(1.0, -1.0);
    let [left, high] = corner.to_array().map(|at| at.rem_euclid(TILE as f64) as f32);
    let step = (1.0 / brush.lens.scale) as f32;
    let place = |from: f32, pixel: usize| (from + (pixel as f32 + 0.5) * step) as usize % TILE;
    let tile_rows: Vec<usize> = (0..brush.canvas.height() as usize).map(|row| place(high, row)).collect();
    let tile = style.pattern.tile();
    for_each_column(brush, points, offset, |canvas, column, top, rows| {
        if rows.is_empty() {
            return;
        }
        let width = canvas.width() as usize;
        let x = place(left, column);
        let steps = [0, 1, 2, 3].map(|y| dither(x, y));
        let places = canvas.pixels_mut()[rows.start * width + column..].iter_mut().step_by(width);
        for ((row, y), pixel) in rows.clone().zip(&tile_rows[rows]).zip(places) {
            let depth = (row as f32 + 0.5 - top) * step / FADE - 0.4;
            let darker = (depth + steps[y & 3]).clamp(0.0, DEEPER as f32) as i32;
            let shade = usize::from(tile[y * TILE + x]) + darker as usize;
            *pixel = style.pixels[shade];
        }
    });
}

/// Calls a function with each stretch of a column that is inside of an outline: the column, how far from the top of the
/// picture it begins, and the rows.
pub fn for_each_column(
    brush: &mut Brush<'_>,
    points: &[DVec2],
    offset: DVec2,
    mut paint: impl FnMut(&mut Pixmap, usize, f32, Range<usize>),
) {
    let mut crossings = crossings(brush, points, offset);
    crossings.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    for pair in crossings.chunks_exact(2) {
        let rows = rows_between(brush.canvas, pair[0].1, pair[1].1);
        paint(brush.canvas, pair[0].0, pair[0].1, rows);
    }
}

/// The rows whose middles lie between two distances from the top.
fn rows_between(canvas: &Pixmap, top: f32, bottom: f32) -> Range<usize> {
    let height = canvas.height() as f32;
    let row = |at: f32| ceil((at - 0.5).clamp(-0.5, height)) as usize;
    row(top)..row(bottom)
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
