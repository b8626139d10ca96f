//! The tuning panel in the window: egui over the picture.

mod colors;
mod findings;
mod plots;
mod rows;
mod saving;
mod strip;

use super::{gpu::PanelPicture, tuning_link::PanelFacts, *};
use colors::{CONFLICT, EDITED};
use egui::{Color32, Panel, Response, RichText, ScrollArea, Ui};
use hangtime_game::TuningScope;
use hangtime_workbench::{
    DrawingOrder, StripOrder,
    panel::{MotionBand, MotionCurve, TunedValue, Tuner, TuningKey, tuning_path, tuning_sections},
};
use plots::MotionPlots;
use saving::SaveJob;
use strip::StripWindow;

/// The width of the panel, in points; in a narrow window, half of it.
const WIDTH: f32 = 360.0;

/// The part of the panel's width that sliders leave to their values, and the shortest slider, in points.
const NEXT_TO_SLIDERS: f32 = 160.0;
const SHORTEST_SLIDER: f32 = 60.0;

/// The initial height of the plots, in points.
const PLOTS: f32 = 290.0;
const LEAST_PLOTS: f32 = 180.0;

/// The least height for the numbers above the plots, in points. With less, only one of both is shown.
const LEAST_ROWS: f32 = 170.0;

/// The panel, open or not. Edits stay in effect while it is closed.
pub struct PanelWindow {
    folder: GameFolder,
    tuner: Tuner,
    /// The changes that were last passed to the game.
    sent: Option<Vec<TuningChange>>,
    /// The number of levels that have been opened.
    levels: u64,
    open: bool,
    /// The width of the open panel, points.
    width: f32,
    /// Where the mouse is, and where the panel and the timeline begin, physical pixels from the left and from the top. What
    /// egui knows is as old as the last picture.
    mouse: (f64, f64),
    begins: (f64, f64),
    /// The timeline at the bottom.
    strip: StripWindow,
    /// Whether Ctrl is down.
    ctrl: bool,
    search: String,
    /// The moment whose numbers are listed, by its name.
    blamed: &'static str,
    plots: MotionPlots,
    /// Whether a low window shows the plots instead of the numbers.
    plots_alone: bool,
    saving: SaveJob,
    /// egui, once there is a window.
    input: Option<egui_winit::State>,
    /// What was drawn last, and when egui wants to draw it again.
    drawn: Option<Arc<PanelFacts>>,
    again: Option<Instant>,
}

impl PanelWindow {
    pub fn new(folder: GameFolder, revision: Arc<Revision>) -> Self {
        Self {
            folder,
            tuner: Tuner::new(revision),
            sent: Some(Vec::new()),
            levels: 0,
            open: false,
            width: WIDTH,
            mouse: (0.0, 0.0),
            begins: (f64::INFINITY, f64::INFINITY),
            strip: StripWindow::default(),
            ctrl: false,
            search: String::new(),
            blamed: "landing",
            plots: MotionPlots::default(),
            plots_alone: false,
            saving: SaveJob::default(),
            input: None,
            drawn: None,
            again: None,
        }
    }

    /// Starts egui again for a driver that was just opened: it has no textures yet.
    pub fn restart(&mut self, window: &Window, longest: usize) {
        let context = egui::Context::default();
        context.set_theme(egui::Theme::Dark);
        context.all_styles_mut(|style| {
            style.visuals.panel_fill = Color32::from_black_alpha(225);
            style.visuals.widgets.noninteractive.fg_stroke.color = Color32::from_gray(210);
            let small = egui::FontId::proportional(11.0);
            style.text_styles.insert(egui::TextStyle::Small, small);
        });
        let (id, factor) = (egui::ViewportId::ROOT, window.scale_factor() as f32);
        let input = egui_winit::State::new(context, id, window, Some(factor), None, Some(longest));
        self.input = Some(input);
    }

    pub fn toggle(&mut self) {
        self.open = !self.open;
    }

    /// Opens the timeline, or closes it.
    pub fn toggle_strip(&mut self) {
        self.strip.toggle();
    }

    /// Closes the panel or else the timeline. Returns whether one was open. Edits stay in effect.
    pub fn close(&mut self) -> bool {
        mem::take(&mut self.open) || self.strip.close()
    }

    /// Handles a key for the open timeline. Returns whether it is for that.
    pub fn edit_presses(&mut self, key: &str, shared: &SharedState) -> bool {
        let order = match key {
            "Delete" => return self.strip.delete(shared),
            "KeyZ" => StripOrder::Undo,
            "KeyY" => StripOrder::Redo,
            _ => return false,
        };
        let is_for_it = self.strip.is_open() && self.ctrl;
        if is_for_it {
            shared.strip.order(order);
        }
        is_for_it
    }

    fn is_any_open(&self) -> bool {
        self.open || self.strip.is_open()
    }

    /// The number of edits that are not in the files.
    pub fn unsaved(&self) -> usize {
        self.tuner.unsaved_count()
    }

    /// Ends the editing of a text. Returns whether there was one.
    pub fn leave_text(&self) -> bool {
        if !self.takes_keys() {
            return false;
        }
        let focused = self.context().and_then(|context| Some((context, context.memory(egui::Memory::focused)?)));
        if let Some((context, id)) = focused {
            context.memory_mut(|memory| memory.surrender_focus(id));
        }
        true
    }

    /// Exchanges the two sets of numbers.
    pub fn swap(&mut self) {
        self.tuner.swap();
    }

    fn context(&self) -> Option<&egui::Context> {
        self.input.as_ref().map(egui_winit::State::egui_ctx)
    }

    /// The width of the window's right side and the height of its bottom that are covered, in physical pixels.
    pub fn covered(&self, window: &Window) -> (u32, u32) {
        let width = if self.open { self.width } else { 0.0 };
        let pixels = |points: f32| (f64::from(points) * window.scale_factor()).ceil() as u32;
        (pixels(width), pixels(self.strip.covers()))
    }

    /// Whether a text is being edited, so that keys are not for the game.
    pub fn takes_keys(&self) -> bool {
        self.open && self.context().is_some_and(egui::Context::egui_wants_keyboard_input)
    }

    /// Whether the mouse is over the panel or the timeline, or drags something in them.
    pub fn takes_pointer(&self) -> bool {
        let drags = self.context().is_some_and(egui::Context::egui_is_using_pointer);
        let is_over = self.mouse.0 >= self.begins.0 || self.mouse.1 >= self.begins.1;
        self.is_any_open() && (drags || is_over)
    }

    /// Where the panel and the timeline begin.
    fn measure(&mut self, window: &Window) {
        let (size, covered) = (window.inner_size(), self.covered(window));
        let begin = |size: u32, covered: u32| match covered {
            0 => f64::INFINITY,
            covered => f64::from(size) - f64::from(covered),
        };
        self.begins = (begin(size.width, covered.0), begin(size.height, covered.1));
    }

    /// Passes an event on to egui. Keys are for the game unless a text is being edited.
    pub fn event(&mut self, window: &Window, event: &WindowEvent) {
        if let WindowEvent::CursorMoved { position, .. } = event {
            self.mouse = (position.x, position.y);
            self.measure(window);
        }
        if let WindowEvent::ModifiersChanged(modifiers) = event {
            self.ctrl = modifiers.state().control_key();
        }
        let keys = matches!(event, WindowEvent::KeyboardInput { .. });
        if !self.is_any_open() || keys && !self.takes_keys() {
            return;
        }
        if let Some(input) = &mut self.input {
            // What egui wants is asked for with `takes_keys`.
            let _ = input.on_window_event(window, event);
        }
    }

    /// Whether another picture of it would be the same, as long as no event arrives.
    pub fn is_still(&self, shared: &SharedState, now: Instant) -> bool {
        let is_drawn = || self.again.is_none_or(|again| now < again) && shared.tuning.shows(self.drawn.as_ref());
        let is_timed = self.again.is_none_or(|again| now < again);
        let strip = !self.strip.is_open() || is_timed && shared.strip.shows(self.strip.drawn.as_ref());
        !self.saving.is_running() && (!self.open || is_drawn()) && strip
    }

    /// Runs the panel for one picture. `None` while it is closed.
    pub fn run(&mut self, window: &Window, shared: &SharedState) -> Option<PanelPicture> {
        let state = shared.tuning.look(self.open);
        self.measure(window);
        if let Some(base) = state.base {
            if state.levels == self.levels {
                self.tuner.rebase(base);
            } else {
                // The game of the new level has not got the edits yet.
                self.levels = state.levels;
                shared.tuning.say(self.tuner.open_level(base));
                self.sent = None;
            }
        }
        for wished in shared.tuning.take_wished() {
            self.tuner.set_together(wished.profile, &wished.numbers);
        }
        shared.tuning.say(self.saving.poll());
        self.drawn.clone_from(&state.facts);
        if !self.strip.is_open() {
            shared.strip.look(None);
        }
        let picture = self.is_any_open().then(|| self.draw(window, state.facts, shared));
        let changes = self.tuner.changes();
        if self.sent.as_ref() != Some(&changes) {
            shared.tuning.send(changes.clone());
            self.sent = Some(changes);
        }
        picture.flatten()
    }

    fn draw(&mut self, window: &Window, facts: Option<Arc<PanelFacts>>, shared: &SharedState) -> Option<PanelPicture> {
        let mut state = self.input.take()?;
        let input = state.take_egui_input(window);
        let context = state.egui_ctx().clone();
        let output = context.run_ui(input, |ui| {
            if self.strip.is_open() {
                self.strip.show(ui, shared);
            }
            if self.open {
                self.next_to_the_picture(ui, facts.as_deref(), shared);
            }
        });
        let viewport = output.viewport_output.get(&egui::ViewportId::ROOT);
        self.again = viewport.and_then(|viewport| Instant::now().checked_add(viewport.repaint_delay));
        state.handle_platform_output(window, output.platform_output);
        self.input = Some(state);
        Some(PanelPicture {
            shapes: context.tessellate(output.shapes, output.pixels_per_point),
            textures: output.textures_delta,
            pixels_per_point: output.pixels_per_point,
        })
    }

    /// Puts the panel at the right side of the window.
    fn next_to_the_picture(&mut self, ui: &mut Ui, facts: Option<&PanelFacts>, shared: &SharedState) {
        let whole = ui.max_rect();
        let width = WIDTH.min(whole.width() / 2.0);
        let panel = Panel::right("tuning").exact_size(width).show(ui, |ui| {
            ui.spacing_mut().slider_width = (width - NEXT_TO_SLIDERS).max(SHORTEST_SLIDER);
            self.contents(ui, facts, shared);
        });
        self.width = whole.right() - panel.response.rect.left();
    }

    fn contents(&mut self, ui: &mut Ui, shown: Option<&PanelFacts>, shared: &SharedState) {
        let Some(shown) = shown else {
            ui.label("no entity is picked");
            return;
        };
        let facts = &shown.entity;
        ui.horizontal_wrapped(|ui| {
            ui.heading(&*facts.name);
            ui.weak(format!("{}, {}", facts.kind, facts.model));
        });
        self.controls(ui, shared);
        choose_scope(ui, &mut self.tuner, facts);
        show_conflicts(ui, &mut self.tuner);
        show_answers(ui, &shown.answers, shared);
        ui.add(
            egui::TextEdit::singleline(&mut self.search)
                .hint_text("search names and descriptions")
                .desired_width(f32::INFINITY),
        );
        findings::show_contracts(ui, shown);
        let height = ui.available_height();
        if height < LEAST_PLOTS + LEAST_ROWS {
            ui.horizontal(|ui| {
                ui.selectable_value(&mut self.plots_alone, false, "numbers");
                ui.selectable_value(&mut self.plots_alone, true, "motion");
            });
            if self.plots_alone {
                self.plots.show_alone(ui, shown)
            } else {
                self.numbers(ui, shown)
            }
            return;
        }
        // The plots stay where they are while the rows scroll: a slider is dragged to see them change.
        let below = if self.plots.folded {
            Panel::bottom("motion title").resizable(false)
        } else {
            let plots = Panel::bottom("motion").resizable(true).default_size(PLOTS.min(height - LEAST_ROWS));
            plots.min_size(LEAST_PLOTS).max_size(height - LEAST_ROWS)
        };
        below.show(ui, |ui| self.plots.show(ui, shown));
        self.numbers(ui, shown);
    }

    /// The numbers, with sliders.
    fn numbers(&mut self, ui: &mut Ui, shown: &PanelFacts) {
        let facts = &shown.entity;
        ui.separator();
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            let is_searched = !self.search.trim().is_empty();
            // What is searched for comes first.
            if !is_searched {
                self.blame(ui, shown);
            }
            remembered(ui, facts);
            for section in tuning_sections(&self.tuner, facts, &self.search) {
                rows::show_section(ui, &section, is_searched, &mut self.tuner);
            }
            if is_searched {
                self.blame(ui, shown);
            }
        });
    }

    /// What the marked stretch depends on. A click on a number searches for it.
    fn blame(&mut self, ui: &mut Ui, shown: &PanelFacts) {
        if let Some(path) = findings::show_blame(ui, shown, &mut self.blamed) {
            self.search = path;
        }
    }

    /// The buttons for all edits.
    fn controls(&mut self, ui: &mut Ui, shared: &SharedState) {
        let (undo, redo) = self.tuner.can_undo_and_redo();
        let count = self.tuner.count();
        ui.horizontal_wrapped(|ui| {
            let mut button = |label: RichText, enabled: bool, help: &str| {
                let button = ui.add_enabled(enabled, egui::Button::new(label));
                if help.is_empty() {
                    button.clicked()
                } else {
                    button.on_hover_text(help).clicked()
                }
            };
            let set = if self.tuner.is_second() { "B" } else { "A" };
            if button(RichText::new(set).strong(), true, "presets A and B: click to switch") {
                self.tuner.swap();
            }
            if button("copy".into(), true, "copy to the other set") {
                self.tuner.copy_to_other();
            }
            if button("undo".into(), undo, "") {
                self.tuner.undo();
            }
            if button("redo".into(), redo, "") {
                self.tuner.redo();
            }
            if button("pin".into(), true, "compare later edits with the numbers of now") {
                shared.tuning.pin();
            }
            if button("reset".into(), count > 0, "drop all edits: the files decide") {
                self.tuner.reset_all();
            }
            let idle = count > 0 && !self.saving.is_running() && !self.tuner.asks_scope();
            if button(format!("save {count}").into(), idle, "write the edits into their files") {
                let level = self.tuner.base().stage.level.name.to_string();
                shared.tuning.say(self.tuner.conflicts().map(left_out).collect());
                let edits = self.tuner.save();
                self.saving.start(self.folder.clone(), level, edits);
            }
        });
        for line in self.saving.lines() {
            ui.colored_label(CONFLICT, line);
        }
    }
}

/// Asks, with the first edit of a model's number, which entities such numbers are for, and shows the choice afterwards.
fn choose_scope(ui: &mut Ui, tuner: &mut Tuner, facts: &EntityFacts) {
    let asks = tuner.asks_scope();
    if !asks && tuner.scope().is_none() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        if asks {
            ui.colored_label(EDITED, "before saving, choose what for:")
        } else {
            ui.weak("numbers are for")
        };
        let choices = [
            (TuningScope::Kind, format!("the kind {}", facts.kind)),
            (TuningScope::Model, format!("all of {}", facts.model)),
        ];
        for (scope, text) in choices {
            if ui.selectable_label(tuner.scope() == Some(scope), text).clicked() {
                tuner.choose_scope(scope, facts.profile);
            }
        }
    });
}

/// Shows all numbers that were edited on disk as well, whatever is searched for: saving waits for a choice.
fn show_conflicts(ui: &mut Ui, tuner: &mut Tuner) {
    let conflicts: Vec<_> = tuner.conflicts().map(|(key, tuned)| (key.clone(), tuned.clone())).collect();
    for (key, tuned) in conflicts {
        let found = tuned.conflict.as_ref().map(ToString::to_string).unwrap_or_default();
        let text = format!("{}: {} here, {found} on disk", tuning_path(&key), tuned.value);
        ui.push_id(tuning_path(&key), |ui| {
            ui.label(RichText::new(text).small().color(CONFLICT));
            rows::choose(ui, &key, tuner);
        });
    }
}

/// Why a number is not saved.
fn left_out((key, tuned): (&TuningKey, &TunedValue)) -> String {
    let found = tuned.conflict.as_ref().map(ToString::to_string).unwrap_or_default();
    let path = tuning_path(key);
    format!("{path} is not saved: {} in the panel, {found} on disk; choose one at the top of the panel", tuned.value)
}

/// The entity's script variables, timers and sequences.
fn remembered(ui: &mut Ui, facts: &EntityFacts) {
    let title = format!("this ({}), timers ({})", facts.variables.len(), facts.timers.len());
    egui::CollapsingHeader::new(title).id_salt("this").show(ui, |ui| {
        egui::Grid::new("variables").striped(true).show(ui, |ui| {
            for variable in &facts.variables {
                ui.label(&variable.name);
                ui.monospace(&variable.value);
                ui.end_row();
            }
            for timer in &facts.timers {
                ui.label(format!("{} in", timer.name));
                ui.monospace(format!("{:.2} s", timer.left));
                ui.end_row();
            }
            for sequence in &facts.sequences {
                ui.label(format!("{} waits at", sequence.name));
                ui.monospace(&sequence.place);
                ui.end_row();
            }
        });
    });
}

/// The answers for a drawn jump, each with a button.
fn show_answers(ui: &mut Ui, (answers, chosen): &(Vec<String>, usize), shared: &SharedState) {
    for (number, text) in answers.iter().enumerate() {
        ui.horizontal_wrapped(|ui| {
            if ui.small_button("take").clicked() {
                shared.order(DrawingOrder::Choose(number));
                shared.order(DrawingOrder::Apply);
            }
            // The panel's font has no arrow.
            if ui.selectable_label(number == *chosen, text.replace('→', "to")).clicked() {
                shared.order(DrawingOrder::Choose(number));
            }
        });
    }
}

#[cfg(test)]
#[path = "../../tests/unit/panel.rs"]
mod tests;
