//! Plots of the picked entity's motion.

use crate::tuning::Setting;
use crate::viewer::shared::Published;
use crate::workbench::panel::{EntityFacts, MOTION_SECONDS, MotionSample, MotionTrace};
use egui::{Color32, Ui};
use egui_plot::{Legend, Line, Plot, PlotPoints, PlotUi, Span};

const GROUND: Color32 = Color32::from_rgba_premultiplied(30, 60, 30, 60);
const COYOTE: Color32 = Color32::from_rgba_premultiplied(80, 60, 10, 80);

/// The motion of the last seconds.
#[derive(Default)]
pub(super) struct MotionPlots {
    trace: MotionTrace,
    /// The window for late jumps of the entity's model, s; 0 without one.
    coyote_time: f64,
}

impl MotionPlots {
    /// Adds how the entity moves in the shown tick.
    pub fn record(
        &mut self,
        published: &Published,
        name: Option<&str>,
        facts: Option<&EntityFacts>,
    ) {
        let views = published.now.iter();
        let view = name.and_then(|name| views.into_iter().find(|view| *view.name == *name));
        if let Some(view) = view {
            self.trace.record(published.time, view);
        }
        let profiles = &published.revision.stage.profiles;
        let setting = facts.and_then(|facts| {
            let loadouts = &profiles.get(facts.profile)?.loadouts;
            loadouts.setting(facts.model, "coyote_time")
        });
        self.coyote_time = match setting {
            Some(Setting::Number(x)) => x,
            _ => 0.0,
        };
    }

    /// Two plots with the same time axis: height, and velocities.
    pub fn show(&self, ui: &mut Ui) {
        ui.small("green: on the ground; amber: a late jump is possible");
        let height: &[(&str, Quantity)] = &[("height, px", |s| s.height)];
        let speeds: &[(&str, Quantity)] = &[
            ("vx, px/s", |s| s.vel[0]),
            ("vy, px/s", |s| s.vel[1]),
            ("speed, px/s", |s| s.speed),
        ];
        for (id, lines) in [("height", height), ("speeds", speeds)] {
            let plot = Plot::new(id)
                .height(130.0)
                .legend(Legend::default())
                .link_axis("time", [true, false])
                .link_cursor("time", [true, false])
                .allow_drag(false)
                .allow_scroll(false)
                .allow_zoom(false);
            plot.show(ui, |plot| self.draw(plot, lines));
        }
    }

    fn draw(&self, plot: &mut PlotUi<'_>, lines: &[(&str, Quantity)]) {
        for (start, end) in self.trace.ground() {
            plot.span(Span::new("", start..=end).fill(GROUND));
        }
        for (start, end) in self.trace.coyote(self.coyote_time) {
            plot.span(Span::new("", start..=end).fill(COYOTE));
        }
        for (name, quantity) in lines {
            let points = self.trace.samples().map(|s| [s.time, quantity(s)]);
            plot.line(Line::new(*name, PlotPoints::from_iter(points)));
        }
        if let Some(last) = self.trace.samples().last() {
            plot.set_plot_bounds_x(last.time - MOTION_SECONDS..=last.time);
        }
    }
}

/// What a line shows of a sample.
type Quantity = fn(&MotionSample) -> f64;
