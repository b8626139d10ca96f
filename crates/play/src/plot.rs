//! What the plots of sweeps and of jumps have in common: their canvas, colors, texts and axes.

use super::*;
use plotters::{
    coord::{
        Shift,
        ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter},
        types::RangedCoordf64,
    },
    element::DashedPathElement,
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

pub type PlotArea<'a> = DrawingArea<SVGBackend<'a>, Shift>;
pub type PlotChart<'a> = ChartContext<'a, SVGBackend<'a>, Cartesian2d<PlotAxis, PlotAxis>>;
pub type PlotResult<T = ()> = Result<T, DrawingAreaErrorKind<io::Error>>;

/// The width of all plots, px.
pub const WIDTH: f64 = 760.0;

pub const INK: RGBColor = RGBColor(0x24, 0x29, 0x2f);
pub const PALE_INK: RGBColor = RGBColor(0x57, 0x60, 0x6a);
const GRID: RGBColor = RGBColor(0xd0, 0xd7, 0xde);

/// Plots are drawn this many times larger than they are shown: plotters rounds positions to whole pixels.
const FINE: f64 = 4.0;

/// A length in pixels of the plot as it is shown, in pixels of the canvas.
pub fn px(length: f64) -> i32 {
    (length * FINE).round() as i32
}

/// Draws a white picture as SVG.
pub fn picture(height: f64, draw: impl FnOnce(&PlotArea<'_>) -> PlotResult) -> io::Result<String> {
    let mut svg = String::new();
    let (wide, high) = (px(WIDTH), px(height));
    {
        let area = SVGBackend::with_string(&mut svg, (wide as u32, high as u32)).into_drawing_area();
        area.fill(&WHITE)
            .and_then(|()| draw(&area))
            .and_then(|()| area.present())
            .map_err(io::Error::other)?;
    }
    let canvas = format!("width=\"{wide}\" height=\"{high}\"");
    Ok(svg.replacen(&canvas, &format!("width=\"{WIDTH}\" height=\"{height:.0}\""), 1))
}

/// The part of an area with this corner and size, px.
pub fn part<'a>(area: &PlotArea<'a>, (x, y): (f64, f64), (width, height): (f64, f64)) -> PlotArea<'a> {
    area.clone().shrink((px(x), px(y)), (px(width), px(height)))
}

/// A line or an outline of this width, px.
pub fn line(color: RGBColor, width: f64) -> ShapeStyle {
    color.stroke_width(px(width) as u32)
}

/// How a text of this size looks, px.
fn style(size: f64, color: RGBColor) -> TextStyle<'static> {
    // Plotters writes texts smaller than their size by this factor.
    let size = size * FINE * 1.24;
    ("Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif", size)
        .into_font()
        .color(&color)
}

/// A text that begins at its place.
pub fn left(size: f64, color: RGBColor) -> TextStyle<'static> {
    style(size, color).pos(Pos::new(HPos::Left, VPos::Center))
}

/// A text with its center at its place.
pub fn centered(size: f64, color: RGBColor) -> TextStyle<'static> {
    style(size, color).pos(Pos::new(HPos::Center, VPos::Center))
}

/// Writes a text at a place, px.
pub fn write(area: &PlotArea<'_>, text: &str, (x, y): (f64, f64), style: &TextStyle<'_>) -> PlotResult {
    area.draw_text(&safe(text), style, (px(x), px(y)))
}

/// A text on one line, without characters that XML does not have.
fn safe(text: &str) -> String {
    printable_name(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

/// About how wide a text is, px.
pub fn text_width(text: &str, size: f64) -> f64 {
    0.57 * size * text.chars().count() as f64
}

/// A text cut to about this width, px.
pub fn fitted(text: &str, size: f64, width: f64) -> String {
    safe(&cut(text, (width / text_width("x", size)).max(1.0) as usize))
}

/// A range around all of these values, with some room; `None` if there are none.
pub fn range_of(values: impl Iterator<Item = f64>) -> Option<Range<f64>> {
    let (a, b) = extremes(values)?;
    let room = if is_point(a, b) { (a.abs() * 0.05).max(1.0) } else { (b - a) * 0.06 };
    Some(a - room..b + room)
}

/// The smallest and the largest of these values; `None` if there are none.
pub fn extremes(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.map(|x| (x, x)).reduce(|(a, b), (x, _)| (x.min(a), x.max(b)))
}

/// Whether two values are so close that no axis can show the numbers between them.
pub fn is_point(a: f64, b: f64) -> bool {
    (b - a).abs() <= 1e-9 * a.abs().max(b.abs()).max(1e-3)
}

/// An axis of numbers, with labels at some of them.
pub struct PlotAxis {
    pub range: Range<f64>,
    pub ticks: Vec<(f64, String)>,
}

impl PlotAxis {
    /// An axis with about this many round numbers.
    pub fn of_numbers(range: Range<f64>, most: usize) -> Self {
        let ticks = RangedCoordf64::from(range.clone()).key_points(most).into_iter();
        Self { range, ticks: ticks.map(|tick| (tick, rounded(tick, 6))).collect() }
    }
}

impl Ranged for PlotAxis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, pixels: (i32, i32)) -> i32 {
        RangedCoordf64::from(self.range.clone()).map(value, pixels)
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.iter().map(|(tick, _)| *tick).collect()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for PlotAxis {
    fn format_ext(&self, value: &f64) -> String {
        let mut ticks = self.ticks.iter();
        ticks.find(|(tick, _)| tick == value).map(|(_, label)| label.clone()).unwrap_or_default()
    }
}

/// Draws the axes of a chart with their titles, and with lines across it unless something else fills it.
pub fn axes(chart: &mut PlotChart<'_>, titles: [&str; 2], has_lines: bool) -> PlotResult {
    let mut mesh = chart.configure_mesh();
    mesh.disable_x_mesh().light_line_style(TRANSPARENT).bold_line_style(line(GRID, 1.0));
    if !has_lines {
        mesh.disable_y_mesh();
    }
    mesh.axis_style(line(INK, 1.0)).set_all_tick_mark_size(px(5.0));
    mesh.label_style(style(12.0, INK)).axis_desc_style(style(13.0, INK));
    mesh.x_desc(titles[0]).y_desc(titles[1]).draw()
}

/// Draws a dashed line.
pub fn dashed(chart: &PlotChart<'_>, ends: [(f64, f64); 2], color: RGBColor) -> PlotResult {
    let path = DashedPathElement::new(ends, px(5.0), px(4.0), line(color, 1.4));
    chart.plotting_area().draw(&path)
}

#[cfg(test)]
#[path = "../tests/unit/plot.rs"]
mod tests;
