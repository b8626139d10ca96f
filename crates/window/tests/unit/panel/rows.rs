//! Tests of `src/panel/rows.rs`.

use super::show;
use egui::{Context, Event, Key, Modifiers, RawInput};
use hangtime_core::tuning::Setting;
use hangtime_game::{Live, Project, unpack_playground};
use hangtime_script::STACK;
use hangtime_workbench::panel::{EntityFacts, Tuner, TuningRow, tuning_rows};
use std::sync::Arc;

/// The row of the hero's jump speed, without a window.
struct Row {
    context: Context,
    facts: EntityFacts,
    tuner: Tuner,
}

impl Row {
    fn new() -> Self {
        let root = unpack_playground().expect("a copy of the playground");
        let project = Project::load(&root).expect("the playground");
        let level = project.find_level("playground").expect("its level");
        let revision = Arc::new(project.open(&level, &[]).expect("a good level"));
        std::fs::remove_dir_all(root).expect("the copy is removed");
        let live = Live::new(revision.clone(), 0);
        let facts = EntityFacts::of(&live, "hero").expect("a hero");
        Self { context: Context::default(), facts, tuner: Tuner::new(revision) }
    }

    fn row(&self) -> TuningRow {
        let rows = tuning_rows(&self.tuner, &self.facts, "platformer.jump_speed");
        rows.into_iter().find(|row| row.tunable.name == "jump_speed").expect("a row")
    }

    /// A picture in which something is typed.
    fn picture(&mut self, events: Vec<Event>) {
        let row = self.row();
        let input = RawInput { events, ..RawInput::default() };
        let tuner = &mut self.tuner;
        let _ = self.context.clone().run_ui(input, |ui| show(ui, &row, tuner));
    }

    fn key(&mut self, key: Key) {
        let event =
            |pressed| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers: Modifiers::NONE };
        self.picture(vec![event(true)]);
        self.picture(vec![event(false)]);
    }

    /// Enters the field of the number, whose text is selected then.
    fn enter_field(&mut self) {
        self.picture(Vec::new());
        // The slider is before it.
        self.key(Key::Tab);
        self.key(Key::Tab);
        assert!(self.context.text_edit_focused(), "the field has the keys");
    }

    fn type_each(&mut self, text: &str) {
        for letter in text.chars() {
            self.picture(vec![Event::Text(letter.into())]);
            self.picture(Vec::new());
        }
    }
}

fn on_large_stack(run: fn()) {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(run);
    thread.expect("a thread").join().expect("the test");
}

#[test]
fn a_typed_number_acts_on_enter_as_one_step_and_not_with_each_key() {
    on_large_stack(|| {
        let mut row = Row::new();
        row.enter_field();
        row.type_each("612");
        assert_eq!(row.tuner.count(), 0, "nothing acts before Enter");
        row.key(Key::Enter);
        assert_eq!(row.row().value, Setting::Number(612.0));
        row.tuner.undo();
        assert_eq!(row.tuner.count(), 0, "one step");
        assert!(!row.tuner.can_undo_and_redo().0);
    });
}

#[test]
fn a_typed_number_acts_when_its_field_is_left_and_not_after_escape() {
    on_large_stack(|| {
        let mut row = Row::new();
        let before = row.row().value;
        row.enter_field();
        row.type_each("61");
        row.key(Key::Escape);
        assert_eq!(row.row().value, before);
        let mut row = Row::new();
        row.enter_field();
        row.type_each("612");
        row.key(Key::Tab);
        assert_eq!(row.row().value, Setting::Number(612.0));
    });
}
