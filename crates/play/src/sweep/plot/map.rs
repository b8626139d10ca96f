//! A map over the values of two keys: a cell for each run, in the color of its first measure. A dark line
//! parts the runs that pass from those that fail.

use super::axis::{PlotAxis, text_width};
use super::colors::{FAILS, INK, MISSING, PALE_INK, PASSES, ramp};
use super::svg::{Anchor, Svg};
use super::titles::{fitted, title_of, with_unit};
use crate::sweep::report::SweepReport;
use crate::sweep::row::SweepRow;
use crate::sweep::varied::VariedKey;

/// The width of the picture, and of what is around the map, px.
const WIDTH: f64 = 760.0;
const LEFT: f64 = 92.0;
const MOST_LEFT: f64 = 240.0;
const RIGHT: f64 = 124.0;
const TOP: f64 = 66.0;
const BELOW: f64 = 58.0;

/// The height of the map, px.
const HEIGHT: f64 = 400.0;

/// The width of the bar that explains the colors, px, and the number of its steps.
const BAR: f64 = 16.0;
const BAR_STEPS: usize = 64;

/// The color of the line between passing and failing runs, and a light one around it.
const BORDER: (&str, f64) = ("#111111", 2.0);
const BORDER_GLOW: (&str, f64) = ("#ffffff", 4.5);

/// Draws the map.
pub(super) fn draw(report: &SweepReport<'_>) -> String {
    let [first, second] = report.sweep.plan().keys() else {
        return Svg::new(WIDTH, TOP).finish();
    };
    let map = HeatMap {
        report,
        across: MapSide::new(first, (left_of(second), WIDTH - RIGHT)),
        up: MapSide::new(second, (TOP + HEIGHT, TOP)),
        range: value_range(report),
    };
    map.draw()
}

/// The width of what is left of the map, px: room for names.
fn left_of(up: &VariedKey) -> f64 {
    if up.numbers().is_some() {
        return LEFT;
    }
    let labels = (0..up.len()).map(|i| text_width(&up.value(i).label, 12.0));
    (labels.fold(0.0, f64::max) + 48.0).clamp(LEFT, MOST_LEFT)
}

/// One of the two keys, with the borders of its cells.
struct MapSide<'a> {
    key: &'a VariedKey,
    /// The places of the values by increasing position.
    order: Vec<usize>,
    /// The positions of the borders, px: one more than there are values.
    borders: Vec<f64>,
    axis: PlotAxis,
    is_number: bool,
}

impl<'a> MapSide<'a> {
    fn new(key: &'a VariedKey, pixels: (f64, f64)) -> Self {
        let numbers: Option<Vec<f64>> = (0..key.len()).map(|i| key.value(i).as_number()).collect();
        let is_number = numbers.is_some();
        let positions = numbers.unwrap_or_else(|| (0..key.len()).map(|i| i as f64).collect());
        let mut order: Vec<usize> = (0..key.len()).collect();
        order.sort_by(|a, b| positions[*a].total_cmp(&positions[*b]));
        let sorted: Vec<f64> = order.iter().map(|i| positions[*i]).collect();
        let mut borders: Vec<f64> = sorted.windows(2).map(|p| f64::midpoint(p[0], p[1])).collect();
        let (first, last) = (sorted[0], sorted[sorted.len() - 1]);
        // The outer cells are as wide on both sides of their values.
        let before = borders.first().map_or(first - 0.5, |border| 2.0 * first - border);
        let after = borders.last().map_or(last + 0.5, |border| 2.0 * last - border);
        borders.insert(0, before);
        borders.push(after);
        let axis = PlotAxis { range: (before, after), pixels };
        Self { key, order, borders: borders.into_iter().map(|border| axis.at(border)).collect(), axis, is_number }
    }

    fn ticks(&self, most: usize) -> Vec<(f64, String)> {
        if self.is_number {
            return self.axis.ticks(most);
        }
        let ticks = self.order.iter().enumerate();
        ticks.map(|(i, value)| (i as f64, self.key.value(*value).label)).collect()
    }
}

struct HeatMap<'a> {
    report: &'a SweepReport<'a>,
    across: MapSide<'a>,
    up: MapSide<'a>,
    /// The smallest and the largest value; none if there is no measure with numbers.
    range: Option<(f64, f64)>,
}

/// The value that a row's color shows.
fn shown_value(report: &SweepReport<'_>, row: &SweepRow) -> Option<f64> {
    if report.sweep.goal().is_some() {
        return row.best;
    }
    row.cells.first()?.on_plot()
}

fn value_range(report: &SweepReport<'_>) -> Option<(f64, f64)> {
    let values = report.rows.iter().filter_map(|row| shown_value(report, row));
    values.fold(None, |range: Option<(f64, f64)>, x| {
        let (a, b) = range.unwrap_or((x, x));
        Some((a.min(x), b.max(x)))
    })
}

impl HeatMap<'_> {
    fn row(&self, i: usize, j: usize) -> Option<&SweepRow> {
        let run = self.across.order.get(i)? * self.up.key.len() + self.up.order.get(j)?;
        self.report.rows.get(run)
    }

    fn fill(&self, row: &SweepRow) -> String {
        match (self.range, shown_value(self.report, row)) {
            (Some((a, b)), Some(value)) if a < b => ramp((value - a) / (b - a)),
            (Some(_), Some(_)) => ramp(0.5),
            (Some(_), None) => MISSING.into(),
            (None, _) if row.passed == Some(true) => PASSES.into(),
            (None, _) if row.passed == Some(false) => FAILS.into(),
            (None, _) => MISSING.into(),
        }
    }

    fn draw(&self) -> String {
        let mut svg = Svg::new(WIDTH, TOP + HEIGHT + BELOW);
        let (a, b) = (&self.across.key.key, &self.up.key.key);
        let title = format!("{} over {a} and {b}", self.report.sweep.level_name());
        let title = fitted(&title, 15.0, WIDTH - 40.0);
        svg.label((20.0, 26.0), 15.0, Anchor::Start, &title);
        let findings = self.report.findings();
        let line = self
            .report
            .sweep
            .has_pass()
            .then_some("; the line parts runs that pass from those that fail");
        let text = format!("{}{}", findings.join("; "), line.unwrap_or_default());
        let text = fitted(text.trim_start_matches("; "), 12.0, WIDTH - 40.0);
        svg.colored((20.0, 46.0), 12.0, Anchor::Start, (&text, PALE_INK));
        for i in 0..self.across.order.len() {
            for j in 0..self.up.order.len() {
                let Some(row) = self.row(i, j) else {
                    continue;
                };
                let (x, right) = (self.across.borders[i], self.across.borders[i + 1]);
                let (bottom, y) = (self.up.borders[j], self.up.borders[j + 1]);
                // A little larger, so that no seams show.
                svg.rect((x, y), (right - x + 0.4, bottom - y + 0.4), &self.fill(row));
            }
        }
        for style in [BORDER_GLOW, BORDER] {
            self.draw_borders(&mut svg, style);
        }
        self.draw_axes(&mut svg);
        self.draw_legend(&mut svg);
        svg.finish()
    }

    /// The lines between neighbors of which one passes.
    fn draw_borders(&self, svg: &mut Svg, style: (&str, f64)) {
        let passes = |i: usize, j: usize| self.row(i, j).map(|row| row.passed == Some(true));
        let differ = |a: Option<bool>, b: Option<bool>| a.is_some() && b.is_some() && a != b;
        let (columns, rows) = (&self.across.borders, &self.up.borders);
        for i in 0..self.across.order.len() {
            for j in 0..self.up.order.len() {
                if differ(passes(i, j), passes(i + 1, j)) {
                    let x = columns[i + 1];
                    svg.line((x, rows[j]), (x, rows[j + 1]), style, "");
                }
                if differ(passes(i, j), passes(i, j + 1)) {
                    let y = rows[j + 1];
                    svg.line((columns[i], y), (columns[i + 1], y), style, "");
                }
            }
        }
    }

    fn draw_axes(&self, svg: &mut Svg) {
        let (left, right) = self.across.axis.pixels;
        let (bottom, top) = self.up.axis.pixels;
        for (from, to) in [((left, bottom), (right, bottom)), ((left, top), (left, bottom))] {
            svg.line(from, to, (INK, 1.0), "");
        }
        let ticks = self.across.ticks(8);
        let room = (right - left) / ticks.len().max(1) as f64;
        for (value, label) in ticks {
            let x = self.across.axis.at(value);
            svg.line((x, bottom), (x, bottom + 5.0), (INK, 1.0), "");
            let label = fitted(&label, 12.0, room.max(14.0));
            svg.label((x, bottom + 19.0), 12.0, Anchor::Middle, &label);
        }
        for (value, label) in self.up.ticks(8) {
            let y = self.up.axis.at(value);
            svg.line((left - 5.0, y), (left, y), (INK, 1.0), "");
            let label = fitted(&label, 12.0, left - 40.0);
            svg.label((left - 9.0, y + 4.0), 12.0, Anchor::End, &label);
        }
        let title = fitted(&title_of(self.across.key), 13.0, right - left);
        let middle = f64::midpoint(left, right);
        svg.label((middle, bottom + 42.0), 13.0, Anchor::Middle, &title);
        let title = fitted(&title_of(self.up.key), 13.0, bottom - top);
        svg.upwards((24.0, f64::midpoint(top, bottom)), 13.0, &title);
    }

    fn draw_legend(&self, svg: &mut Svg) {
        let left = WIDTH - RIGHT + 20.0;
        let Some((a, b)) = self.range else {
            if self.report.sweep.has_pass() {
                for (y, fill, text) in [(TOP, PASSES, "passes"), (TOP + 24.0, FAILS, "fails")] {
                    svg.rect((left, y), (14.0, 14.0), fill);
                    svg.label((left + 20.0, y + 11.5), 12.0, Anchor::Start, text);
                }
            }
            return;
        };
        let axis = PlotAxis { range: (a, b), pixels: (TOP + HEIGHT, TOP + 26.0) };
        let height = HEIGHT - 26.0;
        let step = height / BAR_STEPS as f64;
        for i in 0..BAR_STEPS {
            let share = (i as f64 + 0.5) / BAR_STEPS as f64;
            let y = TOP + HEIGHT - step * (i + 1) as f64;
            let fill = if a < b { ramp(share) } else { ramp(0.5) };
            svg.rect((left, y), (BAR, step + 0.4), &fill);
        }
        for (value, label) in axis.ticks(6) {
            let y = axis.at(value);
            svg.line((left + BAR, y), (left + BAR + 4.0, y), (INK, 1.0), "");
            svg.label((left + BAR + 8.0, y + 4.0), 12.0, Anchor::Start, &label);
        }
        let column = self.report.sweep.columns().first();
        let name = match self.report.sweep.goal() {
            Some((_, name)) => name.to_string(),
            None => column.map_or_else(String::new, |c| with_unit(&c.name, c.unit)),
        };
        let name = fitted(&name, 12.0, RIGHT - 16.0);
        let at = (left + text_width(&name, 12.0) / 2.0).min(WIDTH - RIGHT / 2.0 + 4.0);
        svg.label((at, TOP + 12.0), 12.0, Anchor::Middle, &name);
    }
}
