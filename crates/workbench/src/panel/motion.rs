//! The last seconds of an entity's motion, for plots.

use super::sample::{MotionBand, MotionCurve, MotionSample};
use std::collections::VecDeque;

/// Seconds that the plots show.
pub const MOTION_SECONDS: f64 = 6.0;

/// The most samples that are kept: more than a minute at 240 ticks per second.
const MOST_SAMPLES: usize = 18_000;

/// The motion of one entity by positions of the timeline.
#[derive(Clone, Debug, Default)]
pub struct MotionTrace {
    samples: VecDeque<MotionSample>,
}

impl MotionTrace {
    /// Adds a sample. Those at its position and later are dropped.
    pub fn put(&mut self, sample: MotionSample) {
        let before = self.samples.partition_point(|s| s.position < sample.position);
        self.samples.truncate(before);
        if self.samples.len() == MOST_SAMPLES {
            self.samples.pop_front();
        }
        self.samples.push_back(sample);
    }

    /// Drops the samples after a position.
    pub fn cut(&mut self, position: u64) {
        let kept = self.samples.partition_point(|s| s.position <= position);
        self.samples.truncate(kept);
    }

    /// Drops all samples.
    pub fn clear(&mut self) {
        self.samples.clear();
    }

    /// The last seconds before a position, which is at time 0.
    pub fn until(&self, position: u64, hz: u32) -> MotionRun {
        let length = (MOTION_SECONDS * f64::from(hz)).ceil() as u64;
        let first = position.saturating_sub(length);
        let start = self.samples.partition_point(|s| s.position < first);
        let end = self.samples.partition_point(|s| s.position <= position);
        MotionRun { hz, origin: position, samples: self.samples.range(start..end.max(start)).copied().collect() }
    }
}

/// A stretch of an entity's motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MotionRun {
    /// Ticks per second.
    pub hz: u32,
    /// The position that is at time 0.
    pub origin: u64,
    /// The samples by ascending position.
    pub samples: Vec<MotionSample>,
}

impl MotionRun {
    /// When a sample was, s.
    pub fn time(&self, sample: &MotionSample) -> f64 {
        (sample.position as f64 - self.origin as f64) / f64::from(self.hz.max(1))
    }

    /// The points of a curve: time and value. The curve is cut where the game restarted or samples are
    /// missing.
    pub fn lines(&self, curve: MotionCurve) -> Vec<Vec<[f64; 2]>> {
        let follows = |a: &MotionSample, b: &MotionSample| b.position == a.position + 1 && b.tick == a.tick + 1;
        let parts = self.samples.chunk_by(follows);
        parts.map(|part| part.iter().map(|s| [self.time(s), curve.of(s)]).collect()).collect()
    }

    /// When a band lasts: start and end of each time, s. A tick lasts from the sample before it to its own.
    pub fn spans(&self, band: MotionBand) -> Vec<(f64, f64)> {
        let tick = 1.0 / f64::from(self.hz.max(1));
        let mut spans: Vec<(f64, f64)> = Vec::new();
        let mut last = None;
        for sample in self.samples.iter().filter(|s| s.has(band)) {
            let end = self.time(sample);
            match spans.last_mut() {
                Some(span) if last == sample.position.checked_sub(1) => span.1 = end,
                _ => spans.push((end - tick, end)),
            }
            last = Some(sample.position);
        }
        spans
    }

    /// The sample nearest to a time; `None` if it is more than a tick away.
    pub fn at(&self, time: f64) -> Option<&MotionSample> {
        let away = |sample: &&MotionSample| (self.time(sample) - time).abs();
        let nearest = self.samples.iter().min_by(|a, b| away(a).total_cmp(&away(b)))?;
        (away(&nearest) <= 1.0 / f64::from(self.hz.max(1))).then_some(nearest)
    }

    /// Whether it has upward velocities of a top view.
    pub fn is_from_above(&self) -> bool {
        self.samples.iter().any(|sample| sample.vel[2] != 0.0)
    }

    /// The values at a time, one fact per line: time and tick, each curve, the bands.
    pub fn reading(&self, time: f64, curves: &[MotionCurve]) -> Vec<String> {
        let Some(sample) = self.at(time) else {
            return Vec::new();
        };
        let mut lines = vec![format!("{:.3} s, tick {}", self.time(sample) + 0.0, sample.tick)];
        lines.extend(curves.iter().map(|curve| {
            let (name, unit) = curve.name();
            format!("{name} {} {unit}", short(curve.of(sample)))
        }));
        lines.push(sample.active());
        lines.retain(|line| !line.is_empty());
        lines
    }
}

/// The same stretch under an old and a new revision.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionPair {
    /// The entity's name.
    pub name: String,
    /// The numbers of the revisions, the old one first.
    pub revisions: [u64; 2],
    /// Its motion under the old revision, from time 0.
    pub old: MotionRun,
    /// Its motion under the new revision, from time 0.
    pub new: MotionRun,
    /// When the paths part, s; `None` if they are the same.
    pub parts_at: Option<f64>,
}

impl MotionPair {
    /// The values of both at a time, `old → new` where they differ.
    pub fn reading(&self, time: f64, curves: &[MotionCurve]) -> Vec<String> {
        let (old, new) = (self.old.at(time), self.new.at(time));
        let Some(any) = new.or(old) else {
            return Vec::new();
        };
        let both = |of: &dyn Fn(&MotionSample) -> String| {
            let text = |sample: Option<&MotionSample>| sample.map_or_else(|| "–".into(), of);
            let (old, new) = (text(old), text(new));
            if old == new { new } else { format!("{old} → {new}") }
        };
        let mut lines = vec![format!("{:.3} s, tick {}", self.new.time(any) + 0.0, any.tick)];
        lines.extend(curves.iter().map(|curve| {
            let (name, unit) = curve.name();
            format!("{name} {} {unit}", both(&|s| short(curve.of(s))))
        }));
        let bands = both(&|s| match s.active() {
            none if none.is_empty() => "–".into(),
            bands => bands,
        });
        if bands != "–" {
            lines.push(bands);
        }
        lines
    }
}

/// A number with one digit after the point, without −0.
fn short(x: f64) -> String {
    let text = format!("{x:.1}");
    if text == "-0.0" { "0.0".into() } else { text }
}

#[cfg(test)]
mod tests {
    use super::{MOTION_SECONDS, MotionBand, MotionCurve, MotionPair, MotionRun, MotionSample, MotionTrace};
    use glam::DVec2;
    use hangtime_core::models::Actions;
    use hangtime_core::sim::EntityView;

    const RATES: [u32; 6] = [30, 37, 60, 120, 144, 240];

    /// A body that stands until tick `stands`, and then falls at 50 px/s.
    fn sample(position: u64, hz: u32, stands: u64) -> MotionSample {
        let mut view = EntityView::empty();
        view.grounded = position <= stands;
        view.vel = DVec2::new(100.0, if view.grounded { 0.0 } else { -50.0 });
        let fell = position.saturating_sub(stands) as f64 / f64::from(hz);
        view.pos.y = -50.0 * fell;
        MotionSample::of_view(&view, position, Actions::default())
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
        let pair =
            MotionPair { name: "hero".into(), revisions: [1, 2], old: run(30), new: run(60), parts_at: Some(0.5) };
        let curves = [MotionCurve::Height, MotionCurve::VelX];
        let lines = pair.reading(1.0, &curves);
        // The old one has fallen for half a second.
        assert_eq!(lines[1], "height -25.0 → 0.0 px");
        assert_eq!(lines[2], "vx 100.0 px/s");
        assert_eq!(lines[3], "– → ground");
    }
}
