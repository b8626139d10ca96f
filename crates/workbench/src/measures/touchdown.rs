//! The first touchdown of a rigid body, such as a vessel.

use super::*;
use std::f64::consts::{PI, TAU};

/// Measures the first touchdown: the speed into what it touches, and how far it is tilted.
pub fn touchdown(path: MeasuredPath<'_>) -> Vec<Measure> {
    let touches = |point: &MotionPoint| point.rigid.is_some_and(|(_, touches)| touches);
    let flies = |point: &MotionPoint| point.rigid.is_some_and(|(_, touches)| !touches);
    // One that bounces may touch nothing any more when the tick ends.
    let comes_down = |pair: &&[MotionPoint]| flies(&pair[0]) && (touches(&pair[1]) || pair[1].landed.is_some());
    let Some([before, down]) = path.points.windows(2).find(comes_down) else { return Vec::new() };
    let speed = down.landed.unwrap_or(-before.rising);
    let tilt = before.rigid.map_or(0.0, |(angle, _)| ((angle + PI).rem_euclid(TAU) - PI).abs());
    let measure = |name: &str, value, unit| Measure { event: "touchdown", name: name.into(), value: Ok(value), unit };
    vec![measure("touchdown speed", speed, "px/s"), measure("touchdown tilt", tilt.to_degrees(), "°")]
}
