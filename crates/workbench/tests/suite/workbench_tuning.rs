//! The tuning panel without its window: edits that act at once, are saved, undone and compared.

use crate::{
    folder::{Folder, LEVEL, on_large_stack},
    workbench_case::{COUNTS, Case, hero},
};
use hangtime_core::{
    models::{Action, ModelName},
    tuning::Setting,
};
use hangtime_game::{GameFolder, TuningGroup, TuningHome, TuningScope, save_tuning};
use hangtime_workbench::{
    LogKind, WindowKey,
    panel::{EntityFacts, Tuner, TuningKey, rounded, tuning_path, tuning_rows},
};

const HERO: &str = "config/entities/hero.toml";

fn key(name: &'static str) -> TuningKey {
    let home = TuningHome::Kind("hero".into());
    (home, ModelName::platformer.into(), name)
}

fn tuner(case: &Case) -> Tuner {
    Tuner::new(case.bench.files_revision().clone())
}

fn set(tuner: &mut Tuner, name: &'static str, value: f64) {
    tuner.set(&key(name), Setting::Number(value), false);
}

/// The value that the running game uses for the hero.
fn running(case: &Case, name: &str) -> Setting {
    let live = case.bench.live();
    let profile = live.world().profile_of(&live.world().entities()[0]);
    let loadouts = &live.revision().stage.profiles[profile].loadouts;
    loadouts.setting(ModelName::platformer, name).expect("a tunable")
}

fn facts(case: &Case) -> EntityFacts {
    EntityFacts::of(case.bench.live(), "hero").expect("a hero")
}

#[test]
fn a_number_of_the_panel_acts_in_the_next_tick() {
    on_large_stack(|| {
        for hz in [30, 37, 60, 120, 144, 240] {
            let mut case = Case::at(hz);
            case.frames(u64::from(hz));
            let mut tuner = tuner(&case);
            set(&mut tuner, "jump_speed", 400.0);
            case.bench.tune(tuner.changes());
            case.hold(&[Action::Jump]);
            case.frames(1);
            // While the key is held, the body rises at this speed.
            let live = case.bench.live();
            let view = live.world().view_of(&live.revision().stage, "hero");
            assert_eq!(view.expect("a hero").vel.y, 400.0, "{hz}");
        }
    });
}

#[test]
fn a_number_of_the_panel_plays_as_the_same_number_in_a_file() {
    on_large_stack(|| {
        for hz in [30, 60, 144] {
            let [mut tuned, mut edited] = [Case::at(hz), Case::at(hz)];
            tuned.play_about(50);
            edited.play_about(50);
            let mut tuner = tuner(&tuned);
            set(&mut tuner, "run_accel", 900.0);
            set(&mut tuner, "jump_speed", 450.0);
            tuned.bench.tune(tuner.changes());
            let text = hero("run_accel = 900.0\njump_speed = 450.0");
            edited.edit(HERO, &text).expect("good");
            assert_eq!(tuned.play_about(300), edited.play_about(300), "{hz}");
        }
    });
}

#[test]
fn a_dragged_slider_ends_at_its_last_number_and_makes_few_revisions() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        case.frames(60);
        let before = case.bench.revision().number;
        let mut tuner = tuner(&case);
        for i in 0..120 {
            let value = Setting::Number(300.0 + f64::from(i));
            tuner.set(&key("jump_speed"), value, i > 0);
            case.bench.tune(tuner.changes());
            case.frames(1);
        }
        case.frames(10);
        assert_eq!(running(&case, "jump_speed"), Setting::Number(419.0));
        // Two seconds, and ten a second.
        assert!(case.bench.revision().number - before <= 21);
        tuner.undo();
        assert_eq!(tuner.count(), 0, "a drag is one step");
        case.bench.tune(tuner.changes());
        case.frames(10);
        assert_eq!(running(&case, "jump_speed"), Setting::Number(540.0));
    });
}

#[test]
fn edits_survive_reloads_until_the_files_contain_them() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        let mut tuner = tuner(&case);
        set(&mut tuner, "jump_speed", 500.0);
        set(&mut tuner, "run_accel", 700.0);
        case.bench.tune(tuner.changes());
        case.frames(1);
        // Someone saves another number.
        case.edit(HERO, &hero("ground_decel = 3000.0")).expect("good");
        case.frames(1);
        assert_eq!(running(&case, "ground_decel"), Setting::Number(3000.0));
        assert_eq!(running(&case, "jump_speed"), Setting::Number(500.0));
        tuner.rebase(case.bench.files_revision().clone());
        assert_eq!(tuner.count(), 2);
        // The panel saves: comments and order stay, and the edits are in the file.
        let kind = hero("ground_decel = 3000.0 # px/s²");
        let text = format!("# The hero.\n{kind}");
        case.edit(HERO, &text).expect("good");
        tuner.rebase(case.bench.files_revision().clone());
        let folder = GameFolder::new(case.folder.root());
        let (saved, wrong) = save_tuning(&folder, "levels/level.toml", &tuner.unsaved());
        assert!(wrong.is_empty() && saved == [HERO], "{wrong:?}");
        let written = std::fs::read_to_string(case.folder.path(HERO)).expect("a file");
        let added = "jump_speed = 500.0\nrun_accel = 700.0\n";
        assert_eq!(written.trim_end(), format!("{text}{added}").trim_end());
        case.edit(HERO, &written).expect("good");
        tuner.rebase(case.bench.files_revision().clone());
        assert_eq!(tuner.count(), 0);
        case.bench.tune(tuner.changes());
        case.frames(10);
        assert_eq!(running(&case, "jump_speed"), Setting::Number(500.0));
    });
}

#[test]
fn an_edit_on_disk_of_an_edited_number_is_shown_and_not_lost() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        let mut tuner = tuner(&case);
        set(&mut tuner, "jump_speed", 500.0);
        set(&mut tuner, "run_accel", 700.0);
        case.edit(HERO, &hero("jump_speed = 510.0")).expect("good");
        tuner.rebase(case.bench.files_revision().clone());
        let rows = tuning_rows(&tuner, &facts(&case), "jump_speed");
        assert_eq!(rows[0].conflict, Some(Setting::Number(510.0)));
        assert_eq!(rows[0].value, Setting::Number(500.0));
        // Only what is not in doubt is saved.
        let names: Vec<_> = tuner.unsaved().iter().map(|e| e.change.name).collect();
        assert_eq!(names, ["run_accel"]);
        let mut theirs = tuner.clone();
        theirs.reset(&key("jump_speed"));
        assert!(theirs.edit(&key("jump_speed")).is_none());
        tuner.keep_mine(&key("jump_speed"));
        assert_eq!(tuner.unsaved().len(), 2);
        let folder = GameFolder::new(case.folder.root());
        let (_, wrong) = save_tuning(&folder, "levels/level.toml", &tuner.unsaved());
        assert!(wrong.is_empty(), "{wrong:?}");
        let written = std::fs::read_to_string(case.folder.path(HERO)).expect("a file");
        assert!(written.contains("jump_speed = 500.0\n"), "{written}");
    });
}

#[test]
fn undo_redo_and_the_second_set_bring_numbers_back() {
    on_large_stack(|| {
        let case = Case::at(60);
        let mut tuner = tuner(&case);
        let value = |tuner: &Tuner| {
            let edit = tuner.edit(&key("jump_speed"));
            edit.map(|edit| edit.value.clone())
        };
        let number = |x| Some(Setting::Number(x));
        set(&mut tuner, "jump_speed", 400.0);
        set(&mut tuner, "jump_speed", 450.0);
        tuner.undo();
        assert_eq!(value(&tuner), number(400.0));
        tuner.redo();
        assert_eq!(value(&tuner), number(450.0));
        tuner.swap();
        assert_eq!(value(&tuner), None, "the second set begins with the files");
        set(&mut tuner, "jump_speed", 600.0);
        tuner.swap();
        assert_eq!(value(&tuner), number(450.0));
        tuner.copy_to_other();
        tuner.swap();
        assert_eq!(value(&tuner), number(450.0));
        tuner.reset_all();
        assert_eq!(tuner.count(), 0);
        tuner.undo();
        assert_eq!(value(&tuner), number(450.0));
        // Setting the value that the files have is not an edit.
        set(&mut tuner, "jump_speed", 540.0);
        assert_eq!(tuner.count(), 0);
    });
}

#[test]
fn numbers_that_a_tunable_cannot_have_are_mended_or_ignored() {
    on_large_stack(|| {
        let case = Case::at(60);
        let mut tuner = tuner(&case);
        let value = |tuner: &Tuner, key: &TuningKey| tuner.edit(key).map(|e| e.value.clone());
        set(&mut tuner, "jump_speed", f64::NAN);
        assert_eq!(tuner.count(), 0);
        tuner.set(&key("jump_speed"), Setting::Flag(true), false);
        assert_eq!(tuner.count(), 0);
        set(&mut tuner, "jump_speed", -5.0);
        assert_eq!(value(&tuner, &key("jump_speed")), Some(Setting::Number(0.0)));
        set(&mut tuner, "jump_speed", f64::INFINITY);
        let most = hangtime_core::tuning::SPEED.max;
        assert_eq!(value(&tuner, &key("jump_speed")), Some(Setting::Number(most)));
        let home = TuningHome::Kind("hero".into());
        let sweeps = (home, ModelName::vessel.into(), "solver_sweeps");
        tuner.set(&sweeps, Setting::Number(12.4), false);
        assert_eq!(value(&tuner, &sweeps), Some(Setting::Number(12.0)));
        assert_eq!(rounded(0.123_456), 0.1235);
        assert_eq!(rounded(1234.56), 1235.0);
        assert_eq!(rounded(-0.0), 0.0);
    });
}

#[test]
fn rows_say_where_a_number_comes_from_and_what_replaces_it() {
    on_large_stack(|| {
        let script = "fn on_tick(me) { if this.n == 0 { this.n = 1; set_up(me); } }\n\
            fn set_up(me) { me.tune(\"platformer.run_accel\", 123.0); me.after(2.0, \"boom\"); }\n\
            fn jump_windows(me) {\n    #{ coyote_time: 0.2 }\n}\n";
        let folder = Folder::with_script(script);
        folder.write("config/models/platformer.toml", "jump_speed = 510.0\n");
        let text = "script = \"hero.rhai\"\nvars = { n = 0 }\n[platformer]\ncoyote_time = 0.3\n";
        folder.write(HERO, text);
        let mut case = Case::of(folder);
        case.frames(10);
        let tuner = tuner(&case);
        let facts = facts(&case);
        let row = |name: &str| {
            let rows = tuning_rows(&tuner, &facts, name);
            rows.into_iter().find(|row| row.tunable.name == name).expect("a row")
        };
        let speed = row("jump_speed");
        assert_eq!(speed.origin, "config/models/platformer.toml:1");
        assert_eq!(speed.key.0, TuningHome::Model);
        assert!(speed.replaced.is_empty());
        assert_eq!(row("ground_decel").origin, "default");
        let late = row("coyote_time");
        assert_eq!(late.origin, "config/entities/hero.toml:4");
        assert_eq!(late.replaced, "set by scripts/hero.rhai:3");
        assert!(row("jump_buffer").replaced.is_empty(), "the rule leaves it alone");
        let accel = row("run_accel");
        assert_eq!(accel.replaced, "123 by me.tune in scripts/hero.rhai");
        assert_eq!(facts.variables[0].name, "n");
        assert_eq!(facts.timers[0].name, "boom");
        let elapsed = (10.0 - 1.0) / 60.0;
        assert!((facts.timers[0].left - (2.0 - elapsed)).abs() <= 1.5 / 60.0);
    });
}

#[test]
fn the_search_looks_in_names_and_descriptions_of_all_models() {
    on_large_stack(|| {
        let case = Case::at(60);
        let (tuner, facts) = (tuner(&case), facts(&case));
        let all = tuning_rows(&tuner, &facts, "");
        let of_model = |model: ModelName| {
            let group = TuningGroup::Model(model);
            all.iter().filter(|row| row.key.1 == group).count()
        };
        let own = ModelName::platformer;
        assert_eq!(of_model(own), own.tunables().len());
        assert_eq!(of_model(ModelName::vessel), 0, "only if it is searched");
        let jumps = tuning_rows(&tuner, &facts, "JUMP speed");
        assert!(jumps.iter().any(|row| row.path() == "platformer.jump_speed"));
        assert!(jumps.iter().any(|row| row.path() == "topdown.jump_speed"));
        assert!(tuning_rows(&tuner, &facts, "no such words").is_empty());
    });
}

#[test]
fn numbers_of_the_panel_act_while_paused_and_after_going_back() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        case.play_about(120);
        case.tap(WindowKey::Pause);
        case.hold_key(WindowKey::ScrubBack, 10);
        let mut tuner = tuner(&case);
        set(&mut tuner, "jump_speed", 400.0);
        case.bench.tune(tuner.changes());
        case.frames(10);
        assert_eq!(running(&case, "jump_speed"), Setting::Number(400.0));
        case.tap(WindowKey::Restart);
        assert_eq!(running(&case, "jump_speed"), Setting::Number(400.0));
    });
}

/// Saves the panel's numbers, and the reloader and the panel see the files.
fn save(case: &mut Case, tuner: &mut Tuner) {
    let folder = GameFolder::new(case.folder.root());
    let (saved, wrong) = save_tuning(&folder, "levels/level.toml", &tuner.save());
    assert!(wrong.is_empty(), "{wrong:?}");
    for file in saved {
        let text = case.folder.read(&file);
        case.edit(&file, &text).expect("good");
    }
    tuner.rebase(case.bench.files_revision().clone());
}

#[test]
fn undo_and_redo_continue_across_a_save() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        let mut tuner = tuner(&case);
        let value = |tuner: &Tuner| {
            let rows = tuning_rows(tuner, &facts(&case), "platformer.jump_speed");
            rows[0].value.clone()
        };
        let before = value(&tuner);
        set(&mut tuner, "jump_speed", 400.0);
        set(&mut tuner, "jump_speed", 450.0);
        let mut saved = Case::at(60);
        save(&mut saved, &mut tuner);
        assert_eq!((tuner.count(), value(&tuner)), (0, Setting::Number(450.0)));
        tuner.undo();
        assert_eq!((tuner.count(), value(&tuner)), (1, Setting::Number(400.0)), "an edit of the saved number");
        assert_eq!(tuner.conflicts().count(), 0);
        tuner.undo();
        assert_eq!((tuner.count(), value(&tuner)), (1, before));
        assert!(!tuner.can_undo_and_redo().0);
        tuner.redo();
        tuner.redo();
        assert_eq!((tuner.count(), value(&tuner)), (0, Setting::Number(450.0)));
        // What undo brings back can be saved like any number.
        tuner.undo();
        save(&mut saved, &mut tuner);
        assert!(saved.folder.read(HERO).contains("jump_speed = 400.0"), "{}", saved.folder.read(HERO));
        case.frames(1);
    });
}

#[test]
fn an_undo_between_a_save_and_its_reload_stays() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        let mut tuner = tuner(&case);
        set(&mut tuner, "jump_speed", 450.0);
        let folder = GameFolder::new(case.folder.root());
        save_tuning(&folder, "levels/level.toml", &tuner.save());
        tuner.undo();
        let text = case.folder.read(HERO);
        case.edit(HERO, &text).expect("good");
        tuner.rebase(case.bench.files_revision().clone());
        let edit = tuner.edit(&key("jump_speed")).expect("the number before is an edit now");
        assert_eq!((&edit.value, &edit.was), (&Setting::Number(540.0), &Setting::Number(450.0)));
        assert_eq!(edit.conflict, None);
    });
}

#[test]
fn saving_several_numbers_makes_one_line_that_names_the_file() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        case.frames(60);
        let mut tuner = tuner(&case);
        let names = ["jump_speed", "run_accel", "ground_decel", "coyote_time", "jump_buffer", "hook_length"];
        for (name, value) in names.into_iter().zip([500.0, 700.0, 3000.0, 0.2, 0.2, 300.0]) {
            set(&mut tuner, name, value);
        }
        assert_eq!(tuner.count(), 6);
        case.bench.tune(tuner.changes());
        case.frames(30);
        save(&mut case, &mut tuner);
        case.bench.tune(tuner.changes());
        let number = case.bench.revision().number;
        case.frames(30);
        assert_eq!(case.bench.revision().number, number, "the numbers are the same");
        let lines = case.logged(LogKind::Reload);
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].contains(HERO), "{lines:?}");
        let rows = case.bench.picture().notes;
        assert!(rows.iter().all(|row| !row.text.contains("0 numbers")), "{rows:?}");
    });
}

#[test]
fn an_edit_on_disk_that_the_panel_hides_is_not_logged_as_if_it_took_effect() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        case.frames(10);
        let mut tuner = tuner(&case);
        set(&mut tuner, "jump_speed", 500.0);
        case.bench.tune(tuner.changes());
        case.frames(10);
        case.edit(HERO, &hero("jump_speed = 510.0")).expect("good");
        let lines = case.logged(LogKind::Reload);
        assert!(lines[0].contains("the panel keeps hero.platformer.jump_speed at 500"), "{lines:?}");
        assert_eq!(running(&case, "jump_speed"), Setting::Number(500.0));
        // An edit of another number says nothing about this one.
        case.edit(HERO, &hero("jump_speed = 510.0\nrun_accel = 700.0")).expect("good");
        let lines = case.logged(LogKind::Reload);
        assert!(!lines[1].contains("the panel keeps"), "{lines:?}");
    });
}

#[test]
fn conflicts_are_listed_whatever_the_search_shows() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        let mut tuner = tuner(&case);
        set(&mut tuner, "jump_speed", 500.0);
        case.edit(HERO, &hero("jump_speed = 510.0")).expect("good");
        tuner.rebase(case.bench.files_revision().clone());
        let shown = tuning_rows(&tuner, &facts(&case), "gravity_scale");
        assert!(shown.iter().all(|row| row.conflict.is_none()), "the search hides it");
        let listed: Vec<_> = tuner.conflicts().map(|(key, tuned)| (tuning_path(key), tuned.conflict.clone())).collect();
        assert_eq!(listed, [("hero.platformer.jump_speed".into(), Some(Setting::Number(510.0)))]);
        tuner.reset(&key("jump_speed"));
        assert_eq!(tuner.conflicts().count(), 0);
    });
}

/// A game with two kinds of one model, whose file sets the jump speed and nothing else.
fn two_kinds() -> Case {
    let folder = Folder::with_script(COUNTS);
    folder.write("config/models/platformer.toml", "jump_speed = 510.0\n");
    folder.write("config/entities/imp.toml", "model = \"platformer\"\n");
    let imp = "[[entity]]\nkind = \"imp\"\nat = [-400, 19]\n";
    folder.write("levels/level.toml", &format!("{LEVEL}{imp}"));
    Case::of(folder)
}

#[test]
fn one_change_of_feel_goes_to_the_kind_or_to_all_of_the_model_as_chosen_once() {
    on_large_stack(|| {
        for (scope, file, reaches_imp) in
            [(TuningScope::Kind, HERO, false), (TuningScope::Model, "config/models/platformer.toml", true)]
        {
            let mut case = two_kinds();
            let mut tuner = tuner(&case);
            let facts = facts(&case);
            let row = |tuner: &Tuner, name: &str| {
                let rows = tuning_rows(tuner, &facts, name);
                rows.into_iter().find(|row| row.tunable.name == name).expect("a row")
            };
            // Without a choice, the two numbers live in different files, and their rows say so.
            assert_eq!(row(&tuner, "jump_speed").goes, "config/models/platformer.toml, for all of platformer");
            assert_eq!(row(&tuner, "gravity_scale").goes, "config/entities/hero.toml, for the kind hero");
            for (name, value) in [("jump_speed", 600.0), ("gravity_scale", 1.5)] {
                let key = row(&tuner, name).key;
                tuner.set(&key, Setting::Number(value), false);
            }
            assert!(tuner.asks_scope());
            tuner.choose_scope(scope, facts.profile);
            assert!(!tuner.asks_scope(), "it asks once");
            assert_eq!(tuner.count(), 2);
            for (name, value) in [("jump_speed", 600.0), ("gravity_scale", 1.5)] {
                let row = row(&tuner, name);
                assert_eq!((row.value, row.edited), (Setting::Number(value), true));
                assert!(row.goes.starts_with(file), "{}", row.goes);
            }
            // The next number goes there as well.
            let key = row(&tuner, "run_accel").key;
            tuner.set(&key, Setting::Number(700.0), false);
            case.bench.tune(tuner.changes());
            case.frames(1);
            let speed = |case: &Case, name: &str| {
                let live = case.bench.live();
                let entity = live.world().entities().iter().find(|e| &*e.name == name).expect("it exists");
                let loadouts = &live.revision().stage.profiles[live.world().profile_of(entity)].loadouts;
                loadouts.setting(ModelName::platformer, "jump_speed")
            };
            let of_imp = if reaches_imp { 600.0 } else { 510.0 };
            let check = |case: &Case| {
                assert_eq!(speed(case, "hero"), Some(Setting::Number(600.0)), "{scope:?}");
                assert_eq!(speed(case, "imp"), Some(Setting::Number(of_imp)), "{scope:?}");
            };
            check(&case);
            let folder = GameFolder::new(case.folder.root());
            let (saved, wrong) = save_tuning(&folder, "levels/level.toml", &tuner.save());
            assert!(wrong.is_empty() && saved == [file], "{saved:?} {wrong:?}");
            let text = case.folder.read(file);
            case.edit(file, &text).expect("good");
            tuner.rebase(case.bench.files_revision().clone());
            assert_eq!(tuner.count(), 0, "the files contain them");
            case.bench.tune(tuner.changes());
            case.frames(10);
            check(&case);
        }
    });
}

#[test]
fn numbers_that_a_kind_sets_stay_with_it_whatever_is_chosen() {
    on_large_stack(|| {
        let mut case = two_kinds();
        case.edit(HERO, &hero("jump_speed = 520.0")).expect("good");
        let mut tuner = tuner(&case);
        tuner.choose_scope(TuningScope::Model, facts(&case).profile);
        let rows = tuning_rows(&tuner, &facts(&case), "platformer.jump_speed");
        assert_eq!(rows[0].key.0, TuningHome::Kind("hero".into()));
    });
}
