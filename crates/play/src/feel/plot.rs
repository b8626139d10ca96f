//! The arc of a jump as SVG.

use super::*;
use crate::plot::*;
use plotters::prelude::*;

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
        let title = fitted(&self.plot.title, 15.0, WIDTH - LEFT);
        write(area, &title, (LEFT, top + 17.0), &left(15.0, INK))?;
        let axis = |length: f64, most| PlotAxis::of_numbers(0.0..length / self.scale, most);
        let below = part(area, (0.0, top + ABOVE), (WIDTH - RIGHT, self.high + BELOW));
        let mut chart = ChartBuilder::on(&below)
            .x_label_area_size(px(BELOW))
            .margin_left(px(8.0))
            .y_label_area_size(px(LEFT - 8.0))
            .build_cartesian_2d(axis(WIDTH - LEFT - RIGHT, 8), axis(self.high, 7))?;
        axes(&mut chart, ["distance, px", "height of the feet, px"], true)?;
        for (i, (arc, (name, color, quantity))) in self.plot.arcs.iter().zip(CURVES).enumerate() {
            let (x, y) = (LEFT + 120.0 * i as f64, top + 38.0);
            let key = [(px(x), px(y)), (px(x + 18.0), px(y))];
            area.draw(&PathElement::new(key, line(color, 3.0)))?;
            write(area, name, (x + 24.0, y), &left(12.0, INK))?;
            let from = arc.samples[0];
            let (apex, landing) = (apex(arc), landing(arc));
            let in_air = arc.samples[..arc.samples.len() - 1].iter().enumerate();
            let in_air = in_air.map(|(i, at)| (i as f64 * arc.dt, at.x - from.x, at.height - from.height));
            let mut points: Vec<(f64, f64, f64)> = in_air.collect();
            let dots: Vec<(f64, f64)> = points.iter().map(|(_, x, height)| (*x, *height)).collect();
            let highest = (apex.x - from.x, apex.height);
            points.push((apex.time, highest.0, highest.1));
            points.push((landing.time, landing.x - from.x, landing.height - from.height));
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            let curve = points.into_iter().map(|(_, x, height)| (x, height));
            chart.draw_series(LineSeries::new(curve, line(color, 2.0)))?;
            if dots.len() <= MOST_DOTS {
                chart.draw_series(dots.into_iter().map(|dot| Circle::new(dot, px(2.0), color.filled())))?;
            }
            dashed(&chart, [highest, (highest.0, 0.0)], color)?;
            for style in [WHITE.filled(), line(color, 2.0)] {
                chart.draw_series([Circle::new(highest, px(4.0), style)])?;
            }
            let height = spell_measure(quantity, apex.height);
            let time = spell_number(FeelQuantity::TimeToApex, apex.time);
            let text = format!("{} {height} after {time} s", quantity.name());
            // A hop is so low that its label would be on the other arc.
            let x = if quantity == FeelQuantity::Hop { landing.x } else { apex.x } - from.x;
            let x = (LEFT + x * self.scale + 8.0).min(WIDTH - RIGHT - text_width(&text, 12.0));
            let y = top + ABOVE + self.high - apex.height * self.scale - 10.0;
            write(area, &text, (x, y), &left(12.0, color))?;
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
