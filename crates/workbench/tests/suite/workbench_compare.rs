//! What ghosts are compared with, and the measures of what happened in a real stretch.

use crate::{
    folder::{Folder, on_large_stack},
    workbench_case::{COUNTS, Case, hero},
};
use hangtime_core::{
    models::{Action, ModelName},
    tuning::Setting,
};
use hangtime_draw::GhostShape;
use hangtime_game::{TuningChange, TuningHome};
use hangtime_workbench::{Ghost, LogKind, MOST_GHOSTS, PARTED, WindowKey};

const HERO: &str = "config/entities/hero.toml";
const RATES: [u32; 4] = [30, 60, 120, 240];

/// A long floor of ice.
const ICE: &str = "surface = \"ice\"\n[[solid]]\npoints = [[-3000, -100], [3000, -100], [3000, 0], [-3000, 0]]\n\
                   [[entity]]\nkind = \"hero\"\nat = [0, 19]\nplayer = 1\n";

/// A game with one level and one kind.
fn game(hz: u32, level: &str, kind: &str) -> Case {
    let folder = Folder::with_script(COUNTS);
    folder.write("config/hangtime.toml", &format!("[simulation]\ntick_hz = {hz}\ngravity = 1000\n"));
    folder.write("config/surfaces.toml", "[ice]\ngrip = 0.1\n");
    folder.write("levels/level.toml", level);
    folder.write(HERO, kind);
    Case::of(folder)
}

/// Plays some input between the marks: what is held, and for how many seconds.
fn marked(case: &mut Case, hz: u32, input: &[(&[Action], f64)]) {
    case.hold(&[]);
    case.frames(u64::from(hz));
    case.bench.press(WindowKey::MarkA);
    for (held, seconds) in input {
        case.hold(held);
        case.frames((seconds * f64::from(hz)).round() as u64);
    }
    case.bench.press(WindowKey::MarkB);
}

#[track_caller]
fn close(ghost: &Ghost, name: &str, expected: f64, off: f64) {
    let found = ghost.measure(name).unwrap_or(f64::NAN);
    assert!((found - expected).abs() <= off, "{name}: {found}, not {expected}, in {:?}", ghost.measures);
}

fn lines(case: &Case) -> Vec<String> {
    case.bench.picture().ghosts.lines.clone()
}

#[test]
fn a_run_on_ice_has_numbers_and_bodies_where_the_line_is_one() {
    on_large_stack(|| {
        let kind = |brake: f64| hero(&format!("run_speed_max = 300\nrun_accel = 2000\nground_decel = {brake:?}"));
        for hz in RATES {
            let mut case = game(hz, ICE, &kind(4000.0));
            marked(&mut case, hz, &[(&[Action::Right], 2.0), (&[], 1.5)]);
            case.edit(HERO, &kind(2500.0)).expect("good");
            case.wait();
            for (ghost, brake) in case.bench.ghosts().iter().zip([400.0, 250.0]) {
                let (push, top) = (200.0, 300.0);
                close(ghost, "top speed", top, 1e-6);
                close(ghost, "time to top speed", 0.99 * top / push, 1e-6);
                close(ghost, "run-up", (0.99 * top) * (0.99 * top) / (2.0 * push), 1e-4);
                close(ghost, "stop distance", top * top / (2.0 * brake), 1e-4);
                close(ghost, "stop time", top / brake, 1e-6);
                close(ghost, "slide on ice", top * top / (2.0 * brake), 1e-4);
                assert_eq!(ghost.measure("apex"), None);
            }
            let lines = lines(&case);
            assert!(lines.contains(&"stop distance 112.5 → 180.0 px".to_string()), "{hz} Hz {lines:?}");
            assert!(lines.contains(&"top speed 300 px/s".to_string()), "{hz} Hz {lines:?}");
            // The new one slides 67.5 px farther; then both move to the next rest positions.
            let apart = lines[1].strip_prefix("largest distance ").and_then(|rest| rest.split(' ').next());
            let apart: f64 = apart.and_then(|apart| apart.parse().ok()).expect("a distance");
            assert!((apart - 67.5).abs() <= 1.0, "{hz} Hz {lines:?}");
            let outlines = &case.bench.picture().ghosts.outlines;
            assert!(outlines.len() >= 2, "{hz} Hz");
            for pair in outlines.chunks(2) {
                assert!(!pair[0].is_new && pair[1].is_new);
                assert!(pair[0].center.distance(pair[1].center) > PARTED && pair[0].center.x < pair[1].center.x);
                assert!(matches!(pair[0].shape, GhostShape::Upright(_)));
            }
            // A jump leaves the line of the other version: no bodies are needed to see that.
            let mut case = game(hz, ICE, &kind(4000.0));
            marked(&mut case, hz, &[(&[Action::Jump, Action::Right], 1.0)]);
            case.edit(HERO, &format!("{}jump_speed = 300\n", kind(4000.0))).expect("good");
            case.wait();
            let picture = case.bench.picture().ghosts;
            let [old, new] = [0, 1].map(|index| &case.bench.ghosts()[index].path);
            let off =
                |path: &[glam::DVec2], at: glam::DVec2| path.iter().map(|p| p.distance(at)).fold(f64::MAX, f64::min);
            for pair in picture.outlines.chunks(2) {
                let step = 650.0 / f64::from(hz);
                assert!(off(old, pair[1].center) < 3.0 + step || off(new, pair[0].center) < 3.0 + step);
            }
        }
    });
}

#[test]
fn a_turn_on_ice_and_on_stone_is_measured_at_every_rate() {
    on_large_stack(|| {
        for hz in RATES {
            for (level, grip) in [(ICE.to_string(), 0.1), (ICE.replace("surface = \"ice\"\n", ""), 1.0)] {
                let kind = |brake: f64| {
                    hero(&format!(
                        "run_speed_min = 100\nrun_speed_max = 300\nrun_accel = 2000\nground_decel = {brake:?}"
                    ))
                };
                let mut case = game(hz, &level, &kind(4000.0));
                marked(&mut case, hz, &[(&[Action::Right], 2.0), (&[Action::Left], 3.5)]);
                case.edit(HERO, &kind(1000.0)).expect("good");
                case.wait();
                for (ghost, brake) in case.bench.ghosts().iter().zip([4000.0, 1000.0]) {
                    let (top, brake) = (300.0, brake * grip);
                    close(ghost, "turnaround", top / brake, 1e-6);
                    close(ghost, "overshoot", top * top / (2.0 * brake), 1e-4);
                }
            }
        }
    });
}

#[test]
fn the_touchdown_of_a_vessel_has_the_speed_of_its_fall() {
    on_large_stack(|| {
        let kind = |thrust: f64| {
            format!(
                "model = \"vessel\"\n[body]\npieces = [{{ points = [[-10, -10], [10, -10], [10, 10], [-10, 10]] }}]\n\
                 [vessel]\nthrust_accel = {thrust:?}\n"
            )
        };
        for hz in RATES {
            for height in [90.0_f64, 240.0] {
                let level = ICE.replace("at = [0, 19]", &format!("at = [0, {}]", height + 10.0));
                let mut case = game(hz, &level, &kind(500.0));
                case.bench.press(WindowKey::MarkA);
                case.frames(u64::from(hz) * 3 / 2);
                case.bench.press(WindowKey::MarkB);
                case.edit(HERO, &kind(400.0)).expect("good");
                case.wait();
                let speed = (2.0 * 1000.0 * height).sqrt();
                for ghost in case.bench.ghosts() {
                    // It may touch a tick late.
                    close(ghost, "touchdown speed", speed, 1000.0 / f64::from(hz) + 1e-6);
                    close(ghost, "touchdown tilt", 0.0, 1e-6);
                    assert!(ghost.measure("apex").is_none());
                }
                assert!(lines(&case)[0].contains("last edit: no difference in 1.50 s, 0 px apart"));
            }
        }
    });
}

fn jumper(speed: f64) -> String {
    hero(&format!("jump_speed = {speed:?}\njump_hold_time = 0\nmax_fall_speed = 100000"))
}

/// Numbers of the panel for the kind.
fn panel(numbers: &[(&'static str, f64)]) -> Vec<TuningChange> {
    let change = |(name, value): &(&'static str, f64)| TuningChange {
        home: TuningHome::Kind("hero".into()),
        group: ModelName::platformer.into(),
        name,
        value: Setting::Number(*value),
    };
    numbers.iter().map(change).collect()
}

/// The apex of the old version and of the new one, px.
#[track_caller]
fn apexes(case: &Case) -> (f64, f64) {
    let lines = lines(case);
    let line = lines
        .iter()
        .find_map(|line| line.strip_prefix("apex "))
        .expect("a jump")
        .trim_end_matches(" px");
    let (old, new) = line.split_once(" → ").unwrap_or((line, line));
    (old.parse().expect("a number"), new.parse().expect("a number"))
}

#[test]
fn ghosts_compare_with_the_saved_files_a_pin_or_the_last_edit() {
    on_large_stack(|| {
        // As it is written, under 1000 px/s² or a share of it.
        let under = |share: f64, speed: f64| (speed * speed / (200.0 * share)).round() / 10.0;
        let high = |speed: f64| under(1.0, speed);
        for hz in RATES {
            let mut case = game(hz, ICE, &jumper(400.0));
            marked(&mut case, hz, &[(&[Action::Jump], 1.5)]);
            case.edit(HERO, &jumper(420.0)).expect("good");
            case.wait();
            assert!(lines(&case)[0].starts_with("revision 1 → 2, last edit: the paths diverge after"));
            assert_eq!(apexes(&case), (high(400.0), high(420.0)));
            // The files are what is played.
            case.tap(WindowKey::Compare);
            case.wait();
            let text = "saved files → revision 2, 0 numbers of the panel: no difference in 1.50 s, 0 px apart";
            assert_eq!(lines(&case)[0], text);
            // Several numbers of the panel are summed.
            for numbers in [&[("jump_speed", 440.0)][..], &[("jump_speed", 440.0), ("gravity_scale", 0.5)]] {
                case.bench.tune(panel(numbers));
                case.frames(u64::from(hz) * 2);
            }
            case.wait();
            assert!(lines(&case)[0].starts_with("saved files → revision 4, 2 numbers of the panel: the paths"));
            assert_eq!(apexes(&case), (high(420.0), under(0.5, 440.0)));
            assert_eq!(case.bench.picture().ghosts.paths.len(), 2);
            // The version that is played now is pinned, and stays however many edits follow.
            case.tap(WindowKey::Compare);
            case.wait();
            assert!(lines(&case)[0].starts_with("pinned revision 4 → 4, 0 edits: no difference in 1.50 s, 0 px"));
            for edit in 1..=2 * MOST_GHOSTS {
                let speed = 440.0 + edit as f64;
                case.bench.tune(panel(&[("jump_speed", speed), ("gravity_scale", 0.5)]));
                // Longer than changes of one drag are apart.
                case.frames(u64::from(hz) * 3 / 2);
            }
            case.wait();
            let edits = 2 * MOST_GHOSTS as u64;
            let newest = 4 + edits;
            let first = format!("pinned revision 4 → {newest}, {edits} edits: the paths diverge");
            assert!(lines(&case)[0].starts_with(&first), "{:?}", lines(&case));
            assert_eq!(apexes(&case), (under(0.5, 440.0), under(0.5, 440.0 + edits as f64)));
            assert!(case.bench.ghosts().len() <= MOST_GHOSTS);
            assert_eq!(case.bench.compared_motion().map(|pair| pair.revisions), Some([4, newest]));
            // The last edit again.
            case.tap(WindowKey::Compare);
            case.wait();
            let first = format!("revision {} → {newest}, last edit: the paths diverge", newest - 1);
            assert!(lines(&case)[0].starts_with(&first), "{:?}", lines(&case));
            let notes = case.logged(LogKind::Note);
            for with in ["the saved files", "the pinned version, revision 4", "the version before the last edit"] {
                assert!(notes.contains(&format!("ghosts compare with {with}")), "{notes:?}");
            }
            // A new pin, also over a restart; the pinned one is played on the new stretch as well.
            case.bench.pin();
            case.bench.press(WindowKey::Loop);
            case.bench.press(WindowKey::Restart);
            marked(&mut case, hz, &[(&[Action::Jump], 1.0)]);
            case.wait();
            let first = format!("pinned revision {newest} → {newest}, 0 edits: no difference in 1.00 s, 0 px apart");
            assert_eq!(lines(&case)[0], first);
            case.edit(HERO, &jumper(100.0)).expect("good");
            case.wait();
            assert!(lines(&case)[0].starts_with(&format!("pinned revision {newest} → ")), "{:?}", lines(&case));
        }
    });
}

#[test]
fn a_drag_of_a_slider_is_one_edit_since_the_pin() {
    on_large_stack(|| {
        let mut case = game(60, ICE, &jumper(400.0));
        marked(&mut case, 60, &[(&[Action::Jump], 1.5)]);
        case.bench.pin();
        for step in 0..40 {
            case.bench.tune(panel(&[("jump_speed", 400.0 + f64::from(step) * 5.0)]));
            case.frames(12);
        }
        case.frames(60);
        case.wait();
        assert!(lines(&case)[0].contains("1 edit: the paths diverge"), "{:?}", lines(&case));
        assert_eq!(apexes(&case), (80.0, (595.0_f64 * 595.0 / 200.0).round() / 10.0));
    });
}

#[test]
fn comparing_without_an_edit_or_an_entity_does_no_harm() {
    on_large_stack(|| {
        let mut empty = game(60, "[[solid]]\npoints = [[0, 0], [9, 0], [9, 9]]\n", "");
        let mut fresh = game(60, ICE, &jumper(400.0));
        for case in [&mut empty, &mut fresh] {
            for _ in 0..7 {
                case.tap(WindowKey::Compare);
                case.bench.pin();
                case.wait();
                case.tap(WindowKey::Compare);
            }
        }
        fresh.frames(120);
        let hash = fresh.hash();
        fresh.bench.press(WindowKey::Pause);
        for _ in 0..3 {
            fresh.tap(WindowKey::Compare);
            fresh.wait();
        }
        assert_eq!(fresh.hash(), hash, "comparing changes nothing in the game");
    });
}
