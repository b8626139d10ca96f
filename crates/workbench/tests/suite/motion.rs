//! What the plots of the tuning panel show of an entity's motion.

use hangtime_core::models::Actions;
use hangtime_workbench::panel::{
    MOTION_SECONDS, MotionBand, MotionCurve, MotionPair, MotionRun, MotionSample, MotionTrace,
};

const RATES: [u32; 6] = [30, 37, 60, 120, 144, 240];

/// A body that stands until tick `stands`, and then falls at 50 px/s.
fn sample(position: u64, hz: u32, stands: u64) -> MotionSample {
    let stood = position <= stands;
    let fell = position.saturating_sub(stands) as f64 / f64::from(hz);
    let mut bands = [false; 5];
    bands[MotionBand::Ground as usize] = stood;
    let vel = [100.0, if stood { 0.0 } else { -50.0 }, 0.0];
    MotionSample { position, tick: position, height: -50.0 * fell, vel, bands, pressed: Actions::default() }
}

fn trace(hz: u32, stands: u64, ticks: u64) -> MotionTrace {
    let mut trace = MotionTrace::default();
    (0..=ticks).for_each(|position| trace.put(sample(position, hz, stands)));
    trace
}

#[test]
fn the_plots_show_the_seconds_before_the_shown_tick() {
    for hz in RATES {
        let second = u64::from(hz);
        let trace = trace(hz, second, 20 * second);
        // Also of a tick that is not the newest.
        for shown in [20 * second, 12 * second, 2 * second] {
            let run = trace.until(shown, hz);
            let times: Vec<f64> = run.samples.iter().map(|s| run.time(s)).collect();
            let span = MOTION_SECONDS.min(shown as f64 / f64::from(hz));
            assert_eq!(times.last(), Some(&0.0), "{hz}");
            assert!((times[0] + span).abs() <= 1.0 / f64::from(hz), "{hz}");
            assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
        }
    }
}

#[test]
fn a_band_lasts_from_its_first_tick_to_its_last() {
    for hz in RATES {
        let run = trace(hz, u64::from(hz), 3 * u64::from(hz)).until(3 * u64::from(hz), hz);
        let [(start, end)] = run.spans(MotionBand::Ground)[..] else {
            panic!("{:?}", run.spans(MotionBand::Ground));
        };
        // It stood before the first sample as well, a tick longer.
        assert!((start + 3.0 + 1.0 / f64::from(hz)).abs() < 1e-9, "{hz}");
        assert!((end + 2.0).abs() < 1e-9, "{hz}");
        assert!(run.spans(MotionBand::Coyote).is_empty());
    }
}

#[test]
fn curves_are_cut_where_the_level_restarts() {
    let mut trace = MotionTrace::default();
    for position in 0..100 {
        let mut sample = sample(position, 60, 10);
        sample.tick = if position < 40 { position } else { position - 40 };
        trace.put(sample);
    }
    let lines = trace.until(99, 60).lines(MotionCurve::Height);
    let lengths: Vec<usize> = lines.iter().map(Vec::len).collect();
    assert_eq!(lengths, [40, 60]);
}

#[test]
fn going_back_in_time_keeps_what_came_later_until_play_continues() {
    let mut trace = trace(60, 60, 600);
    assert_eq!(trace.until(300, 60).samples.last().map(|s| s.position), Some(300));
    assert_eq!(trace.until(600, 60).samples.last().map(|s| s.position), Some(600));
    trace.put(sample(301, 60, 60));
    assert_eq!(trace.until(600, 60).samples.last().map(|s| s.position), Some(301));
    trace.cut(200);
    assert_eq!(trace.until(600, 60).samples.len(), 0, "more than six seconds ago");
    trace.clear();
    assert!(trace.until(200, 60).samples.is_empty());
}

#[test]
fn hovering_reads_every_value_at_the_nearest_tick() {
    for hz in RATES {
        let second = u64::from(hz);
        let run = trace(hz, second, 3 * second).until(3 * second, hz);
        let tick = 1.0 / f64::from(hz);
        let curves = [MotionCurve::Height, MotionCurve::VelY, MotionCurve::Speed];
        let lines = run.reading(-1.0 + 0.3 * tick, &curves);
        // It has been falling at 50 px/s for a second.
        assert_eq!(lines[0], format!("-1.000 s, tick {}", 2 * second), "{hz}");
        assert_eq!(lines[1], "height -50.0 px", "{hz}");
        assert_eq!(lines[2], "vy -50.0 px/s", "{hz}");
        // sqrt(100² + 50²)
        assert_eq!(lines[3], "speed 111.8 px/s", "{hz}");
        assert_eq!(lines.len(), 4, "no band");
        let standing = run.reading(-2.5, &curves);
        assert_eq!(standing.last().map(String::as_str), Some("ground"));
        assert!(run.reading(1.0, &curves).is_empty());
    }
}

#[test]
fn a_comparison_reads_both_values_where_they_differ() {
    let run =
        |stands: u64| MotionRun { hz: 60, origin: 0, samples: (0..=120).map(|p| sample(p, 60, stands)).collect() };
    let pair = MotionPair { name: "hero".into(), revisions: [1, 2], old: run(30), new: run(60), parts_at: Some(0.5) };
    let curves = [MotionCurve::Height, MotionCurve::VelX];
    let lines = pair.reading(1.0, &curves);
    // The old one has fallen for half a second.
    assert_eq!(lines[1], "height -25.0 → 0.0 px");
    assert_eq!(lines[2], "vx 100.0 px/s");
    assert_eq!(lines[3], "– → ground");
}
