//! A panel for each measure over the values of one key: the measure as a line, passing values in green,
//! and the edges between them marked.

use super::axis::{PlotAxis, range_of, text_width};
use super::colors::{CURVE, EDGE, FAILS, GRID, INK, PALE_INK, PASSES};
use super::svg::{Anchor, Svg};
use super::titles::{fitted, title_of, with_unit};
use crate::sweep::report::SweepReport;
use crate::sweep::varied::VariedKey;

/// The width of the picture, and of what is left and right of the panels, px.
const WIDTH: f64 = 760.0;
const LEFT: f64 = 82.0;
const RIGHT: f64 = 28.0;

/// The heights of the title, of a panel, and of what is between and below them, px.
const TITLE: f64 = 50.0;
const PANEL: f64 = 190.0;
const EMPTY_PANEL: f64 = 70.0;
const GAP: f64 = 34.0;
const BELOW: f64 = 58.0;

/// The height of a row of labels of edges, px, and how many rows there are.
const EDGE_ROW: f64 = 16.0;
const MOST_EDGE_ROWS: usize = 4;

/// How the line of an edge looks.
const EDGE_LINE: (&str, f64) = (EDGE, 1.4);
const EDGE_DASHES: &str = "5 4";

/// The largest number of panels, and of values with a dot each.
const MOST_PANELS: usize = 8;
const MOST_DOTS: usize = 80;

/// A panel: its title, and the values of all rows.
struct Panel {
    title: String,
    values: Vec<Option<f64>>,
}

/// Draws the plot.
pub(super) fn draw(report: &SweepReport<'_>) -> String {
    let Some(key) = report.sweep.plan().keys().first() else {
        return Svg::new(WIDTH, TITLE).finish();
    };
    let plot = LinePlot::new(report, key);
    plot.draw()
}

struct LinePlot<'a> {
    report: &'a SweepReport<'a>,
    key: &'a VariedKey,
    /// The rows by increasing position: the position, the place among the rows.
    order: Vec<(f64, usize)>,
    x: PlotAxis,
    panels: Vec<Panel>,
    /// The labels of the edges: position, text, row.
    edges: Vec<(f64, String, usize)>,
}

impl<'a> LinePlot<'a> {
    fn new(report: &'a SweepReport<'a>, key: &'a VariedKey) -> Self {
        let numbers: Option<Vec<f64>> = report.rows.iter().map(|row| key.value(row.run).as_number()).collect();
        // Texts are at equal distances.
        let places = || (0..report.rows.len()).map(|i| i as f64).collect();
        let is_named = numbers.is_none();
        let positions: Vec<f64> = numbers.unwrap_or_else(places);
        let mut order: Vec<(f64, usize)> = positions.into_iter().zip(0..).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (first, last) = match (order.first(), order.last()) {
            (Some(first), Some(last)) => (first.0, last.0),
            _ => (0.0, 1.0),
        };
        let room = if is_named || first == last { 0.5 } else { 0.0 };
        let x = PlotAxis { range: (first - room, last + room), pixels: (LEFT, WIDTH - RIGHT) };
        let edges = edge_labels(report, &x);
        Self { report, key, order, x, panels: panels(report), edges }
    }

    fn edge_rows(&self) -> usize {
        self.edges.iter().map(|(.., row)| row + 1).max().unwrap_or(0)
    }

    fn height_of(panel: &Panel) -> f64 {
        if panel.values.iter().any(Option::is_some) { PANEL } else { EMPTY_PANEL }
    }

    fn draw(&self) -> String {
        let top = TITLE + 10.0 + EDGE_ROW * self.edge_rows() as f64 + 16.0;
        let heights: f64 = self.panels.iter().map(Self::height_of).sum();
        let gaps = GAP * self.panels.len().saturating_sub(1) as f64;
        let height = top + heights + gaps + BELOW;
        let mut svg = Svg::new(WIDTH, height);
        self.draw_title(&mut svg);
        self.draw_edge_labels(&mut svg, top);
        let mut y = top;
        for panel in &self.panels {
            let bottom = y + Self::height_of(panel);
            self.draw_panel(&mut svg, panel, (y, bottom));
            y = bottom + GAP;
        }
        let bottom = y - GAP;
        self.draw_x_axis(&mut svg, bottom);
        svg.finish()
    }

    /// The labels above the panels, with lines down to the first one.
    fn draw_edge_labels(&self, svg: &mut Svg, top: f64) {
        let label = |row: usize| TITLE + 18.0 + EDGE_ROW * row as f64;
        for (x, _, row) in &self.edges {
            let from = (*x, label(*row) + 4.0);
            svg.line(from, (*x, top), EDGE_LINE, EDGE_DASHES);
        }
        for (x, text, row) in &self.edges {
            let (y, half) = (label(*row), text_width(text, 12.0) / 2.0 + 2.0);
            let at = x.clamp(LEFT + half - 60.0, WIDTH - half - 4.0);
            // The line of another edge may come down here.
            svg.rect((at - half, y - 11.0), (2.0 * half, 14.0), "#ffffff");
            svg.colored((at, y), 12.0, Anchor::Middle, (text, EDGE));
        }
    }

    fn draw_title(&self, svg: &mut Svg) {
        let title = format!("{} over {}", self.report.sweep.level_name(), self.key.key);
        let legend = if self.report.sweep.has_pass() { 150.0 } else { 0.0 };
        let title = fitted(&title, 15.0, WIDTH - RIGHT - 20.0 - legend);
        svg.label((20.0, 26.0), 15.0, Anchor::Start, &title);
        let findings = self.report.findings();
        let found: Vec<&String> = findings.iter().filter(|line| !line.starts_with(' ')).collect();
        if let Some(first) = found.first() {
            let first = fitted(first, 12.0, WIDTH - 40.0);
            svg.colored((20.0, 45.0), 12.0, Anchor::Start, (&first, PALE_INK));
        }
        if self.report.sweep.has_pass() {
            for (x, fill, text) in [(WIDTH - 150.0, PASSES, "passes"), (WIDTH - 78.0, FAILS, "fails")] {
                svg.rect((x, 15.0), (14.0, 14.0), fill);
                svg.label((x + 19.0, 26.5), 12.0, Anchor::Start, text);
            }
        }
    }

    fn draw_panel(&self, svg: &mut Svg, panel: &Panel, (top, bottom): (f64, f64)) {
        let (left, right) = self.x.pixels;
        if self.report.sweep.has_pass() {
            self.shade(svg, (top, bottom));
        }
        let known = panel.values.iter().flatten().copied();
        if let Some(range) = range_of(known) {
            let y = PlotAxis { range, pixels: (bottom, top) };
            for (value, label) in y.ticks(5) {
                let at = y.at(value);
                svg.line((left, at), (right, at), (GRID, 1.0), "");
                svg.label((left - 8.0, at + 4.0), 12.0, Anchor::End, &label);
            }
            self.draw_curve(svg, panel, &y);
        } else if !panel.title.is_empty() {
            let middle = f64::midpoint(left, right);
            let at = (middle, f64::midpoint(top, bottom) + 4.0);
            svg.colored(at, 12.0, Anchor::Middle, ("no numbers", PALE_INK));
        }
        for (x, ..) in &self.edges {
            svg.line((*x, top), (*x, bottom), EDGE_LINE, EDGE_DASHES);
        }
        svg.line((left, top), (left, bottom), (INK, 1.0), "");
        svg.line((left, bottom), (right, bottom), (INK, 1.0), "");
        let title = fitted(&panel.title, 13.0, right - left);
        // The line of an edge may come down here.
        let width = text_width(&title, 13.0) + 4.0;
        svg.rect((left - 2.0, top - 20.0), (width, 18.0), "#ffffff");
        svg.label((left, top - 7.0), 13.0, Anchor::Start, &title);
    }

    /// A line through neighboring values. It has gaps where a run has none.
    fn draw_curve(&self, svg: &mut Svg, panel: &Panel, y: &PlotAxis) {
        let point = |(x, row): &(f64, usize)| {
            let value = panel.values.get(*row).copied().flatten();
            value.map(|value| (self.x.at(*x), y.at(value)))
        };
        let points: Vec<Option<(f64, f64)>> = self.order.iter().map(point).collect();
        for stretch in points.split(Option::is_none) {
            let stretch: Vec<(f64, f64)> = stretch.iter().flatten().copied().collect();
            if stretch.len() > 1 {
                svg.polyline(&stretch, CURVE);
            }
            if stretch.len() == 1 || points.len() <= MOST_DOTS {
                for point in stretch {
                    svg.dot(point, 2.6, CURVE);
                }
            }
        }
    }

    /// Colors the values that pass, and those that fail. They part at the edges that were found, else half
    /// way between two values.
    fn shade(&self, svg: &mut Svg, (top, bottom): (f64, f64)) {
        let (left, right) = self.x.pixels;
        let found: Vec<f64> = match &self.report.edges {
            Some(edges) => edges.edges.iter().map(|e| self.x.at(e.passing().number())).collect(),
            None => Vec::new(),
        };
        let mut found = found.into_iter();
        let passes = |row: usize| self.report.rows[row].passed == Some(true);
        let mut from = left;
        for (i, (x, row)) in self.order.iter().enumerate() {
            let next = self.order.get(i + 1);
            if next.is_some_and(|(_, next)| passes(*next) == passes(*row)) {
                continue;
            }
            let half = |next: &(f64, usize)| self.x.at(f64::midpoint(*x, next.0));
            let to = next.map_or(right, |next| found.next().unwrap_or_else(|| half(next)));
            let fill = if passes(*row) { PASSES } else { FAILS };
            svg.rect((from, top), (to - from, bottom - top), fill);
            from = to;
        }
    }

    fn draw_x_axis(&self, svg: &mut Svg, bottom: f64) {
        let (left, right) = self.x.pixels;
        let is_number = self.key.value(0).number.is_some() && self.key.numbers().is_some();
        let ticks: Vec<(f64, String)> = if is_number {
            self.x.ticks(8)
        } else {
            let rows = self.report.rows.iter().enumerate();
            rows.map(|(i, row)| (i as f64, self.key.value(row.run).label)).collect()
        };
        let room = (right - left) / ticks.len().max(1) as f64;
        for (value, label) in ticks {
            let at = self.x.at(value);
            svg.line((at, bottom), (at, bottom + 5.0), (INK, 1.0), "");
            let label = fitted(&label, 12.0, room.max(14.0));
            svg.label((at, bottom + 19.0), 12.0, Anchor::Middle, &label);
        }
        let middle = f64::midpoint(left, right);
        let title = fitted(&title_of(self.key), 13.0, right - left);
        svg.label((middle, bottom + 42.0), 13.0, Anchor::Middle, &title);
    }
}

/// The measures that are numbers or flags, and what is the best of them.
fn panels(report: &SweepReport<'_>) -> Vec<Panel> {
    let sweep = report.sweep;
    let mut panels: Vec<Panel> = Vec::new();
    for (i, column) in sweep.columns().iter().enumerate() {
        panels.push(Panel {
            title: with_unit(&column.name, column.unit),
            values: report.rows.iter().map(|row| row.cells.get(i)?.on_plot()).collect(),
        });
    }
    if let Some((_, name)) = sweep.goal() {
        panels.push(Panel { title: name.to_string(), values: report.rows.iter().map(|row| row.best).collect() });
    }
    if panels.is_empty() {
        panels.push(Panel { title: String::new(), values: Vec::new() });
    }
    panels.truncate(MOST_PANELS);
    panels
}

/// The labels of the edges, in rows so that none covers another. Edges for which there is no room are left
/// out; their colors still show.
fn edge_labels(report: &SweepReport<'_>, x: &PlotAxis) -> Vec<(f64, String, usize)> {
    let Some(edges) = &report.edges else {
        return Vec::new();
    };
    let mut ends = [f64::NEG_INFINITY; MOST_EDGE_ROWS];
    let mut labels = Vec::new();
    for edge in &edges.edges {
        let text = edges.with_unit(edge.passing());
        let at = x.at(edge.passing().number());
        let half = text_width(&text, 12.0) / 2.0 + 6.0;
        let Some(row) = ends.iter().position(|end| *end < at - half) else {
            continue;
        };
        ends[row] = at + half;
        labels.push((at, text, row));
    }
    labels
}
