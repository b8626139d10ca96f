//! The mouse in the workbench: picking entities, and moving them while time stands still.

use crate::{
    folder::{Folder, LEVEL},
    workbench_case::{COUNTS, Case},
};
use glam::{DVec2, dvec2};
use hangtime_core::models::Action;
use hangtime_workbench::{LogKind, WindowKey};

const RATES: [u32; 5] = [30, 37, 60, 120, 240];

/// The usual level with a second hero, 60 px to the right of the first one.
fn two_heroes() -> Case {
    let folder = Folder::with_script(COUNTS);
    let second = "[[entity]]\nname = \"other\"\nkind = \"hero\"\nat = [-140, 19]\n";
    folder.write("levels/level.toml", &format!("{LEVEL}{second}"));
    Case::of(folder)
}

fn picked(case: &Case) -> String {
    case.bench.picked().expect("an entity").to_string()
}

/// Where an entity is.
fn place_of(case: &Case, name: &str) -> DVec2 {
    let live = case.bench.live();
    let view = live.world().view_of(&live.revision().stage, name);
    view.expect("it exists").pos
}

#[test]
fn a_click_picks_the_entity_under_the_mouse() {
    let mut case = two_heroes();
    case.frames(2);
    let first = picked(&case);
    let at = place_of(&case, "other");
    for offset in [DVec2::ZERO, dvec2(4.0, -4.0), dvec2(-4.0, 4.0)] {
        let here = case.place();
        assert!(case.bench.grab(at + offset), "{offset}");
        case.bench.drop_dragged();
        assert_eq!(picked(&case), "other");
        assert!(case.bench.grab(here));
        case.bench.drop_dragged();
        case.bench.grab(place_of(&case, &first));
        case.bench.drop_dragged();
        assert_eq!(picked(&case), first);
    }
    // Away from all entities, a click changes nothing.
    assert!(!case.bench.grab(at + dvec2(0.0, 200.0)));
    assert!(!case.bench.grab(dvec2(f64::NAN, 0.0)));
    assert_eq!(picked(&case), first);
}

#[test]
fn an_entity_is_dragged_only_while_time_stands_still() {
    let mut case = two_heroes();
    case.frames(5);
    let at = case.place();
    assert!(case.bench.grab(at));
    case.bench.drag_to(at + dvec2(0.0, 80.0));
    assert_eq!(case.place(), at, "while the game runs");
    case.tap(WindowKey::Pause);
    let other = place_of(&case, "other");
    // Where in the body the mouse holds it does not matter.
    for hold in [DVec2::ZERO, dvec2(3.0, -5.0)] {
        let from = case.place();
        assert!(case.bench.grab(from + hold));
        case.bench.drag_to(from + hold + dvec2(0.5, 0.5));
        assert_eq!(case.place(), from, "a click does not move it");
        for way in [dvec2(0.0, 40.0), dvec2(-30.0, 55.0), dvec2(10.0, 90.0)] {
            case.bench.drag_to(from + hold + way);
            case.frames(1);
            assert!((case.place() - from - way).length() < 1e-9, "{way}");
        }
        case.bench.drag_to(dvec2(f64::INFINITY, 0.0));
        case.bench.drag_to(dvec2(1e7, 0.0));
        assert!((case.place() - from - dvec2(10.0, 90.0)).length() < 1e-9);
        case.bench.drop_dragged();
        case.bench.drag_to(from);
        assert!((case.place() - from).length() > 80.0, "after letting go");
    }
    assert_eq!(place_of(&case, "other"), other);
    let notes = case.logged(LogKind::Note);
    assert!(notes.iter().any(|note| note.starts_with("moved ")), "{notes:?}");
}

#[test]
fn an_entity_dragged_into_the_ground_stays_outside_of_it() {
    let mut case = Case::at(60);
    case.tap(WindowKey::Pause);
    let at = case.place();
    assert!(case.bench.grab(at));
    for deep in [1.0, 5.0, 30.0, 50.0, 99.0] {
        case.bench.drag_to(at + dvec2(2.0 * deep, -deep));
        let live = case.bench.live();
        let name = picked(&case);
        let view = live.world().view_of(&live.revision().stage, &name).unwrap();
        let inside = view.pos.y - view.half.y < -0.5 && view.pos.y + view.half.y > -99.5;
        assert!(!inside, "{deep}: {}", view.pos);
    }
}

/// The usual level with a wall from x = 300 to 340, px.
fn walled() -> Case {
    let folder = Folder::with_script(COUNTS);
    let wall = "[[solid]]\npoints = [[300, 0], [340, 0], [340, 600], [300, 600]]\n";
    folder.write("levels/level.toml", &format!("{LEVEL}{wall}"));
    Case::of(folder)
}

#[test]
fn an_entity_dragged_into_a_wall_stays_on_its_side() {
    for depth in [1.0, 10.0, 19.0, 21.0, 30.0, 39.0] {
        let mut case = walled();
        case.tap(WindowKey::Pause);
        let at = case.place();
        assert!(case.bench.grab(at));
        let wall = 300.0;
        case.bench.drag_to(dvec2(wall - 60.0, at.y + 200.0));
        case.bench.drag_to(dvec2(wall + depth, at.y + 200.0));
        let live = case.bench.live();
        let view = live.world().view_of(&live.revision().stage, "hero");
        let half = view.expect("it exists").half.x;
        let away = wall - half - case.place().x;
        assert!((0.0..1e-3).contains(&away), "{depth}: {away} px from the wall");
        case.bench.drop_dragged();
        let said = format!("moved hero to {:.0}, {:.0}", case.place().x, case.place().y);
        assert!(case.logged(LogKind::Note).contains(&said), "{said}");
        // Beyond it there is room.
        assert!(case.bench.grab(case.place()));
        case.bench.drag_to(dvec2(wall + 100.0, at.y + 200.0));
        assert!(case.place().x > wall + 60.0);
    }
}

#[test]
fn after_a_drag_the_game_plays_on_and_every_tick_can_be_shown_again() {
    for hz in RATES {
        let mut case = Case::at(hz);
        let mut before = vec![case.hash()];
        before.extend(case.play_about(u64::from(hz) / 2));
        case.hold(&[]);
        case.tap(WindowKey::Pause);
        // Also at an earlier tick.
        for back in [0, 3] {
            (0..back).for_each(|_| case.tap(WindowKey::StepBack));
            let at = case.place();
            assert!(case.bench.grab(at), "{hz}");
            case.bench.drag_to(at + dvec2(0.0, 60.0));
            case.bench.drag_to(at + dvec2(0.0, 120.0));
            case.bench.drop_dragged();
            let start = case.bench.position();
            case.frames(1);
            assert!((case.place() - at - dvec2(0.0, 120.0)).length() < 1e-9, "{hz}");
            case.hold(&[Action::Right]);
            let mut after = vec![case.hash()];
            for _ in 0..10 {
                case.tap(WindowKey::StepForward);
                after.push(case.hash());
            }
            assert!(case.place() != at + dvec2(0.0, 120.0), "{hz}: it moves on");
            for expected in after.iter().rev() {
                assert_eq!(case.hash(), *expected, "{hz}, back from {start}");
                case.tap(WindowKey::StepBack);
            }
            // The tick before the drag is the one that was played.
            let earlier = case.bench.position() as usize;
            assert_eq!(earlier as u64 + 1, start);
            if let Some(expected) = before.get(earlier) {
                assert_eq!(case.hash(), *expected, "{hz}");
            }
            (0..11).for_each(|_| case.tap(WindowKey::StepForward));
            assert_eq!(Some(&case.hash()), after.last(), "{hz}");
        }
    }
}

#[test]
fn an_aim_is_part_of_the_recorded_input() {
    let mut case = Case::at(60);
    let point = dvec2(120.0, 90.0);
    case.frames(3);
    case.input.aim = Some(point);
    case.frames(4);
    case.input.aim = None;
    case.frames(2);
    let aims: Vec<_> = (0..case.bench.timeline().end())
        .map(|i| case.bench.timeline().input(i).unwrap().player(1).aim)
        .collect();
    assert_eq!(aims[..3], [None; 3]);
    assert_eq!(aims[3..7], [Some(point); 4]);
    assert_eq!(aims[7..], [None; 2]);
}
