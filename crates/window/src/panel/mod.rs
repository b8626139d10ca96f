//! The tuning panel in the window: egui over the picture.

mod colors;
mod plots;
mod rows;
mod saving;

use super::gpu::PanelPicture;
use super::shared::SharedState;
use super::tuning_link::PanelFacts;
use colors::CONFLICT;
use egui::{Color32, Panel, RichText, ScrollArea, Ui};
use hangtime_game::{GameFolder, Revision, TuningChange};
use hangtime_workbench::panel::{EntityFacts, Tuner, tuning_sections};
use plots::MotionPlots;
use saving::SaveJob;
use std::sync::Arc;
use winit::event::WindowEvent;
use winit::window::Window;

/// The width of the panel, in points.
const WIDTH: f32 = 360.0;

/// The initial height of the plots, in points.
const PLOTS: f32 = 290.0;
const LEAST_PLOTS: f32 = 180.0;

/// The panel, open or not. Edits stay in effect while it is closed.
pub(super) struct PanelWindow {
    folder: GameFolder,
    tuner: Tuner,
    /// The changes that were last passed to the game.
    sent: Option<Vec<TuningChange>>,
    /// The number of levels that have been opened.
    levels: u64,
    open: bool,
    /// The width of the open panel, points.
    width: f32,
    /// Where the mouse is, and where the panel begins, physical pixels from the left. What egui knows is as
    /// old as the last picture.
    mouse: f64,
    begins: f64,
    search: String,
    plots: MotionPlots,
    saving: SaveJob,
    /// egui, once there is a window.
    input: Option<egui_winit::State>,
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
            mouse: 0.0,
            begins: f64::INFINITY,
            search: String::new(),
            plots: MotionPlots::default(),
            saving: SaveJob::default(),
            input: None,
        }
    }

    /// Starts egui again for a driver that was just opened: it has no textures yet.
    pub fn restart(&mut self, window: &Window, longest: usize) {
        let context = egui::Context::default();
        context.set_theme(egui::Theme::Dark);
        context.all_styles_mut(|style| {
            style.visuals.panel_fill = Color32::from_black_alpha(225);
            style.visuals.widgets.noninteractive.fg_stroke.color = Color32::from_gray(210);
            style.spacing.slider_width = 200.0;
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

    /// Closes it. Returns whether it was open. Edits stay in effect.
    pub fn close(&mut self) -> bool {
        std::mem::take(&mut self.open)
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
        let context = self.input.as_ref().map(egui_winit::State::egui_ctx);
        let focused = context.and_then(|context| Some((context, context.memory(egui::Memory::focused)?)));
        if let Some((context, id)) = focused {
            context.memory_mut(|memory| memory.surrender_focus(id));
        }
        true
    }

    /// Exchanges the two sets of numbers.
    pub fn swap(&mut self) {
        self.tuner.swap();
    }

    /// The width of the window's right side that the panel covers, in physical pixels.
    pub fn covered(&self, window: &Window) -> u32 {
        match self.open {
            true => (f64::from(self.width) * window.scale_factor()).ceil() as u32,
            false => 0,
        }
    }

    /// Whether a text is being edited, so that keys are not for the game.
    pub fn takes_keys(&self) -> bool {
        let context = self.input.as_ref().map(egui_winit::State::egui_ctx);
        self.open && context.is_some_and(egui::Context::egui_wants_keyboard_input)
    }

    /// Whether the mouse is over the panel, or drags something in it.
    pub fn takes_pointer(&self) -> bool {
        let context = self.input.as_ref().map(egui_winit::State::egui_ctx);
        let drags = context.is_some_and(egui::Context::egui_is_using_pointer);
        self.open && (drags || self.mouse >= self.begins)
    }

    /// Passes an event on to egui. Keys are for the game unless a text is being edited.
    pub fn event(&mut self, window: &Window, event: &WindowEvent) {
        if let WindowEvent::CursorMoved { position, .. } = event {
            self.mouse = position.x;
            self.begins = f64::from(window.inner_size().width) - f64::from(self.covered(window));
        }
        let keys = matches!(event, WindowEvent::KeyboardInput { .. });
        if !self.open || keys && !self.takes_keys() {
            return;
        }
        if let Some(input) = &mut self.input {
            // What egui wants is asked for with `takes_keys`.
            let _ = input.on_window_event(window, event);
        }
    }

    /// Runs the panel for one picture. `None` while it is closed.
    pub fn run(&mut self, window: &Window, shared: &SharedState) -> Option<PanelPicture> {
        let state = shared.tuning.look(self.open);
        self.begins = f64::from(window.inner_size().width) - f64::from(self.covered(window));
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
        if self.saving.poll() {
            self.tuner.saved();
        }
        let picture = self.open.then(|| self.draw(window, state.facts));
        let changes = self.tuner.changes();
        if self.sent.as_ref() != Some(&changes) {
            shared.tuning.send(changes.clone());
            self.sent = Some(changes);
        }
        picture.flatten()
    }

    fn draw(&mut self, window: &Window, facts: Option<Arc<PanelFacts>>) -> Option<PanelPicture> {
        let mut state = self.input.take()?;
        let input = state.take_egui_input(window);
        let context = state.egui_ctx().clone();
        let output = context.run_ui(input, |ui| {
            let whole = ui.max_rect();
            let panel = Panel::right("tuning")
                .exact_size(WIDTH)
                .show(ui, |ui| self.contents(ui, facts.as_deref()));
            self.width = whole.right() - panel.response.rect.left();
        });
        state.handle_platform_output(window, output.platform_output);
        self.input = Some(state);
        Some(PanelPicture {
            shapes: context.tessellate(output.shapes, output.pixels_per_point),
            textures: output.textures_delta,
            pixels_per_point: output.pixels_per_point,
        })
    }

    fn contents(&mut self, ui: &mut Ui, shown: Option<&PanelFacts>) {
        let Some(shown) = shown else {
            ui.label("no entity is picked");
            return;
        };
        let facts = &shown.entity;
        ui.horizontal(|ui| {
            ui.heading(&*facts.name);
            ui.weak(format!("{}, {}", facts.kind, facts.model));
        });
        self.controls(ui);
        ui.add(
            egui::TextEdit::singleline(&mut self.search)
                .hint_text("search names and descriptions")
                .desired_width(f32::INFINITY),
        );
        // The plots stay where they are while the rows scroll: a slider is dragged to see them change.
        let below = match self.plots.is_folded() {
            true => Panel::bottom("motion title").resizable(false),
            false => Panel::bottom("motion").resizable(true).default_size(PLOTS).min_size(LEAST_PLOTS),
        };
        below.show(ui, |ui| self.plots.show(ui, shown));
        ui.separator();
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            remembered(ui, facts);
            for section in tuning_sections(&self.tuner, facts, &self.search) {
                let searched = !self.search.trim().is_empty();
                rows::show_section(ui, &section, searched, &mut self.tuner);
            }
        });
    }

    /// The buttons for all edits.
    fn controls(&mut self, ui: &mut Ui) {
        let (undo, redo) = self.tuner.can_undo_and_redo();
        let count = self.tuner.count();
        ui.horizontal(|ui| {
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
            if button("reset".into(), count > 0, "drop all edits: the files decide") {
                self.tuner.reset_all();
            }
            let idle = count > 0 && !self.saving.is_running();
            if button(format!("save {count}").into(), idle, "write the edits into their files") {
                let level = self.tuner.base().stage.level.name.to_string();
                let edits = self.tuner.unsaved();
                self.saving.start(self.folder.clone(), level, edits);
            }
        });
        for line in self.saving.lines() {
            ui.colored_label(CONFLICT, line);
        }
    }
}

/// The entity's script variables and timers.
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
        });
    });
}
