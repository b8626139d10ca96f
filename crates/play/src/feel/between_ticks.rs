//! Where a body is highest and when it lands, from its states after each tick. In a tick it rises at a
//! constant speed while the jump key holds it, falls ever faster, or falls at its top speed. If one tick
//! has too many of these parts, its states do not tell where one ends.

use super::*;

/// Why a number cannot be found.
const TOO_FAST: Unmeasured = "turns around too fast for this tick rate; try a higher one with --hz";

/// Motions that differ by less than this share are equal.
const EQUAL: f64 = 1e-7;

/// A tick of a jump, with the ticks before and after it.
pub struct TickOfArc<'a> {
    /// The body after each tick of the jump.
    pub samples: &'a [FeelSample],
    /// The tick goes from this sample to the next.
    pub index: usize,
    /// Its length, s.
    pub dt: f64,
    /// The tick in which the jump key is released, which ends the rise at once.
    pub released: Option<usize>,
}

/// A moment within a tick: seconds since its start, and the height of the feet.
pub type MomentOfTick = (f64, f64);

impl TickOfArc<'_> {
    fn ends(&self) -> (&FeelSample, &FeelSample) {
        (&self.samples[self.index], &self.samples[self.index + 1])
    }

    /// The highest point of this tick.
    pub fn peak(&self) -> Result<MomentOfTick, Unmeasured> {
        let (a, b) = self.ends();
        let end = if b.height > a.height { (self.dt, b.height) } else { (0.0, a.height) };
        let first = self.index == 0;
        if b.landed.is_none() && b.rise >= 0.0 || !first && a.rise <= 0.0 {
            return Ok(end);
        }
        if first {
            return Err(TOO_FAST);
        }
        if self.released != Some(self.index) {
            if let Some(gravity) = self.gravity_before() {
                return self.peak_under(gravity);
            }
            if b.landed.is_some() || self.is_capped() {
                return Err(TOO_FAST);
            }
            if let Some(slowing) = slowing(a, b, self.dt) {
                let held = self.dt - slowing;
                let up = slowing * a.rise / (a.rise - b.rise);
                return Ok((held + up, a.height + a.rise * (held + 0.5 * up)));
            }
        }
        // The velocity has changed at the start of the tick.
        let begun = 2.0 * (b.height - a.height) / self.dt - b.rise;
        if b.landed.is_some() || self.is_capped() || begun <= 0.0 {
            return Ok(end);
        }
        let up = self.dt * begun / (begun - b.rise);
        Ok((up, a.height + 0.5 * begun * up))
    }

    /// The highest point of a tick in which this gravity acts from the start.
    fn peak_under(&self, gravity: f64) -> Result<MomentOfTick, Unmeasured> {
        let (a, b) = self.ends();
        let up = a.rise / gravity;
        let peak = (up, a.height + 0.5 * a.rise * up);
        let as_expected = match b.landed {
            Some(landed) => {
                let fallen = 0.5 * landed * landed / gravity;
                (peak.1 - b.height - fallen).abs() <= EQUAL * (1.0 + fallen)
            }
            None => {
                let faster = (a.rise - b.rise) / gravity;
                let moved = 0.5 * (a.rise + b.rise) * faster + b.rise * (self.dt - faster);
                let fits = (b.height - a.height - moved).abs() <= EQUAL * (1.0 + moved.abs());
                fits && faster <= self.dt * (1.0 + EQUAL)
            }
        };
        as_expected.then_some(peak).ok_or(TOO_FAST)
    }

    /// When the body lands in this tick, s from its start.
    pub fn touch(&self) -> Result<f64, Unmeasured> {
        let (a, b) = self.ends();
        let fall = (a.height - b.height).max(0.0);
        let landed = b.landed.unwrap_or(0.0);
        if self.released == Some(self.index) {
            return Ok(time_of(fall, landed).min(self.dt));
        }
        let Some(gravity) = self.gravity_before() else {
            if a.rise > 0.0 {
                return Err(TOO_FAST);
            }
            return Ok(time_of(fall, landed - a.rise).min(self.dt));
        };
        // It gets faster until it lands, or until it is as fast as it can be.
        let faster = (landed + a.rise).max(0.0) / gravity;
        let fallen = 0.5 * (landed - a.rise) * faster;
        let rest = time_of((fall - fallen).max(0.0), 2.0 * landed);
        Ok((faster + rest).min(self.dt))
    }

    /// Whether the body falls at its top speed when the tick ends: it does not get faster in the next.
    fn is_capped(&self) -> bool {
        let (_, b) = self.ends();
        let next = self.samples.get(self.index + 2);
        next.is_some_and(|c| c.landed.unwrap_or(-c.rise) <= -b.rise * (1.0 + EQUAL))
    }

    /// The gravity that acted in the tick before, px/s².
    fn gravity_before(&self) -> Option<f64> {
        // Before the first tick of a jump, the body stands.
        let tick = self.index.checked_sub(1).filter(|tick| *tick > 0)?;
        let (before, a) = (&self.samples[tick], &self.samples[self.index]);
        let slowing = slowing(before, a, self.dt)?;
        // One that falls already may have reached its top speed within the tick.
        let whole = slowing >= self.dt * (1.0 - EQUAL);
        (before.rise > 0.0 || whole).then(|| (before.rise - a.rise) / slowing)
    }
}

/// The last part of a tick, s, in which gravity acts after the jump key has held the body at its speed.
fn slowing(a: &FeelSample, b: &FeelSample, dt: f64) -> Option<f64> {
    let slower = a.rise - b.rise;
    if slower <= EQUAL * a.rise.abs().max(b.rise.abs()) {
        return None;
    }
    let slowing = 2.0 * (a.rise * dt - (b.height - a.height)) / slower;
    (slowing > 0.0 && slowing <= dt * (1.0 + EQUAL)).then_some(slowing)
}

/// The time that a distance takes at the mean of two speeds with this sum.
fn time_of(distance: f64, speeds: f64) -> f64 {
    if speeds > 0.0 { 2.0 * distance / speeds } else { 0.0 }
}
