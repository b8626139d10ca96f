//! Filling a solid with its pattern, column by column from the top, so that it gets darker with the
//! depth below its own surface.

use super::noise::dither;
use super::pattern::TILE;
use super::style::{DEEPER, Style};
use crate::draw::lens::Lens;
use glam::DVec2;
use tiny_skia::Pixmap;

/// The depth at which a solid is one shade darker, px.
const FADE: f32 = 46.0;

/// A place where the outline crosses the middle of a column: the column, and the distance from the top
/// of the picture, pixels.
type Crossing = (usize, f32);

/// Fills an outline, offset from where its file draws it, with the pattern of a surface.
pub(in crate::draw) fn fill_ground(
    canvas: &mut Pixmap,
    lens: &Lens,
    points: &[DVec2],
    offset: DVec2,
    style: &Style,
) {
    let mut crossings = crossings(canvas, lens, points, offset);
    crossings.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut brush = ColumnBrush::new(canvas, lens, offset, style);
    for pair in crossings.chunks_exact(2) {
        brush.fill(pair[0].0, pair[0].1, pair[1].1);
    }
}

/// All crossings on the canvas. Each column has an even number of them.
fn crossings(canvas: &Pixmap, lens: &Lens, points: &[DVec2], offset: DVec2) -> Vec<Crossing> {
    let width = canvas.width() as f32;
    let mut found = Vec::with_capacity(2 * canvas.width() as usize);
    for (i, start) in points.iter().enumerate() {
        let end = points[(i + 1) % points.len()];
        let (a, b) = (lens.at(*start + offset), lens.at(end + offset));
        let (left, right) = if a.0 < b.0 { (a, b) } else { (b, a) };
        // The columns whose middles lie from the left end up to, but not at, the right one.
        let first = (left.0 - 0.5).ceil().clamp(0.0, width) as usize;
        let last = (right.0 - 0.5).ceil().clamp(0.0, width) as usize;
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
    /// Place in the tile, px, of the picture's upper left corner, and px for each pixel.
    corner: (f32, f32),
    step: f32,
}

impl<'a> ColumnBrush<'a> {
    fn new(canvas: &'a mut Pixmap, lens: &Lens, offset: DVec2, style: &'a Style) -> Self {
        // Single precision is exact enough within a tile, but not in a large level.
        let tile = TILE as f64;
        let corner = lens.corner - offset;
        let corner = (
            corner.x.rem_euclid(tile) as f32,
            (-corner.y).rem_euclid(tile) as f32,
        );
        Self {
            canvas,
            style,
            corner,
            step: (1.0 / lens.scale) as f32,
        }
    }

    fn fill(&mut self, column: usize, top: f32, bottom: f32) {
        let (width, height) = (self.canvas.width() as usize, self.canvas.height() as f32);
        let first = (top - 0.5).ceil().clamp(0.0, height) as usize;
        let end = (bottom - 0.5).ceil().clamp(0.0, height) as usize;
        let tile = self.style.pattern.tile();
        let x = (self.corner.0 + (column as f32 + 0.5) * self.step) as usize % TILE;
        let pixels = self.canvas.pixels_mut();
        for row in first..end {
            let y = (self.corner.1 + (row as f32 + 0.5) * self.step) as usize % TILE;
            let depth = (row as f32 + 0.5 - top) * self.step / FADE - 0.4;
            let darker = (depth + dither(x, y)).clamp(0.0, DEEPER as f32) as usize;
            let shade = usize::from(tile[y * TILE + x]) + darker;
            pixels[row * width + column] = self.style.pixels[shade];
        }
    }
}
