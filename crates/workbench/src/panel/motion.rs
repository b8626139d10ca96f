//! The last seconds of an entity's motion, for plots.

use super::*;

/// Seconds that the plots show.
pub const MOTION_SECONDS: f64 = 6.0;

/// The most samples that are kept: more than a minute at 240 ticks per second.
const MOST_SAMPLES: usize = 18_000;

/// The motion of one entity by positions of the timeline.
#[derive(Default)]
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

    /// The last position up to this one at which it moved.
    pub fn last_moved(&self, position: u64) -> Option<u64> {
        let end = self.samples.partition_point(|s| s.position <= position);
        let moved = self.samples.range(..end).rev().find(|s| s.vel != [0.0; 3]);
        moved.map(|s| s.position)
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
#[derive(Clone, PartialEq)]
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
        self.lines_about(sample, curves, |text| text(sample))
    }

    /// The facts about a moment: `shown` turns what a sample says into a text.
    fn lines_about(
        &self,
        sample: &MotionSample,
        curves: &[MotionCurve],
        shown: impl Fn(&dyn Fn(&MotionSample) -> String) -> String,
    ) -> Vec<String> {
        let mut lines = vec![format!("{:.3} s, tick {}", self.time(sample) + 0.0, sample.tick)];
        lines.extend(curves.iter().map(|curve| {
            let (name, unit) = curve.name();
            format!("{name} {} {unit}", shown(&|sample| short(curve.of(sample))))
        }));
        let bands = shown(&|sample| match sample.active() {
            none if none.is_empty() => "–".into(),
            bands => bands,
        });
        lines.extend((bands != "–").then_some(bands));
        lines
    }
}

/// The same stretch under an old and a new revision.
#[derive(PartialEq)]
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
        self.new.lines_about(any, curves, |of| {
            let text = |sample: Option<&MotionSample>| sample.map_or_else(|| "–".into(), of);
            let (old, new) = (text(old), text(new));
            if old == new { new } else { format!("{old} → {new}") }
        })
    }
}

/// A number with one digit after the point, without −0.
fn short(x: f64) -> String {
    let text = format!("{x:.1}");
    if text == "-0.0" { "0.0".into() } else { text }
}
