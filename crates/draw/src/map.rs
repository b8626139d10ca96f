//! A picture of a whole level, with places and paths in it.

use super::*;

/// What a mark says about its place, by its color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkTone {
    /// Green: it is reached.
    Reached,
    /// Red: it is missed.
    Missed,
    /// Gray: it is not known.
    Unknown,
}

/// A place that a map marks.
#[derive(Clone, Debug, PartialEq)]
pub struct MapMark {
    /// Where, px.
    pub at: DVec2,
    /// What is written next to it.
    pub text: String,
    /// What it says.
    pub tone: MarkTone,
}

/// What a map shows in addition to the level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LevelMap {
    /// Paths, px.
    pub paths: Vec<Vec<DVec2>>,
    /// Small dots, px.
    pub dots: Vec<DVec2>,
    /// Places with texts.
    pub marks: Vec<MapMark>,
}

/// The most paths that are drawn over a running game, and the most marks.
const MOST_PATHS: usize = 400;
const MOST_MARKS: usize = 100;

/// Radius of a place on a path, and of a mark, px.
const DOT: f64 = 2.0;
const MARK: f64 = 4.0;

/// Width of a map and its greatest height, pixels.
const WIDTH: f64 = 1600.0;
const MOST_HEIGHT: f64 = 1200.0;

/// The smallest and the largest scale.
const SCALE: (f64, f64) = (0.05, 2.0);

/// Opacity of paths.
const FAINT: f32 = 0.3;

/// Paints a map of a level.
pub fn paint_map(picture: &Picture<'_>, map: &LevelMap) -> Pixmap {
    let area = svg::area_of(picture.level, picture.bodies);
    let size = (area.max - area.min).max(DVec2::ONE);
    let scale = (WIDTH / size.x).min(MOST_HEIGHT / size.y).clamp(SCALE.0, SCALE.1);
    let size = (size * scale).ceil().clamp(DVec2::splat(64.0), DVec2::new(WIDTH, MOST_HEIGHT));
    let mut canvas = Pixmap::new(size.x as u32, size.y as u32).expect("a size above 0");
    let lens = Lens::new(size, area.min.midpoint(area.max), scale);
    let brush = &mut Brush { canvas: &mut canvas, lens };
    match picture.level.view {
        View::Side => paint_side(brush, picture),
        View::Top => above::paint(brush, picture),
    }
    // Lines are as wide as on a picture in full size.
    let unit = 1.0 / scale;
    for path in &map.paths {
        brush.stroke(path.iter().copied(), unit, Ink::faint(palette::LIGHT, FAINT));
    }
    for dot in &map.dots {
        brush.dot(*dot, 1, palette::PARTED);
    }
    paint_marks(brush, map.marks.iter(), MARK * unit);
    canvas
}

/// Paints a map over the shown part of a level.
pub fn paint(brush: &mut Brush<'_>, map: &LevelMap) {
    let shown = brush.lens.shows();
    let seen: Vec<&Vec<DVec2>> = map.paths.iter().filter(|path| shown.meets(&Bounds::around(path))).collect();
    for path in seen.iter().step_by(seen.len().div_ceil(MOST_PATHS).max(1)) {
        brush.stroke(path.iter().copied(), 1.0, Ink::faint(palette::LIGHT, FAINT));
    }
    for dot in map.dots.iter().filter(|dot| shown.holds(**dot)) {
        brush.oval(*dot, DVec2::splat(DOT), palette::PARTED);
    }
    paint_marks(brush, map.marks.iter().filter(|mark| shown.holds(mark.at)).take(MOST_MARKS), MARK);
}

/// Paints marks, each with a dot of a radius in px. A text that would cover another one is written below it.
fn paint_marks<'m>(brush: &mut Brush<'_>, marks: impl Iterator<Item = &'m MapMark>, radius: f64) {
    // Where texts are.
    let mut written: Vec<[i32; 3]> = Vec::new();
    for mark in marks {
        let color = match mark.tone {
            MarkTone::Reached => palette::NEW_PATH,
            MarkTone::Missed => palette::OLD_PATH,
            MarkTone::Unknown => palette::UNKNOWN,
        };
        brush.oval(mark.at, DVec2::splat(radius), color);
        let (x, y) = brush.lens.at(mark.at);
        let width = mark.text.chars().count() as i32 * text::WIDTH as i32;
        let x = (x as i32 + 6).min(brush.canvas.width() as i32 - width).max(0);
        let height = text::HEIGHT as i32;
        let mut y = y as i32 - height / 2;
        let meets =
            |[left, right, top]: &&[i32; 3], y: i32| *left < x + width && x < *right && (top - y).abs() < height;
        while let Some([_, _, top]) = written.iter().find(|it| meets(it, y))
            && y < brush.canvas.height() as i32
        {
            y = top + height;
        }
        written.push([x, x + width, y]);
        text::paint_line(brush.canvas, &mark.text, x, y, color);
    }
}
