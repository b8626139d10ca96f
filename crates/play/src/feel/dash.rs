//! A run from rest to full speed and the stop after it, as a plot shows them.

use super::*;

/// A run to full speed, which is held for a moment, and the stop after the release.
#[derive(Clone, Debug, PartialEq)]
pub struct FeelDash {
    /// The body after each tick, from rest on.
    pub samples: Vec<FeelSample>,
    /// Seconds from one to the next.
    pub dt: f64,
    /// The top speed, px/s.
    pub top: f64,
    /// When 99 % of it is reached, s, and the distance from rest, px.
    pub run_up: (f64, f64),
    /// The sample at which the key is released.
    pub released: usize,
    /// The time from the release to rest, s, and the distance, px; `None` if the body does not stop.
    pub stop: Option<(f64, f64)>,
}

/// Runs to the right from rest as `sprint` did, and stops.
pub fn dash(run: &mut FeelRun<'_>, hz: f64, sprint: &FeelSprint) -> Result<FeelDash, Unmeasured> {
    let mut samples = vec![run.sample()?];
    for _ in 0..sprint.ticks + (STEADY * hz).ceil() as u64 {
        samples.push(run.step(&[Action::Right])?);
    }
    let (released, dt) = (samples.len() - 1, 1.0 / hz);
    let mut stop = None;
    for _ in 0..(LONGEST * hz) as u64 {
        let (last, now) = (samples[samples.len() - 1], run.step(&[])?);
        samples.push(now);
        if now.pace.abs() <= RESTING * sprint.top {
            // It slows down evenly in the tick in which it comes to rest, and has gone its way at half the speed.
            let time = if last.pace > 0.0 {
                (2.0 * (now.along - last.along) / last.pace).clamp(0.0, dt)
            } else {
                dt
            };
            let before = (samples.len() - 2 - released) as f64 * dt;
            stop = Some((before + time, now.along - samples[released].along));
            break;
        }
    }
    let run_up = (sprint.run_time, sprint.run_up);
    Ok(FeelDash { samples, dt, top: sprint.top, run_up, released, stop })
}
