//! The sky of a side view: it moves less than the level, the farther away the less. Specks at fixed
//! places of the level, scattered like dust, show how fast and how high a body moves even where nothing else is.

use super::{
    ridges::{Ridge, Ridges, Top},
    *,
};

/// From the top of the sky to the horizon.
pub const SKY: [Color; 9] = [
    rgb(0x1a1e3e),
    rgb(0x1e264a),
    rgb(0x233056),
    rgb(0x2a3c62),
    rgb(0x344a6e),
    rgb(0x425a7a),
    rgb(0x546c86),
    rgb(0x688092),
    rgb(0x7e949e),
];
const SUN: Color = rgb(0xe8e2c4);
const HALO: Color = rgb(0x8c9a9e);
const STAR: Color = rgb(0x96a6c4);
const CLOUD: [Color; 2] = [rgb(0x5c728e), rgb(0x768a9e)];
/// Far mountains with their snow, hills, and the wood before them, each with its mist.
const FAR: [Color; 2] = [rgb(0x4a6082), rgb(0x70869c)];
const NEAR: [Color; 2] = [rgb(0x364c6c), rgb(0x304464)];
const WOOD: [Color; 2] = [rgb(0x263854), rgb(0x20304a)];
const MARK: Color = rgb(0x607694);

/// Height of the horizon in the picture when the camera is at its usual height, as a fraction from
/// the top.
const HORIZON: f64 = 0.66;

/// How far layers move when the camera does: sun, clouds, mountains, hills, wood.
const DEPTH: [f64; 5] = [0.01, 0.05, 0.10, 0.2, 0.34];

/// Of that, the part by which they move up and down.
const RISE: f64 = 0.5;

/// Speed of the clouds, px/s.
const WIND: f64 = 5.0;

/// The size of a cell, px. Each cell has a speck that is fixed to the level.
const SPECKS: f64 = 44.0;

/// Levels larger than this have no usual height, px.
const LARGE: f64 = 20_000.0;

pub fn all_colors() -> Vec<Color> {
    let parts = [&SKY[..], &CLOUD, &FAR, &NEAR, &WOOD, &[SUN, HALO, STAR, MARK]];
    parts.concat()
}

/// Paints the sky over the whole canvas.
pub fn paint_sky(brush: &mut Brush<'_>, bounds: &Bounds, time: f64) {
    let lens = brush.lens;
    let tall = bounds.max.y - bounds.min.y;
    let usual = if tall < LARGE {
        bounds.min.y + 0.5 * lens.size.y + 0.2 * (tall - lens.size.y).max(0.0)
    } else {
        0.0
    };
    let (width, height) = (brush.canvas.width() as usize, brush.canvas.height() as usize);
    let mut sky = Sky {
        width,
        height,
        climbed: (lens.center().y - usual) * lens.scale,
        gone: lens.center().x * lens.scale,
        pixels: brush.canvas.pixels_mut(),
    };
    let ridges = Ridges::new(&RIDGES, width, |layer| (sky.gone * DEPTH[layer], sky.horizon(layer) - HIGH[layer]));
    sky.gradient(ridges.hide_from());
    sky.stars();
    sky.sun();
    sky.clouds(time);
    ridges.paint(sky.pixels, width);
    sky.marks(&lens);
}

/// Mountains, hills and a wood.
const RIDGES: [Ridge; 3] = [
    Ridge { layer: 2, waves: [(190.0, 96.0), (57.0, 34.0), (15.0, 6.0)], colors: FAR, top: Top::Snow },
    Ridge { layer: 3, waves: [(310.0, 60.0), (90.0, 22.0), (23.0, 4.0)], colors: NEAR, top: Top::Plain },
    Ridge { layer: 4, waves: [(260.0, 34.0), (70.0, 14.0), (40.0, 4.0)], colors: WOOD, top: Top::Trees },
];

/// How far the ridges are above the horizon of their layer, px.
const HIGH: [f64; 5] = [0.0, 0.0, 30.0, 4.0, -14.0];

struct Sky<'a> {
    pixels: &'a mut [PremultipliedColorU8],
    width: usize,
    height: usize,
    /// How far the camera is above its usual height, and to the right, pixels.
    climbed: f64,
    gone: f64,
}

impl Sky<'_> {
    /// The row of the horizon of a layer.
    fn horizon(&self, layer: usize) -> f64 {
        self.height as f64 * HORIZON + self.climbed * DEPTH[layer] * RISE
    }

    /// Paints the rows above one.
    fn gradient(&mut self, end: usize) {
        let low = self.horizon(0);
        let bands = (SKY.len() - 1) as f64;
        let lines = self.pixels.chunks_exact_mut(self.width).take(end);
        for (row, line) in lines.enumerate() {
            let down = (row as f64 / low * bands).clamp(0.0, bands) as f32;
            let mut pair = [SKY[down as usize].pixel(); 4];
            let next = SKY[(down as usize + 1).min(SKY.len() - 1)].pixel();
            for (x, pixel) in pair.iter_mut().enumerate() {
                // Bands with soft borders: most rows have one color.
                let share = ((down.fract() - 0.5) * 1.6 + 0.5).clamp(0.0, 1.0);
                if share > dither(x, row) {
                    *pixel = next;
                }
            }
            for four in line.chunks_mut(4) {
                let count = four.len();
                four.copy_from_slice(&pair[..count]);
            }
        }
    }

    fn stars(&mut self) {
        let end = self.horizon(0) * 0.5;
        for number in 0..60 {
            let x = (fraction(number, 11) * self.width as f32) as usize;
            let y = f64::from(fraction(number, 12)) * end;
            let bright = scatter(number, 13).is_multiple_of(3);
            self.set(x, y as i64, if bright { STAR } else { SKY[4] }.pixel());
        }
    }

    /// A pale sun with a ring around it.
    fn sun(&mut self) {
        let x = self.width as f64 * 0.74 - (self.gone * DEPTH[0]).rem_euclid(self.width as f64 * 4.0);
        let x = x.rem_euclid(self.width as f64 * 4.0).round() as i64;
        let y = (self.horizon(0) - self.height as f64 * 0.36).round() as i64;
        for (radius, color) in [(24_i64, HALO), (18, SUN)] {
            for dy in -radius..=radius {
                let reach = ((radius * radius - dy * dy) as f64).sqrt() as i64;
                for at in x - reach..=x + reach {
                    let edge = radius == 24 && dither(at as usize, (y + dy) as usize) < 0.5;
                    if at >= 0 && !edge {
                        self.set(at as usize, y + dy, color.pixel());
                    }
                }
            }
        }
    }

    /// Flat clouds that drift to the left.
    fn clouds(&mut self, time: f64) {
        let drifted = self.gone * DEPTH[1] + time * WIND;
        let base = self.horizon(1) - self.height as f64 * 0.34;
        for (bank, high, row) in [(0, 0.0, 3), (1, 52.0, 4)] {
            let (mut wide, mut narrow) = (Hills::new(150.0, row), Hills::new(23.0, row + 10));
            for column in 0..self.width {
                let place = wide_floor(column as f64 + drifted) as f64;
                let bank = f64::from(bank);
                let place = place * (1.0 + 0.2 * bank) + bank * 300.0;
                let puff = wide.at(place) * 34.0 - 18.0 + narrow.at(place) * 8.0;
                let top = puff.max(0.0).floor() as i64;
                let bottom = (base + high).round() as i64;
                let thin = top / 4;
                for up in -thin..top {
                    let color = CLOUD[usize::from(up > top - 4)];
                    self.set(column, bottom - up, color.pixel());
                }
            }
        }
    }

    /// Specks at fixed places of the level, none in line with its neighbors: rows would look like a fault.
    fn marks(&mut self, lens: &Lens) {
        let shows = lens.shows();
        let color = MARK.pixel();
        let [first, last] = [shows.min, shows.max].map(|corner| (corner / SPECKS).floor());
        let (mut row, mut column) = (first.y, first.x);
        while row <= last.y {
            // Floats are exact here: a level is far smaller than 2^53 cells.
            let (x, y) = (column as i64, row as i64);
            let place = dvec2(f64::from(fraction(x, y + 300)), f64::from(fraction(y, x + 700)));
            let (left, top) = lens.at((dvec2(column, row) + place) * SPECKS);
            if left >= 0.0 {
                self.set(left as usize, top as i64, color);
            }
            column += 1.0;
            if column > last.x {
                (row, column) = (row + 1.0, first.x);
            }
        }
    }

    fn set(&mut self, x: usize, y: i64, color: PremultipliedColorU8) {
        if x < self.width && y >= 0 && (y as usize) < self.height {
            self.pixels[y as usize * self.width + x] = color;
        }
    }
}
