//! The tuning panel in the window: egui over the picture.

mod colors;
mod plots;
mod rows;
mod saving;

use super::gpu::PanelPicture;
use super::shared::{Published, SharedState};
use crate::project::{GameFolder, Revision, TuningChange};
use crate::workbench::panel::{EntityFacts, Tuner, tuning_rows};
use colors::CONFLICT;
use egui::{Color32, Panel, RichText, ScrollArea, Ui};
use plots::MotionPlots;
use saving::SaveJob;
use std::sync::Arc;
use winit::event::WindowEvent;
use winit::window::Window;

/// The width of the panel, in points.
const WIDTH: f32 = 360.0;

/// The panel, open or not. Edits stay in effect while it is closed.
pub(super) struct PanelWindow {
    folder: GameFolder,
    tuner: Tuner,
    /// The changes that were last passed to the game.
    sent: Vec<TuningChange>,
    open: bool,
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
            sent: Vec::new(),
            open: false,
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
        self.tuner.count()
    }

    /// Ends the editing of a text. Returns whether there was one.
    pub fn leave_text(&self) -> bool {
        if !self.takes_keys() {
            return false;
        }
        let context = self.input.as_ref().map(egui_winit::State::egui_ctx);
        let focused =
            context.and_then(|context| Some((context, context.memory(egui::Memory::focused)?)));
        if let Some((context, id)) = focused {
            context.memory_mut(|memory| memory.surrender_focus(id));
        }
        true
    }

    /// Exchanges the two sets of numbers.
    pub fn swap(&mut self) {
        self.tuner.swap();
    }

    /// Whether a text is being edited, so that keys are not for the game.
    pub fn takes_keys(&self) -> bool {
        let context = self.input.as_ref().map(egui_winit::State::egui_ctx);
        self.open && context.is_some_and(egui::Context::egui_wants_keyboard_input)
    }

    /// Whether the mouse is over the panel, or drags something in it.
    pub fn takes_pointer(&self) -> bool {
        let context = self.input.as_ref().map(egui_winit::State::egui_ctx);
        self.open && context.is_some_and(egui::Context::egui_wants_pointer_input)
    }

    /// Passes an event on to egui. Keys are for the game unless a text is being edited.
    pub fn event(&mut self, window: &Window, event: &WindowEvent) {
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
    pub fn run(
        &mut self,
        window: &Window,
        shared: &SharedState,
        published: &Published,
    ) -> Option<PanelPicture> {
        let (facts, base) = shared.tuning.look(self.open);
        if let Some(base) = base {
            if base.stage.level.name == self.tuner.base().stage.level.name {
                self.tuner.rebase(base);
            } else {
                // Another level was opened, without the edits of this one.
                self.tuner = Tuner::new(base);
                self.sent = Vec::new();
            }
        }
        if self.saving.poll() {
            self.tuner.saved();
        }
        let picture = self.open.then(|| self.draw(window, published, facts));
        let changes = self.tuner.changes();
        if changes != self.sent {
            shared.tuning.send(changes.clone());
            self.sent = changes;
        }
        picture.flatten()
    }

    fn draw(
        &mut self,
        window: &Window,
        published: &Published,
        facts: Option<Arc<EntityFacts>>,
    ) -> Option<PanelPicture> {
        let name = facts.as_ref().map(|facts| facts.name.clone());
        self.plots
            .record(published, name.as_deref(), facts.as_deref());
        let mut state = self.input.take()?;
        let input = state.take_egui_input(window);
        let context = state.egui_ctx().clone();
        let output = context.run_ui(input, |ui| {
            Panel::right("tuning")
                .exact_size(WIDTH)
                .show(ui, |ui| self.contents(ui, facts.as_deref()));
        });
        state.handle_platform_output(window, output.platform_output);
        self.input = Some(state);
        Some(PanelPicture {
            shapes: context.tessellate(output.shapes, output.pixels_per_point),
            textures: output.textures_delta,
            pixels_per_point: output.pixels_per_point,
        })
    }

    fn contents(&mut self, ui: &mut Ui, facts: Option<&EntityFacts>) {
        let Some(facts) = facts else {
            ui.label("no entity is picked");
            return;
        };
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
        ui.separator();
        ScrollArea::vertical().show(ui, |ui| {
            ui.collapsing("motion", |ui| self.plots.show(ui));
            remembered(ui, facts);
            for row in tuning_rows(&self.tuner, facts, &self.search) {
                rows::show(ui, &row, &mut self.tuner);
            }
        });
    }

    /// The buttons for all edits.
    fn controls(&mut self, ui: &mut Ui) {
        let (undo, redo) = self.tuner.can_undo_and_redo();
        let count = self.tuner.count();
        ui.horizontal(|ui| {
            let set = if self.tuner.is_second() { "B" } else { "A" };
            let swap = ui.button(RichText::new(set).strong());
            let swap = swap.on_hover_text("two sets of numbers: click to use the other one");
            if swap.clicked() {
                self.tuner.swap();
            }
            let copy = ui.button("copy").on_hover_text("copy to the other set");
            if copy.clicked() {
                self.tuner.copy_to_other();
            }
            if ui.add_enabled(undo, egui::Button::new("undo")).clicked() {
                self.tuner.undo();
            }
            if ui.add_enabled(redo, egui::Button::new("redo")).clicked() {
                self.tuner.redo();
            }
            let reset = ui.add_enabled(count > 0, egui::Button::new("reset"));
            let reset = reset.on_hover_text("drop all edits: the files decide");
            if reset.clicked() {
                self.tuner.reset_all();
            }
            let save = egui::Button::new(format!("save {count}"));
            let idle = count > 0 && !self.saving.is_running();
            let save = ui.add_enabled(idle, save);
            let save = save.on_hover_text("write the edits into their files");
            if save.clicked() {
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
    let title = format!(
        "this ({}), timers ({})",
        facts.variables.len(),
        facts.timers.len()
    );
    egui::CollapsingHeader::new(title)
        .id_salt("this")
        .show(ui, |ui| {
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
