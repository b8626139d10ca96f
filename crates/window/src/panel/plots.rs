//! Plots of the picked entity's motion, and of the motion before and after an edit.

use super::{
    colors::{PARTED, band_color, curve_color},
    *,
};
use egui::{Label, PopupAnchor, Rangef, Tooltip, Vec2};
use egui_plot::{AxisHints, Line, LineStyle, Plot, PlotPoints, PlotUi, Span, VLine};
use hangtime_workbench::panel::{MOTION_SECONDS, MotionPair, MotionRun};

/// The smallest height of a plot, points.
const LOWEST: f32 = 60.0;

/// The height of the time axis, points.
const AXIS: f32 = 20.0;

/// The share of its color that an old curve keeps.
const FADED: f32 = 0.45;

/// What the plots show.
#[derive(Clone, Copy, PartialEq)]
enum Tab {
    Last,
    Edit,
}

/// The plots, and what the user has chosen to see.
#[derive(Default)]
pub struct MotionPlots {
    /// `None` until the user has chosen: the last edit as soon as there is one.
    tab: Option<Tab>,
    /// Whether only their title is shown.
    pub folded: bool,
}

/// What the plots of one tab show.
enum Shown<'a> {
    Last(&'a MotionRun),
    Edit(&'a MotionPair),
}

impl MotionPlots {
    /// Shows two plots with the same time axis: height, and velocities.
    pub fn show(&mut self, ui: &mut Ui, facts: &PanelFacts) {
        let pair = facts.compared.as_deref();
        let tab = match (self.tab, pair) {
            (_, None) | (Some(Tab::Last), _) => Tab::Last,
            _ => Tab::Edit,
        };
        self.tabs(ui, tab, pair);
        if !self.folded {
            self.unfolded(ui, facts, tab);
        }
    }

    /// Shows them where nothing else is, so that there is nothing to fold them for.
    pub fn show_alone(&mut self, ui: &mut Ui, facts: &PanelFacts) {
        self.folded = false;
        self.show(ui, facts);
    }

    fn unfolded(&self, ui: &mut Ui, facts: &PanelFacts, tab: Tab) {
        let pair = facts.compared.as_deref();
        // All of the height that the user gives.
        ui.set_min_height(ui.available_height());
        match pair.filter(|_| tab == Tab::Edit) {
            Some(pair) => Shown::Edit(pair).show(ui),
            None => Shown::Last(&facts.motion).show(ui),
        }
    }

    fn tabs(&mut self, ui: &mut Ui, now: Tab, pair: Option<&MotionPair>) {
        ui.horizontal_wrapped(|ui| {
            let mark = if self.folded { "⏵" } else { "⏷" };
            if ui.button(format!("{mark} motion")).clicked() {
                self.folded = !self.folded;
            }
            if self.folded {
                return;
            }
            let last = format!("last {MOTION_SECONDS} s");
            if ui.selectable_label(now == Tab::Last, last).clicked() {
                self.tab = Some(Tab::Last);
            }
            let edit = pair.map_or("old and new".into(), |pair| {
                format!("revisions {} and {}", pair.revisions[0], pair.revisions[1])
            });
            let edit = egui::Button::selectable(now == Tab::Edit, edit);
            let edit = ui.add_enabled(pair.is_some(), edit);
            let edit = edit.on_disabled_hover_text("edit a number or a file to compare two runs");
            if edit.clicked() {
                self.tab = Some(Tab::Edit);
            }
        });
    }
}

impl Shown<'_> {
    fn newest(&self) -> &MotionRun {
        match self {
            Self::Last(run) => run,
            Self::Edit(pair) => &pair.new,
        }
    }

    /// The curves of the lower plot.
    fn speeds(&self) -> Vec<MotionCurve> {
        let curves = MotionCurve::ALL.into_iter().skip(1);
        let above = self.newest().is_from_above();
        curves.filter(|curve| above || *curve != MotionCurve::VelZ).collect()
    }

    /// The times that are shown, s.
    fn times(&self) -> (f64, f64) {
        match self {
            Self::Last(_) => (-MOTION_SECONDS, 0.0),
            Self::Edit(pair) => {
                let runs = [&pair.old, &pair.new];
                let ends = runs.map(|run| run.samples.last().map_or(0.0, |s| run.time(s)));
                (0.0, ends[0].max(ends[1]).max(0.1))
            }
        }
    }

    fn show(&self, ui: &mut Ui) {
        let speeds = self.speeds();
        self.legend(ui, &speeds);
        let height = ((ui.available_height() - AXIS) / 2.0 - 4.0).max(LOWEST);
        let all: Vec<MotionCurve> = [MotionCurve::Height].into_iter().chain(speeds.clone()).collect();
        let marked = ui.id().with("hovered time");
        let hovered = ui.data_mut(|data| data.remove_temp::<f64>(marked));
        for (id, curves, extra) in [("height", &all[..1], 0.0), ("speeds", &speeds[..], AXIS)] {
            let plot = new_plot(id, extra > 0.0).height(height + extra);
            let shown = plot.show(ui, |plot| {
                self.draw(plot, curves);
                if let Some(time) = hovered {
                    plot.vline(VLine::new("", time).color(Color32::GRAY).width(1.0));
                }
                let is_over = plot.response().contains_pointer();
                plot.pointer_coordinate().filter(|_| is_over).map(|at| at.x)
            });
            let Some(time) = shown.inner else { continue };
            ui.data_mut(|data| data.insert_temp(marked, time));
            let lines = self.reading(time, &all);
            if !lines.is_empty() {
                read(&shown.response, &lines);
            }
        }
    }

    fn reading(&self, time: f64, curves: &[MotionCurve]) -> Vec<String> {
        match self {
            Self::Last(run) => run.reading(time, curves),
            Self::Edit(pair) => pair.reading(time, curves),
        }
    }

    fn draw(&self, plot: &mut PlotUi<'_>, curves: &[MotionCurve]) {
        let newest = self.newest();
        for band in MotionBand::ALL {
            for (start, end) in newest.spans(band) {
                plot.span(Span::new("", start..=end).fill(band_color(band)));
            }
        }
        let (start, end) = self.times();
        for curve in curves {
            if let Self::Edit(pair) = self {
                let faded = curve_color(*curve).gamma_multiply(FADED);
                lines(plot, &pair.old, *curve, (faded, 1.5));
            }
            lines(plot, newest, *curve, (curve_color(*curve), 1.5));
        }
        if let Self::Edit(MotionPair { parts_at: Some(parted), .. }) = self {
            let mark = VLine::new("", *parted).color(PARTED).width(1.5);
            plot.vline(mark.style(LineStyle::dashed_loose()));
        }
        plot.set_plot_bounds_x(start..=end);
    }

    /// The colors of curves and bands, and where the paths part.
    fn legend(&self, ui: &mut Ui, speeds: &[MotionCurve]) {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = Vec2::new(4.0, 1.0);
            for curve in [MotionCurve::Height].iter().chain(speeds) {
                let (name, unit) = curve.name();
                let text = format!("— {name}");
                ui.label(RichText::new(text).small().color(curve_color(*curve))).on_hover_text(unit);
            }
            for band in MotionBand::ALL {
                let name = RichText::new(format!(" {} ", band.name())).small();
                let text = match band {
                    MotionBand::Press => Color32::BLACK,
                    _ => Color32::WHITE,
                };
                let name = name.background_color(band_color(band)).color(text);
                ui.add(Label::new(name).extend()).on_hover_text(meaning(band));
            }
            if let Self::Edit(pair) = self {
                let parted = pair
                    .parts_at
                    .map_or_else(|| "the same path".into(), |time| format!("the paths diverge after {time:.2} s"));
                let text = format!("{}: old faded; {parted}", pair.name);
                ui.label(RichText::new(text).small().color(PARTED));
            }
        });
    }
}

fn lines(plot: &mut PlotUi<'_>, run: &MotionRun, curve: MotionCurve, (color, width): (Color32, f32)) {
    for part in run.lines(curve) {
        plot.line(Line::new("", PlotPoints::from(part)).color(color).width(width));
    }
}

/// A plot that only shows: it neither moves nor zooms.
fn new_plot<'a>(id: &str, with_times: bool) -> Plot<'a> {
    let times = AxisHints::new_x().label_spacing(Rangef::new(20.0, 40.0));
    Plot::new(id)
        .custom_x_axes(vec![times])
        .show_axes([with_times, true])
        .y_axis_min_width(38.0)
        .label_formatter(|_| None)
        .show_crosshair(false)
        .link_axis("time", [true, false])
        .allow_drag(false)
        .allow_scroll(false)
        .allow_zoom(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
}

/// Shows the values at the mouse, at once.
fn read(plot: &Response, lines: &[String]) {
    let (layer, id) = (plot.layer_id, plot.id.with("values"));
    let tip = Tooltip::always_open(plot.ctx.clone(), layer, id, PopupAnchor::Pointer);
    tip.gap(12.0).show(|ui| {
        for line in lines {
            // The panel's font has no arrow.
            ui.add(Label::new(line.replace('→', "->")).extend());
        }
    });
}

/// What a band means, for its legend.
fn meaning(band: MotionBand) -> &'static str {
    match band {
        MotionBand::Ground => "on the ground",
        MotionBand::Coyote => "coyote_time: a late jump is possible",
        MotionBand::Buffer => "jump_buffer: a press waits for the ground",
        MotionBand::Hold => "jump_hold_time: holding the key keeps it rising",
        MotionBand::Press => "a press of jump or hook",
    }
}
