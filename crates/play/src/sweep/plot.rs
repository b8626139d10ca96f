//! A sweep as a picture (SVG): lines over one varied key, or a map over two.

use super::*;
use crate::plot::*;
use plotters::prelude::*;

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
const ABOVE: f64 = 66.0;
const BELOW: f64 = 58.0;

/// The height of a panel with its title, and of the title, px.
const PANEL: f64 = 224.0;
const PANEL_TITLE: f64 = 34.0;

/// The space right of a map, and its height, px.
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

/// The picture of a sweep whose runs have all been played.
///
/// # Errors
/// None that is known: the picture is drawn in memory.
pub fn sweep_svg(report: &SweepReport<'_>) -> io::Result<String> {
    match report.sweep.plan().keys() {
        [key] => draw_lines(report, key),
        [across, up] => draw_map(report, across, up),
        _ => picture(ABOVE, |_| Ok(())),
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

/// The title of the picture, and a line with what was found.
fn draw_title(area: &PlotArea<'_>, title: &str, found: &str) -> PlotResult {
    let width = WIDTH - 40.0;
    write(area, &fitted(title, 15.0, width - 150.0), (20.0, 21.0), &left(15.0, INK))?;
    write(area, &fitted(found, 12.0, width), (20.0, 41.0), &left(12.0, PALE_INK))
}

/// Explains the colors of runs that pass and fail.
fn draw_legend(area: &PlotArea<'_>) -> PlotResult {
    for (x, fill, text) in [(WIDTH - 150.0, PASSES, "passes"), (WIDTH - 78.0, FAILS, "fails")] {
        part(area, (x, 14.0), (14.0, 14.0)).fill(&fill)?;
        write(area, text, (x + 19.0, 21.0), &left(12.0, INK))?;
    }
    Ok(())
}

/// A measure over the values of one key: its title, and the values of all rows.
struct Panel {
    title: String,
    values: Vec<Option<f64>>,
}

/// The measures that have numbers or flags, and what is the best of them.
fn panels(report: &SweepReport<'_>) -> Vec<Panel> {
    let panel = |title: String, value: &dyn Fn(&SweepRow) -> Option<f64>| {
        let values = report.rows.iter().map(|row| value(row).filter(|value| value.abs() < LARGEST));
        Panel { title, values: values.collect() }
    };
    let columns = report.sweep.columns().iter().enumerate();
    let columns = columns
        .map(|(i, column)| panel(with_unit(&column.name, column.unit), &|row| row.cells.get(i).and_then(on_plot)));
    let goal = report.sweep.goal().map(|(_, name)| panel(name.to_string(), &|row| row.best));
    let all = columns.chain(goal).filter(|panel| panel.values.iter().any(Option::is_some));
    let mut panels: Vec<Panel> = all.take(MOST_PANELS).collect();
    if panels.is_empty() {
        panels.push(panel(String::new(), &|_| None));
    }
    panels
}

/// A panel for each measure over the values of one key: the measure as a line, passing values in green, and the
/// edges between them marked.
fn draw_lines(report: &SweepReport<'_>, key: &VariedKey) -> io::Result<String> {
    let along = KeyAxis::new(key);
    let (first, last) = along.ends();
    let room = if along.is_number && !is_point(first, last) { 0.0 } else { 0.5 };
    let ends = (first - room, last + room);
    let panels = panels(report);
    picture(ABOVE + PANEL * panels.len() as f64 + BELOW, |area| {
        let findings = report.findings();
        let found = findings.iter().find(|line| !line.starts_with(' '));
        let title = format!("{} over {}", report.sweep.level_name(), key.key);
        draw_title(area, &title, found.map_or("", String::as_str))?;
        if report.sweep.has_pass() {
            draw_legend(area)?;
        }
        for (i, panel) in panels.iter().enumerate() {
            let top = ABOVE + PANEL * i as f64;
            let title = fitted(&panel.title, 13.0, WIDTH - LEFT - RIGHT);
            write(area, &title, (LEFT, top + 22.0), &left(13.0, INK))?;
            let below = if i + 1 == panels.len() { BELOW } else { 0.0 };
            let area = part(area, (0.0, top + PANEL_TITLE), (WIDTH, PANEL + below - PANEL_TITLE));
            draw_panel(&area, report, &along, ends, panel, below)?;
        }
        Ok(())
    })
}

/// Draws a panel without its title. Its axis of keys has room for labels of this height.
fn draw_panel(
    area: &PlotArea<'_>,
    report: &SweepReport<'_>,
    along: &KeyAxis<'_>,
    ends: (f64, f64),
    panel: &Panel,
    below: f64,
) -> PlotResult {
    let across = WIDTH - LEFT - RIGHT;
    let range = range_of(panel.values.iter().flatten().copied());
    let ticks = if range.is_some() { 6 } else { 0 };
    let range = range.unwrap_or(0.0..1.0);
    let x = along.axis(ends.0, ends.1, across / along.order.len().max(1) as f64);
    let mut chart = ChartBuilder::on(area)
        .margin_right(px(RIGHT))
        .y_label_area_size(px(LEFT))
        .x_label_area_size(px(below))
        .build_cartesian_2d(x, PlotAxis::of_numbers(range.clone(), ticks))?;
    if report.sweep.has_pass() {
        let stretches = stretches(report, along, ends).into_iter();
        chart.draw_series(stretches.map(|(from, to, passes)| {
            let fill = if passes { PASSES } else { FAILS };
            Rectangle::new([(from, range.start), (to, range.end)], fill.filled())
        }))?;
    }
    let title = if below > 0.0 { fitted(&along.title(), 13.0, across) } else { String::new() };
    axes(&mut chart, [&title, ""], true)?;
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
    Ok(())
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
        None => row.cells.first().and_then(on_plot),
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
    let row = |i: usize, j: usize| report.rows.get(across.order.get(i)?.1 * up.key.len() + up.order.get(j)?.1);
    let cells = || (0..across.order.len()).flat_map(|i| (0..up.order.len()).map(move |j| (i, j)));
    let names = (0..up.key.len()).map(|i| text_width(&up.key.value(i).label, 12.0)).fold(0.0, f64::max);
    let left = if up.is_number { 92.0 } else { (names + 48.0).clamp(92.0, 240.0) };
    let width = WIDTH - left - MAP_RIGHT;
    picture(ABOVE + MAP + BELOW, |area| {
        let title = format!("{} over {} and {}", report.sweep.level_name(), across.key.key, up.key.key);
        let mut found = report.findings();
        if report.sweep.has_pass() {
            found.push("the line parts runs that pass from those that fail".into());
        }
        draw_title(area, &title, &found.join("; "))?;
        let end = (columns[columns.len() - 1], rows[rows.len() - 1]);
        let x = across.axis(columns[0], end.0, width / across.order.len().max(1) as f64);
        let mut chart = ChartBuilder::on(&part(area, (0.0, ABOVE), (WIDTH - MAP_RIGHT, MAP + BELOW)))
            .x_label_area_size(px(BELOW))
            .y_label_area_size(px(left))
            .build_cartesian_2d(x, up.axis(rows[0], end.1, left - 40.0))?;
        // Each cell reaches to the far corner and is covered by the next ones, so that no seams show.
        let cell = |(i, j)| Some(Rectangle::new([(columns[i], rows[j]), end], fill(row(i, j)?).filled()));
        chart.draw_series(cells().filter_map(cell))?;
        let passes = |i: usize, j: usize| row(i, j).map(|run| run.passed == Some(true));
        let differ = |a: Option<bool>, b: Option<bool>| a.zip(b).is_some_and(|(a, b)| a != b);
        let parting = cells().flat_map(|(i, j)| {
            let corner = (columns[i + 1], rows[j + 1]);
            let right = differ(passes(i, j), passes(i + 1, j)).then_some(vec![(corner.0, rows[j]), corner]);
            let above = differ(passes(i, j), passes(i, j + 1)).then_some(vec![(columns[i], corner.1), corner]);
            [right, above].into_iter().flatten()
        });
        let parting: Vec<Vec<(f64, f64)>> = parting.collect();
        // With a light line around it.
        for style in [line(WHITE, 4.5), line(RGBColor(0x11, 0x11, 0x11), 2.0)] {
            chart.draw_series(parting.iter().map(|ends| PathElement::new(ends.clone(), style)))?;
        }
        axes(&mut chart, [&fitted(&across.title(), 13.0, width), &fitted(&up.title(), 13.0, MAP)], false)?;
        match range {
            Some(range) => draw_scale(area, report, range),
            None if report.sweep.has_pass() => draw_legend(area),
            None => Ok(()),
        }
    })
}

/// The bar that explains the colors of a map.
fn draw_scale(area: &PlotArea<'_>, report: &SweepReport<'_>, (a, b): (f64, f64)) -> PlotResult {
    const STEPS: usize = 64;
    let (left, top) = (WIDTH - MAP_RIGHT + 20.0, ABOVE + 26.0);
    let column = report.sweep.columns().first();
    let name = match report.sweep.goal() {
        Some((_, name)) => name.to_string(),
        None => column.map_or_else(String::new, |column| with_unit(&column.name, column.unit)),
    };
    let name = fitted(&name, 12.0, MAP_RIGHT - 16.0);
    let x = (left + text_width(&name, 12.0) / 2.0).min(WIDTH - MAP_RIGHT / 2.0 + 4.0);
    write(area, &name, (x, ABOVE + 8.0), &centered(12.0, INK))?;
    let is_point = is_point(a, b);
    let (a, b) = if is_point { (a - 0.5, a + 0.5) } else { (a, b) };
    let mut chart = ChartBuilder::on(&part(area, (left, top), (WIDTH - left, MAP - 26.0)))
        .right_y_label_area_size(px(WIDTH - left - 16.0))
        .build_cartesian_2d(PlotAxis::of_numbers(0.0..1.0, 0), PlotAxis::of_numbers(a..b, 7))?;
    chart.draw_series((0..STEPS).map(|i| {
        let from = i as f64 / STEPS as f64;
        let color = ramp(if is_point { 0.5 } else { from + 0.5 / STEPS as f64 });
        Rectangle::new([(0.0, a + (b - a) * from), (1.0, b)], color.filled())
    }))?;
    axes(&mut chart, ["", ""], false)
}

#[cfg(test)]
#[path = "../../tests/unit/sweep/plot.rs"]
mod tests;
