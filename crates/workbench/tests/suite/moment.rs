//! What a paused window says to editors.

use crate::{folder::on_large_stack, workbench_case::Case};
use hangtime_game::{GameFolder, ShownMoment};
use hangtime_workbench::{MomentFile, WindowKey};

const LEVEL_SCRIPT: &str = "fn on_tick(me) { this.ticks += 1; }\n";

/// A game whose hero and level count ticks.
fn case(hz: u32) -> Case {
    let case = Case::at(hz);
    let level = case.folder.read("levels/level.toml");
    case.folder.write("scripts/level.rhai", LEVEL_SCRIPT);
    case.folder
        .write("levels/level.toml", &format!("script = \"level.rhai\"\nvars = {{ ticks = 0 }}\n{level}"));
    Case::of(case.folder)
}

#[test]
fn a_paused_window_says_what_the_scripts_of_its_tick_hold() {
    for hz in [30, 60, 120, 240] {
        on_large_stack(move || {
            let mut case = case(hz);
            let folder = GameFolder::new(case.folder.root());
            let mut file = MomentFile::new(folder.clone());
            let read = |file: &mut MomentFile, case: &Case| {
                file.follow(&case.bench);
                file.follow(&case.bench);
                ShownMoment::read(&folder)
            };
            case.frames(20);
            assert_eq!(read(&mut file, &case), None, "time runs");
            for (key, tick) in [
                (WindowKey::Pause, 20),
                (WindowKey::StepBack, 19),
                (WindowKey::StepBack, 18),
                (WindowKey::StepForward, 19),
            ] {
                case.tap(key);
                assert_eq!(case.bench.position(), tick);
                let moment = read(&mut file, &case).expect("a moment");
                assert_eq!((moment.tick, &*moment.entity), (tick, "hero"));
                let (hero, level) = (&moment.values["scripts/hero.rhai"], &moment.values["scripts/level.rhai"]);
                // A level's script counts each tick, and knows no body.
                assert_eq!(level["ticks"], tick.to_string());
                assert!(!level.contains_key("me.x"));
                // The shown world is the one that counts: the hero is where it was at that tick.
                let world = case.bench.live().world();
                let entity = world.entity("hero").expect("a hero");
                let y: f64 = hero["me.y"].parse().expect("a number");
                assert!((y - world.body(entity).pos.y).abs() <= 0.0005 * y.abs(), "four digits");
                assert_eq!(hero["me.name"], "\"hero\"");
                assert!(hero.contains_key("n"));
            }
            case.tap(WindowKey::Pause);
            assert_eq!(read(&mut file, &case), None, "time runs again");
            case.tap(WindowKey::Pause);
            assert!(read(&mut file, &case).is_some());
            drop(file);
            assert_eq!(ShownMoment::read(&folder), None, "the window is closed");
        });
    }
}

#[test]
fn a_moment_that_a_killed_window_left_is_gone_with_the_next_window() {
    on_large_stack(|| {
        let case = case(60);
        let folder = GameFolder::new(case.folder.root());
        ShownMoment::write(&folder, Some(&ShownMoment::default())).expect("a file");
        let _file = MomentFile::new(folder.clone());
        assert_eq!(ShownMoment::read(&folder), None);
    });
}

#[test]
fn ticks_that_pass_by_while_time_is_turned_back_are_not_written() {
    on_large_stack(|| {
        let mut case = case(60);
        let folder = GameFolder::new(case.folder.root());
        let mut file = MomentFile::new(folder.clone());
        let read = || ShownMoment::read(&folder).map(|moment| moment.tick);
        case.frames(20);
        case.tap(WindowKey::Pause);
        file.follow(&case.bench);
        assert_eq!(read(), None);
        file.follow(&case.bench);
        assert_eq!(read(), Some(20));
        for _ in 0..5 {
            case.tap(WindowKey::StepBack);
            file.follow(&case.bench);
            assert_eq!(read(), Some(20));
        }
        file.follow(&case.bench);
        assert_eq!(read(), Some(15));
    });
}
