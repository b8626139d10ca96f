//! The edges of solids: what bodies stand on, walls with light and shadow, and planks.

use super::{
    style::{Crest, FLOWERS},
    *,
};

/// Edges whose normal points up, or down, by at least this much are ground, or ceilings.
const LEVEL: f64 = 0.3;

/// Thickness of a one-way platform, px.
pub const PLANK: f64 = 5.0;

/// Distance between the joints of coping stones, px.
const JOINTS: i64 = 24;

/// An edge of the joined outline at its current place.
#[derive(Clone, Copy)]
pub struct Trim {
    pub start: DVec2,
    pub end: DVec2,
    /// Unit normal, away from the solid.
    pub normal: DVec2,
    /// How far its solid is from where its file draws it, px: details move with it.
    pub offset: DVec2,
}

/// Paints the look of an edge, inside of it: feet stand on top.
pub fn paint_trim(brush: &mut Brush<'_>, trim: &Trim, style: &Style) {
    if trim.normal.y >= LEVEL {
        for (x, y) in trim.columns(brush) {
            let place = ((x - trim.offset.x).floor() as i64, trim.start.y as i64);
            brush.crest(dvec2(x, y), place, style);
        }
    } else if trim.normal.y <= -LEVEL {
        for (x, y) in trim.columns(brush) {
            brush.down(dvec2(x, y), -1, style.shadow());
            brush.down(dvec2(x, y), -2, style.shadow());
        }
    } else {
        // Light comes from the left.
        let lit = trim.normal.x < 0.0;
        let color = if lit { style.light() } else { style.shadow() };
        for (x, y) in trim.rows(brush) {
            brush.side(x, y, lit, color);
        }
    }
}

/// Paints a one-way platform below its line.
pub fn paint_plank(brush: &mut Brush<'_>, trim: &Trim, style: &Style) {
    let thick = (PLANK * brush.lens.scale).ceil() as i32;
    for (x, y) in trim.columns(brush) {
        let joint = ((x - trim.offset.x).floor() as i64).rem_euclid(20);
        let nail = joint == 3 || joint == 16;
        for depth in 0..thick {
            let color = match depth {
                0 => style.top[0],
                1 => style.top[1],
                _ if joint == 0 || depth == thick - 1 => style.shadow(),
                2 if nail => style.shadow(),
                _ => style.base(),
            };
            brush.down(dvec2(x, y), depth, color);
        }
    }
}

impl Trim {
    /// The points of the edge over the middles of the picture's columns.
    fn columns(&self, brush: &Brush<'_>) -> impl Iterator<Item = (f64, f64)> + use<> {
        let (left, scale) = (brush.lens.corner.x, brush.lens.scale);
        let ends = [self.start.x, self.end.x].map(|x| (x - left) * scale);
        let (start, along) = (self.start, self.end - self.start);
        middles(ends, brush.canvas.width()).map(move |column| {
            let x = left + column / scale;
            (x, start.y + along.y * (x - start.x) / along.x)
        })
    }

    /// The points of the edge at the middles of the picture's rows.
    fn rows(&self, brush: &Brush<'_>) -> impl Iterator<Item = (f64, f64)> + use<> {
        let (top, scale) = (brush.lens.corner.y, brush.lens.scale);
        let ends = [self.start.y, self.end.y].map(|y| (top - y) * scale);
        let (start, along) = (self.start, self.end - self.start);
        middles(ends, brush.canvas.height()).map(move |row| {
            let y = top - row / scale;
            (start.x + along.x * (y - start.y) / along.y, y)
        })
    }
}

/// The middles of the pixels between two places, in a picture with this many pixels.
fn middles([a, b]: [f64; 2], pixels: u32) -> impl Iterator<Item = f64> {
    let pixel = |at: f64| (at - 0.5).ceil().clamp(0.0, f64::from(pixels)) as u32;
    (pixel(a.min(b))..pixel(a.max(b))).map(|pixel| f64::from(pixel) + 0.5)
}

/// Single pixels of a picture.
impl Brush<'_> {
    /// Colors the pixel `depth` rows below the first one under a point; above it if negative.
    fn down(&mut self, point: DVec2, depth: i32, color: Color) {
        let (x, y) = self.lens.at(point);
        self.set(x.floor() as i32, (y - 0.5).ceil() as i32 + depth, color);
    }

    /// Colors the first pixel inside of a wall, which is to the right of its `left` face.
    fn side(&mut self, x: f64, y: f64, left: bool, color: Color) {
        let (x, y) = self.lens.at(dvec2(x, y));
        let inside = (x - 0.5).ceil() as i32 - i32::from(!left);
        self.set(inside, y.floor() as i32, color);
    }

    fn set(&mut self, x: i32, y: i32, color: Color) {
        let (width, height) = (self.canvas.width() as i32, self.canvas.height() as i32);
        if x >= 0 && y >= 0 && x < width && y < height {
            self.canvas.pixels_mut()[(y * width + x) as usize] = color.pixel();
        }
    }

    /// Paints one column of what bodies stand on.
    fn crest(&mut self, at: DVec2, (x, seed): (i64, i64), style: &Style) {
        let [light, middle, dark] = style.top;
        match style.crest {
            Crest::Grass => self.grass(at, (x, seed), style),
            Crest::Frost => {
                self.down(at, 0, light);
                self.down(at, 1, middle);
                // Icicle-like edges of the snow.
                let deep = scatter(x / 3, seed + 7) % 4;
                for depth in 2..2 + deep as i32 {
                    self.down(at, depth, style.light());
                }
            }
            Crest::Coping => {
                let joint = x.rem_euclid(JOINTS) == 0;
                let face = if joint { style.shadow() } else { middle };
                self.down(at, 0, if joint { middle } else { light });
                self.down(at, 1, face);
                self.down(at, 2, if joint { style.shadow() } else { dark });
                self.down(at, 3, style.shadow());
            }
            Crest::Line => {
                self.down(at, 0, light);
                self.down(at, 1, middle);
                self.down(at, 2, style.shadow());
            }
        }
    }

    /// One column of grass: turf of uneven depth, some blades, and a few flowers.
    fn grass(&mut self, at: DVec2, (x, seed): (i64, i64), style: &Style) {
        let [light, middle, dark] = style.top;
        let turf = 4 + (scatter(x / 2, seed) % 3) as i32 + (scatter(x / 7, seed + 1) % 3) as i32;
        for depth in 0..turf {
            let color = match depth {
                0 => light,
                d if d < turf - 2 => middle,
                _ => dark,
            };
            self.down(at, depth, color);
        }
        let tuft = scatter(x / 5, seed + 3).is_multiple_of(3);
        let blade = if tuft { scatter(x, seed + 2) % 4 } else { 0 } as i32;
        for up in 1..=blade {
            self.down(at, -up, if up == blade { light } else { middle });
        }
        let flower = scatter(x, seed + 5);
        if flower.is_multiple_of(97) {
            let color = FLOWERS[(flower / 97) as usize % FLOWERS.len()];
            for up in 1..4 {
                self.down(at, -up, middle);
            }
            let side = dvec2(1.0 / self.lens.scale, 0.0);
            for (aside, up) in [(-1.0, 5), (0.0, 6), (1.0, 5), (0.0, 4)] {
                self.down(at + side * aside, -up, color);
            }
            self.down(at, -5, FLOWERS[0]);
        }
    }
}
