//! Runs and jumps as they were played, and the numbers between two ticks.

use super::*;

/// The longest jump, run or stop that is measured, s.
pub const LONGEST: f64 = 30.0;

/// How long a press may take to become a jump, s.
const TAKEOFF: f64 = 0.25;

/// How long a body may take to come to rest on the ground that it starts on, s.
const SETTLING: f64 = 3.0;

/// A body that moves at most this far in a tick rests, px.
const RESTS: f64 = 1e-9;

/// A body without keys that is this far above its start does not come down again, px.
const FLOATS_OFF: f64 = 1000.0;

/// A jump that rises at most this far is none, px.
const RISES: f64 = 1e-9;

/// A jump, from the last tick on the ground to the landing.
#[derive(Clone, Debug, PartialEq)]
pub struct FeelArc {
    /// The body after each tick. The first is the last one on the ground, the last one the landing.
    pub samples: Vec<FeelSample>,
    /// Seconds from one to the next.
    pub dt: f64,
    /// The tick in which the jump key was released before the landing. The first one has the number 0.
    pub released: Option<usize>,
}

/// A point of an arc between two ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArcPoint {
    /// Seconds since takeoff.
    pub time: f64,
    /// The body's center, px.
    pub x: f64,
    /// Height of its feet, px.
    pub height: f64,
}

impl FeelArc {
    /// The highest point, relative to the height of the takeoff.
    ///
    /// # Errors
    /// If the ticks are too long to tell where it is.
    pub fn apex(&self) -> Result<ArcPoint, Unmeasured> {
        let from = self.samples[0].height;
        let mut best = ArcPoint { time: 0.0, x: self.samples[0].x, height: 0.0 };
        for (i, pair) in self.samples.windows(2).enumerate() {
            let (a, b) = (pair[0], pair[1]);
            let (time, height) = self.tick(i).peak()?;
            if height - from > best.height {
                best = ArcPoint {
                    time: i as f64 * self.dt + time,
                    x: a.x + (b.x - a.x) * time / self.dt,
                    height: height - from,
                };
            }
        }
        Ok(best)
    }

    /// Where it lands.
    ///
    /// # Errors
    /// If the ticks are too long to tell when it does.
    pub fn landing(&self) -> Result<ArcPoint, Unmeasured> {
        let last = self.samples.len() - 2;
        let (a, b) = (self.samples[last], self.samples[last + 1]);
        let time = self.tick(last).touch()?;
        Ok(ArcPoint { time: last as f64 * self.dt + time, x: a.x + a.speed * time, height: b.height })
    }

    /// The end of the last tick, where it has landed.
    pub fn end(&self) -> ArcPoint {
        let last = self.samples.len() - 1;
        ArcPoint { time: last as f64 * self.dt, x: self.samples[last].x, height: self.samples[last].height }
    }

    fn tick(&self, index: usize) -> TickOfArc<'_> {
        TickOfArc { samples: &self.samples, index, dt: self.dt, released: self.released }
    }
}

/// Why a body that slides away has no numbers.
pub const NEVER_RESTS: Unmeasured = "never comes to rest by itself";

/// Waits until the body rests where it started.
pub fn settle(run: &mut FeelRun<'_>, hz: f64) -> Result<FeelSample, Unmeasured> {
    let mut last = run.sample()?;
    let start = last.height;
    let mut same = 0;
    for _ in 0..(SETTLING * hz) as u64 {
        let now = run.step(&[])?;
        let moved = (now.x - last.x).abs().max((now.height - last.height).abs());
        same = if moved <= RESTS { same + 1 } else { 0 };
        last = now;
        if same >= 3 {
            return Ok(now);
        }
        if now.height > start + FLOATS_OFF && now.rise > 0.0 {
            return Err("rises by itself: gravity pulls it up");
        }
    }
    Err(NEVER_RESTS)
}

/// Jumps: from now on, `keys` are held along with the jump key for `ticks` ticks.
pub fn jump(run: &mut FeelRun<'_>, hz: f64, keys: &[Action], ticks: u64) -> Result<FeelArc, Unmeasured> {
    let mut last = run.sample()?;
    if !last.stands {
        return Err("does not stand on the ground");
    }
    let mut with_jump = keys.to_vec();
    with_jump.push(Action::Jump);
    let mut samples: Vec<FeelSample> = Vec::new();
    let mut released = None;
    for tick in 0..(LONGEST * hz) as u64 {
        let now = run.step(if tick < ticks { &with_jump } else { keys })?;
        if samples.is_empty() {
            if now.stands {
                if tick as f64 > TAKEOFF * hz {
                    break;
                }
                last = now;
                continue;
            }
            samples.push(last);
        }
        if tick == ticks {
            released = Some(samples.len() - 1);
        }
        samples.push(now);
        if now.stands {
            let rises = |sample: &FeelSample| sample.height > samples[0].height + RISES;
            if !samples.iter().any(rises) {
                return Err("does not rise when it jumps");
            }
            return Ok(FeelArc { samples, dt: 1.0 / hz, released });
        }
    }
    if samples.is_empty() {
        return Err("does not jump");
    }
    Err("does not land again")
}

/// A run from rest to full speed.
pub struct FeelSprint {
    /// The distance from rest to 99 % of the top speed, px.
    pub run_up: f64,
    /// The time that it takes, s.
    pub run_time: f64,
    /// The tick after which the top speed is reached, counted from the press.
    pub ticks: u64,
    /// The top speed, px/s.
    pub top: f64,
}

/// The share of the top speed at which a run-up ends.
const RUN_UP: f64 = 0.99;

/// For how long the speed must stay the same to be the top speed, s.
pub const STEADY: f64 = 0.25;

/// Runs to the right until the body is no longer getting faster.
pub fn sprint(run: &mut FeelRun<'_>, hz: f64, room: f64) -> Result<FeelSprint, Unmeasured> {
    let start = run.sample()?;
    let mut samples = vec![start];
    let mut reached = 0;
    let steady = (STEADY * hz).ceil() as usize;
    for tick in 1..=(LONGEST * hz) as usize {
        let now = run.step(&[Action::Right])?;
        if now.along > room {
            break;
        }
        samples.push(now);
        if (now.pace - samples[reached].pace).abs() > 1e-9 * now.pace.abs() {
            reached = tick;
        }
        if tick - reached >= steady {
            break;
        }
    }
    let top = samples[reached].pace;
    if samples.len() - 1 - reached < steady {
        return Err("reaches no top speed");
    }
    if top <= 0.0 {
        return Err("does not run");
    }
    let (run_time, along) = reaches(&samples, RUN_UP * top, 1.0 / hz);
    Ok(FeelSprint { run_up: along - start.along, run_time, ticks: reached as u64, top })
}

/// When a run reaches a speed, s, and where along the ground, px.
fn reaches(samples: &[FeelSample], speed: f64, dt: f64) -> (f64, f64) {
    let Some(at) = samples.iter().position(|s| s.pace >= speed) else {
        return (f64::NAN, f64::NAN);
    };
    let tick = at.max(1) - 1;
    let (a, b) = (samples[tick], samples[at]);
    let before = tick as f64 * dt;
    // Within the tick, the speed grows as it did in the tick before; in the first tick, from the speed
    // that the body has at once.
    let (begun, gain) = match at.checked_sub(2).map(|i| samples[i]) {
        Some(last) if a.pace > last.pace && last.pace > 0.0 => (a.pace, (a.pace - last.pace) / dt),
        _ => {
            let begun = (2.0 * (b.along - a.along) / dt - b.pace).min(b.pace);
            (begun, (b.pace - begun) / dt)
        }
    };
    if begun >= speed || gain <= 0.0 {
        return (before, a.along);
    }
    let time = ((speed - begun) / gain).min(dt);
    (before + time, a.along + begun * time + 0.5 * gain * time * time)
}

/// A body at this share of its top speed rests.
pub const RESTING: f64 = 1e-6;

/// The distance that a body covers along the ground from now on until it rests, without any keys.
pub fn stop(run: &mut FeelRun<'_>, hz: f64, top: f64) -> Result<f64, Unmeasured> {
    let start = run.sample()?.along;
    for _ in 0..(LONGEST * hz) as u64 {
        let now = run.step(&[])?;
        if now.pace.abs() <= RESTING * top {
            return Ok(now.along - start);
        }
    }
    Err("does not stop")
}

#[cfg(test)]
#[path = "../../tests/unit/feel/arc.rs"]
mod tests;
