//! The tuning panel's numbers of surfaces and of the simulation, and unsaved numbers when another level opens.

use crate::{
    folder::{Folder, LEVEL, on_large_stack},
    workbench_case::{COUNTS, Case},
};
use hangtime_core::{
    models::{Action, ModelName},
    tuning::Setting,
};
use hangtime_game::{GameFolder, Project, Revision, TuningGroup, TuningHome, save_tuning};
use hangtime_workbench::panel::{
    EntityFacts, Tuner, TuningKey, TuningRow, TuningSection, tuning_rows, tuning_sections,
};
use std::sync::Arc;

const CONFIG: &str = "config/hangtime.toml";
const SURFACES: &str = "config/surfaces.toml";

fn on_surface(surface: &str, name: &'static str) -> TuningKey {
    let group = TuningGroup::Surface(surface.into());
    (TuningHome::Surfaces, group, name)
}

fn of_game(name: &'static str) -> TuningKey {
    (TuningHome::Game, TuningGroup::Simulation, name)
}

fn number(tuner: &mut Tuner, key: &TuningKey, value: f64) {
    tuner.set(key, Setting::Number(value), false);
}

fn config(hz: u32, gravity: f64) -> String {
    format!("# Mine.\n[simulation]\ntick_hz = {hz}   # ticks\ngravity = {gravity:?} # px/s²\n")
}

fn case(hz: u32) -> Case {
    let folder = Folder::with_script(COUNTS);
    folder.write(CONFIG, &config(hz, 2000.0));
    let mut case = Case::of(folder);
    case.frames(u64::from(hz) / 2);
    case
}

fn tuner(case: &Case) -> Tuner {
    Tuner::new(case.bench.files_revision().clone())
}

fn facts(case: &Case) -> EntityFacts {
    EntityFacts::of(case.bench.live(), "hero").expect("a hero")
}

fn row(case: &Case, tuner: &Tuner, path: &str) -> TuningRow {
    let rows = tuning_rows(tuner, &facts(case), "");
    let found = rows.into_iter().find(|row| row.path() == path);
    found.unwrap_or_else(|| panic!("no {path}"))
}

#[test]
fn gravity_of_the_panel_acts_in_the_next_tick() {
    on_large_stack(|| {
        for hz in [30, 37, 60, 120, 144, 240] {
            let mut case = case(hz);
            let mut tuner = tuner(&case);
            case.hold(&[Action::Jump]);
            case.frames(2);
            case.hold(&[]);
            case.frames(u64::from(hz) / 20);
            let falls = |case: &mut Case| {
                let vel = |case: &Case| {
                    let live = case.bench.live();
                    let view = live.world().view_of(&live.revision().stage, "hero");
                    view.expect("a hero").vel.y
                };
                let before = vel(case);
                case.frames(1);
                (before - vel(case)) * f64::from(hz)
            };
            assert!((falls(&mut case) - 2000.0).abs() < 1e-6, "{hz} Hz");
            number(&mut tuner, &of_game("gravity"), 1500.0);
            case.bench.tune(tuner.changes());
            assert!((falls(&mut case) - 1500.0).abs() < 1e-6, "{hz} Hz");
            tuner.undo();
            // Changes within a tenth of a second wait for each other.
            case.bench.tune(tuner.changes());
            case.frames(u64::from(hz) / 9);
            assert_eq!(case.bench.live().revision().stage.gravity, 2000.0, "{hz} Hz");
        }
    });
}

#[test]
fn numbers_of_surfaces_and_the_simulation_play_as_the_same_numbers_in_files() {
    on_large_stack(|| {
        for hz in [30, 60, 144] {
            let [mut tuned, mut edited, mut plain] = [hz; 3].map(|hz| {
                let folder = Folder::with_script(COUNTS);
                folder.write(CONFIG, &config(hz, 2000.0));
                let text = "script = \"hero.rhai\"\nmodel = \"two_velocity\"\nvars = { n = 0 }\n";
                folder.write("config/entities/hero.toml", text);
                folder.write("levels/level.toml", &LEVEL.replace("-200, 19", "200, 19"));
                Case::of(folder)
            });
            for case in [&mut tuned, &mut edited, &mut plain] {
                case.play_about(50);
            }
            let mut tuner = tuner(&tuned);
            number(&mut tuner, &on_surface("ice", "grip"), 0.75);
            number(&mut tuner, &of_game("gravity"), 2500.0);
            number(&mut tuner, &of_game("external_damping"), 6.0);
            tuned.bench.tune(tuner.changes());
            edited.folder.write(SURFACES, "[stone]\n[ice]\ngrip = 0.75\n");
            let text = format!("{}external_damping = 6.0\n", config(hz, 2500.0));
            edited.edit(CONFIG, &text).expect("good");
            let played = tuned.play_about(300);
            assert_eq!(played, edited.play_about(300), "{hz} Hz");
            assert_ne!(played, plain.play_about(300), "{hz} Hz: they have an effect");
        }
    });
}

#[test]
fn sections_list_the_model_the_surfaces_of_the_level_and_the_simulation() {
    on_large_stack(|| {
        let case = case(60);
        let tuner = tuner(&case);
        let sections = tuning_sections(&tuner, &facts(&case), "");
        let names: Vec<String> = sections.iter().map(|s| s.group.to_string()).collect();
        assert_eq!(names, ["platformer", "surfaces.stone", "surfaces.ice", "simulation"]);
        let current: Vec<bool> = sections.iter().map(|s| s.current).collect();
        assert_eq!(current, [true, true, false, false], "it is on the stone");
        let of = |sections: &[TuningSection]| sections.iter().map(|s| s.rows.len()).sum::<usize>();
        let found = tuning_sections(&tuner, &facts(&case), "surfaces.ice slides");
        assert_eq!((found.len(), of(&found)), (1, 1), "friction");
        let grip = row(&case, &tuner, "surfaces.ice.grip");
        assert_eq!(grip.origin, "config/surfaces.toml:3");
        assert_eq!((grip.value, grip.key.0), (Setting::Number(0.1), TuningHome::Surfaces));
        assert_eq!(row(&case, &tuner, "surfaces.stone.grip").origin, "default");
        assert_eq!(row(&case, &tuner, "simulation.gravity").origin, "config/hangtime.toml:4");
        assert_eq!(row(&case, &tuner, "simulation.touches").origin, "default");
    });
}

#[test]
fn numbers_of_surfaces_and_the_simulation_are_saved_undone_and_compared() {
    on_large_stack(|| {
        let mut case = case(60);
        let mut tuner = tuner(&case);
        number(&mut tuner, &on_surface("ice", "grip"), 0.3);
        number(&mut tuner, &on_surface("stone", "friction"), 2.0);
        number(&mut tuner, &of_game("gravity"), 1800.0);
        tuner.set(&of_game("touches"), Setting::Flag(false), false);
        tuner.undo();
        tuner.redo();
        tuner.swap();
        assert_eq!(tuner.count(), 0);
        tuner.swap();
        assert_eq!(tuner.count(), 4);
        // Out of range: kept in the range.
        number(&mut tuner, &on_surface("ice", "grip"), 7.0);
        assert_eq!(row(&case, &tuner, "surfaces.ice.grip").value, Setting::Number(1.0));
        number(&mut tuner, &on_surface("ice", "grip"), 0.3);
        // Someone edits one of them on disk.
        case.edit(SURFACES, "[stone] # rough\n[ice]\ngrip = 0.2 # px\n").expect("good");
        tuner.rebase(case.bench.files_revision().clone());
        let grip = row(&case, &tuner, "surfaces.ice.grip");
        assert_eq!(grip.conflict, Some(Setting::Number(0.2)));
        tuner.keep_mine(&grip.key);
        let folder = GameFolder::new(case.folder.root());
        let (saved, wrong) = save_tuning(&folder, "levels/level.toml", &tuner.unsaved());
        assert!(wrong.is_empty(), "{wrong:?}");
        assert_eq!(saved, [CONFIG, SURFACES]);
        let read = |name| std::fs::read_to_string(case.folder.path(name)).expect("a file");
        let expected = config(60, 2000.0).replace("2000.0", "1800.0");
        assert_eq!(read(CONFIG), format!("{expected}touches = false\n"));
        assert_eq!(read(SURFACES), "[stone] # rough\nfriction = 2.0\n[ice]\ngrip = 0.3 # px\n");
        let text = read(SURFACES);
        case.edit(SURFACES, &text).expect("good");
        tuner.rebase(case.bench.files_revision().clone());
        assert_eq!(tuner.count(), 0, "the files contain them");
        case.frames(10);
        let stage = &case.bench.live().revision().stage;
        assert_eq!((stage.gravity, stage.touches), (1800.0, false));
    });
}

#[test]
fn a_level_with_its_own_gravity_is_tuned_in_its_file() {
    on_large_stack(|| {
        let folder = Folder::with_script(COUNTS);
        folder.write(CONFIG, &config(60, 2000.0));
        let level = format!("gravity = 900 # moon\n{LEVEL}");
        folder.write("levels/level.toml", &level);
        let mut case = Case::of(folder);
        let mut tuner = tuner(&case);
        let gravity = row(&case, &tuner, "simulation.gravity");
        assert_eq!(gravity.key.0, TuningHome::Level);
        assert_eq!(gravity.origin, "levels/level.toml:1");
        assert_eq!(gravity.value, Setting::Number(900.0));
        // The game's own gravity has no effect here, and cannot be edited by mistake.
        number(&mut tuner, &of_game("gravity"), 1.0);
        assert_eq!(tuner.count(), 0);
        number(&mut tuner, &gravity.key, 800.0);
        case.bench.tune(tuner.changes());
        case.frames(1);
        assert_eq!(case.bench.live().revision().stage.gravity, 800.0);
        assert_eq!(case.bench.live().revision().config.simulation.gravity, 2000.0);
        let folder = GameFolder::new(case.folder.root());
        let (saved, wrong) = save_tuning(&folder, "levels/level.toml", &tuner.unsaved());
        assert!(wrong.is_empty() && saved == ["levels/level.toml"], "{wrong:?}");
        let written = std::fs::read_to_string(case.folder.path("levels/level.toml"));
        assert_eq!(written.expect("a file"), level.replace("900", "800"));
    });
}

#[test]
fn numbers_of_the_command_line_cannot_be_saved() {
    on_large_stack(|| {
        let folder = Folder::with_script(COUNTS);
        let settings = [("surfaces.ice.grip", "0.5"), ("simulation.gravity", "500")];
        let revision = Arc::new(folder.open_with(&settings).expect("a good level"));
        for (group, name) in [(TuningGroup::Surface("ice".into()), "grip"), (TuningGroup::Simulation, "gravity")] {
            assert_eq!(revision.tuning_home(0, &group, name), TuningHome::CommandLine);
            let origin = revision.tuning_origin(0, &group, name);
            assert!(origin.starts_with(&format!("--set {group}.{name}=")), "{origin}");
        }
    });
}

#[test]
fn numbers_that_only_count_at_the_start_are_shown_and_not_changed() {
    on_large_stack(|| {
        let case = case(60);
        let mut tuner = tuner(&case);
        for name in ["tick_hz", "max_entities"] {
            let row = row(&case, &tuner, &format!("simulation.{name}"));
            assert!(row.fixed.is_some_and(|why| why.starts_with("edit the file")));
            number(&mut tuner, &row.key, 100.0);
        }
        assert_eq!(tuner.count(), 0);
        assert_eq!(row(&case, &tuner, "simulation.gravity").fixed, None);
    });
}

/// A game with two levels, which share the kind `hero`. The second has no `imp`.
fn two_levels() -> Folder {
    let folder = Folder::with_script(COUNTS);
    folder.write(CONFIG, &config(60, 2000.0));
    folder.write("config/entities/imp.toml", "model = \"platformer\"\n");
    let imp = "[[entity]]\nkind = \"imp\"\nat = [-400, 19]\n";
    let rock = "[[entity]]\nkind = \"hero\"\nname = \"rock\"\nat = [-500, 19]\n\
        platformer = { jump_speed = 100.0 }\n";
    folder.write("levels/level.toml", &format!("gravity = 900\n{LEVEL}{imp}{rock}"));
    // An entity of the same name, with its own number.
    folder.write("levels/other.toml", &format!("{LEVEL}{rock}"));
    folder
}

fn open(folder: &Folder, level: &str) -> Arc<Revision> {
    let project = Project::load(folder.root()).expect("a game");
    let revision = project.open(&folder.path(level), &[]);
    Arc::new(revision.expect("a good level"))
}

/// Numbers that an entity of both levels, of one of them, or none of them has.
fn various() -> [(TuningKey, f64); 5] {
    let jump = |home| (home, TuningGroup::Model(ModelName::platformer), "jump_speed");
    [
        (jump(TuningHome::Kind("hero".into())), 500.0),
        (jump(TuningHome::Kind("imp".into())), 300.0),
        (jump(TuningHome::Entity("rock".into())), 150.0),
        ((TuningHome::Level, TuningGroup::Simulation, "gravity"), 800.0),
        (on_surface("ice", "grip"), 0.25),
    ]
}

/// Two levels, and edits of the first one.
fn edited_levels() -> (Arc<Revision>, Arc<Revision>, Tuner) {
    let folder = two_levels();
    let levels = ["levels/level.toml", "levels/other.toml"].map(|level| open(&folder, level));
    let [first, second] = levels;
    let mut tuner = Tuner::new(first.clone());
    for (key, value) in &various() {
        number(&mut tuner, key, *value);
    }
    assert_eq!(tuner.count(), 5);
    (first, second, tuner)
}

#[test]
fn the_log_says_which_unsaved_numbers_another_level_has() {
    on_large_stack(|| {
        let (first, second, mut tuner) = edited_levels();
        let lines = tuner.open_level(second);
        assert_eq!(
            lines,
            [
                "unsaved numbers stay in effect: hero.platformer.jump_speed = 500, surfaces.ice.grip = 0.25",
                "unsaved, without effect in this level: imp.platformer.jump_speed = 300",
                "unsaved numbers of levels/level.toml wait for it: rock.platformer.jump_speed = 150, \
                 simulation.gravity = 800",
            ]
        );
        let lines = tuner.open_level(first);
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].starts_with("unsaved numbers stay in effect: "), "{lines:?}");
        assert!(lines[0].ends_with(" and 2 more"), "{lines:?}");
    });
}

#[test]
fn unsaved_numbers_of_one_level_do_not_reach_another_and_come_back() {
    on_large_stack(|| {
        let (first, second, mut tuner) = edited_levels();
        tuner.open_level(second.clone());
        assert_eq!(tuner.count(), 3);
        // The entity of the other level that has the same name keeps its number, also after an undo.
        let check = |tuner: &Tuner| {
            let tuned = second.retuned(2, &tuner.changes()).expect("good");
            let mut starts = tuned.stage.starts.iter();
            let rock = starts.find(|start| &*start.name == "rock");
            let profile = rock.expect("a rock").profile;
            let group = TuningGroup::Model(ModelName::platformer);
            let speed = tuned.tuning_value(profile, &group, "jump_speed");
            assert_eq!(speed, Some(Setting::Number(100.0)));
            assert_eq!(tuned.stage.gravity, 2000.0);
        };
        check(&tuner);
        tuner.undo();
        check(&tuner);
        tuner.redo();
        // What is saved here goes into files that the levels share.
        let unsaved = tuner.unsaved();
        assert!(unsaved.iter().all(|edit| !edit.change.home.is_of_level()));
        // Back in the first level, all of them are there.
        tuner.open_level(first);
        for (key, value) in &various() {
            let edit = tuner.edit(key).map(|edit| edit.value.clone());
            assert_eq!(edit, Some(Setting::Number(*value)), "{key:?}");
        }
    });
}

#[test]
fn a_surface_without_a_table_gets_one() {
    on_large_stack(|| {
        let folder = Folder::with_script(COUNTS);
        let text = "# Only ice.\n[ice]\ngrip = 0.1\n";
        folder.write(SURFACES, text);
        let case = Case::of(folder);
        let mut tuner = tuner(&case);
        number(&mut tuner, &on_surface("stone", "friction"), 1.5);
        number(&mut tuner, &of_game("gravity"), 3000.0);
        let folder = GameFolder::new(case.folder.root());
        let (saved, wrong) = save_tuning(&folder, "levels/level.toml", &tuner.unsaved());
        // This game has no `config/hangtime.toml`, and none is made in silence.
        assert_eq!((saved, wrong.len()), (vec![SURFACES.to_string()], 1));
        assert!(wrong[0].to_string().starts_with(CONFIG), "{}", wrong[0]);
        let written = std::fs::read_to_string(case.folder.path(SURFACES)).expect("a file");
        assert_eq!(written, format!("{text}\n[stone]\nfriction = 1.5\n"));
    });
}

#[test]
fn a_level_that_is_opened_again_keeps_its_unsaved_numbers() {
    on_large_stack(|| {
        let folder = two_levels();
        let first = open(&folder, "levels/level.toml");
        let mut tuner = Tuner::new(first);
        assert!(tuner.open_level(open(&folder, "levels/level.toml")).is_empty());
        let key = (TuningHome::Level, TuningGroup::Simulation, "gravity");
        number(&mut tuner, &key, 800.0);
        let lines = tuner.open_level(open(&folder, "levels/level.toml"));
        assert_eq!(lines, ["unsaved numbers stay in effect: simulation.gravity = 800"]);
        assert_eq!(tuner.changes().len(), 1);
    });
}
