//! Frames of pictures, pixel by pixel: the nearest one, without smoothing.

use super::*;

/// A frame of a picture.
#[derive(Clone, Copy)]
pub struct Stamp<'a> {
    sheet: &'a Sheet,
    /// The upper left corner of the frame in its picture, and its width and height, px.
    corner: [u32; 2],
    pub size: [u32; 2],
    /// Whether columns and rows are exchanged, before the flips.
    pub diagonal: bool,
    /// Whether left and right, and above and below, are exchanged.
    pub flip: [bool; 2],
    /// What its colors are multiplied with.
    pub tint: Option<DrawnColor>,
}

impl<'a> Stamp<'a> {
    /// A frame of this size.
    pub fn new(sheet: &'a Sheet, size: [u32; 2], frame: u32) -> Self {
        Self::of_part(sheet, sheet.corner(size, frame), size)
    }

    /// The part of a picture that has this corner and size, which must be within it.
    pub fn of_part(sheet: &'a Sheet, corner: [u32; 2], size: [u32; 2]) -> Self {
        Self { sheet, corner, size, diagonal: false, flip: [false; 2], tint: None }
    }

    /// Width and height, px.
    pub fn extent(&self) -> DVec2 {
        dvec2(f64::from(self.size[0]), f64::from(self.size[1]))
    }

    /// Paints it into a rectangle of the picture.
    pub fn paint(&self, canvas: &mut Pixmap, corner: DVec2, size: DVec2) {
        let at = |pixel: DVec2| (pixel - corner) / size;
        self.paint_where(canvas, [corner, corner + size], at);
    }

    /// Paints it around a point of the picture, turned by the angle with this cosine and sine, counterclockwise.
    pub fn paint_turned(&self, canvas: &mut Pixmap, center: DVec2, size: DVec2, turn: DVec2) {
        let reach = DVec2::splat(size.length() * 0.5);
        let at = |pixel: DVec2| {
            let away = pixel - center;
            let (x, y) = (away.x * turn.x - away.y * turn.y, away.x * turn.y + away.y * turn.x);
            dvec2(x, y) / size + 0.5
        };
        self.paint_where(canvas, [center - reach, center + reach], at);
    }

    /// Paints the pixels of a box; `at` says which share of the frame's width and height is at the middle of each.
    fn paint_where(&self, canvas: &mut Pixmap, [low, high]: [DVec2; 2], at: impl Fn(DVec2) -> DVec2) {
        let all = size_of(canvas);
        let low = low.floor().clamp(DVec2::ZERO, all);
        let high = high.ceil().clamp(DVec2::ZERO, all);
        let columns = canvas.width() as usize;
        for row in low.y as usize..high.y as usize {
            for column in low.x as usize..high.x as usize {
                let middle = dvec2(column as f64 + 0.5, row as f64 + 0.5);
                let Some(ink) = self.ink_at(at(middle)) else {
                    continue;
                };
                let pixel = &mut canvas.pixels_mut()[row * columns + column];
                *pixel = ink.over(*pixel);
            }
        }
    }

    /// The color at a share of the width and height; `None` outside of the frame and where nothing is painted.
    fn ink_at(&self, share: DVec2) -> Option<Ink> {
        let inside = |share: f64| (0.0..1.0).contains(&share);
        if !inside(share.x) || !inside(share.y) {
            return None;
        }
        // The axis of the frame that an axis of the rectangle is.
        let axis_of = |axis: usize| axis ^ usize::from(self.diagonal);
        let of = |axis: usize| {
            let seen = axis_of(axis);
            let side = self.size[axis];
            let along = ((share[seen] * f64::from(side)) as u32).min(side - 1);
            self.corner[axis] + if self.flip[seen] { side - 1 - along } else { along }
        };
        ink_of(self.sheet.pixel(of(0), of(1)), self.tint)
    }
}

/// The color of a pixel of a picture; `None` if it is transparent.
fn ink_of([red, green, blue, cover]: [u8; 4], tint: Option<DrawnColor>) -> Option<Ink> {
    if cover == 0 {
        return None;
    }
    let Some(DrawnColor(tint)) = tint else {
        return Some(Ink::faint(Color(red, green, blue), f32::from(cover) / 255.0));
    };
    let times = |a: u8, b: u8| ((u16::from(a) * u16::from(b) + 127) / 255) as u8;
    let color = Color(times(red, tint[0]), times(green, tint[1]), times(blue, tint[2]));
    Some(Ink::faint(color, f32::from(times(cover, tint[3])) / 255.0))
}

/// A pixel of the canvas with one of a picture over it.
pub fn over(pixel: [u8; 4], below: PremultipliedColorU8) -> PremultipliedColorU8 {
    ink_of(pixel, None).map_or(below, |ink| ink.over(below))
}
