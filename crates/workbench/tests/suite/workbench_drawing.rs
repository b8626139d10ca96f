//! Drawing the jump you want: points of a path are dragged, and the numbers that bring them there go to the panel.

use crate::{
    folder::{Folder, LEVEL, on_large_stack},
    workbench_case::{COUNTS, Case, hero},
};
use glam::{DVec2, dvec2};
use hangtime_core::models::Action;
use hangtime_game::GameFolder;
use hangtime_play::{PathSpot, WishPoint};
use hangtime_workbench::{BenchFrame, DrawingOrder, LogKind, WindowKey, panel::Tuner};
use std::time::{Duration, Instant};
use tiny_skia::{Pixmap, PremultipliedColorU8};

const RATES: [u32; 4] = [30, 60, 120, 240];
const HERO: &str = "config/entities/hero.toml";
const GRAVITY: f64 = 1000.0;
const JUMP: f64 = 300.0;
const NEAR: f64 = 0.1;

fn jumper(speed: f64) -> String {
    hero(&format!("jump_speed = {speed:?}\njump_hold_time = 0\nmax_fall_speed = 100000"))
}

/// A hero that has just jumped and landed, with time standing still.
fn jumped(hz: u32) -> Case {
    let folder = Folder::with_script(COUNTS);
    folder.write("config/hangtime.toml", &format!("[simulation]\ntick_hz = {hz}\ngravity = {GRAVITY:?}\n"));
    folder.write("levels/level.toml", LEVEL);
    folder.write(HERO, &jumper(JUMP));
    let mut case = Case::of(folder);
    case.frames(u64::from(hz) / 2);
    case.hold(&[Action::Right, Action::Jump]);
    case.frames(u64::from(hz));
    case.hold(&[]);
    case.frames(u64::from(hz) / 4);
    case.tap(WindowKey::Pause);
    case
}

fn draw(case: &mut Case) {
    case.tap(WindowKey::Draw);
    case.wait();
    assert!(case.bench.is_drawing());
}

fn spot(case: &Case, point: WishPoint) -> PathSpot {
    *case.bench.drawn_path().expect("a path").spot(point).expect("the point")
}

fn drag(case: &mut Case, from: DVec2, to: DVec2) {
    assert!(case.bench.grab(from), "{from}");
    for step in 1..=4 {
        case.bench.drag_to(from.lerp(to, f64::from(step) / 4.0));
        case.frames(1);
    }
    case.bench.drop_dragged();
    case.wait();
}

#[test]
fn a_dragged_apex_becomes_numbers_that_the_game_then_plays_with() {
    on_large_stack(|| {
        for hz in RATES {
            let mut case = jumped(hz);
            let (hash, position) = (case.hash(), case.bench.position());
            draw(&mut case);
            let apex = spot(&case, WishPoint::Apex(0));
            let takeoff = case.bench.drawn_path().expect("a path").takeoffs[0].1;
            assert!((apex.at.y - takeoff.y - JUMP * JUMP / (2.0 * GRAVITY)).abs() < 1e-6, "{hz} Hz");
            // A little to the side, a drag stays straight.
            let to = apex.at + dvec2(5.0, 30.0);
            drag(&mut case, apex.at, to);
            assert_eq!(case.bench.wishes()[0].to, [None, Some(to.y)], "{hz} Hz");
            let answers = case.bench.wish_answers();
            assert!((2..=5).contains(&answers.len()), "{hz} Hz: {}", answers.len());
            assert!(answers.iter().all(|answer| answer.off <= NEAR), "{hz} Hz");
            let first = answers[0].changes[0].clone();
            // Nothing of this has touched the game.
            assert_eq!((case.hash(), case.bench.position()), (hash, position), "{hz} Hz");
            assert_eq!(case.bench.take_wished(), None);

            case.bench.draw_order(DrawingOrder::Apply);
            let wished = case.bench.take_wished().expect("numbers");
            assert_eq!(wished.numbers, [(first.number.group().clone(), first.number.name(), first.value)]);
            assert_eq!(case.bench.take_wished(), None, "they are taken once");
            let mut tuner = Tuner::new(case.bench.files_revision().clone());
            tuner.set_together(wished.profile, &wished.numbers);
            case.bench.tune(tuner.changes());
            case.wait();
            assert!(case.bench.is_drawing() && case.bench.wishes().is_empty());
            let now = spot(&case, WishPoint::Apex(0));
            assert!((now.at.y - to.y).abs() <= NEAR, "{hz} Hz: {} instead of {}", now.at.y, to.y);
            // Undo takes all of it back at once.
            tuner.undo();
            assert!(tuner.changes().is_empty());
            case.bench.tune(tuner.changes());
            case.frames(u64::from(hz));
            case.wait();
            assert!((spot(&case, WishPoint::Apex(0)).at.y - apex.at.y).abs() < 1e-9, "{hz} Hz");
        }
    });
}

#[test]
fn undo_takes_several_numbers_back_at_once() {
    on_large_stack(|| {
        let case = jumped(60);
        let mut tuner = Tuner::new(case.bench.files_revision().clone());
        let group = hangtime_core::models::ModelName::platformer;
        let set = |tuner: &mut Tuner, speed: f64| {
            tuner.set_together(0, &[(group.into(), "jump_speed", speed), (group.into(), "run_accel", speed + 1.0)]);
        };
        set(&mut tuner, 400.0);
        set(&mut tuner, 500.0);
        assert_eq!(tuner.changes().len(), 2);
        tuner.undo();
        assert!(
            tuner
                .changes()
                .iter()
                .any(|change| change.value == hangtime_core::tuning::Setting::Number(400.0))
        );
        assert_eq!(tuner.changes().len(), 2);
        tuner.undo();
        assert!(tuner.changes().is_empty());
        // Numbers that are there already are no edit.
        set(&mut tuner, 400.0);
        set(&mut tuner, 400.0);
        tuner.undo();
        assert!(tuner.changes().is_empty());
    });
}

#[test]
fn a_click_keeps_a_point_and_another_one_lets_it_go() {
    on_large_stack(|| {
        let mut case = jumped(60);
        draw(&mut case);
        let apex = spot(&case, WishPoint::Apex(0)).at;
        for _ in 0..2 {
            assert!(case.bench.grab(apex));
            case.bench.drop_dragged();
            case.wait();
            assert_eq!(case.bench.wishes().len(), 1);
            assert_eq!(case.bench.wishes()[0].to, [None, Some(apex.y)]);
            assert!(case.bench.wish_answers().is_empty(), "it is there");
            assert!(case.bench.grab(apex));
            case.bench.drop_dragged();
            case.wait();
            assert!(case.bench.wishes().is_empty());
        }
        // With a point that is kept, another one takes numbers that leave it there.
        assert!(case.bench.grab(apex));
        case.bench.drop_dragged();
        let landing = spot(&case, WishPoint::Landing(0)).at;
        drag(&mut case, landing, landing + dvec2(-30.0, 4.0));
        let answers = case.bench.wish_answers();
        assert!(!answers.is_empty());
        for answer in answers {
            let kept = answer.path.spot(WishPoint::Apex(0)).expect("an apex").at.y;
            let moved = answer.path.spot(WishPoint::Landing(0)).expect("a landing").at;
            assert!((kept - apex.y).abs() <= NEAR && (moved.x - landing.x + 30.0).abs() <= NEAR);
            // It lands on the same ground, which the handle is drawn to.
            assert!((moved.y - landing.y).abs() <= NEAR);
        }
        // Where there is no handle, nothing is grabbed, and nothing is moved.
        let hash = case.hash();
        assert!(!case.bench.grab(apex + dvec2(0.0, 500.0)));
        case.bench.drag_to(apex);
        assert!(!case.bench.grab(dvec2(f64::NAN, 0.0)));
        case.bench.drag_to(dvec2(f64::INFINITY, f64::NAN));
        case.bench.drop_dragged();
        assert_eq!(case.hash(), hash);
        assert_eq!(case.bench.picked().map(|name| &**name), Some("hero"));
    });
}

#[test]
fn an_answer_follows_files_that_change() {
    on_large_stack(|| {
        let mut case = jumped(60);
        draw(&mut case);
        let apex = spot(&case, WishPoint::Apex(0)).at;
        let to = apex + dvec2(0.0, 25.0);
        drag(&mut case, apex, to);
        for speed in [250.0, 320.0] {
            case.edit(HERO, &jumper(speed)).expect("a good file");
            case.wait();
            assert_eq!(case.bench.wishes()[0].to, [None, Some(to.y)]);
            let now = spot(&case, WishPoint::Apex(0)).at.y;
            assert!((now - apex.y - (speed * speed - JUMP * JUMP) / (2.0 * GRAVITY)).abs() < 1e-6, "{speed}");
            let answers = case.bench.wish_answers();
            assert!(!answers.is_empty() && answers.iter().all(|answer| answer.off <= NEAR), "{speed}");
        }
        // A file with a mistake leaves all as it is.
        case.edit(HERO, "model = ").expect_err("a mistake");
        case.wait();
        assert!(!case.bench.wish_answers().is_empty());
    });
}

#[test]
fn drawing_ends_when_time_runs_and_needs_a_path() {
    on_large_stack(|| {
        let mut case = jumped(60);
        draw(&mut case);
        case.tap(WindowKey::Pause);
        assert!(!case.bench.is_drawing());
        // It stops time, and the same key or Escape leaves it.
        draw(&mut case);
        assert!(case.bench.is_paused());
        case.tap(WindowKey::Draw);
        assert!(!case.bench.is_drawing());
        draw(&mut case);
        assert!(case.bench.draw_order(DrawingOrder::Choose(7)), "a number without an answer does nothing");
        assert!(case.bench.draw_order(DrawingOrder::Apply));
        assert_eq!(case.bench.take_wished(), None);
        assert!(case.bench.draw_order(DrawingOrder::Close));
        assert!(!case.bench.is_drawing() && !case.bench.draw_order(DrawingOrder::Close));
        // A search whose jump is no longer drawn is dropped.
        draw(&mut case);
        let apex = spot(&case, WishPoint::Apex(0)).at;
        case.bench.grab(apex);
        case.bench.drag_to(apex + dvec2(0.0, 40.0));
        case.frames(1);
        case.tap(WindowKey::Draw);
        case.frames(2);
        assert!(!case.bench.is_busy() && case.bench.wish_answers().is_empty());

        // Before the first tick there is no path, and in a level without entities none either.
        let folder = Folder::with_script(COUNTS);
        let mut first = Case::of(folder);
        first.bench.press(WindowKey::Draw);
        assert!(!first.bench.is_drawing());
        let folder = Folder::with_script(COUNTS);
        folder.write("levels/level.toml", LEVEL.split("[[entity]]").next().expect("its start"));
        let mut empty = Case::of(folder);
        empty.frames(90);
        empty.tap(WindowKey::Draw);
        assert!(!empty.bench.is_drawing());
        assert!(empty.logged(LogKind::Note).contains(&"there is no path to draw on yet".to_string()));
    });
}

#[test]
fn the_whole_path_is_in_view_while_a_jump_is_drawn() {
    on_large_stack(|| {
        let mut case = jumped(60);
        assert_eq!(case.bench.picture().fit, None);
        draw(&mut case);
        case.wait();
        let part = case.bench.picture().fit.expect("the whole stretch");
        let path = &case.bench.drawn_path().expect("a path").places;
        assert!(path.iter().all(|at| at.cmpge(part.min - 1.0).all() && at.cmple(part.max + 1.0).all()), "{part:?}");
        case.tap(WindowKey::Draw);
        case.frames(1);
        assert_eq!(case.bench.picture().fit, None, "the camera follows again");
        // What the user has fitted stays.
        case.tap(WindowKey::Fit);
        case.wait();
        draw(&mut case);
        case.tap(WindowKey::Draw);
        case.frames(1);
        assert!(case.bench.picture().fit.is_some());
    });
}

#[test]
fn the_chosen_answer_says_what_it_breaks() {
    on_large_stack(|| {
        let mut case = jumped(60);
        let height = JUMP * JUMP / (2.0 * GRAVITY);
        case.edit(HERO, &format!("{}[expect]\napex = \"{height} ± 1\"\n", jumper(JUMP)))
            .expect("a good file");
        case.bench.use_game_folder(GameFolder::new(case.folder.root()));
        draw(&mut case);
        let apex = spot(&case, WishPoint::Apex(0)).at;
        drag(&mut case, apex, apex + dvec2(0.0, 30.0));
        let count = case.bench.wish_answers().len();
        for chosen in 0..count {
            case.bench.draw_order(DrawingOrder::Choose(chosen));
            case.frames(2);
            let started = Instant::now();
            while case.bench.checks_breaks() {
                assert!(started.elapsed() < Duration::from_secs(300), "still running");
                std::thread::sleep(Duration::from_millis(1));
                case.frames(1);
            }
            let breaks = case.bench.drawn_breaks().expect("tests were run");
            assert!(breaks.is_done && breaks.unsaved.is_empty(), "{breaks:?}");
            assert_eq!(breaks.broken, ["config/entities/hero.toml::expect::apex"], "answer {chosen}");
        }
    });
}

/// How many pixels of a picture of the workbench have exactly this color.
fn pixels(case: &Case, size: (u32, u32), color: [u8; 3]) -> usize {
    let mut frame = BenchFrame::new(case.bench.revision().clone());
    frame.resize(size);
    let live = case.bench.live();
    frame.follow(live, live.views().collect(), case.now());
    frame.bench = case.bench.picture();
    let mut canvas = Pixmap::new(size.0, size.1).expect("a size above 0");
    frame.paint(&mut canvas, &[], 0.0);
    let is = |pixel: &&PremultipliedColorU8| [pixel.red(), pixel.green(), pixel.blue()] == color;
    canvas.pixels().iter().filter(is).count()
}

#[test]
fn the_picture_shows_handles_what_is_wished_and_the_answer() {
    const YELLOW: [u8; 3] = [0xff, 0xf0, 0x78];
    const GREEN: [u8; 3] = [0x78, 0xec, 0x96];
    on_large_stack(|| {
        let mut case = jumped(60);
        for size in [(1600, 900), (160, 90), (1, 1)] {
            let none = [YELLOW, GREEN].map(|color| pixels(&case, size, color));
            draw(&mut case);
            let open = [YELLOW, GREEN].map(|color| pixels(&case, size, color));
            assert_eq!(open, none, "{size:?}: nothing is wished");
            let apex = spot(&case, WishPoint::Apex(0)).at;
            drag(&mut case, apex, apex + dvec2(0.0, 30.0));
            let wished = [YELLOW, GREEN].map(|color| pixels(&case, size, color));
            assert!(
                size.0 < 1600 || wished.iter().zip(none).all(|(now, before)| *now > before + 20),
                "{size:?}: {wished:?}"
            );
            case.tap(WindowKey::Draw);
            let closed = [YELLOW, GREEN].map(|color| pixels(&case, size, color));
            assert_eq!(closed, none, "{size:?}");
        }
    });
}
