//! The last seconds of an entity's motion, for plots.

use crate::sim::EntityView;
use std::collections::VecDeque;

/// Seconds that are kept.
pub const MOTION_SECONDS: f64 = 6.0;

/// The most samples that are kept, for high tick rates.
const MOST_SAMPLES: usize = 6_000;

/// An entity at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionSample {
    /// Seconds since the level started.
    pub time: f64,
    /// Height of its feet, px: y in a side view, z in a top view.
    pub height: f64,
    /// Velocity along x and y, px/s.
    pub vel: [f64; 2],
    /// Speed, px/s.
    pub speed: f64,
    /// Whether it is on the ground.
    pub grounded: bool,
}

/// The motion of one entity. Going back in time drops what came later.
#[derive(Clone, Debug, Default)]
pub struct MotionTrace {
    name: String,
    samples: VecDeque<MotionSample>,
}

impl MotionTrace {
    /// Adds how the entity moves now. Another entity than before starts a new trace.
    pub fn record(&mut self, time: f64, view: &EntityView) {
        if self.name != *view.name {
            self.name = view.name.to_string();
            self.samples.clear();
        }
        if self.samples.back().is_some_and(|last| last.time == time) {
            return;
        }
        while self.samples.back().is_some_and(|last| last.time > time) {
            self.samples.pop_back();
        }
        let vel = view.vel + view.external;
        self.samples.push_back(MotionSample {
            time,
            height: view.pos.y - view.depth + view.z,
            vel: [vel.x, vel.y],
            speed: vel.length().hypot(view.vel_z),
            grounded: view.grounded,
        });
        while let Some(first) = self.samples.front()
            && (time - first.time > MOTION_SECONDS || self.samples.len() > MOST_SAMPLES)
        {
            self.samples.pop_front();
        }
    }

    /// The samples, oldest first.
    pub fn samples(&self) -> impl Iterator<Item = &MotionSample> {
        self.samples.iter()
    }

    /// The times in which the entity was on the ground: start and end of each.
    #[must_use]
    pub fn ground(&self) -> Vec<(f64, f64)> {
        let mut spans: Vec<(f64, f64)> = Vec::new();
        let mut before = false;
        for sample in &self.samples {
            match spans.last_mut() {
                Some(span) if before && sample.grounded => span.1 = sample.time,
                _ if sample.grounded => spans.push((sample.time, sample.time)),
                _ => {}
            }
            before = sample.grounded;
        }
        spans
    }

    /// The times in which a late jump was possible: from leaving the ground without a jump, for
    /// `coyote_time` seconds or until the next landing.
    #[must_use]
    pub fn coyote(&self, coyote_time: f64) -> Vec<(f64, f64)> {
        let mut spans: Vec<(f64, f64)> = Vec::new();
        let mut open = false;
        let mut before: Option<&MotionSample> = None;
        for sample in &self.samples {
            let left = before.is_some_and(|b| b.grounded) && !sample.grounded;
            if left && sample.vel[1] <= 0.0 {
                spans.push((sample.time, sample.time));
                open = true;
            }
            open &= !sample.grounded && sample.vel[1] <= 0.0;
            if let Some(span) = spans.last_mut().filter(|_| open) {
                span.1 = sample.time.min(span.0 + coyote_time);
            }
            before = Some(sample);
        }
        spans
    }
}

#[cfg(test)]
mod tests {
    use super::{MOTION_SECONDS, MotionTrace};
    use crate::sim::EntityView;
    use glam::DVec2;

    /// A body that stands for `stands` seconds, and then falls.
    fn trace(hz: u32, stands: f64, seconds: f64) -> MotionTrace {
        let mut trace = MotionTrace::default();
        let mut view = EntityView::empty();
        for tick in 0..(seconds * f64::from(hz)) as u32 {
            let time = f64::from(tick) / f64::from(hz);
            view.grounded = time < stands;
            view.vel = DVec2::new(100.0, if view.grounded { 0.0 } else { -50.0 });
            trace.record(time, &view);
            // A picture of the same tick adds nothing.
            trace.record(time, &view);
        }
        trace
    }

    #[test]
    fn only_the_last_seconds_are_kept() {
        for hz in [30, 60, 144, 240] {
            let trace = trace(hz, 1.0, 20.0);
            let times: Vec<f64> = trace.samples().map(|s| s.time).collect();
            let span = times[times.len() - 1] - times[0];
            assert!(
                span <= MOTION_SECONDS && span > MOTION_SECONDS - 0.1,
                "{hz}"
            );
            assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
        }
    }

    #[test]
    fn the_bands_of_a_fall_off_a_ledge_last_as_long_as_their_times() {
        for hz in [30, 60, 144, 240] {
            let tick = 1.0 / f64::from(hz);
            let trace = trace(hz, 1.0, 3.0);
            let [(start, end)] = trace.ground()[..] else {
                panic!("{:?}", trace.ground());
            };
            assert!(start == 0.0 && (end - 1.0).abs() <= tick + 1e-9);
            let [(start, end)] = trace.coyote(0.1)[..] else {
                panic!("{:?}", trace.coyote(0.1));
            };
            assert!((start - 1.0).abs() <= tick + 1e-9);
            assert!((end - start - 0.1).abs() < 1e-9);
        }
    }

    #[test]
    fn a_jump_opens_no_window_for_another_one() {
        let mut trace = MotionTrace::default();
        let mut view = EntityView::empty();
        for tick in 0..100 {
            view.grounded = tick < 50;
            view.vel.y = if view.grounded { 0.0 } else { 540.0 };
            trace.record(f64::from(tick) / 60.0, &view);
        }
        assert!(trace.coyote(0.1).is_empty());
    }

    #[test]
    fn going_back_in_time_drops_what_came_later() {
        let mut trace = trace(60, 1.0, 3.0);
        let view = EntityView::empty();
        trace.record(1.5, &view);
        let last = trace.samples().last().unwrap();
        assert_eq!(last.time, 1.5);
        assert!(trace.samples().all(|s| s.time <= 1.5));
    }
}
