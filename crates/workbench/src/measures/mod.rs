//! What happens in a stretch, in numbers: the first jump, run, stop, turn, swing and touchdown, and how far the body slides on
//! each surface.
//!
//! Each is found from one [`MotionPoint`] a tick. Where something happens between two ticks, such as the apex, a landing or a
//! stop, its moment and place follow from the positions and velocities at the ends of the tick, so that the numbers are the
//! same at every tick rate as far as the model's motion is.

mod ground;
mod jump;
mod point;
mod span;
mod swing;
mod touchdown;

pub use point::MotionPoint;

use super::*;
use ground::{run, slides, stop, turn};
use jump::jump;
use span::SpeedSpan;
use swing::swing;
use touchdown::touchdown;

/// A body that is slower than this is at rest, px/s.
const REST: f64 = 0.5;

/// A number of something that happened in a stretch.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// What happened, such as `jump`.
    pub event: &'static str,
    /// The name of the number, such as `apex`.
    pub name: String,
    /// The number; or what it lacks, such as `not landed`, if the stretch ends before it.
    pub value: Result<f64, &'static str>,
    /// Its unit.
    pub unit: &'static str,
}

impl Measure {
    fn text(&self) -> String {
        // Without −0.
        self.value
            .map_or_else(Into::into, |value| format!("{:.*} {}", self.digits(), value + 0.0, self.unit))
    }

    fn digits(&self) -> usize {
        match self.unit {
            "s" => 3,
            "px/s" => 0,
            _ => 1,
        }
    }
}

/// Where the numbers of a path come from.
#[derive(Clone, Copy)]
struct MeasuredPath<'a> {
    /// The points at the start and after each tick.
    points: &'a [MotionPoint],
    /// The length of a tick, s.
    dt: f64,
    view: View,
}

impl MeasuredPath<'_> {
    /// How long some ticks last, s.
    fn seconds(&self, ticks: usize) -> f64 {
        ticks as f64 * self.dt
    }
}

/// Measures what happens on a path with one point at its start and one after each tick.
pub fn measures(points: &[MotionPoint], hz: u32, view: View) -> Vec<Measure> {
    let path = MeasuredPath { points, dt: 1.0 / f64::from(hz.max(1)), view };
    let mut found = jump(path);
    // The browser's page is small and shows jumps.
    if cfg!(feature = "disk") {
        for measure in [run, stop, turn, slides, swing, touchdown] {
            found.extend(measure(path));
        }
    }
    found
}

/// The numbers of an old and a new path, one per line, such as `apex 72.0 → 86.4 px`.
pub fn compared(old: &[Measure], new: &[Measure]) -> Vec<String> {
    let named = |list: &[Measure], name: &str| list.iter().find(|measure| measure.name == name).cloned();
    let gone = old.iter().filter(|measure| named(new, &measure.name).is_none());
    let line = |measure: &Measure| {
        let text = |list: &[Measure]| match named(list, &measure.name) {
            Some(measure) => measure.text(),
            None => format!("no {}", measure.event),
        };
        let (name, unit) = (&measure.name, measure.unit);
        let (old, new) = (text(old), text(new));
        match old.strip_suffix(&format!(" {unit}")) {
            _ if old == new => format!("{name} {new}"),
            Some(number) if new.ends_with(&format!(" {unit}")) => format!("{name} {number} → {new}"),
            _ => format!("{name} {old} → {new}"),
        }
    };
    new.iter().chain(gone).map(line).collect()
}
