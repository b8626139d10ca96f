//! Editing the level by hand, in the workbench.

use crate::{
    folder::{Folder, LEVEL},
    workbench_case::{COUNTS, Case},
};
use glam::{DVec2, dvec2};
use hangtime_core::{geometry::grid::Bounds, models::Action};
use hangtime_draw::EditTone;
use hangtime_game::{Drafts, EditedLevel, GameFolder, Notice, Project};
use hangtime_workbench::{EditOrder, EditView, LogKind, WindowKey};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

const VIEW: EditView = EditView {
    reach: 8.0,
    shows: Bounds { min: DVec2::splat(-1e6), max: DVec2::splat(1e6) },
    free: false,
    straight: false,
};

/// A workbench whose level can be edited, with what the reloader does.
struct Editing {
    case: Case,
    drafts: Drafts,
    revisions: u64,
}

impl Editing {
    fn of(case: Case) -> Self {
        let mut editing = Self { case, drafts: Drafts::default(), revisions: 1 };
        let game = GameFolder::new(editing.case.folder.root());
        let mods = &editing.case.bench.revision().mods;
        let level = EditedLevel::open(&game, &editing.case.folder.path("levels/level.toml"), mods, &editing.drafts);
        editing.case.bench.edit_level(level);
        editing.case.bench.set_edit_view(VIEW);
        editing
    }

    fn at(hz: u32) -> Self {
        Self::of(Case::at(hz))
    }

    /// Reads the files again if an edit has changed what the folder shows.
    fn reload(&mut self) -> bool {
        if !self.case.bench.take_level_changed() {
            return false;
        }
        let game = GameFolder::new(self.case.folder.root()).with_drafts(&self.drafts);
        let level = self.case.folder.path("levels/level.toml");
        let notice = match Project::load(&game).expect("a folder").open(&level, &[]) {
            Ok(mut revision) => {
                self.revisions += 1;
                revision.number = self.revisions;
                let changed = vec!["levels/level.toml".into()];
                Notice::Ready { revision: Arc::new(revision), changed, took: Duration::ZERO, kept: Vec::new() }
            }
            Err(error) => Notice::Broken(error.diagnostics()),
        };
        self.case.bench.notice(notice);
        true
    }

    /// Drags from one point to another, and reads what has changed.
    fn drag(&mut self, from: DVec2, to: DVec2) -> bool {
        let found = self.case.bench.grab(from);
        for share in [0.3, 0.7, 1.0] {
            self.case.bench.drag_to(from.lerp(to, share));
            self.case.frames(1);
        }
        self.case.bench.drop_dragged();
        self.reload();
        self.case.frames(1);
        found
    }

    fn order(&mut self, order: EditOrder) {
        self.case.bench.edit(order);
        self.reload();
        self.case.frames(1);
    }

    fn file(&self) -> String {
        self.case.folder.read("levels/level.toml")
    }

    fn start(&self) -> DVec2 {
        self.case.bench.revision().stage.starts[0].at
    }
}

#[test]
fn a_dragged_start_counts_from_the_next_restart() {
    for hz in [30, 60, 120, 240] {
        let mut editing = Editing::at(hz);
        editing.case.hold(&[Action::Right]);
        editing.case.frames(u64::from(hz) / 2);
        let running = editing.case.place();
        editing.case.tap(WindowKey::Edit);
        assert!(editing.case.bench.is_paused() && editing.case.bench.is_editing());
        assert!(editing.drag(dvec2(-200.0, 19.0), dvec2(-331.0, 70.0)));
        // On the grid with its feet: half of it is 19 px high.
        assert_eq!(editing.start(), dvec2(-328.0, 67.0), "{hz} Hz");
        assert_eq!(editing.case.place(), running, "the running hero stays");
        assert_eq!(editing.file(), LEVEL);
        editing.case.tap(WindowKey::Restart);
        assert_eq!(editing.case.place().x, -328.0);
        editing.order(EditOrder::Save);
        assert_eq!(editing.file(), LEVEL.replace("at = [-200, 19]", "at = [-328, 67]"));
        assert!(!editing.case.bench.has_unsaved_edits());
    }
}

#[test]
fn solids_are_moved_and_resized_while_the_game_runs_on_with_them() {
    let mut editing = Editing::at(60);
    editing.case.frames(30);
    editing.case.tap(WindowKey::Edit);
    // The ice, by its upper right corner, then as a whole.
    assert!(editing.drag(dvec2(2000.0, 0.0), dvec2(1803.0, 57.0)));
    let rink = |editing: &Editing| editing.case.bench.revision().stage.level.terrain.solids()[1].bounds;
    assert_eq!((rink(&editing).min, rink(&editing).max), (dvec2(0.0, -100.0), dvec2(1800.0, 56.0)));
    assert!(editing.drag(dvec2(900.0, -40.0), dvec2(1100.0, -116.0)));
    assert_eq!((rink(&editing).min, rink(&editing).max), (dvec2(200.0, -176.0), dvec2(2000.0, -20.0)));
    for wanted in [dvec2(1800.0, 56.0), dvec2(2000.0, 0.0)] {
        editing.order(EditOrder::Undo);
        assert_eq!(rink(&editing).max, wanted);
    }
    editing.order(EditOrder::Undo);
    assert_eq!(rink(&editing).max, dvec2(2000.0, 0.0), "nothing is left");
    for wanted in [dvec2(1800.0, 56.0), dvec2(2000.0, -20.0)] {
        editing.order(EditOrder::Redo);
        assert_eq!(rink(&editing).max, wanted);
    }
    // It moves on when time runs, and editing ends then.
    editing.case.tap(WindowKey::Pause);
    editing.case.frames(2);
    assert!(!editing.case.bench.is_editing());
    assert!(editing.case.bench.has_unsaved_edits());
    editing.case.tap(WindowKey::Edit);
    editing.order(EditOrder::Save);
    let new = "[[200, -176], [2000, -176], [2000, -20], [200, -20]]";
    assert_eq!(editing.file(), LEVEL.replace("[[0, -100], [2000, -100], [2000, 0], [0, 0]]", new));
}

#[test]
fn edges_of_solids_catch_what_is_dragged() {
    let mut editing = Editing::at(60);
    editing.case.tap(WindowKey::Edit);
    // The top of the floor is at 0: the feet come to it from 5 px above, where the grid would be at 8.
    assert!(editing.drag(dvec2(-200.0, 19.0), dvec2(-260.0, 70.0)));
    assert!(editing.case.bench.grab(dvec2(-264.0, 67.0)));
    editing.case.bench.drag_to(dvec2(-264.0, 67.0 - 43.0));
    let picture = editing.case.bench.picture().edited.expect("editing");
    assert_eq!(picture.guides.len(), 1);
    assert_eq!(picture.guides[0].map(|at| at.y), [0.0; 2]);
    editing.case.bench.drop_dragged();
    editing.reload();
    assert_eq!(editing.start(), dvec2(-264.0, 19.0));
    // With Alt it goes to whole px.
    editing.case.bench.set_edit_view(EditView { free: true, ..VIEW });
    assert!(editing.drag(dvec2(-264.0, 19.0), dvec2(-261.2, 42.9)));
    assert_eq!(editing.start(), dvec2(-261.0, 43.0));
    // With Shift it keeps an axis.
    editing.case.bench.set_edit_view(EditView { straight: true, ..VIEW });
    assert!(editing.drag(dvec2(-261.0, 43.0), dvec2(-181.0, 93.0)));
    assert_eq!(editing.start(), dvec2(-184.0, 43.0));
}

#[test]
fn a_click_changes_nothing() {
    let mut editing = Editing::at(60);
    editing.case.tap(WindowKey::Edit);
    for at in [dvec2(-200.0, 19.0), dvec2(2000.0, 0.0), dvec2(900.0, -50.0), dvec2(900.0, 500.0)] {
        for to in [at, at + dvec2(2.0, -3.0), dvec2(f64::NAN, f64::INFINITY)] {
            editing.drag(at, to);
            assert!(!editing.case.bench.has_unsaved_edits(), "{at} to {to}");
        }
    }
}

#[test]
fn an_edit_that_breaks_the_level_is_shown_and_the_last_good_one_runs() {
    let text = LEVEL.replace("[[0, -100], [2000, -100], [2000, 0], [0, 0]]", "[[0, -100], [2000, -100], [1000, 0]]");
    let folder = Folder::with_script(COUNTS);
    folder.write("levels/level.toml", &text);
    let mut editing = Editing::of(Case::of(folder));
    editing.case.tap(WindowKey::Edit);
    let good = editing.case.bench.revision().clone();
    // All corners on a line: this is no outline.
    assert!(editing.drag(dvec2(1000.0, 0.0), dvec2(1000.0, -100.0)));
    assert!(editing.case.bench.banner().contains("levels/level.toml"), "{}", editing.case.bench.banner());
    assert!(Arc::ptr_eq(editing.case.bench.revision(), &good));
    editing.order(EditOrder::Undo);
    assert_eq!(editing.case.bench.banner(), "");
    assert_eq!(editing.file(), text);
}

#[test]
fn things_are_copied_and_removed() {
    let mut editing = Editing::at(60);
    editing.case.tap(WindowKey::Edit);
    editing.order(EditOrder::Duplicate);
    editing.order(EditOrder::Delete);
    assert!(!editing.case.bench.has_unsaved_edits(), "nothing is selected");
    editing.drag(dvec2(-200.0, 19.0), dvec2(-200.0, 19.0));
    editing.order(EditOrder::Duplicate);
    let starts = |editing: &Editing| editing.case.bench.revision().stage.starts.len();
    assert_eq!(starts(&editing), 2);
    let selected = editing.case.bench.picture().edited.expect("editing").selected.clone().expect("the copy");
    assert_eq!(selected.1.tone, EditTone::Entity);
    assert!(selected.1.points.iter().all(|at| at.x > -200.0 + 4.0), "right of it");
    editing.order(EditOrder::Delete);
    assert_eq!(starts(&editing), 1);
    assert!(!editing.case.bench.has_unsaved_edits());
    for (order, count) in [(EditOrder::Undo, 2), (EditOrder::Undo, 1), (EditOrder::Redo, 2), (EditOrder::Redo, 1)] {
        editing.order(order);
        assert_eq!(starts(&editing), count);
    }
}

#[test]
fn what_is_saved_elsewhere_meanwhile_is_shown() {
    let mut editing = Editing::at(60);
    editing.case.tap(WindowKey::Edit);
    assert!(editing.drag(dvec2(-200.0, 19.0), dvec2(-280.0, 19.0)));
    let theirs = LEVEL.replace("[2000, 0]", "[2000, 8]");
    editing.case.folder.write("levels/level.toml", &theirs);
    editing.case.frames(70);
    assert!(editing.reload(), "the file is looked at once a second");
    assert_eq!(editing.start().x, -280.0);
    assert_eq!(editing.case.bench.revision().stage.level.terrain.solids()[1].bounds.max.y, 8.0);
    editing.order(EditOrder::Save);
    assert_eq!(editing.file(), theirs.replace("[-200, 19]", "[-280, 19]"));
    // Both sides move the hero: the file stays, which is said once.
    assert!(editing.drag(dvec2(-280.0, 19.0), dvec2(-360.0, 19.0)));
    let theirs = editing.file().replace("[-280, 19]", "[-100, 19]");
    editing.case.folder.write("levels/level.toml", &theirs);
    editing.case.frames(400);
    editing.order(EditOrder::Save);
    assert_eq!(editing.file(), theirs);
    let said = editing.case.logged(LogKind::Warning);
    let conflicts = said.iter().filter(|line| line.contains("was changed on disk")).count();
    assert_eq!(conflicts, 2, "once by itself, once for the save: {said:?}");
}

#[test]
fn editing_leaves_the_game_as_it_is() {
    let [mut plain, mut edited] = [(); 2].map(|()| Editing::at(60));
    plain.case.play_about(50);
    edited.case.play_about(50);
    edited.case.tap(WindowKey::Edit);
    for at in [dvec2(-200.0, 19.0), dvec2(900.0, -50.0), dvec2(0.0, 700.0)] {
        edited.case.bench.grab(at);
        edited.case.bench.drag_to(at + dvec2(40.0, 30.0));
        edited.case.frames(2);
        edited.case.bench.drag_to(at);
        edited.case.bench.drop_dragged();
    }
    edited.case.tap(WindowKey::Edit);
    assert!(!edited.case.bench.is_editing() && edited.case.bench.is_paused());
    edited.case.tap(WindowKey::Pause);
    plain.case.frames(1);
    assert_eq!(plain.case.play_about(50), edited.case.play_about(50));
}

#[test]
fn a_level_without_a_file_says_why() {
    let mut case = Case::at(60);
    case.tap(WindowKey::Edit);
    assert!(!case.bench.is_editing() && !case.bench.is_paused());
    case.bench.edit_level(Err("levels/a.tmx is drawn elsewhere".into()));
    case.tap(WindowKey::Edit);
    let notes = case.logged(LogKind::Note);
    assert_eq!(notes, ["this level has no file that can be edited", "levels/a.tmx is drawn elsewhere"]);
}

#[test]
fn a_start_is_saved_as_a_test_that_passes() {
    let mut editing = Editing::at(60);
    editing.case.hold(&[Action::Right, Action::Jump]);
    editing.case.frames(20);
    let (at, vel) = {
        let live = editing.case.bench.live();
        let view = live.world().view_of(&live.revision().stage, "hero").expect("it exists");
        (view.pos, view.vel)
    };
    assert!(vel.y != 0.0 && vel.x > 0.0);
    editing.case.tap(WindowKey::Edit);
    editing.order(EditOrder::SaveTest);
    let file = "levels/tests/level_start_1.rhai";
    let text = editing.case.folder.read(file);
    let place = format!("t.place(\"hero\", {}, {}, {}, {});", at.x, at.y, vel.x, vel.y);
    assert!(text.contains(&place), "{text}");
    let notes = editing.case.logged(LogKind::Note);
    assert!(notes.iter().any(|note| note.contains(&format!("`hangtime test {file}` runs it"))), "{notes:?}");
}

#[test]
fn a_level_of_ten_thousand_solids_stays_responsive() {
    let folder = Folder::with_script(COUNTS);
    let mut text = LEVEL.to_string();
    for index in 0..10_000 {
        let (x, y) = (f64::from(index % 200) * 40.0, 100.0 + f64::from(index / 200) * 40.0);
        let [right, top] = [x + 16.0, y + 16.0];
        text += &format!("[[solid]]\npoints = [[{x}, {y}], [{right}, {y}], [{right}, {top}], [{x}, {top}]]\n");
    }
    folder.write("levels/level.toml", &text);
    let mut editing = Editing::of(Case::of(folder));
    editing.case.tap(WindowKey::Edit);
    let bench = &mut editing.case.bench;
    let started = Instant::now();
    assert!(bench.grab(dvec2(4008.0, 1108.0)));
    for step in 0..60 {
        bench.drag_to(dvec2(4008.0 + f64::from(step), 1108.0 + f64::from(step) * 2.0));
        let _ = bench.picture();
    }
    let dragged = started.elapsed();
    bench.drop_dragged();
    let dropped = started.elapsed() - dragged;
    assert!(bench.has_unsaved_edits());
    println!("60 drags: {dragged:?}, the drop: {dropped:?}");
    // Generous, for slow computers that do other things as well: 60 frames take a second.
    assert!(dragged < Duration::from_secs(5) && dropped < Duration::from_secs(5), "{dragged:?} {dropped:?}");
}
