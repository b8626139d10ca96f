//! Tests of `src/panel/strip.rs`: the mouse on the timeline, picture by picture.

use super::{MOST_OF_WINDOW, StripWindow};
use crate::shared::SharedState;
use egui::{
    Context, Event, Modifiers, MouseWheelUnit, PointerButton, Pos2, RawInput, Rect, Shape, TouchPhase,
    epaint::ClippedShape, pos2, vec2,
};
use hangtime_core::{
    models::Action,
    sim::{Inputs, PlayerInput},
};
use hangtime_game::{GameFolder, Project, unpack_playground};
use hangtime_script::STACK;
use hangtime_workbench::{StripRowKind, WindowKey, Workbench};
use std::{path::PathBuf, sync::Arc};

/// A timeline on a game, without a window.
struct Desk {
    context: Context,
    strip: StripWindow,
    shared: SharedState,
    bench: Workbench,
    root: PathBuf,
    size: (f32, f32),
    pictures: u32,
    shown: Vec<ClippedShape>,
}

impl Desk {
    /// A game of three seconds, with a jump from tick 60 to 72, that is paused.
    fn new(size: (f32, f32)) -> Self {
        let root = unpack_playground().expect("a copy of the playground");
        let project = Project::load(&root).expect("the playground");
        let level = project.find_level("playground").expect("its level");
        let revision = Arc::new(project.open(&level, &[]).expect("a good level"));
        let mut bench = Workbench::new(revision.clone(), root.clone(), false);
        for frame in 0..180 {
            let held = (60..72).contains(&frame).then_some(Action::Jump).into_iter().collect();
            let input = PlayerInput { held, ..PlayerInput::default() };
            bench.frame(f64::from(frame) / 60.0, &mut |_| Inputs::of_first(input));
        }
        bench.press(WindowKey::Pause);
        let (context, strip) = (Context::default(), StripWindow::default());
        let shared = SharedState::new(revision);
        let mut desk = Self { context, strip, shared, bench, root, size, pictures: 0, shown: Vec::new() };
        desk.strip.toggle();
        // egui needs some pictures until everything has its size.
        (0..5).for_each(|_| desk.picture(Vec::new()));
        desk
    }

    /// Makes a picture, and the frames of the game until the next one.
    fn picture(&mut self, events: Vec<Event>) {
        let screen_rect = Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(self.size.0, self.size.1)));
        self.pictures += 1;
        let time = Some(f64::from(self.pictures) / 60.0);
        let input = RawInput { screen_rect, events, time, ..RawInput::default() };
        let output = self.context.run_ui(input, |ui| self.strip.show(ui, &self.shared));
        self.shown = output.shapes;
        let folder = GameFolder::from(self.root.clone());
        for _ in 0..2 {
            self.shared.strip.pass(&mut self.bench, &folder);
            self.bench.frame(3.0 + f64::from(self.pictures) / 60.0, &mut |_| Inputs::none());
        }
        self.shared.strip.pass(&mut self.bench, &folder);
    }

    fn button(&mut self, at: Pos2, button: PointerButton, pressed: bool) {
        let event = Event::PointerButton { pos: at, button, pressed, modifiers: Modifiers::NONE };
        self.picture(vec![Event::PointerMoved(at), event]);
    }

    fn click(&mut self, at: Pos2, button: PointerButton) {
        self.button(at, button, true);
        self.button(at, button, false);
        self.picture(Vec::new());
    }

    fn drag(&mut self, from: Pos2, to: Pos2) {
        self.button(from, PointerButton::Primary, true);
        self.picture(vec![Event::PointerMoved(from.lerp(to, 0.5))]);
        self.picture(vec![Event::PointerMoved(to)]);
        self.button(to, PointerButton::Primary, false);
        self.picture(Vec::new());
    }

    /// The place of a text, as it is seen.
    fn text(&self, text: &str) -> Option<Pos2> {
        self.shown.iter().find_map(|shape| match &shape.shape {
            Shape::Text(shown) if shown.galley.text() == text => {
                Some(shown.pos + vec2(0.0, shown.galley.size().y / 2.0))
            }
            _ => None,
        })
    }

    /// Where a position is in the row with a name, read off the ruler; on the ruler, if there is no such row. Labels are 2
    /// points to the right of their seconds, of 60 ticks.
    fn at(&self, position: f32, row: &str) -> Pos2 {
        let [one, two] = ["1.0 s", "2.0 s"].map(|label| self.text(label).expect("a label of the ruler"));
        let y = self.text(row).map_or(one.y, |at| at.y);
        pos2(one.x - 2.0 + (position / 60.0 - 1.0) * (two.x - one.x), y)
    }

    fn bars(&mut self, name: &str) -> Vec<(u64, u64)> {
        let facts = self.bench.strip(0..400);
        let is_it = |kind: &StripRowKind| matches!(kind, StripRowKind::Action(_, called) if **called == *name);
        let row = facts.rows.rows.iter().find(|row| is_it(&row.kind)).expect("a row");
        row.bars.iter().map(|bar| (bar.ticks.start, bar.ticks.end)).collect()
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.root);
    }
}

fn on_stack(run: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        thread.expect("a thread").join().expect("it passes");
    });
}

#[test]
fn the_ruler_scrubs_and_the_shown_tick_is_under_the_mouse() {
    on_stack(|| {
        let mut desk = Desk::new((1280.0, 720.0));
        for position in [0, 30, 61, 119, 180] {
            let at = desk.at(position as f32, "");
            desk.click(at, PointerButton::Primary);
            assert_eq!(desk.bench.position(), position);
        }
        let (from, to) = (desk.at(150.0, ""), desk.at(45.0, ""));
        desk.drag(from, to);
        assert_eq!(desk.bench.position(), 45);
        // While the game runs, a click stops it.
        desk.bench.press(WindowKey::Pause);
        desk.picture(Vec::new());
        let at = desk.at(20.0, "");
        desk.click(at, PointerButton::Primary);
        assert!(desk.bench.is_paused() && desk.bench.position() == 20);
    });
}

#[test]
fn presses_are_added_moved_stretched_and_removed_with_the_mouse() {
    on_stack(|| {
        let mut desk = Desk::new((1280.0, 720.0));
        assert_eq!(desk.bars("jump"), [(60, 72)]);
        let (from, to) = (desk.at(66.0, "jump"), desk.at(96.0, "jump"));
        desk.drag(from, to);
        assert_eq!(desk.bars("jump"), [(90, 102)], "moved");
        assert_eq!(desk.bench.position(), 180, "the shown tick stays");
        let (from, to) = (desk.at(101.0, "jump"), desk.at(120.0, "jump"));
        desk.drag(from, to);
        assert_eq!(desk.bars("jump"), [(90, 120)], "longer");
        let (from, to) = (desk.at(91.0, "jump"), desk.at(100.0, "jump"));
        desk.drag(from, to);
        assert_eq!(desk.bars("jump"), [(100, 120)], "begins later");
        let (from, to) = (desk.at(20.5, "right"), desk.at(50.0, "right"));
        desk.drag(from, to);
        assert_eq!(desk.bars("right"), [(20, 50)], "added");
        let at = desk.at(130.5, "right");
        desk.click(at, PointerButton::Primary);
        assert_eq!(desk.bars("right"), [(20, 50), (130, 136)], "a click adds a tenth of a second");
        let at = desk.at(110.0, "jump");
        desk.click(at, PointerButton::Secondary);
        assert_eq!(desk.bars("jump"), [], "removed");
        let at = desk.at(30.0, "right");
        desk.click(at, PointerButton::Primary);
        assert_eq!(desk.bars("right"), [(20, 50), (130, 136)], "a click selects");
        assert!(desk.strip.delete(&desk.shared));
        desk.picture(Vec::new());
        assert_eq!(desk.bars("right"), [(130, 136)]);
        assert!(!desk.strip.delete(&desk.shared), "it is gone");
        // While the game runs, presses stay as they are.
        desk.bench.press(WindowKey::Pause);
        desk.picture(Vec::new());
        let at = desk.at(150.0, "right");
        desk.click(at, PointerButton::Primary);
        assert_eq!(desk.bars("right"), [(130, 136)]);
    });
}

#[test]
fn marks_are_dragged_with_the_mouse() {
    on_stack(|| {
        let mut desk = Desk::new((1280.0, 720.0));
        desk.bench.show_position(40);
        desk.bench.press(WindowKey::MarkA);
        desk.bench.show_position(150);
        desk.bench.press(WindowKey::MarkB);
        desk.bench.show_position(100);
        desk.picture(Vec::new());
        let row = desk.text("marks").expect("a row of marks").y;
        for (from, to, expected) in [(40.0, 60.0, (60, 150)), (150.0, 120.0, (60, 120))] {
            let (from, to) = (desk.at(from, "marks"), desk.at(to, "marks"));
            assert!((from.y - row).abs() < 1.0);
            desk.drag(from, to);
            let facts = desk.bench.strip(0..200);
            assert_eq!((facts.mark, facts.marked), (Some(expected.0), Some(expected.0..expected.1)));
        }
    });
}

#[test]
fn the_wheel_zooms_around_the_mouse_and_what_is_dragged_with_the_middle_button_follows_it() {
    on_stack(|| {
        let mut desk = Desk::new((1280.0, 720.0));
        let at = desk.at(90.0, "");
        let before = desk.strip.per_point;
        let delta = vec2(0.0, 60.0);
        let (unit, modifiers, phase) = (MouseWheelUnit::Point, Modifiers::NONE, TouchPhase::Move);
        desk.picture(vec![Event::PointerMoved(at), Event::MouseWheel { unit, delta, modifiers, phase }]);
        (0..30).for_each(|_| desk.picture(Vec::new()));
        assert!(desk.strip.per_point < 0.9 * before, "{} of {before}", desk.strip.per_point);
        let left = desk.at(0.0, "").x;
        let under = (at.x - left) * desk.strip.per_point as f32;
        assert!((under - 90.0).abs() < 1.0, "{under}");
        let position = desk.bench.position();
        desk.button(at, PointerButton::Middle, true);
        desk.picture(vec![Event::PointerMoved(at + vec2(-80.0, 0.0))]);
        desk.button(at + vec2(-80.0, 0.0), PointerButton::Middle, false);
        desk.picture(Vec::new());
        let moved = desk.strip.from;
        assert!(moved > 0.0 || desk.strip.per_point * 80.0 < 1.0, "{moved}");
        assert_eq!(desk.bench.position(), position, "that does not scrub");
    });
}

#[test]
fn windows_of_any_size_keep_most_of_their_height() {
    on_stack(|| {
        for size in [(1280.0, 720.0), (640.0, 360.0), (320.0, 180.0), (60.0, 40.0), (3840.0, 300.0)] {
            let mut desk = Desk::new(size);
            assert!(desk.strip.covers() <= size.1 * MOST_OF_WINDOW + 1.0, "{size:?}: {}", desk.strip.covers());
            for x in [0.0, size.0 / 2.0, size.0 - 1.0] {
                let at = pos2(x, size.1 - 3.0);
                desk.click(at, PointerButton::Secondary);
                desk.drag(at, at + vec2(9.0, -2.0));
            }
            assert!(desk.strip.close() && desk.strip.covers() == 0.0);
        }
    });
}
