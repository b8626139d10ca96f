//! The arc of a jump as SVG.

use super::arc::{ArcPoint, FeelArc};
use super::spelling::{spell_measure, spell_number};
use hangtime_draw::xml_text;
use hangtime_game::files::FeelQuantity;
use std::fmt::Write as _;

/// A plot of a kind under one model: a full jump, then a hop.
#[derive(Clone, Debug)]
pub struct ArcPlot<'a> {
    /// What is shown, such as `hero, platformer, 60 Hz`.
    pub title: String,
    /// The full jump and the hop.
    pub arcs: &'a [FeelArc; 2],
}

/// Width of the picture, and the space around a panel: left, right, above and below.
const WIDTH: f64 = 760.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 28.0;
const ABOVE: f64 = 58.0;
const BELOW: f64 = 56.0;

/// The largest and smallest height of a panel.
const TALLEST: f64 = 480.0;
const LOWEST: f64 = 90.0;

/// Labels that would begin to the right of this end at the right side instead.
const LABELS: f64 = 520.0;

/// Ticks are dots on the arcs, unless there are more than this.
const MOST_DOTS: usize = 200;

/// The curves: name and color.
const CURVES: [(&str, &str); 2] = [("full jump", "#1f5fbf"), ("hop", "#c2570c")];

/// Draws the plots below each other.
#[must_use]
pub fn plot_arcs(plots: &[ArcPlot<'_>]) -> String {
    let mut body = String::new();
    let mut top = 0.0;
    for plot in plots {
        let panel = ArcPanel::new(plot, top);
        panel.draw(&mut body);
        top = panel.bottom();
    }
    let height = top.max(1.0);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {WIDTH} {height:.0}\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n\
         <rect width=\"{WIDTH}\" height=\"{height:.0}\" fill=\"#fff\"/>\n{body}</svg>\n"
    )
}

/// One plot and the scale of its axes.
struct ArcPanel<'a> {
    plot: &'a ArcPlot<'a>,
    /// y of its upper end in the picture.
    top: f64,
    /// The length and height that it shows, px of the game.
    span: (f64, f64),
    /// Pixels of the picture per px of the game.
    scale: f64,
    height: f64,
}

impl<'a> ArcPanel<'a> {
    fn new(plot: &'a ArcPlot<'a>, top: f64) -> Self {
        let [full, hop] = plot.arcs;
        let length = |arc: &FeelArc| landing(arc).x - arc.samples[0].x;
        let long = length(full).max(length(hop)).max(1.0) * 1.04;
        let high = apex(full).height.max(apex(hop).height).max(1.0) * 1.12;
        // Both axes have the same scale, so that the arc has its true shape.
        let width = WIDTH - LEFT - RIGHT;
        let scale = (width / long).min(TALLEST / high);
        Self { plot, top, span: (width / scale, high.max(LOWEST / scale)), scale, height: (high * scale).max(LOWEST) }
    }

    fn bottom(&self) -> f64 {
        self.top + ABOVE + self.height + BELOW
    }

    fn x(&self, along: f64) -> f64 {
        LEFT + along * self.scale
    }

    fn y(&self, height: f64) -> f64 {
        self.top + ABOVE + self.height - height * self.scale
    }

    fn draw(&self, out: &mut String) {
        let title = xml_text(&self.plot.title);
        let (x, y) = (LEFT, self.top + 22.0);
        line(out, format_args!("<text x=\"{x}\" y=\"{y}\" font-size=\"15\">{title}</text>"));
        self.draw_axes(out);
        for (i, (arc, (name, color))) in self.plot.arcs.iter().zip(CURVES).enumerate() {
            self.draw_arc(out, arc, color);
            let (x, y) = (LEFT + 120.0 * i as f64, self.top + 42.0);
            line(
                out,
                format_args!(
                    "<rect x=\"{x}\" y=\"{}\" width=\"18\" height=\"3\" fill=\"{color}\"/>\
                 <text x=\"{}\" y=\"{y}\">{name}</text>",
                    y - 6.0,
                    x + 24.0
                ),
            );
        }
        self.mark_apex(out);
    }

    fn draw_axes(&self, out: &mut String) {
        let (long, high) = self.span;
        let (left, right, ground) = (self.x(0.0), self.x(long), self.y(0.0));
        for value in ticks(high) {
            let y = self.y(value);
            line(
                out,
                format_args!(
                    "<path d=\"M{left:.1} {y:.1}H{right:.1}\" stroke=\"#ddd\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{value}</text>",
                    left - 6.0,
                    y + 4.0
                ),
            );
        }
        for value in ticks(long) {
            let x = self.x(value);
            line(
                out,
                format_args!(
                    "<path d=\"M{x:.1} {ground:.1}v5\" stroke=\"#222\"/>\
                 <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{value}</text>",
                    ground + 18.0
                ),
            );
        }
        let top = self.y(high);
        line(
            out,
            format_args!("<path d=\"M{left:.1} {top:.1}V{ground:.1}H{right:.1}\" fill=\"none\" stroke=\"#222\"/>"),
        );
        let (middle, below) = (0.5 * (left + right), ground + 38.0);
        line(out, format_args!("<text x=\"{middle:.1}\" y=\"{below:.1}\" text-anchor=\"middle\">distance, px</text>"));
        let (x, y) = (16.0, 0.5 * (top + ground));
        line(
            out,
            format_args!(
                "<text x=\"{x}\" y=\"{y:.1}\" text-anchor=\"middle\" \
             transform=\"rotate(-90 {x} {y:.1})\">height of the feet, px</text>"
            ),
        );
    }

    fn draw_arc(&self, out: &mut String, arc: &FeelArc, color: &str) {
        let from = arc.samples[0];
        let (apex, landing) = (apex(arc), landing(arc));
        let in_air = &arc.samples[..arc.samples.len() - 1];
        let at = |i: usize| {
            let sample = arc.samples[i];
            (i as f64 * arc.dt, sample.x, sample.height - from.height)
        };
        let mut points: Vec<(f64, f64, f64)> = (0..in_air.len()).map(at).collect();
        points.push((apex.time, apex.x, apex.height));
        points.push((landing.time, landing.x, landing.height - from.height));
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut path = String::new();
        for (_, x, height) in &points {
            let word = if path.is_empty() { 'M' } else { 'L' };
            let (x, y) = (self.x(x - from.x), self.y(*height));
            let _ = write!(path, "{word}{x:.2} {y:.2}");
        }
        line(out, format_args!("<path d=\"{path}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>"));
        if in_air.len() <= MOST_DOTS {
            for sample in in_air {
                let (x, y) = (self.x(sample.x - from.x), self.y(sample.height - from.height));
                line(out, format_args!("<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"2\" fill=\"{color}\"/>"));
            }
        }
    }

    fn mark_apex(&self, out: &mut String) {
        let [full, hop] = self.plot.arcs;
        for (arc, (_, color), quantity) in [(hop, CURVES[1], FeelQuantity::Hop), (full, CURVES[0], FeelQuantity::Apex)]
        {
            let (apex, from) = (apex(arc), arc.samples[0].x);
            let (x, y) = (self.x(apex.x - from), self.y(apex.height));
            // A hop is so low that its label would be on the other arc.
            let past_hop = self.x(landing(arc).x - from);
            let at = match quantity {
                FeelQuantity::Hop => past_hop,
                _ => x,
            };
            let (at, anchor) = if at < LABELS { (at + 8.0, "start") } else { (WIDTH - RIGHT, "end") };
            let height = spell_measure(quantity, apex.height);
            let time = spell_number(FeelQuantity::TimeToApex, apex.time);
            let name = quantity.name();
            let (ground, above) = (self.y(0.0), y - 6.0);
            line(
                out,
                format_args!(
                    "<path d=\"M{x:.1} {y:.1}V{ground:.1}\" stroke=\"{color}\" stroke-dasharray=\"3 3\"/>\
                     <circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"#fff\" stroke=\"{color}\" \
                     stroke-width=\"2\"/>\
                     <text x=\"{at:.1}\" y=\"{above:.1}\" fill=\"{color}\" text-anchor=\"{anchor}\">\
                     {name} {height} after {time} s</text>"
                ),
            );
        }
    }
}

/// The highest point of an arc. One whose apex is not known is not drawn.
fn apex(arc: &FeelArc) -> ArcPoint {
    arc.apex().unwrap_or(arc.end())
}

fn landing(arc: &FeelArc) -> ArcPoint {
    arc.landing().unwrap_or(arc.end())
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = writeln!(out, "{text}");
}

/// Round numbers from 0 to `most`.
fn ticks(most: f64) -> Vec<f64> {
    let rough = most / 6.0;
    let power = 10_f64.powi(rough.log10().floor() as i32);
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    let step = steps.into_iter().find(|step| *step >= rough).unwrap_or(rough);
    let count = (most / step).floor() as u32;
    (0..=count).map(|i| f64::from(i) * step).collect()
}

#[cfg(test)]
mod tests {
    use super::ticks;

    #[test]
    fn ticks_are_round_numbers_up_to_the_end() {
        assert_eq!(ticks(520.0), [0.0, 100.0, 200.0, 300.0, 400.0, 500.0]);
        assert_eq!(ticks(10.5), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
    }
}
