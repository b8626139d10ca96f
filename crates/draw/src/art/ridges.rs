//! Ridges before the sky: mountains, hills and a wood, each only where nearer ones do not hide it.

use super::{noise::dither_order, *};

/// What grows on a ridge.
#[derive(Clone, Copy, PartialEq)]
pub enum Top {
    Plain,
    Snow,
    Trees,
}

impl Top {
    /// How far below the top the second color begins with a dithered border, pixels; `None` for snow, which
    /// lies on top.
    fn border(self) -> Option<i32> {
        match self {
            Self::Plain => Some(34),
            Self::Trees => Some(26),
            Self::Snow => None,
        }
    }
}

/// How many rows a dithered border takes.
const BORDER: i32 = 16;

/// A ridge whose height is the sum of waves.
pub struct Ridge {
    /// Counted from the sun.
    pub layer: usize,
    /// The waves, each with its width and height, px.
    pub waves: [(f64, f32); 3],
    pub colors: [Color; 2],
    pub top: Top,
}

/// The outline of a ridge in a picture, by columns.
struct Skyline {
    /// The row of the top.
    first: Vec<i32>,
    /// How far down the snow reaches, pixels.
    snow: Vec<f32>,
}

impl Ridge {
    /// The outline, moved to the left by `shift`, above the row `base`.
    fn crest(&self, width: usize, shift: f64, base: f64) -> Skyline {
        let number = |row: usize| (self.layer * 20 + row) as i64;
        let mut waves: [Hills; 3] = std::array::from_fn(|row| Hills::new(self.waves[row].0, number(row)));
        let mut crest = Skyline { first: Vec::with_capacity(width), snow: Vec::new() };
        for column in 0..width {
            let place = wide_floor(column as f64 + shift);
            let sums = waves.iter_mut().zip(self.waves);
            let high: f32 = sums.map(|(hills, (_, high))| high * hills.at(place as f64)).sum();
            let high = high - self.waves[0].1 * 0.5;
            let tall = if self.top == Top::Trees { tree(place) } else { 0 };
            let first = wide_floor(base - f64::from(high)) - tall;
            crest.first.push(first.clamp(-FAR, FAR) as i32);
            if self.top == Top::Snow {
                let snow = (high - 26.0) * 0.7 + 4.0 * fraction(place / 2, 77);
                crest.snow.push(snow);
            }
        }
        crest
    }
}

/// Rows farther than this from the picture are equally invisible.
const FAR: i64 = 1 << 24;

/// The ridges of a picture.
pub struct Ridges<'a, const N: usize> {
    ridges: &'a [Ridge; N],
    crests: [Skyline; N],
    /// The row of each column where something nearer begins.
    covers: [Vec<i32>; N],
}

impl<'a, const N: usize> Ridges<'a, N> {
    /// Ridges, the nearest last; `places` has the shift and the base of a layer.
    pub fn new(ridges: &'a [Ridge; N], width: usize, places: impl Fn(usize) -> (f64, f64)) -> Self {
        let crests = std::array::from_fn(|number| {
            let (shift, base) = places(ridges[number].layer);
            ridges[number].crest(width, shift, base)
        });
        let mut cover = vec![i32::MAX; width];
        let mut covers: [Vec<i32>; N] = std::array::from_fn(|_| Vec::new());
        for (own, crest) in covers.iter_mut().zip(&crests).rev() {
            let crest: &Skyline = crest;
            let nearer = cover.iter().zip(&crest.first).map(|(a, b)| *a.min(b));
            let nearer = nearer.collect();
            *own = mem::replace(&mut cover, nearer);
        }
        Self { ridges, crests, covers }
    }

    /// The row from which on they hide all of the sky.
    pub fn hide_from(&self) -> usize {
        let (cover, crest) = (&self.covers[0], &self.crests[0].first);
        let hidden = cover.iter().zip(crest).map(|(a, b)| *a.min(b));
        hidden.max().unwrap_or(0).max(0) as usize
    }

    /// Paints them on a picture of this width.
    pub fn paint(&self, pixels: &mut [PremultipliedColorU8], width: usize) {
        let parts = self.ridges.iter().zip(&self.crests).zip(&self.covers);
        for ((ridge, crest), cover) in parts {
            let highest = crest.first.iter().min().copied().unwrap_or(0);
            let covered = cover.iter().max().copied().unwrap_or(0);
            let first = highest.clamp(0, covered.max(0)) as usize;
            let plain = ridge.plain_rows(crest, cover);
            let lines = (0..covered).zip(pixels.chunks_exact_mut(width));
            for (row, line) in lines.skip(first) {
                if plain.contains(&row) {
                    line.fill(ridge.colors[1].pixel())
                } else {
                    ridge.paint_row(line, row, crest, cover)
                }
            }
        }
    }
}

impl Ridge {
    /// The rows in which only this ridge is seen, in its second color.
    fn plain_rows(&self, crest: &Skyline, cover: &[i32]) -> Range<i32> {
        let lowest = crest.first.iter().max().copied().unwrap_or(0);
        let covered = cover.iter().min().copied().unwrap_or(0);
        let border = self.top.border().map(|border| border + BORDER);
        border.map_or(0..0, |border| lowest + border..covered)
    }

    fn paint_row(&self, line: &mut [PremultipliedColorU8], row: i32, crest: &Skyline, cover: &[i32]) {
        let [body, trim] = self.colors.map(Color::pixel);
        let columns = line.iter_mut().zip(&crest.first).zip(cover);
        let Some(border) = self.top.border() else {
            for (((pixel, first), cover), snow) in columns.zip(&crest.snow) {
                if *first <= row && row < *cover {
                    *pixel = if ((row - first) as f32) < *snow { trim } else { body };
                }
            }
            return;
        };
        let order = dither_order(row as usize).map(i32::from);
        for (column, ((pixel, first), cover)) in columns.enumerate() {
            if *first <= row && row < *cover {
                let deep = row - first - border;
                *pixel = if deep > order[column & 3] { trim } else { body };
            }
        }
    }
}

/// The height of a row of firs at a place, px.
fn tree(x: i64) -> i64 {
    let (number, place) = (x.div_euclid(9), x.rem_euclid(9));
    let seed = scatter(number, 31);
    if seed.is_multiple_of(4) {
        return 0;
    }
    let tall = 8 + i64::from(seed / 4 % 9);
    // Three tiers, each narrower than the one below.
    let aside = (place - 4).abs();
    (tall - aside * 3 + (aside % 2) * 2).max(0)
}
