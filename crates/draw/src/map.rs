//! A picture of a whole level, with places and paths in it.

use super::*;

/// A place that a map marks.
#[derive(Clone, Debug, PartialEq)]
pub struct MapMark {
    /// Where, px.
    pub at: DVec2,
    /// What is written next to it.
    pub text: String,
    /// Whether it is good: green, else red.
    pub good: bool,
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
    // Where texts are: a text that would cover one is written below it.
    let mut written: Vec<[i32; 3]> = Vec::new();
    for mark in &map.marks {
        let color = if mark.good { palette::NEW_PATH } else { palette::OLD_PATH };
        brush.oval(mark.at, DVec2::splat(4.0 * unit), color);
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
    canvas
}
