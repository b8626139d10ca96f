//! The view of a whole stretch, and films of it.

use crate::{
    folder::{Folder, LEVEL, on_large_stack},
    workbench_case::{COUNTS, Case, hero},
};
use hangtime_core::models::Action;
use hangtime_workbench::{BenchFrame, MARKED_SECONDS, WindowKey};

const HERO: &str = "config/entities/hero.toml";

/// Shows a frame of the case as the window does.
fn show(case: &Case, frame: &mut BenchFrame) {
    frame.bench = case.bench.picture();
    let live = case.bench.live();
    frame.follow(live, live.views().collect(), case.now());
    frame.read(live);
}

/// A case that has run and jumped for two seconds between its marks, far to the right.
fn marked(hz: u32) -> Case {
    let mut case = Case::at(hz);
    case.frames(u64::from(hz) / 2);
    case.tap(WindowKey::MarkA);
    case.hold(&[Action::Right, Action::Jump]);
    case.frames(u64::from(hz));
    case.hold(&[Action::Right]);
    case.frames(u64::from(hz));
    case.tap(WindowKey::MarkB);
    case
}

#[test]
fn the_fitted_view_shows_the_whole_stretch_and_stands_still() {
    on_large_stack(|| {
        for hz in [30, 60, 120, 240] {
            for size in [(640, 360), (1280, 720), (320, 180), (200, 400)] {
                let mut case = marked(hz);
                case.edit(HERO, &hero("jump_speed = 700")).expect("good");
                case.wait();
                let mut frame = BenchFrame::new(case.bench.revision().clone());
                frame.resize(size);
                show(&case, &mut frame);
                let usual = frame.shows().expect("a view");
                case.tap(WindowKey::Fit);
                case.wait();
                show(&case, &mut frame);
                let fitted = frame.shows().expect("a view");
                let paths = case.bench.ghosts().iter().flat_map(|ghost| &ghost.path);
                let outside = paths.filter(|at| !fitted.holds(**at)).count();
                assert_eq!(outside, 0, "{hz} Hz, {size:?}: {fitted:?}");
                // The body runs on, also through the start of the next round.
                for _ in 0..10 {
                    case.frames(u64::from(hz) / 3);
                    show(&case, &mut frame);
                    assert_eq!(frame.shows(), Some(fitted), "{hz} Hz, {size:?}");
                }
                // A larger picture shows the same part, and one of no size is no failure.
                frame.resize((size.0 * 2, size.1 * 2));
                show(&case, &mut frame);
                let larger = frame.shows().expect("a view");
                assert!(case.bench.ghosts()[0].path.iter().all(|at| larger.holds(*at)));
                frame.resize((0, 0));
                show(&case, &mut frame);
                frame.resize(size);
                // Pressed again, it follows the body.
                case.tap(WindowKey::Fit);
                show(&case, &mut frame);
                let again = frame.shows().expect("a view");
                assert!(again.holds(case.place()));
                let wide = |bounds: &hangtime_core::geometry::grid::Bounds| bounds.max.x - bounds.min.x;
                assert!(
                    (wide(&again) - wide(&usual)).abs() < 1.0 && wide(&again) != wide(&fitted),
                    "{hz} Hz, {size:?}"
                );
            }
        }
    });
}

#[test]
fn home_ends_the_fitted_view_and_the_wheel_enlarges_it() {
    on_large_stack(|| {
        let mut case = marked(60);
        let mut frame = BenchFrame::new(case.bench.revision().clone());
        case.tap(WindowKey::Fit);
        case.wait();
        show(&case, &mut frame);
        let fitted = frame.shows().expect("a view");
        frame.zoom_by(2.0);
        let nearer = frame.shows().expect("a view");
        assert!(nearer.max.x - nearer.min.x < fitted.max.x - fitted.min.x);
        case.frames(5);
        show(&case, &mut frame);
        assert_eq!(frame.shows(), Some(nearer));
        assert!(frame.press(WindowKey::ResetZoom));
        case.tap(WindowKey::ResetZoom);
        assert!(case.bench.picture().fit.is_none());
        show(&case, &mut frame);
        assert!(frame.shows() != Some(nearer));
    });
}

#[test]
fn without_marks_the_last_seconds_are_shown_and_nothing_is_shown_of_an_empty_level() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        case.tap(WindowKey::Fit);
        case.wait();
        assert!(case.bench.picture().fit.is_none(), "nothing was played yet");
        let mut path = vec![case.place()];
        case.hold(&[Action::Right]);
        for _ in 0..90 {
            case.frames(1);
            path.push(case.place());
        }
        case.tap(WindowKey::Pause);
        case.tap(WindowKey::Fit);
        case.wait();
        let fit = case.bench.picture().fit.expect("a part");
        // All has been played in the last three seconds.
        let (first, last) = (path[0], case.place());
        assert!((fit.min.x - first.x).abs() < 1.0 && (fit.max.x - last.x).abs() < 1.0, "{fit:?}");
        let folder = Folder::with_script("");
        folder.write("levels/level.toml", LEVEL.split("[[entity]]").next().expect("a text"));
        let mut empty = Case::of(folder);
        empty.frames(30);
        empty.tap(WindowKey::Fit);
        empty.wait();
        assert!(empty.bench.picture().fit.is_none());
    });
}

/// The length of a GIF, s, and how many pictures it has.
fn length(film: &[u8]) -> (f64, usize) {
    let mut decoder = gif::DecodeOptions::new().read_info(film).expect("a GIF");
    let (mut time, mut count) = (0, 0);
    while let Some(frame) = decoder.read_next_frame().expect("whole pictures") {
        time += u64::from(frame.delay);
        count += 1;
    }
    (time as f64 / 100.0, count)
}

#[test]
fn a_film_of_a_marked_stretch_is_as_long_as_that() {
    on_large_stack(|| {
        for hz in [30, 60, 120, 240] {
            for fitted in [false, true] {
                let mut case = marked(hz);
                if fitted {
                    case.tap(WindowKey::Fit);
                    case.wait();
                }
                // The loop has come elsewhere by now.
                case.frames(u64::from(hz));
                case.tap(WindowKey::SaveGif);
                case.wait();
                let film = std::fs::read(case.films().join("level-1.gif")).expect("a film");
                let (seconds, pictures) = length(&film);
                // From mark to mark are two seconds, and a tick for each key; the last picture is shown for one more.
                let expected = 2.0 + 2.0 / f64::from(hz);
                assert!((seconds - expected).abs() < 0.1, "{hz} Hz, fitted: {fitted}: {seconds} s");
                assert!(pictures > 20, "{pictures}");
            }
        }
    });
}

#[test]
fn a_long_marked_stretch_is_filmed_for_a_minute() {
    on_large_stack(|| {
        let folder = Folder::with_script(COUNTS);
        folder.write("config/hangtime.toml", "[simulation]\ntick_hz = 30\n");
        let mut case = Case::of(folder);
        case.tap(WindowKey::MarkA);
        case.hold(&[Action::Left]);
        case.frames(30 * (MARKED_SECONDS + 5));
        case.tap(WindowKey::MarkB);
        case.tap(WindowKey::SaveGif);
        case.wait();
        let film = std::fs::read(case.films().join("level-1.gif")).expect("a film");
        let (seconds, _) = length(&film);
        assert!((seconds - MARKED_SECONDS as f64).abs() < 0.2, "{seconds} s");
    });
}
