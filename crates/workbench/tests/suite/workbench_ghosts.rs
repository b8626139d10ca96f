//! Loops and ghosts: the same input under several revisions.

use crate::{
    folder::{Folder, LEVEL, on_large_stack},
    workbench_case::{COUNTS, Case, hero},
};
use glam::DVec2;
use hangtime_core::models::Action;
use hangtime_workbench::{LogKind, MOST_GHOSTS, PARTED, STRETCH_SECONDS, WindowKey};

const HERO: &str = "config/entities/hero.toml";

/// A hero whose jumps are parabolas.
fn jumper(speed: f64) -> String {
    hero(&format!("jump_speed = {speed:?}\njump_hold_time = 0\nmax_fall_speed = 100000"))
}

/// A game with low gravity, so that a jump takes many ticks, and a hero who stands.
fn standing(hz: u32, speed: f64) -> Case {
    let folder = Folder::with_script(COUNTS);
    let config = format!("[simulation]\ntick_hz = {hz}\ngravity = 1000\n");
    folder.write("config/hangtime.toml", &config);
    folder.write("levels/level.toml", LEVEL);
    folder.write(HERO, &jumper(speed));
    let mut case = Case::of(folder);
    case.frames(u64::from(hz));
    case
}

fn jumping(hz: u32, speed: f64) -> Case {
    let mut case = standing(hz, speed);
    case.hold(&[Action::Jump, Action::Right]);
    case.frames(u64::from(hz) * 3 / 2);
    case
}

/// Where the picked entity was at the start of the line and after each of its ticks, px.
fn played(case: &mut Case) -> Vec<DVec2> {
    let end = case.bench.timeline().end();
    let mut places = Vec::new();
    while case.bench.position() > 0 {
        case.tap(WindowKey::StepBack);
    }
    places.push(case.place());
    while case.bench.position() < end {
        case.tap(WindowKey::StepForward);
        places.push(case.place());
    }
    places
}

#[test]
fn a_ghost_under_a_revision_that_changes_nothing_is_the_path_that_was_played() {
    on_large_stack(|| {
        for hz in [30, 37, 60, 120, 240] {
            let mut case = jumping(hz, 400.0);
            case.tap(WindowKey::Pause);
            let played = played(&mut case);
            case.edit("scripts/hero.rhai", &format!("// A comment.\n{COUNTS}")).expect("good");
            case.wait();
            let ghosts = case.bench.ghosts();
            assert_eq!(ghosts.len(), 2, "{hz} Hz");
            assert_eq!(ghosts[0].path, played, "{hz} Hz");
            assert_eq!(ghosts[1].path, played, "{hz} Hz");
            assert_eq!(ghosts[1].parts_from(&ghosts[0]), None);
            let lines = &case.bench.picture().ghosts.lines;
            let length = played.len() - 1;
            let seconds = length as f64 / f64::from(hz);
            assert_eq!(lines[0], format!("revision 1 → 2, last edit: no difference in {seconds:.2} s, 0 px apart"));
        }
    });
}

#[test]
fn a_higher_jump_is_measured_old_and_new() {
    on_large_stack(|| {
        for hz in [30, 60, 120, 240] {
            let mut case = jumping(hz, 400.0);
            case.edit(HERO, &jumper(500.0)).expect("good");
            case.wait();
            let ghosts = case.bench.ghosts();
            for (ghost, speed) in ghosts.iter().zip([400.0, 500.0]) {
                let of = |name: &str| ghost.measure(name).expect("a jump that lands");
                let gravity = 1000.0;
                assert!((of("apex") - speed * speed / 2.0 / gravity).abs() <= 1e-6, "{hz} Hz {:?}", ghost.measures);
                assert!((of("time to apex") - speed / gravity).abs() <= 1e-6, "{hz} Hz {:?}", ghost.measures);
                let air = of("air time");
                assert!((air - 2.0 * speed / gravity).abs() <= 1e-6, "{hz} Hz {:?}", ghost.measures);
                assert!((of("landing speed") - speed).abs() <= 1e-6, "{hz} Hz {:?}", ghost.measures);
                // In the air it speeds up at 2000 px/s² from rest to 360 px/s.
                let flown = 360.0 * 360.0 / 2.0 / 2000.0 + 360.0 * (air - 360.0 / 2000.0);
                assert!((of("distance") - flown).abs() <= 1e-3, "{hz} Hz {:?}", ghost.measures);
            }
            let picture = case.bench.picture().ghosts;
            assert_eq!(picture.paths.len(), 2);
            assert!(picture.lines[0].starts_with("revision 1 → 2, last edit: the paths diverge after"));
            let apart = |i: usize| ghosts[0].path[i].distance(ghosts[1].path[i]);
            let (tick, most) = ghosts[1].farthest_from(&ghosts[0]);
            assert!((0..ghosts[0].path.len()).all(|i| apart(i) <= most) && apart(tick) == most);
            let seconds = tick as f64 / f64::from(hz);
            assert_eq!(picture.lines[1], format!("largest distance {most:.1} px after {seconds:.2} s (tick {tick})"));
            assert!(picture.lines[2].starts_with("apex 80.0 → 125.0 px"), "{:?}", picture.lines);
            // The paths part in the first tick in which they differ: at the takeoff.
            let part = ghosts[1].parts_from(&ghosts[0]).expect("they part");
            let (old, new) = (&ghosts[0].path, &ghosts[1].path);
            assert!(old[part].distance(new[part]) > PARTED);
            assert!((0..part).all(|i| old[i].distance(new[i]) <= PARTED));
            assert_eq!(picture.parts_at, Some(new[part]));
        }
    });
}

#[test]
fn a_jump_long_before_an_edit_is_compared() {
    on_large_stack(|| {
        for hz in [30, 60, 120, 240] {
            // It lands 0.8 s after the takeoff, and stands for a while.
            for rest in [1, 4, 20] {
                let mut case = standing(hz, 400.0);
                case.frames(u64::from(hz) * 3);
                case.hold(&[Action::Jump]);
                case.frames(u64::from(hz));
                case.hold(&[]);
                case.frames(u64::from(hz) * rest);
                case.edit(HERO, &jumper(500.0)).expect("good");
                case.wait();
                let apexes = case.bench.ghosts().iter().map(|ghost| ghost.measure("apex"));
                for (apex, speed) in apexes.zip([400.0_f64, 500.0]) {
                    let (apex, gravity) = (apex.unwrap_or_default(), 1000.0);
                    assert!((apex - speed * speed / (2.0 * gravity)).abs() < 1e-6, "{hz} Hz, {rest} s: {apex}");
                }
                let lines = &case.bench.picture().ghosts.lines;
                assert!(lines[0].contains("diverge"), "{hz} Hz, {rest} s: {lines:?}");
            }
        }
    });
}

#[test]
fn the_new_path_is_what_playing_the_edit_gives() {
    on_large_stack(|| {
        let mut case = jumping(60, 400.0);
        case.tap(WindowKey::Pause);
        case.edit(HERO, &jumper(450.0)).expect("good");
        case.wait();
        let ghost = case.bench.ghosts()[1].path.clone();
        // Back to the start of the stretch, the same edit there, and step by step forward.
        let length = STRETCH_SECONDS * 60;
        let start = case.bench.position().saturating_sub(length);
        case.hold(&[]);
        while case.bench.position() > start {
            case.tap(WindowKey::StepBack);
        }
        case.edit(HERO, &jumper(450.0)).expect("good");
        let mut played = vec![case.place()];
        for _ in 0..ghost.len() - 1 {
            case.tap(WindowKey::StepForward);
            played.push(case.place());
        }
        assert_eq!(played, ghost);
    });
}

#[test]
fn a_loop_repeats_the_stretch_between_the_marks_exactly() {
    on_large_stack(|| {
        for hz in [30, 60, 240] {
            let mut case = Case::at(hz);
            case.play_about(100);
            case.bench.press(WindowKey::MarkA);
            let first = case.play_about(90);
            case.bench.press(WindowKey::MarkB);
            for round in 0..5 {
                // What the player does meanwhile has no effect.
                case.hold(if round % 2 == 0 { &[Action::Jump] } else { &[Action::Left] });
                assert_eq!(case.hashes(90), first, "{hz} Hz, round {round}");
            }
            let status = case.bench.picture().status;
            assert!(status.contains("round 5"), "{status:?}");
            // In slow motion, with pauses and after a look back as well.
            case.frames(30);
            case.hold_key(WindowKey::ScrubBack, 10);
            case.tap(WindowKey::Pause);
            let at = case.hash();
            let index = first.iter().position(|hash| *hash == at).expect("a tick of the loop");
            assert_eq!(case.hashes(89 - index as u64), first[index + 1..]);
            // It ends where it is, and the player continues.
            case.bench.press(WindowKey::Loop);
            case.hold(&[]);
            case.frames(30);
            assert!(!first.contains(&case.hash()));
            case.bench.press(WindowKey::Loop);
            assert_eq!(case.hashes(90), first);
        }
    });
}

#[test]
fn an_action_that_is_added_during_a_loop_leaves_the_recorded_ones_as_they_are() {
    on_large_stack(|| {
        let folder = Folder::with_script(
            "fn on_tick(me) {\n    if me.pressed(\"throw\") { this.n += 1; }\n    if me.held(\"throw\") { me.hold(\"right\"); }\n}\n",
        );
        let keys = |first: &str| format!("[keys]\n{first}throw = \"KeyE\"\n");
        folder.write("config/hangtime.toml", &keys(""));
        let mut case = Case::of(folder);
        let throw = |case: &Case| {
            let actions = &case.bench.live().revision().stage.actions;
            actions.own("throw").expect("an action")
        };
        case.frames(5);
        case.bench.press(WindowKey::MarkA);
        for _ in 0..3 {
            let action = throw(&case);
            case.input.pressed = [action].into_iter().collect();
            case.hold(&[action]);
            case.frames(10);
            case.hold(&[]);
            case.frames(10);
        }
        case.bench.press(WindowKey::MarkB);
        case.frames(60);
        let seen = |case: &Case| {
            let hero = case.bench.live().world().entity("hero").expect("a hero");
            (hero.vars.0.to_plain()["n"].clone(), case.place())
        };
        let (thrown, end) = seen(&case);
        assert_eq!(thrown, hangtime_core::sim::Value::Int(3));
        // Its name comes before the other one, which moves to the next place.
        case.edit("config/hangtime.toml", &keys("boost = \"KeyU\"\n")).expect("good");
        for _ in 0..3 {
            case.frames(60);
            assert_eq!(seen(&case), (thrown.clone(), end));
        }
        // And without the new one again.
        case.edit("config/hangtime.toml", &keys("")).expect("good");
        case.frames(120);
        assert_eq!(seen(&case), (thrown, end));
    });
}

#[test]
fn edits_during_a_loop_take_effect_at_once_and_in_every_round_after_them() {
    on_large_stack(|| {
        let mut case = jumping(60, 400.0);
        case.bench.press(WindowKey::Restart);
        case.hold(&[]);
        case.frames(60);
        case.bench.press(WindowKey::MarkA);
        case.hold(&[Action::Jump]);
        case.frames(80);
        case.bench.press(WindowKey::MarkB);
        let highest = |case: &mut Case| {
            let heights = (0..80).map(|_| {
                case.frames(1);
                case.place().y
            });
            heights.fold(0.0, f64::max) - 19.0
        };
        let apex = |speed: f64| speed * speed / 2000.0;
        assert!((highest(&mut case) - apex(400.0)).abs() < 400.0 / 60.0);
        case.frames(10);
        for (number, speed) in [(2, 500.0), (3, 300.0), (4, 450.0)] {
            case.edit(HERO, &jumper(speed)).expect("good");
            assert_eq!(case.bench.live().revision().number, number);
            case.frames(70);
            assert!((highest(&mut case) - apex(speed)).abs() < speed / 60.0, "{speed}");
            case.frames(10);
            case.wait();
            let ghosts = case.bench.ghosts();
            assert_eq!(ghosts.len(), number as usize, "one for each revision");
            // Frames were made while it waited: back to the start of a round.
            while case.bench.live().world().ticks() != 60 + 10 {
                case.frames(1);
            }
        }
        case.edit(HERO, &jumper(-1.0)).expect_err("not a speed");
        case.frames(200);
        assert_eq!(case.bench.live().revision().number, 4);
        assert!(!case.bench.banner().is_empty());
    });
}

#[test]
fn several_old_versions_are_kept_and_the_oldest_fade() {
    on_large_stack(|| {
        let mut case = jumping(60, 400.0);
        case.tap(WindowKey::Pause);
        for i in 1..=12 {
            case.edit(HERO, &jumper(400.0 + f64::from(i))).expect("good");
            // Some come too fast for the run before them, which is canceled.
            if i % 3 == 0 {
                case.wait();
            }
        }
        case.wait();
        let numbers: Vec<u64> = case.bench.ghosts().iter().map(|g| g.revision).collect();
        // The first one, from before the edits, and the newest.
        let newest = 15 - MOST_GHOSTS as u64..=13;
        let expected: Vec<u64> = std::iter::once(1).chain(newest).collect();
        assert_eq!(numbers, expected);
        let picture = case.bench.picture().ghosts;
        let fades: Vec<f64> = picture.paths.iter().map(|(_, fade)| *fade).collect();
        assert!(fades.is_sorted() && fades[0] > 0.0 && fades.last() == Some(&1.0));
        case.tap(WindowKey::Ghosts);
        assert!(case.bench.picture().ghosts.paths.is_empty());
        case.tap(WindowKey::Ghosts);
        assert_eq!(case.bench.picture().ghosts.paths.len(), MOST_GHOSTS);
    });
}

#[test]
fn marks_that_cannot_loop_say_why() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        case.frames(30);
        case.tap(WindowKey::MarkB);
        case.tap(WindowKey::Loop);
        case.tap(WindowKey::RestartAtMark);
        case.tap(WindowKey::MarkA);
        case.bench.press(WindowKey::Restart);
        case.frames(10);
        case.tap(WindowKey::MarkB);
        let notes = case.logged(LogKind::Note);
        let starts = ["mark A first", "mark A and B first", "mark A", "the level was restarted"];
        assert_eq!(notes.len(), starts.len(), "{notes:?}");
        assert!(notes.iter().zip(starts).all(|(note, start)| note.starts_with(start)), "{notes:?}");
        // Restarting at the mark makes the next stretch possible.
        case.bench.press(WindowKey::RestartAtMark);
        case.frames(30);
        case.bench.press(WindowKey::MarkB);
        case.frames(1);
        assert!(case.bench.picture().status.contains("loop of 0.50 s"));
    });
}

#[test]
fn after_a_restart_the_stretch_begins_there() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        case.play_about(100);
        case.bench.press(WindowKey::Restart);
        case.edit(HERO, &hero("jump_speed = 100")).expect("good");
        case.wait();
        assert!(case.bench.ghosts().is_empty(), "there is nothing to compare yet");
        case.play_about(39);
        case.tap(WindowKey::Pause);
        case.edit(HERO, &hero("jump_speed = 101")).expect("good");
        case.wait();
        assert_eq!(case.bench.ghosts()[0].path.len(), 41);
    });
}
