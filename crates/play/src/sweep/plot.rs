//! A sweep as a picture (SVG): lines over one varied key, or a map over two.

use super::report::SweepReport;
use super::row::SweepRow;
use super::session::ParameterSweep;
use super::unaffected::unit_of_key;
use super::varied::VariedKey;
use crate::plot::{
    GRID, INK, Label, PALE_INK, PlotArea, PlotAxis, PlotResult, WIDTH, dashed, extremes, fitted, is_point, line,
    picture, px, range_of, style, text_width,
};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;
use std::io;

/// Behind values that pass, and behind values that fail.
const PASSES: RGBColor = RGBColor(0xdf, 0xf3, 0xe4);
const FAILS: RGBColor = RGBColor(0xfb, 0xe3, 0xe0);

/// Measured values, the edges of what passes, and cells without a value.
const CURVE: RGBColor = RGBColor(0x0b, 0x57, 0xa4);
const EDGE: RGBColor = RGBColor(0x9a, 0x34, 0x12);
const MISSING: RGBColor = RGBColor(0xc9, 0xcd, 0xd2);

/// The colors of a map, from its smallest to its largest value. They differ in brightness, so that they
/// differ in gray, too.
const RAMP: [[f64; 3]; 6] = [
    [68.0, 1.0, 84.0],
    [65.0, 68.0, 135.0],
    [42.0, 120.0, 142.0],
    [34.0, 168.0, 132.0],
    [122.0, 209.0, 81.0],
    [253.0, 231.0, 37.0],
];

/// The largest number of values that a plot shows, of cells of a map, and of names on an axis.
const MOST_POINTS: usize = 100_000;
const MOST_CELLS: usize = 40_000;
const MOST_NAMES: usize = 100;

/// The largest number of panels, and of values with a dot each.
const MOST_PANELS: usize = 8;
const MOST_DOTS: usize = 80;

/// A larger value has no place on an axis.
const LARGEST: f64 = 1e300;

/// Space around panels and maps, px.
const LEFT: f64 = 82.0;
const RIGHT: f64 = 28.0;
const BELOW: f64 = 58.0;

/// The heights of a panel with and without numbers, with its title, px.
const PANEL: f64 = 224.0;
const EMPTY_PANEL: f64 = 104.0;
const PANEL_TITLE: f64 = 34.0;

/// The height of a row of labels of edges, px, and how many rows there are.
const EDGE_ROW: f64 = 16.0;
const MOST_EDGE_ROWS: usize = 4;

/// The space above and right of a map, and its height, px.
const MAP_TOP: f64 = 66.0;
const MAP_RIGHT: f64 = 124.0;
const MAP: f64 = 400.0;

/// Why a sweep cannot be drawn; `None` if it can.
pub fn plot_refusal(sweep: &ParameterSweep) -> Option<String> {
    let keys = sweep.plan().keys();
    let runs = sweep.plan().runs();
    if keys.len() > 2 {
        let count = keys.len();
        return Some(format!("a plot shows one or two varied keys, not {count}; write a CSV file"));
    }
    if let Some(key) = keys.iter().find(|key| key.len() > MOST_NAMES && key.numbers().is_none()) {
        let count = key.len();
        return Some(format!("a plot shows at most {MOST_NAMES} values that are not numbers, not {count}"));
    }
    if keys.len() == 2 && runs > MOST_CELLS {
        return Some(format!("a map shows at most {MOST_CELLS} runs, not {runs}; take larger steps"));
    }
    if runs > MOST_POINTS {
        return Some(format!("a plot shows at most {MOST_POINTS} runs, not {runs}; take a larger step"));
    }
    None
}

/// The picture of a sweep, of which all runs have been played.
///
/// # Errors
/// None that is known: the picture is drawn in memory.
pub fn sweep_svg(report: &SweepReport<'_>) -> io::Result<String> {
    match report.sweep.plan().keys() {
        [key] => draw_lines(report, key),
        [across, up] => draw_map(report, across, up),
        _ => picture(MAP_TOP, |_| Ok(())),
    }
}

/// The values of a key along an axis.
struct KeyAxis<'a> {
    key: &'a VariedKey,
    /// The places of the values by increasing position, each with its position.
    order: Vec<(f64, usize)>,
    is_number: bool,
}

impl<'a> KeyAxis<'a> {
    fn new(key: &'a VariedKey) -> Self {
        let numbers = key.numbers();
        let is_number = numbers.is_some();
        // Texts are at equal distances.
        let positions = numbers.unwrap_or_else(|| (0..key.len()).map(|i| i as f64).collect());
        let mut order: Vec<(f64, usize)> = positions.into_iter().zip(0..).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        Self { key, order, is_number }
    }

    fn ends(&self) -> (f64, f64) {
        let end = |end: Option<&(f64, usize)>| end.map_or(0.0, |(position, _)| *position);
        (end(self.order.first()), end(self.order.last()))
    }

    /// The axis between two positions, with labels of at most this width.
    fn axis(&self, from: f64, to: f64, width: f64) -> PlotAxis {
        if self.is_number {
            return PlotAxis::of_numbers(from..to, 9);
        }
        let label = |(position, place): &(f64, usize)| (*position, fitted(&self.key.value(*place).label, 12.0, width));
        PlotAxis { range: from..to, ticks: self.order.iter().map(label).collect() }
    }

    fn title(&self) -> String {
        with_unit(&self.key.key, unit_of_key(&self.key.key))
    }
}

/// A name with its unit, if it has one.
fn with_unit(name: &str, unit: &str) -> String {
    match unit {
        "" => name.to_string(),
        unit => format!("{name}, {unit}"),
    }
}

fn rect(area: &PlotArea<'_>, (x, y): (f64, f64), (width, height): (f64, f64), fill: RGBColor) -> PlotResult {
    area.draw(&Rectangle::new([(px(x), px(y)), (px(x + width), px(y + height))], fill.filled()))
}

/// The title of the picture, and a line with what was found.
fn draw_title(area: &PlotArea<'_>, title: &str, found: &str, width: f64) -> PlotResult {
    let title = fitted(title, 15.0, width);
    Label { text: &title, at: (20.0, 21.0), anchor: HPos::Left, size: 15.0, color: INK }.draw(area)?;
    let found = fitted(found, 12.0, WIDTH - 40.0);
    Label { text: &found, at: (20.0, 41.0), anchor: HPos::Left, size: 12.0, color: PALE_INK }.draw(area)
}

/// Explains the colors of runs that pass and fail.
fn draw_legend(area: &PlotArea<'_>, places: [(f64, f64); 2]) -> PlotResult {
    for ((x, y), (fill, text)) in places.into_iter().zip([(PASSES, "passes"), (FAILS, "fails")]) {
        rect(area, (x, y), (14.0, 14.0), fill)?;
        Label { text, at: (x + 19.0, y + 7.0), anchor: HPos::Left, size: 12.0, color: INK }.draw(area)?;
    }
    Ok(())
}

/// A measure over the values of one key: its title, and the values of all rows.
struct Panel {
    title: String,
    values: Vec<Option<f64>>,
}

impl Panel {
    fn height(&self) -> f64 {
        if self.values.iter().any(Option::is_some) { PANEL } else { EMPTY_PANEL }
    }
}

/// The measures that are numbers or flags, and what is the best of them.
fn panels(report: &SweepReport<'_>) -> Vec<Panel> {
    let shown = |value: Option<f64>| value.filter(|value| value.abs() < LARGEST);
    let columns = report.sweep.columns().iter().enumerate();
    let mut panels: Vec<Panel> = columns
        .map(|(i, column)| Panel {
            title: with_unit(&column.name, column.unit),
            values: report.rows.iter().map(|row| shown(row.cells.get(i)?.on_plot())).collect(),
        })
        .collect();
    if let Some((_, name)) = report.sweep.goal() {
        let values = report.rows.iter().map(|row| shown(row.best)).collect();
        panels.push(Panel { title: name.to_string(), values });
    }
    if panels.is_empty() {
        panels.push(Panel { title: String::new(), values: Vec::new() });
    }
    panels.truncate(MOST_PANELS);
    panels
}

/// A panel for each measure over the values of one key: the measure as a line, passing values in green, and the
/// edges between them marked.
fn draw_lines(report: &SweepReport<'_>, key: &VariedKey) -> io::Result<String> {
    let along = KeyAxis::new(key);
    let (first, last) = along.ends();
    let room = if along.is_number && !is_point(first, last) { 0.0 } else { 0.5 };
    let (first, last) = (first - room, last + room);
    let panels = panels(report);
    let across = WIDTH - LEFT - RIGHT;
    let at = |position: f64| LEFT + across * (position - first) / (last - first);
    let edges = edge_labels(report, at);
    let rows = edges.iter().map(|(.., row)| row + 1).max().unwrap_or(0);
    let top = 50.0 + EDGE_ROW * rows as f64;
    let height = top + panels.iter().map(Panel::height).sum::<f64>() + BELOW;
    picture(height, |area| {
        let has_pass = report.sweep.has_pass();
        let title = format!("{} over {}", report.sweep.level_name(), key.key);
        let findings = report.findings();
        let found = findings.iter().find(|line| !line.starts_with(' '));
        let width = WIDTH - 48.0 - if has_pass { 150.0 } else { 0.0 };
        draw_title(area, &title, found.map_or("", String::as_str), width)?;
        if has_pass {
            draw_legend(area, [(WIDTH - 150.0, 14.0), (WIDTH - 78.0, 14.0)])?;
        }
        for (x, text, row) in &edges {
            let y = 58.0 + EDGE_ROW * *row as f64;
            let half = text_width(text, 12.0) / 2.0;
            let x = x.clamp(LEFT + half - 60.0, WIDTH - half - 4.0);
            Label { text, at: (x, y), anchor: HPos::Center, size: 12.0, color: EDGE }.draw(area)?;
        }
        let mut y = top;
        let width = across / along.order.len().max(1) as f64;
        for (i, panel) in panels.iter().enumerate() {
            let is_last = i + 1 == panels.len();
            let title = fitted(&panel.title, 13.0, across);
            Label { text: &title, at: (LEFT, y + 22.0), anchor: HPos::Left, size: 13.0, color: INK }.draw(area)?;
            let bottom = y + panel.height();
            let below = if is_last { BELOW } else { 0.0 };
            let part = area
                .clone()
                .shrink((0, px(y + PANEL_TITLE)), (px(WIDTH), px(bottom + below - y - PANEL_TITLE)));
            let values = panel.values.iter().flatten().copied();
            let range = range_of(values);
            let ticks = if range.is_some() { 6 } else { 0 };
            let range = range.unwrap_or(0.0..1.0);
            let mut chart = ChartBuilder::on(&part)
                .margin_right(px(RIGHT))
                .y_label_area_size(px(LEFT))
                .x_label_area_size(px(below))
                .build_cartesian_2d(along.axis(first, last, width), PlotAxis::of_numbers(range.clone(), ticks))?;
            if has_pass {
                for (from, to, passes) in stretches(report, &along, (first, last)) {
                    let fill = if passes { PASSES } else { FAILS };
                    chart
                        .plotting_area()
                        .draw(&Rectangle::new([(from, range.start), (to, range.end)], fill.filled()))?;
                }
            }
            let mut mesh = chart.configure_mesh();
            mesh.disable_x_mesh().light_line_style(TRANSPARENT).bold_line_style(line(GRID, 1.0));
            mesh.axis_style(line(INK, 1.0))
                .label_style(style(12.0, INK))
                .axis_desc_style(style(13.0, INK));
            mesh.set_all_tick_mark_size(px(5.0));
            if is_last {
                mesh.x_desc(fitted(&along.title(), 13.0, across));
            }
            mesh.draw()?;
            for edge in report.edges.iter().flat_map(|edges| &edges.edges) {
                dashed(&chart, [(edge.passing(), range.start), (edge.passing(), range.end)], EDGE)?;
            }
            let point = |(x, row): &(f64, usize)| Some((*x, panel.values.get(*row).copied().flatten()?));
            let points: Vec<Option<(f64, f64)>> = along.order.iter().map(point).collect();
            // The line has gaps where a run has no value.
            for stretch in points.split(Option::is_none) {
                chart.draw_series(LineSeries::new(stretch.iter().flatten().copied(), line(CURVE, 1.8)))?;
                if stretch.len() == 1 || points.len() <= MOST_DOTS {
                    let dots = stretch.iter().flatten();
                    chart.draw_series(dots.map(|point| Circle::new(*point, px(2.6), CURVE.filled())))?;
                }
            }
            if ticks == 0 && !panel.title.is_empty() {
                let at = (LEFT + across / 2.0, y + PANEL_TITLE + (panel.height() - PANEL_TITLE) / 2.0);
                Label { text: "no numbers", at, anchor: HPos::Center, size: 12.0, color: PALE_INK }.draw(area)?;
            }
            y = bottom;
        }
        Ok(())
    })
}

/// Stretches of values that pass or fail, from one position to another. They part at the edges that were found, else
/// half way between two values.
fn stretches(report: &SweepReport<'_>, along: &KeyAxis<'_>, (first, last): (f64, f64)) -> Vec<(f64, f64, bool)> {
    let edges = report.edges.iter().flat_map(|edges| &edges.edges);
    let mut edges = edges.map(|edge| edge.passing());
    let passes = |row: usize| report.rows[row].passed == Some(true);
    let mut found = Vec::new();
    let mut from = first;
    for (i, (x, row)) in along.order.iter().enumerate() {
        let next = along.order.get(i + 1);
        if next.is_some_and(|(_, next)| passes(*next) == passes(*row)) {
            continue;
        }
        let to = next.map_or(last, |next| edges.next().unwrap_or(f64::midpoint(*x, next.0)));
        found.push((from, to, passes(*row)));
        from = to;
    }
    found
}

/// The labels of the edges: place, text and row, in rows so that none covers another. Edges for which there is no room
/// are left out; their colors still show.
fn edge_labels(report: &SweepReport<'_>, at: impl Fn(f64) -> f64) -> Vec<(f64, String, usize)> {
    let mut ends = [f64::NEG_INFINITY; MOST_EDGE_ROWS];
    let mut labels = Vec::new();
    let Some(edges) = &report.edges else {
        return labels;
    };
    for edge in &edges.edges {
        let text = edges.with_unit(edge.passing());
        let x = at(edge.passing());
        let half = text_width(&text, 12.0) / 2.0 + 6.0;
        if let Some(row) = ends.iter().position(|end| *end < x - half) {
            ends[row] = x + half;
            labels.push((x, text, row));
        }
    }
    labels
}

/// The color of a share from 0 to 1.
fn ramp(share: f64) -> RGBColor {
    let at = share.clamp(0.0, 1.0) * (RAMP.len() - 1) as f64;
    let below = (at as usize).min(RAMP.len() - 2);
    let part = at - below as f64;
    let [r, g, b] = [0, 1, 2].map(|i| {
        let (a, b) = (RAMP[below][i], RAMP[below + 1][i]);
        (a + (b - a) * part).round() as u8
    });
    RGBColor(r, g, b)
}

/// The borders between the cells of a side of a map: one more than there are values.
fn borders(side: &KeyAxis<'_>) -> Vec<f64> {
    let pairs = side.order.windows(2);
    let mut borders: Vec<f64> = pairs.map(|pair| f64::midpoint(pair[0].0, pair[1].0)).collect();
    let (first, last) = side.ends();
    // The outer cells are as wide on both sides of their values.
    let before = borders.first().map_or(first - 0.5, |border| 2.0 * first - border);
    let after = borders.last().map_or(last + 0.5, |border| 2.0 * last - border);
    borders.insert(0, before);
    borders.push(after);
    borders
}

/// A map over the values of two keys: a cell for each run, in the color of its first measure. A dark line parts the
/// runs that pass from the runs that fail.
fn draw_map(report: &SweepReport<'_>, across: &VariedKey, up: &VariedKey) -> io::Result<String> {
    let (across, up) = (KeyAxis::new(across), KeyAxis::new(up));
    let (columns, rows) = (borders(&across), borders(&up));
    let value = |row: &SweepRow| match report.sweep.goal() {
        Some(_) => row.best,
        None => row.cells.first()?.on_plot(),
    };
    let value = |row: &SweepRow| value(row).filter(|value| value.abs() < LARGEST);
    let range = extremes(report.rows.iter().filter_map(value));
    let share = |value: f64, (a, b): (f64, f64)| if is_point(a, b) { 0.5 } else { (value - a) / (b - a) };
    let fill = |row: &SweepRow| match (range, value(row), row.passed) {
        (Some(range), Some(value), _) => ramp(share(value, range)),
        (None, _, Some(true)) => PASSES,
        (None, _, Some(false)) => FAILS,
        _ => MISSING,
    };
    let row = |i: usize, j: usize| {
        let run = across.order.get(i)?.1 * up.key.len() + up.order.get(j)?.1;
        report.rows.get(run)
    };
    let left = match up.is_number {
        true => 92.0,
        false => {
            let labels = (0..up.key.len()).map(|i| text_width(&up.key.value(i).label, 12.0));
            (labels.fold(0.0, f64::max) + 48.0).clamp(92.0, 240.0)
        }
    };
    let width = WIDTH - left - MAP_RIGHT;
    picture(MAP_TOP + MAP + BELOW, |area| {
        let title = format!("{} over {} and {}", report.sweep.level_name(), across.key.key, up.key.key);
        let mut found = report.findings();
        if report.sweep.has_pass() {
            found.push("the line parts runs that pass from those that fail".into());
        }
        draw_title(area, &title, &found.join("; "), WIDTH - 40.0)?;
        let part = area.clone().shrink((0, px(MAP_TOP)), (px(WIDTH - MAP_RIGHT), px(MAP + BELOW)));
        let x = across.axis(columns[0], columns[columns.len() - 1], width / across.order.len().max(1) as f64);
        let y = up.axis(rows[0], rows[rows.len() - 1], left - 40.0);
        let mut chart = ChartBuilder::on(&part)
            .x_label_area_size(px(BELOW))
            .y_label_area_size(px(left))
            .build_cartesian_2d(x, y)?;
        for (i, column) in columns.windows(2).enumerate() {
            for (j, line) in rows.windows(2).enumerate() {
                let Some(run) = row(i, j) else { continue };
                let corner = |x: f64, y: f64| chart.backend_coord(&(x, y));
                let ((x, bottom), (right, y)) = (corner(column[0], line[0]), corner(column[1], line[1]));
                // A little larger, so that no seams show.
                area.draw(&Rectangle::new([(x, y), (right + px(1.0), bottom + px(1.0))], fill(run).filled()))?;
            }
        }
        let passes = |i: usize, j: usize| row(i, j).map(|run| run.passed == Some(true));
        let differ = |a: Option<bool>, b: Option<bool>| a.is_some() && b.is_some() && a != b;
        let mut parting = Vec::new();
        for i in 0..across.order.len() {
            for j in 0..up.order.len() {
                let corner = (columns[i + 1], rows[j + 1]);
                if differ(passes(i, j), passes(i + 1, j)) {
                    parting.push([(corner.0, rows[j]), corner]);
                }
                if differ(passes(i, j), passes(i, j + 1)) {
                    parting.push([(columns[i], corner.1), corner]);
                }
            }
        }
        // With a light line around it.
        for style in [line(WHITE, 4.5), line(RGBColor(0x11, 0x11, 0x11), 2.0)] {
            chart.draw_series(parting.iter().map(|ends| PathElement::new(ends.to_vec(), style)))?;
        }
        let mut mesh = chart.configure_mesh();
        mesh.disable_mesh().axis_style(line(INK, 1.0)).set_all_tick_mark_size(px(5.0));
        mesh.label_style(style(12.0, INK)).axis_desc_style(style(13.0, INK));
        mesh.x_desc(fitted(&across.title(), 13.0, width)).y_desc(fitted(&up.title(), 13.0, MAP));
        mesh.draw()?;
        match range {
            Some(range) => draw_scale(area, report, range),
            None if report.sweep.has_pass() => {
                let x = WIDTH - MAP_RIGHT + 20.0;
                draw_legend(area, [(x, MAP_TOP), (x, MAP_TOP + 24.0)])
            }
            None => Ok(()),
        }
    })
}

/// The bar that explains the colors of a map.
fn draw_scale(area: &PlotArea<'_>, report: &SweepReport<'_>, (a, b): (f64, f64)) -> PlotResult {
    const STEPS: usize = 64;
    let left = WIDTH - MAP_RIGHT + 20.0;
    let column = report.sweep.columns().first();
    let name = match report.sweep.goal() {
        Some((_, name)) => name.to_string(),
        None => column.map_or_else(String::new, |column| with_unit(&column.name, column.unit)),
    };
    let name = fitted(&name, 12.0, MAP_RIGHT - 16.0);
    let x = (left + text_width(&name, 12.0) / 2.0).min(WIDTH - MAP_RIGHT / 2.0 + 4.0);
    Label { text: &name, at: (x, MAP_TOP + 8.0), anchor: HPos::Center, size: 12.0, color: INK }.draw(area)?;
    let range = if is_point(a, b) { a - 0.5..a + 0.5 } else { a..b };
    let step = (MAP - 26.0) / STEPS as f64;
    for i in 0..STEPS {
        let share = if is_point(a, b) { 0.5 } else { (i as f64 + 0.5) / STEPS as f64 };
        let y = MAP_TOP + MAP - step * (i + 1) as f64;
        rect(area, (left, y), (16.0, step + 0.5), ramp(share))?;
    }
    let part = area.clone().shrink((px(left), px(MAP_TOP + 26.0)), (px(WIDTH - left), px(MAP - 26.0)));
    let mut chart = ChartBuilder::on(&part)
        .right_y_label_area_size(px(WIDTH - left - 16.0))
        .build_cartesian_2d(PlotAxis::of_numbers(0.0..1.0, 0), PlotAxis::of_numbers(range, 7))?;
    let mut mesh = chart.configure_mesh();
    mesh.disable_mesh().axis_style(line(INK, 1.0)).set_all_tick_mark_size(px(4.0));
    mesh.label_style(style(12.0, INK)).draw()
}

#[cfg(test)]
mod tests {
    use super::ramp;
    use plotters::prelude::RGBColor;

    #[test]
    fn the_ramp_has_all_shares() {
        assert_eq!(ramp(0.0), RGBColor(0x44, 0x01, 0x54));
        assert_eq!(ramp(1.0), RGBColor(0xfd, 0xe7, 0x25));
        assert_eq!(ramp(f64::INFINITY), ramp(1.0));
        assert_eq!(ramp(-1.0), ramp(0.0));
        assert_eq!(ramp(0.2), RGBColor(0x41, 0x44, 0x87));
    }
}
