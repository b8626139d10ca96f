//! The plots of the tuning panel: the picked entity's last seconds, and a stretch before and after an edit.

use crate::{
    folder::{Folder, on_large_stack},
    workbench_case::{COUNTS, Case, hero},
};
use hangtime_core::{
    models::{Action, ModelName},
    tuning::Setting,
};
use hangtime_game::TuningHome;
use hangtime_workbench::{
    PARTED, WindowKey,
    panel::{MotionBand, MotionCurve, MotionRun, Tuner, TuningKey},
};

const RATES: [u32; 6] = [30, 37, 60, 120, 144, 240];
const HERO: &str = "config/entities/hero.toml";
const GRAVITY: f64 = 1000.0;

/// A floor that ends at 0, with a hero near its end and another one far from it.
const LEDGE: &str = "[[solid]]\npoints = [[-1000, -100], [0, -100], [0, 0], [-1000, 0]]\n\
    [[entity]]\nkind = \"hero\"\nname = \"hero\"\nat = [-40, 19]\nplayer = 1\n\
    [[entity]]\nkind = \"hero\"\nname = \"other\"\nat = [-900, 19]\n";

fn case(hz: u32, tuning: &str) -> Case {
    let folder = Folder::with_script(COUNTS);
    let config = format!("[simulation]\ntick_hz = {hz}\ngravity = {GRAVITY}\n");
    folder.write("config/hangtime.toml", &config);
    folder.write("levels/level.toml", LEDGE);
    folder.write(HERO, &hero(tuning));
    let mut case = Case::of(folder);
    case.frames(u64::from(hz) / 4);
    case
}

/// The only time of a band.
fn only(run: &MotionRun, band: MotionBand) -> (f64, f64) {
    match run.spans(band)[..] {
        [span] => span,
        ref all => panic!("{} Hz, {}: {all:?}", run.hz, band.name()),
    }
}

#[test]
fn the_coyote_band_begins_at_the_ledge_and_lasts_the_coyote_time() {
    on_large_stack(|| {
        for hz in RATES {
            for coyote in [0.1, 0.25] {
                let mut case = case(hz, &format!("coyote_time = {coyote}"));
                case.hold(&[Action::Right]);
                case.frames(u64::from(hz));
                let run = case.bench.motion();
                let (tick, (_, left)) = (1.0 / f64::from(hz), only(&run, MotionBand::Ground));
                let (start, end) = only(&run, MotionBand::Coyote);
                assert!((start - left).abs() < 1e-9, "{hz} Hz");
                assert!((end - start - coyote).abs() <= tick + 1e-9, "{hz} Hz {start} {end}");
                assert!(run.spans(MotionBand::Press).is_empty());
            }
        }
    });
}

#[test]
fn a_press_in_the_air_opens_the_buffer_band_for_its_time() {
    on_large_stack(|| {
        for hz in RATES {
            let tuning = "jump_speed = 400\njump_hold_time = 0\njump_buffer = 0.2\n\
                max_fall_speed = 100000";
            let mut case = case(hz, tuning);
            let second = u64::from(hz);
            case.hold(&[Action::Jump]);
            case.frames(second / 4);
            // Releasing the key ends the rise, about 70 px up: the fall takes 0.37 s.
            case.hold(&[]);
            case.frames(1);
            case.hold(&[Action::Jump]);
            case.frames(1);
            case.hold(&[]);
            case.frames(second / 4);
            let (run, tick) = (case.bench.motion(), 1.0 / f64::from(hz));
            let [first, second] = run.spans(MotionBand::Press)[..] else {
                panic!("{hz} Hz {:?}", run.spans(MotionBand::Press));
            };
            for (start, end) in [first, second] {
                assert!((end - start - tick).abs() < 1e-9, "{hz} Hz: a press is one tick");
            }
            let buffers = run.spans(MotionBand::Buffer);
            let (start, end) = *buffers.last().expect("a buffered press");
            assert!((start - second.0).abs() <= tick + 1e-9, "{hz} Hz");
            assert!((end - start - 0.2).abs() <= tick + 1e-9, "{hz} Hz {start} {end}");
        }
    });
}

#[test]
fn the_hold_band_lasts_while_holding_the_key_keeps_the_body_rising() {
    on_large_stack(|| {
        for hz in RATES {
            let mut case = case(hz, "jump_speed = 300\njump_hold_time = 0.3");
            case.hold(&[Action::Jump]);
            case.frames(u64::from(hz) / 2);
            let (run, tick) = (case.bench.motion(), 1.0 / f64::from(hz));
            let (start, end) = only(&run, MotionBand::Hold);
            let (pressed, _) = only(&run, MotionBand::Press);
            assert!((start - pressed).abs() <= tick + 1e-9, "{hz} Hz");
            assert!((end - start - 0.3).abs() <= tick + 1e-9, "{hz} Hz {start} {end}");
            // In the middle of it, it rises at its jump speed.
            let middle = run.at((start + end) / 2.0).expect("a sample");
            assert_eq!(MotionCurve::VelY.of(middle), 300.0, "{hz} Hz");
            assert_eq!(middle.active(), "hold");
        }
    });
}

#[test]
fn an_edit_shows_the_old_and_the_new_run_and_where_they_part() {
    on_large_stack(|| {
        for hz in RATES {
            let tuning = |speed: f64| format!("jump_speed = {speed:?}\njump_hold_time = 0\nmax_fall_speed = 100000");
            let mut case = case(hz, &tuning(400.0));
            assert!(case.bench.compared_motion().is_none());
            case.hold(&[Action::Jump]);
            case.frames(u64::from(hz) * 3 / 2);
            case.edit(HERO, &hero(&tuning(500.0))).expect("good");
            case.wait();
            let pair = case.bench.compared_motion().expect("two runs").clone();
            assert_eq!((pair.revisions, &*pair.name), ([1, 2], "hero"));
            let tick = 1.0 / f64::from(hz);
            for (run, speed) in [(&pair.old, 400.0), (&pair.new, 500.0)] {
                let heights = run.samples.iter().map(|s| MotionCurve::Height.of(s));
                let highest = heights.fold(0.0, f64::max);
                let apex = speed * speed / 2.0 / GRAVITY;
                // Within what a tick makes at the jump's speed.
                assert!((highest - apex).abs() <= speed * tick, "{hz} Hz {highest}");
                assert_eq!(run.time(&run.samples[0]), 0.0);
                assert_eq!(run.spans(MotionBand::Press).len(), 1, "{hz} Hz");
            }
            let parted = pair.parts_at.expect("they part");
            let apart = |(old, new): (&_, &_)| {
                let [old, new] = [old, new].map(|s| MotionCurve::Height.of(s));
                (new - old).abs() > PARTED
            };
            let mut both = pair.old.samples.iter().zip(&pair.new.samples);
            let first = both.position(apart).expect("they part") as f64;
            assert!((parted - first * tick).abs() < 1e-9, "{hz} Hz");
            let lines = pair.reading(parted, &[MotionCurve::Height, MotionCurve::VelX]);
            assert!(lines[1].contains(" → "), "{lines:?}");
            assert_eq!(lines[2], "vx 0.0 px/s");
        }
    });
}

#[test]
fn a_drag_of_a_slider_is_compared_with_the_number_before_it() {
    on_large_stack(|| {
        let mut case = case(60, "jump_speed = 400\njump_hold_time = 0");
        case.hold(&[Action::Jump]);
        case.frames(90);
        let mut tuner = Tuner::new(case.bench.files_revision().clone());
        let key = (TuningHome::Kind("hero".into()), ModelName::platformer.into(), "jump_speed");
        let drag = |case: &mut Case, tuner: &mut Tuner, from: f64| {
            for i in 0..60 {
                let speed = Setting::Number(from + f64::from(i));
                tuner.set(&key, speed, i > 0);
                case.bench.tune(tuner.changes());
                case.frames(1);
            }
            // The last number takes effect a tenth of a second after the one before it.
            case.frames(10);
            case.wait();
            case.bench.compared_motion().expect("two runs").revisions
        };
        let [old, last] = drag(&mut case, &mut tuner, 440.0);
        assert_eq!((old, last), (1, case.bench.revision().number));
        assert!(last > 5, "the game followed the slider");
        // Saving what is in effect changes nothing, so the comparison stays.
        let Setting::Number(speed) = tuner_value(&tuner, &key) else {
            panic!("a number");
        };
        let text = hero(&format!("jump_speed = {speed}\njump_hold_time = 0"));
        case.edit(HERO, &text).expect("good");
        tuner.rebase(case.bench.files_revision().clone());
        assert_eq!(tuner.count(), 0);
        case.bench.tune(tuner.changes());
        case.wait();
        let pair = case.bench.compared_motion().expect("two runs");
        assert_eq!(pair.revisions, [old, last]);
        let last = case.bench.revision().number;
        // Two seconds later the same slider is dragged again.
        case.frames(120);
        let [old, _] = drag(&mut case, &mut tuner, 300.0);
        assert_eq!(old, last);
    });
}

/// The value of an edit.
fn tuner_value(tuner: &Tuner, key: &TuningKey) -> Setting {
    tuner.edit(key).expect("an edit").value.clone()
}

#[test]
fn the_plots_follow_the_shown_tick_back_and_forth() {
    on_large_stack(|| {
        for hz in [30, 60, 240] {
            let mut case = case(hz, "");
            case.play_about(2 * u64::from(hz));
            let shown = |case: &Case| {
                let run = case.bench.motion();
                let last = *run.samples.last().expect("a sample");
                assert_eq!(last.tick, case.bench.live().world().ticks(), "{hz} Hz");
                last
            };
            let newest = shown(&case);
            case.hold_key(WindowKey::ScrubBack, u64::from(hz));
            let earlier = shown(&case);
            assert!(earlier.tick < newest.tick);
            case.hold_key(WindowKey::ScrubForward, 3 * u64::from(hz));
            assert_eq!(shown(&case), newest, "{hz} Hz");
            // A restart does not draw a line from the end to the start.
            case.tap(WindowKey::Pause);
            case.tap(WindowKey::Restart);
            case.frames(u64::from(hz) / 2);
            assert_eq!(case.bench.motion().lines(MotionCurve::Height).len(), 2);
        }
    });
}

#[test]
fn the_plots_of_another_entity_begin_with_its_last_seconds() {
    on_large_stack(|| {
        let mut case = case(60, "");
        case.hold(&[Action::Right]);
        case.frames(120);
        case.tap(WindowKey::PickNext);
        assert_eq!(case.bench.picked().map(|name| &**name), Some("other"));
        let run = case.bench.motion();
        assert!(run.samples.len() >= 100, "{}", run.samples.len());
        // It has no player, and stands.
        assert!(run.samples.iter().all(|s| s.speed() == 0.0 && s.height.abs() < 1e-9));
    });
}
