//! What was played as input files and tests: they play as it was played.

use crate::{
    folder::{Folder, on_large_stack},
    workbench_case::{COUNTS, Case, hero},
};
use hangtime_core::models::Action;
use hangtime_game::{
    Live, Project,
    files::{InputScript, find_tests},
};
use hangtime_play::{collect, run_case};
use hangtime_script::SourceFile;
use hangtime_workbench::{LogKind, StripOrder, WindowKey};
use std::sync::Arc;

const RATES: [u32; 4] = [30, 60, 120, 240];

/// Plays about, and pauses.
fn played(hz: u32, ticks: u64) -> Case {
    let mut case = Case::at(hz);
    case.play_about(ticks);
    case.bench.press(WindowKey::Pause);
    case
}

fn save(case: &mut Case, order: StripOrder) {
    let folder = case.folder.root().into();
    case.bench.order(order, &folder);
    case.wait();
}

/// The hash at the end of an input file of the folder, as `hangtime run` plays it.
fn hash_of(case: &Case, file: &str) -> (u64, u64) {
    let revision = Arc::new(case.folder.open().expect("a good level"));
    let source = SourceFile { name: file.into(), text: case.folder.read(file) };
    let script = InputScript::parse_with(&Arc::new(source), &revision.stage.actions).expect("a good file");
    let track = script.track_in(&revision.stage);
    let mut live = Live::new(revision, script.seed.unwrap_or(0));
    for tick in 0..track.length() {
        live.step(&track.at(tick));
    }
    (track.length(), live.world().hash())
}

#[test]
fn an_input_file_ends_with_the_same_hash_and_never_replaces_another() {
    on_large_stack(|| {
        for hz in RATES {
            let mut case = played(hz, u64::from(3 * hz));
            save(&mut case, StripOrder::SaveInput);
            assert_eq!(hash_of(&case, "films/level-1.input"), (u64::from(3 * hz), case.hash()), "{hz} Hz");
            let first = case.folder.read("films/level-1.input");
            // Up to the shown tick.
            case.bench.show_position(u64::from(hz));
            save(&mut case, StripOrder::SaveInput);
            assert_eq!(hash_of(&case, "films/level-2.input"), (u64::from(hz), case.hash()), "{hz} Hz");
            // Or up to mark B.
            case.bench.show_position(10);
            case.bench.press(WindowKey::MarkA);
            case.bench.show_position(20);
            let marked = case.hash();
            case.bench.press(WindowKey::MarkB);
            case.bench.show_position(u64::from(hz));
            save(&mut case, StripOrder::SaveInput);
            assert_eq!(hash_of(&case, "films/level-3.input"), (20, marked), "{hz} Hz");
            assert!(case.folder.read("films/level-3.input").contains("# mark A"));
            assert_eq!(case.folder.read("films/level-1.input"), first);
            let notes = case.logged(LogKind::Note);
            assert!(notes.iter().any(|note| note.contains("hangtime run levels/level.toml --input")), "{notes:?}");
        }
    });
}

#[test]
fn a_test_passes_as_long_as_the_game_plays_the_same_and_fails_after_an_edit() {
    on_large_stack(|| {
        for hz in RATES {
            let mut case = played(hz, u64::from(2 * hz));
            for number in 1..=2 {
                save(&mut case, StripOrder::SaveTest);
                let path = case.folder.path(&format!("levels/tests/level_run_{number}.rhai"));
                let failures = |case: &Case| {
                    let project = Project::load(case.folder.root()).expect("a folder");
                    let found = find_tests(project.folder(), &[path.display().to_string()]).expect("the test");
                    let cases = collect(&project, &found);
                    assert_eq!(cases.len(), 1);
                    cases.iter().filter(|test| run_case(&project, test).failure().is_some()).count()
                };
                assert_eq!(failures(&case), 0, "{hz} Hz");
                case.folder.write("config/entities/hero.toml", &hero("run_speed_max = 100"));
                assert_eq!(failures(&case), 1, "{hz} Hz: a slower hero ends elsewhere");
                case.folder
                    .write("config/entities/hero.toml", "script = \"hero.rhai\"\nvars = { n = 0 }\n");
            }
        }
    });
}

#[test]
fn files_that_play_otherwise_say_so_and_runs_from_a_mark_are_refused() {
    on_large_stack(|| {
        let mut case = played(60, 60);
        case.edit("config/entities/hero.toml", &hero("run_speed_max = 100")).expect("good");
        save(&mut case, StripOrder::SaveInput);
        let warnings = case.logged(LogKind::Warning);
        assert!(warnings.iter().any(|line| line.contains("otherwise than it was played")), "{warnings:?}");
        case.bench.press(WindowKey::MarkA);
        case.bench.press(WindowKey::RestartAtMark);
        case.tap(WindowKey::Pause);
        case.frames(20);
        save(&mut case, StripOrder::SaveInput);
        let notes = case.logged(LogKind::Note);
        assert!(notes.iter().any(|note| note.contains("begins where the level begins")), "{notes:?}");
    });
}

#[test]
fn own_actions_taps_and_sticks_are_written_as_input_files_read_them() {
    on_large_stack(|| {
        let folder = Folder::with_script(COUNTS);
        let config = "[simulation]\ntick_hz = 60\n[keys]\ndash = \"KeyK\"\nzoom = \"KeyJ\"\n";
        folder.write("config/hangtime.toml", config);
        let mut case = Case::of(folder);
        let own = case.bench.revision().stage.actions.clone();
        let zoom = own.own("zoom").expect("an own action");
        for tick in 0..120_u32 {
            case.hold(if tick % 30 < 10 { &[Action::Right] } else { &[] });
            if tick % 11 == 0 {
                case.input.pressed.insert(zoom);
            }
            if tick % 17 < 2 {
                case.input.pressed.insert(Action::Jump);
            }
            case.input.stick = glam::dvec2(f64::from(tick % 13) / 128.0, 0.0);
            case.input.aim = (tick % 19 == 0).then(|| glam::dvec2(12.0, -7.5));
            case.frames(1);
        }
        case.bench.press(WindowKey::Pause);
        save(&mut case, StripOrder::SaveInput);
        let text = case.folder.read("films/level-1.input");
        assert!(text.contains("!zoom") && !text.contains("own"), "{text}");
        assert_eq!(hash_of(&case, "films/level-1.input"), (120, case.hash()));
    });
}
