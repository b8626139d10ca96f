//! What scripts have drawn: texts, bars and shapes, in the level and on the screen.

use super::{paint_budget::PaintBudget, *};
use hangtime_core::sim::{DrawnAlign, DrawnForm, DrawnSpace, DrawnSprite, DrawnStyle};

/// Width of the dark rim of a bar, px.
const RIM: f64 = 1.0;

/// The shares below which a bar without a color is gold, and red.
const LOW: f64 = 0.5;
const VERY_LOW: f64 = 0.25;

/// A thing with its place in the picture.
struct Placed<'a> {
    lens: Lens,
    art: Option<&'a Artwork>,
    /// Its place as the lens sees it.
    at: DVec2,
    /// 1 if points relative to its place are above it for a larger y, -1 if they are below it.
    up: f64,
    /// Which part of it is at its place, from its left end, 0, to its right end, 1, and from its top to its bottom.
    anchor: DVec2,
    style: DrawnStyle,
}

/// How much of the box around a text its letters and their shadows cover.
const INK_OF_TEXT: f64 = 0.5;

/// How many pixels a line costs at least: its edges are smooth.
const LEAST_OF_LINE: f64 = 256.0;

/// Paints what scripts have drawn in the level and at entities. Returns how many things are not painted because they are
/// too many.
pub fn paint_in_level(brush: &mut Brush<'_>, picture: &Picture<'_>) -> usize {
    let mut budget = PaintBudget::of(brush.canvas);
    let owners = picture.show.drawing.iter();
    for (id, by) in owners.flat_map(|drawing| drawing.owners()) {
        let body = body_of(picture.bodies, id).filter(|_| !by.hidden);
        for thing in by.things() {
            let origin = match (thing.space, body) {
                (DrawnSpace::Level, _) => DVec2::ZERO,
                (DrawnSpace::Entity, Some(body)) => body.pos + dvec2(0.0, body.z),
                _ => continue,
            };
            let x = match thing.style.align {
                Some(DrawnAlign::Left) => 0.0,
                None | Some(DrawnAlign::Center) => 0.5,
                Some(DrawnAlign::Right) => 1.0,
            };
            let placed = Placed {
                lens: brush.lens,
                art: picture.show.art,
                at: origin + thing.at,
                up: 1.0,
                anchor: dvec2(x, 0.5),
                style: thing.style,
            };
            placed.paint(brush.canvas, &thing.shape, &mut budget, |to| origin + to);
        }
    }
    budget.left_out
}

/// Paints what scripts have drawn on the screen, below `top`, px. Returns how many things are not painted because they are
/// too many.
pub fn paint_on_screen(canvas: &mut Pixmap, picture: &Picture<'_>, top: u32) -> usize {
    let mut budget = PaintBudget::of(canvas);
    let size = size_of(canvas);
    // Its points are the picture's pixels, with y upward as in a level.
    let lens = Lens { corner: DVec2::ZERO, size, scale: 1.0 };
    let owners = picture.show.drawing.iter();
    for (_, by) in owners.flat_map(|drawing| drawing.owners()) {
        let things = by.things().iter();
        for thing in things.filter(|thing| thing.space == DrawnSpace::Screen) {
            let align =
                thing
                    .style
                    .align
                    .unwrap_or(if thing.at.x < 0.0 { DrawnAlign::Right } else { DrawnAlign::Left });
            let place = |at: DVec2| {
                let x = match align {
                    DrawnAlign::Center => size.x * 0.5 + at.x,
                    DrawnAlign::Right if at.x == 0.0 => size.x,
                    _ if at.x < 0.0 => size.x + at.x,
                    _ => at.x,
                };
                let y = if at.y < 0.0 { size.y + at.y } else { f64::from(top) + at.y };
                dvec2(x, -y)
            };
            let x = match align {
                DrawnAlign::Left => 0.0,
                DrawnAlign::Center => 0.5,
                DrawnAlign::Right => 1.0,
            };
            let placed = Placed {
                lens,
                art: picture.show.art,
                at: place(thing.at),
                up: -1.0,
                anchor: dvec2(x, f64::from(u8::from(thing.at.y < 0.0))),
                style: thing.style,
            };
            placed.paint(canvas, &thing.shape, &mut budget, place);
        }
    }
    budget.left_out
}

/// Says how many things are not painted, in the lower left corner.
pub fn paint_left_out(canvas: &mut Pixmap, count: usize) {
    if count > 0 {
        let things = match count {
            1 => "1 thing is".to_string(),
            count => format!("{count} things are"),
        };
        let line = format!("scripts draw too much: {things} not shown");
        let y = canvas.height().saturating_sub(2 * text::HEIGHT);
        text::paint_line(canvas, &line, 6, y as i32, palette::WARN);
    }
}

/// Bodies are sorted by id.
fn body_of(bodies: &[EntityView], id: EntityId) -> Option<&EntityView> {
    let place = bodies.binary_search_by_key(&id, |body| body.id).ok()?;
    Some(&bodies[place])
}

impl Placed<'_> {
    /// Paints a shape; `place` turns other points of it into those that the lens sees.
    fn paint(&self, canvas: &mut Pixmap, shape: &DrawnForm, budget: &mut PaintBudget, place: impl Fn(DVec2) -> DVec2) {
        let ink = self.ink(palette::TEXT);
        let share = match shape {
            DrawnForm::Text(..) => INK_OF_TEXT,
            _ => 1.0,
        };
        if self.covered(shape).is_some_and(|covered| !budget.allows(&covered, share)) {
            return;
        }
        match shape {
            DrawnForm::Text(shown, size) => self.text(canvas, shown, *size, ink),
            DrawnForm::Bar(share, size) => self.bar(canvas, *share, *size),
            DrawnForm::Line(to) => {
                let width = self.style.width.unwrap_or(1.0);
                let seen = self.lens.shows().grown(DVec2::splat(width));
                if let Some(ends) = clipped(self.at, place(*to), &seen) {
                    let long = (ends[1] - ends[0]).length() * self.lens.scale;
                    let pixels = long * (width * self.lens.scale + 2.0);
                    if budget.takes(pixels.max(LEAST_OF_LINE)) {
                        Brush { canvas, lens: self.lens }.stroke(ends, width, ink);
                    }
                }
            }
            DrawnForm::Circle(radius) => {
                let half = DVec2::splat(*radius);
                if !Bounds::of(self.at - half, self.at + half).meets(&self.lens.shows()) {
                    return;
                }
                let mut brush = Brush { canvas, lens: self.lens };
                match self.style.width {
                    Some(width) => brush.ring(self.at, half, width, ink),
                    None => brush.oval(self.at, half, ink),
                }
            }
            DrawnForm::Rect(size) => self.rect(canvas, *size, ink),
            DrawnForm::Polygon(corners) => {
                let mut brush = Brush { canvas, lens: self.lens };
                match self.style.width {
                    Some(width) => brush.outline(self.corners(corners), width, ink),
                    None => brush.fill(self.corners(corners), ink),
                }
            }
            DrawnForm::Sprite(sprite) => self.sprite(canvas, sprite),
        }
    }

    /// The part of the picture that a shape covers; `None` for a line, or without its picture.
    fn covered(&self, shape: &DrawnForm) -> Option<Bounds> {
        let scale = self.lens.scale;
        let size = match shape {
            DrawnForm::Text(shown, size) => {
                let long = shown.lines().map(|line| line.chars().count()).max();
                let times = self.letters(*size);
                let (wide, high) = (f64::from(text::WIDTH), f64::from(text::HEIGHT));
                let lines = shown.lines().count();
                dvec2(long.unwrap_or(0) as f64 * wide, lines as f64 * high) * times
            }
            DrawnForm::Bar(_, size) | DrawnForm::Rect(size) => (*size * scale).round(),
            DrawnForm::Sprite(sprite) => self.stamp(sprite)?.1,
            DrawnForm::Circle(radius) => {
                let half = radius + self.style.width.unwrap_or(0.0) * 0.5;
                let center = self.lens.pixel(self.at);
                let half = DVec2::splat(half * scale);
                return Some(Bounds::of(center - half, center + half));
            }
            DrawnForm::Polygon(corners) => {
                let reach = DVec2::splat(self.style.width.unwrap_or(0.0) * 0.5 * scale);
                let mut seen = self.corners(corners).map(|corner| self.lens.pixel(corner));
                let first = seen.next()?;
                let (min, max) = seen.fold((first, first), |(min, max), at| (min.min(at), max.max(at)));
                return Some(Bounds { min: min - reach, max: max + reach });
            }
            DrawnForm::Line(_) => return None,
        };
        let corner = self.corner(size);
        Some(Bounds::of(corner, corner + size))
    }

    /// The corners of a polygon as the lens sees them.
    fn corners(&self, corners: &[DVec2]) -> impl Iterator<Item = DVec2> {
        let by = dvec2(1.0, self.up);
        corners.iter().map(move |corner| self.at + *corner * by)
    }

    /// The size of a text's letters, in multiples of the status line's letters.
    fn letters(&self, size: u8) -> f64 {
        (f64::from(size) * self.lens.scale).round().max(1.0)
    }

    fn ink(&self, usual: Color) -> Ink {
        let Some(DrawnColor([red, green, blue, cover])) = self.style.color else {
            return usual.into();
        };
        Ink::faint(Color(red, green, blue), f32::from(cover) / 255.0)
    }

    /// The upper left corner, in the picture, of a part of it that has this size there.
    fn corner(&self, size: DVec2) -> DVec2 {
        (self.lens.pixel(self.at) - self.anchor * size).round()
    }

    fn text(&self, canvas: &mut Pixmap, shown: &str, size: u8, ink: Ink) {
        let times = self.letters(size);
        let (width, height) = (f64::from(text::WIDTH), f64::from(text::HEIGHT));
        let high = height * times;
        let top = self.corner(dvec2(0.0, high * shown.lines().count() as f64)).y;
        for (number, line) in shown.lines().enumerate() {
            let long = line.chars().count() as f64 * width * times;
            let x = self.corner(dvec2(long, 0.0)).x;
            let y = top + number as f64 * high;
            let seen = Bounds::of(dvec2(x, y), dvec2(x + long, y + high));
            if seen.meets(&Bounds::of(DVec2::ZERO, size_of(canvas))) {
                text::paint_large(canvas, line, (x as i32, y as i32), times as i32, ink);
            }
        }
    }

    /// A frame of a picture, and its size as it is seen.
    fn stamp(&self, sprite: &DrawnSprite) -> Option<(Stamp<'_>, DVec2)> {
        let sheet = self.art?.sheets.get(&sprite.picture)?;
        let size = sheet.frame_size(sprite.frame_size);
        let mut stamp = Stamp::new(sheet, size, sprite.frame);
        stamp.flip = [sprite.flip, false];
        stamp.tint = self.style.color;
        let seen = stamp.extent() * f64::from(sprite.times) * self.lens.scale;
        Some((stamp, seen.round().max(DVec2::ONE)))
    }

    fn sprite(&self, canvas: &mut Pixmap, sprite: &DrawnSprite) {
        if let Some((stamp, seen)) = self.stamp(sprite) {
            stamp.paint(canvas, self.corner(seen), seen);
        }
    }

    fn bar(&self, canvas: &mut Pixmap, share: f64, size: DVec2) {
        let size = (size * self.lens.scale).round().max(DVec2::ONE);
        let corner = self.corner(size);
        let rim = (RIM * self.lens.scale).round().max(1.0);
        let usual = match share {
            share if share < VERY_LOW => palette::BAR[2],
            share if share < LOW => palette::BAR[1],
            _ => palette::BAR[0],
        };
        let ink = self.ink(usual);
        let dark = Ink::faint(palette::DARK, ink.cover);
        fill_rect(canvas, corner - rim, size + 2.0 * rim, dark);
        // Something is left until nothing is left.
        let filled = (size.x * share).round().max(f64::from(u8::from(share > 0.0)));
        fill_rect(canvas, corner, dvec2(filled, size.y), ink);
    }

    fn rect(&self, canvas: &mut Pixmap, size: DVec2, ink: Ink) {
        let size = (size * self.lens.scale).round();
        let corner = self.corner(size);
        let Some(width) = self.style.width else {
            return fill_rect(canvas, corner, size, ink);
        };
        let most = (size * 0.5).ceil().min_element();
        let width = (width * self.lens.scale).round().max(1.0).min(most);
        let inner = size.y - 2.0 * width;
        fill_rect(canvas, corner, dvec2(size.x, width), ink);
        let low = dvec2(corner.x, corner.y + size.y - width);
        fill_rect(canvas, low, dvec2(size.x, width), ink);
        let side = dvec2(width, inner.max(0.0));
        fill_rect(canvas, corner + dvec2(0.0, width), side, ink);
        let right = corner + dvec2(size.x - width, width);
        fill_rect(canvas, right, side, ink);
    }
}

/// Fills a rectangle of the picture.
fn fill_rect(canvas: &mut Pixmap, corner: DVec2, size: DVec2, ink: Ink) {
    let all = size_of(canvas);
    let (from, to) = (corner.clamp(DVec2::ZERO, all), (corner + size).clamp(DVec2::ZERO, all));
    let columns = canvas.width() as usize;
    for row in from.y as usize..to.y as usize {
        let start = row * columns;
        let span = start + from.x as usize..start + to.x as usize;
        for pixel in &mut canvas.pixels_mut()[span] {
            *pixel = ink.over(*pixel);
        }
    }
}

/// The part of a line within a box; `None` if there is none.
fn clipped(from: DVec2, to: DVec2, within: &Bounds) -> Option<[DVec2; 2]> {
    let along = to - from;
    let (mut first, mut last) = (0.0_f64, 1.0_f64);
    for axis in 0..2 {
        let (start, step) = (from[axis], along[axis]);
        let (low, high) = (within.min[axis], within.max[axis]);
        if step == 0.0 {
            if start < low || start > high {
                return None;
            }
            continue;
        }
        let [enters, leaves] = if step > 0.0 {
            [(low - start) / step, (high - start) / step]
        } else {
            [(high - start) / step, (low - start) / step]
        };
        (first, last) = (first.max(enters), last.min(leaves));
    }
    (first <= last).then(|| [from + along * first, from + along * last])
}
