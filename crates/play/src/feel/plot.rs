//! The arc of a jump as SVG.

use super::arc::{ArcPoint, FeelArc};
use super::spelling::{spell_measure, spell_number};
use crate::plot::{
    GRID, INK, Label, PlotArea, PlotAxis, PlotResult, WIDTH, dashed, fitted, line, picture, px, style, text_width,
};
use hangtime_game::files::FeelQuantity;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;
use std::io;

/// A plot of a kind under one model: a full jump, then a hop.
pub struct ArcPlot<'a> {
    /// What is shown, such as `hero, platformer, 60 Hz`.
    pub title: String,
    /// The full jump and the hop.
    pub arcs: &'a [FeelArc; 2],
}

/// Space around a panel, px: left, right, above and below.
const LEFT: f64 = 64.0;
const RIGHT: f64 = 28.0;
const ABOVE: f64 = 58.0;
const BELOW: f64 = 56.0;

/// The largest and smallest height of a panel, px.
const TALLEST: f64 = 480.0;
const LOWEST: f64 = 90.0;

/// Ticks are dots on the arcs, unless there are more than this.
const MOST_DOTS: usize = 200;

/// The curves: name, color, and the height that is marked.
const CURVES: [(&str, RGBColor, FeelQuantity); 2] = [
    ("full jump", RGBColor(0x1f, 0x5f, 0xbf), FeelQuantity::Apex),
    ("hop", RGBColor(0xc2, 0x57, 0x0c), FeelQuantity::Hop),
];

/// Draws the plots below each other.
///
/// # Errors
/// None that is known: the picture is drawn in memory.
pub fn plot_arcs(plots: &[ArcPlot<'_>]) -> io::Result<String> {
    let panels: Vec<ArcPanel<'_>> = plots.iter().map(ArcPanel::new).collect();
    let height = panels.iter().map(ArcPanel::height).sum::<f64>().max(1.0);
    picture(height, |area| {
        let mut top = 0.0;
        for panel in &panels {
            panel.draw(area, top)?;
            top += panel.height();
        }
        Ok(())
    })
}

/// One plot and the scale of its axes.
struct ArcPanel<'a> {
    plot: &'a ArcPlot<'a>,
    /// Pixels of the picture per px of the game.
    scale: f64,
    /// The height of the axes.
    high: f64,
}

impl<'a> ArcPanel<'a> {
    fn new(plot: &'a ArcPlot<'a>) -> Self {
        let most = |length: fn(&FeelArc) -> f64| plot.arcs.iter().map(length).fold(1.0, f64::max);
        let long = most(|arc| landing(arc).x - arc.samples[0].x) * 1.04;
        let high = most(|arc| apex(arc).height) * 1.12;
        // Both axes have the same scale, so that the arc has its true shape.
        let scale = ((WIDTH - LEFT - RIGHT) / long).min(TALLEST / high);
        Self { plot, scale, high: (high * scale).max(LOWEST) }
    }

    fn height(&self) -> f64 {
        ABOVE + self.high + BELOW
    }

    fn draw(&self, area: &PlotArea<'_>, top: f64) -> PlotResult {
        let label = |text: &str, x: f64, y: f64, size: f64, color: RGBColor| {
            Label { text, at: (x, top + y), anchor: HPos::Left, size, color }.draw(area)
        };
        label(&fitted(&self.plot.title, 15.0, WIDTH - LEFT), LEFT, 17.0, 15.0, INK)?;
        let part = area.clone().shrink((0, px(top + ABOVE)), (px(WIDTH - RIGHT), px(self.high + BELOW)));
        let axis = |length: f64, most| PlotAxis::of_numbers(0.0..length / self.scale, most);
        let mut chart = ChartBuilder::on(&part)
            .x_label_area_size(px(BELOW))
            .margin_left(px(8.0))
            .y_label_area_size(px(LEFT - 8.0))
            .build_cartesian_2d(axis(WIDTH - LEFT - RIGHT, 8), axis(self.high, 7))?;
        let mut mesh = chart.configure_mesh();
        mesh.disable_x_mesh().light_line_style(TRANSPARENT).bold_line_style(line(GRID, 1.0));
        mesh.axis_style(line(INK, 1.0)).set_all_tick_mark_size(px(5.0));
        mesh.label_style(style(12.0, INK)).axis_desc_style(style(12.0, INK));
        mesh.x_desc("distance, px").y_desc("height of the feet, px").draw()?;
        for (i, (arc, (name, color, quantity))) in self.plot.arcs.iter().zip(CURVES).enumerate() {
            let x = LEFT + 120.0 * i as f64;
            let key = [(px(x), px(top + 38.0)), (px(x + 18.0), px(top + 38.0))];
            area.draw(&PathElement::new(key, line(color, 3.0)))?;
            label(name, x + 24.0, 38.0, 12.0, INK)?;
            let from = arc.samples[0];
            let (apex, landing) = (apex(arc), landing(arc));
            let in_air = arc.samples[..arc.samples.len() - 1].iter().enumerate();
            let dots: Vec<ArcPoint> = in_air
                .map(|(i, at)| ArcPoint { time: i as f64 * arc.dt, x: at.x, height: at.height - from.height })
                .collect();
            let mut points = dots.clone();
            points.extend([apex, ArcPoint { height: landing.height - from.height, ..landing }]);
            points.sort_by(|a, b| a.time.total_cmp(&b.time));
            let at = |point: &ArcPoint| (point.x - from.x, point.height);
            chart.draw_series(LineSeries::new(points.iter().map(at), line(color, 2.0)))?;
            if dots.len() <= MOST_DOTS {
                chart.draw_series(dots.iter().map(|dot| Circle::new(at(dot), px(2.0), color.filled())))?;
            }
            dashed(&chart, [at(&apex), (at(&apex).0, 0.0)], color)?;
            for style in [WHITE.filled(), line(color, 2.0)] {
                chart.draw_series([Circle::new(at(&apex), px(4.0), style)])?;
            }
            let height = spell_measure(quantity, apex.height);
            let time = spell_number(FeelQuantity::TimeToApex, apex.time);
            let text = format!("{} {height} after {time} s", quantity.name());
            // A hop is so low that its label would be on the other arc.
            let x = if quantity == FeelQuantity::Hop { landing.x } else { apex.x } - from.x;
            let x = LEFT + x * self.scale + 8.0;
            let x = x.min(WIDTH - RIGHT - text_width(&text, 12.0));
            label(&text, x, ABOVE + self.high - apex.height * self.scale - 10.0, 12.0, color)?;
        }
        Ok(())
    }
}

/// The highest point of an arc. One whose apex is not known is not drawn.
fn apex(arc: &FeelArc) -> ArcPoint {
    arc.apex().unwrap_or(arc.end())
}

fn landing(arc: &FeelArc) -> ArcPoint {
    arc.landing().unwrap_or(arc.end())
}
