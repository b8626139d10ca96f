//! The fan: what could happen from the shown tick.

use crate::{
    folder::{Folder, LEVEL, on_large_stack},
    workbench_case::{COUNTS, Case, hero},
};
use glam::DVec2;
use hangtime_core::{models::Action, sim::Inputs};
use hangtime_game::Live;
use hangtime_workbench::{FanPath, WindowKey};

const RATES: [u32; 4] = [30, 60, 120, 240];
const HERO: &str = "config/entities/hero.toml";
const GRAVITY: f64 = 1000.0;

/// A hero whose jumps are parabolas, on a floor, with an open fan.
fn case(hz: u32, speed: f64) -> Case {
    let folder = Folder::with_script(COUNTS);
    folder.write("config/hangtime.toml", &format!("[simulation]\ntick_hz = {hz}\ngravity = {GRAVITY:?}\n"));
    folder.write("levels/level.toml", LEVEL);
    folder.write(HERO, &jumper(speed));
    let mut case = Case::of(folder);
    case.frames(u64::from(hz));
    case
}

fn jumper(speed: f64) -> String {
    hero(&format!("jump_speed = {speed:?}\njump_hold_time = 0\nmax_fall_speed = 100000"))
}

fn open(case: &mut Case) -> Vec<FanPath> {
    if case.bench.fan().is_empty() {
        case.bench.press(WindowKey::Fan);
    }
    case.wait();
    case.bench.fan().to_vec()
}

/// How high a path rises above its beginning, px.
fn rise(path: &FanPath) -> f64 {
    path.path.iter().map(|at| at.y - path.path[0].y).fold(0.0, f64::max)
}

#[test]
fn each_path_of_the_fan_is_what_happens_with_its_keys() {
    on_large_stack(|| {
        for hz in RATES {
            let mut case = case(hz, 300.0);
            // In the middle of a run.
            case.hold(&[Action::Right]);
            case.frames(10);
            case.tap(WindowKey::Pause);
            let fan = open(&mut case);
            assert!((60..=200).contains(&fan.len()), "{hz} Hz: {} paths", fan.len());
            let (revision, world) = (case.bench.live().revision().clone(), case.bench.live().world().clone());
            for (number, path) in fan.iter().enumerate() {
                let mut live = Live::resume(revision.clone(), world.clone());
                let hero = live.world().entity("hero").expect("a hero").clone();
                let mut places = vec![live.world().body(&hero).pos];
                for tick in 0..path.path.len() as u64 - 1 {
                    live.step(&Inputs::of_first(path.keys.input(tick, None)));
                    places.push(live.world().body(&hero).pos);
                }
                assert_eq!(path.path, places, "{hz} Hz: {:?}", path.keys);
                assert_eq!(
                    path.lands,
                    live.world().body(&hero).stands() && rise(path) > 1.0,
                    "{hz} Hz: {:?}",
                    path.keys
                );
                let others = fan.iter().take(number);
                assert!(others.into_iter().all(|other| other.path != path.path), "{hz} Hz: two are the same");
            }
        }
    });
}

#[test]
fn a_jump_of_the_fan_rises_as_high_as_physics_says() {
    on_large_stack(|| {
        for hz in RATES {
            for speed in [200.0, 300.0] {
                let mut case = case(hz, speed);
                case.tap(WindowKey::Pause);
                let fan = open(&mut case);
                let highest = fan.iter().map(rise).fold(0.0, f64::max);
                // Within a tick near the top, a body moves by less than this.
                let tick = 1.0 / f64::from(hz);
                let step = GRAVITY * tick * tick;
                assert!((highest - speed * speed / 2.0 / GRAVITY).abs() <= step, "{hz} Hz, {speed}: {highest}");
                let flat = |path: &&FanPath| path.keys.jump.is_none();
                assert_eq!(
                    fan.iter().filter(flat).count(),
                    7,
                    "to both sides for a short, a longer and the whole time, and neither"
                );
                assert!(fan.iter().filter(flat).all(|path| rise(path) < 1.0));
            }
        }
    });
}

#[test]
fn the_fan_follows_an_edit_and_the_scrubbed_tick_and_changes_nothing() {
    on_large_stack(|| {
        for hz in RATES {
            let (mut case, mut bare) = (case(hz, 300.0), case(hz, 300.0));
            case.tap(WindowKey::Pause);
            let before = open(&mut case).iter().map(rise).fold(0.0, f64::max);
            case.bench.press(WindowKey::Pause);
            assert_eq!(case.play_about(u64::from(hz)), bare.play_about(u64::from(hz)), "{hz} Hz");
            case.tap(WindowKey::Pause);
            case.wait();
            let now = case.bench.fan()[0].path[0];
            assert_eq!(now, case.place(), "{hz} Hz");
            for _ in 0..10 {
                case.tap(WindowKey::StepBack);
            }
            case.wait();
            assert_eq!(case.bench.fan()[0].path[0], case.place(), "{hz} Hz");
            assert_ne!(case.place(), now, "{hz} Hz");
            // Back to rest, under twice the speed.
            case.tap(WindowKey::Restart);
            case.tap(WindowKey::Pause);
            case.hold(&[]);
            case.frames(u64::from(hz));
            case.tap(WindowKey::Pause);
            case.edit(HERO, &jumper(450.0)).expect("good");
            case.wait();
            let after = case.bench.fan().iter().map(rise).fold(0.0, f64::max);
            assert!((after / before - 2.25).abs() < 0.05, "{hz} Hz: {before} {after}");
            // Closed, it leaves nothing.
            case.tap(WindowKey::Fan);
            assert!(case.bench.fan().is_empty() && !case.bench.is_busy());
        }
    });
}

#[test]
fn the_hook_is_fired_around_the_aim_only_if_there_is_one() {
    on_large_stack(|| {
        for hz in RATES {
            let folder = Folder::with_script(COUNTS);
            folder.write("config/hangtime.toml", &format!("[simulation]\ntick_hz = {hz}\n"));
            folder.write(
                "levels/level.toml",
                &format!("{LEVEL}\n[[solid]]\npoints = [[-400, 150], [400, 150], [400, 200], [-400, 200]]\n"),
            );
            let mut case = Case::of(folder);
            case.frames(u64::from(hz));
            case.tap(WindowKey::Pause);
            let without = open(&mut case);
            assert!(without.iter().all(|path| path.keys.hook.is_none()), "{hz} Hz");
            case.input.aim = Some(case.place() + DVec2::new(0.0, 130.0));
            case.wait();
            let hooks = case.bench.fan().iter().filter(|path| path.keys.hook.is_some());
            let hooks: Vec<_> = hooks.map(|path| path.path.last().expect("a path").x).collect();
            // To both sides, and they differ.
            assert!(hooks.len() >= 7, "{hz} Hz: {hooks:?}");
            let start = case.place().x;
            assert!(
                hooks.iter().any(|x| *x < start - 5.0) && hooks.iter().any(|x| *x > start + 5.0),
                "{hz} Hz: {hooks:?}"
            );
        }
    });
}

#[test]
fn a_crowd_has_a_smaller_fan_or_none_and_so_has_what_no_player_moves() {
    on_large_stack(|| {
        let mut counts = Vec::new();
        for others in [0, 300, 1000, 3000] {
            let folder = Folder::with_script(COUNTS);
            folder.write("config/entities/crate.toml", "model = \"platformer\"\nbody = { box = [10, 10] }\n");
            let crates =
                (0..others).map(|i| format!("[[entity]]\nkind = \"crate\"\nat = [{}, 5]\n", 40 * i - 20 * others));
            let floor = "[[solid]]\npoints = [[-90000, -40], [90000, -40], [90000, 0], [-90000, 0]]\n";
            let hero = "[[entity]]\nkind = \"hero\"\nat = [15, 19]\nplayer = 1\n";
            folder.write("levels/level.toml", &format!("{floor}{hero}{}", crates.collect::<String>()));
            let mut case = Case::of(folder);
            case.tap(WindowKey::Pause);
            case.bench.press(WindowKey::Fan);
            case.wait();
            counts.push(case.bench.fan().len());
            if others == 300 {
                case.tap(WindowKey::PickNext);
                case.wait();
                assert!(case.bench.fan().is_empty());
                assert!(case.bench.picture().status.contains("no fan"), "{}", case.bench.picture().status);
            }
        }
        assert!(counts.windows(2).all(|pair| pair[0] > pair[1]) && counts[3] == 0, "{counts:?}");
    });
}
