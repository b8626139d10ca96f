//! The speed of a run and of the stop after it as SVG.

use super::*;
use crate::plot::*;
use plotters::prelude::*;

/// A plot of a kind under one model: its speed over time in a run and the stop after it.
pub struct DashPlot<'a> {
    /// What is shown, such as `hero, platformer, 60 Hz, on ice`.
    pub title: String,
    /// The run and the stop.
    pub dash: &'a FeelDash,
}

/// Space around a panel, px: left, right, above and below; and its height.
const LEFT: f64 = 64.0;
const RIGHT: f64 = 28.0;
const ABOVE: f64 = 76.0;
const BELOW: f64 = 56.0;
const HIGH: f64 = 260.0;

/// Ticks are dots on the curve, unless there are more than this.
const MOST_DOTS: usize = 200;

const RUN: RGBColor = RGBColor(0x1f, 0x5f, 0xbf);
const STOP: RGBColor = RGBColor(0xc2, 0x57, 0x0c);

/// Draws the plots below each other. All have the same axes, so that they can be compared.
///
/// # Errors
/// None that is known: the picture is drawn in memory.
pub fn plot_dashes(plots: &[DashPlot<'_>]) -> io::Result<String> {
    let most = |of: fn(&FeelDash) -> f64| plots.iter().map(|plot| of(plot.dash)).fold(1e-3, f64::max);
    let seconds = most(|dash| dash.dt * (dash.samples.len() - 1) as f64) * 1.04;
    let speed = most(|dash| dash.samples.iter().map(|sample| sample.pace).fold(dash.top, f64::max)) * 1.15;
    let height = ABOVE + HIGH + BELOW;
    picture(height * plots.len().max(1) as f64, |area| {
        for (index, plot) in plots.iter().enumerate() {
            draw(area, height * index as f64, plot, (seconds, speed))?;
        }
        Ok(())
    })
}

fn draw(area: &PlotArea<'_>, top: f64, plot: &DashPlot<'_>, (seconds, speed): (f64, f64)) -> PlotResult {
    let DashPlot { title, dash } = plot;
    write(area, &fitted(title, 15.0, WIDTH - LEFT), (LEFT, top + 17.0), &left(15.0, INK))?;
    let (time, distance) = dash.run_up;
    let run = format!(
        "run: 99 % of {} px/s after {} s and {} px",
        spell_number(FeelQuantity::RunUp, dash.top),
        spell_number(FeelQuantity::TimeToApex, time),
        spell_number(FeelQuantity::RunUp, distance),
    );
    let stop = match dash.stop {
        Some((time, distance)) => format!(
            "stop: at rest {} s and {} px after the release",
            spell_number(FeelQuantity::TimeToApex, time),
            spell_number(FeelQuantity::StopDistance, distance),
        ),
        None => "stop: it does not come to rest".into(),
    };
    for (text, y, color) in [(&run, top + 38.0, RUN), (&stop, top + 56.0, STOP)] {
        area.draw(&PathElement::new([(px(LEFT), px(y)), (px(LEFT + 18.0), px(y))], line(color, 3.0)))?;
        write(area, text, (LEFT + 24.0, y), &left(12.0, INK))?;
    }
    let below = part(area, (0.0, top + ABOVE), (WIDTH - RIGHT, HIGH + BELOW));
    let mut chart = ChartBuilder::on(&below)
        .x_label_area_size(px(BELOW))
        .margin_left(px(8.0))
        .y_label_area_size(px(LEFT - 8.0))
        .build_cartesian_2d(PlotAxis::of_numbers(0.0..seconds, 8), PlotAxis::of_numbers(0.0..speed, 6))?;
    axes(&mut chart, ["time, s", "speed along the ground, px/s"], true)?;
    let points: Vec<(f64, f64)> = dash
        .samples
        .iter()
        .enumerate()
        .map(|(tick, sample)| (tick as f64 * dash.dt, sample.pace))
        .collect();
    let parts = [(&points[..=dash.released], RUN), (&points[dash.released..], STOP)];
    for (part, color) in parts {
        chart.draw_series(LineSeries::new(part.iter().copied(), line(color, 2.0)))?;
        if points.len() <= MOST_DOTS {
            chart.draw_series(part.iter().map(|dot| Circle::new(*dot, px(2.0), color.filled())))?;
        }
    }
    let released = dash.released as f64 * dash.dt;
    let rest = dash.stop.map(|(time, _)| (released + time, 0.0));
    let marks = [Some((time, 0.99 * dash.top)), rest];
    for (mark, color) in marks.into_iter().zip([RUN, STOP]).filter_map(|(mark, color)| Some((mark?, color))) {
        if mark.1 > 0.0 {
            dashed(&chart, [mark, (mark.0, 0.0)], color)?;
        }
        for style in [WHITE.filled(), line(color, 2.0)] {
            chart.draw_series([Circle::new(mark, px(4.0), style)])?;
        }
    }
    Ok(())
}
