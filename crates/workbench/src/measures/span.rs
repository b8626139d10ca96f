//! The motion within a tick along one direction.

/// Speeds that differ by less than this share are equal.
const EQUAL: f64 = 1e-7;

/// A tick along a direction: the speeds at its ends, px/s, and how far the body moves in it, px.
#[derive(Clone, Copy)]
pub struct SpeedSpan {
    pub from: f64,
    pub to: f64,
    pub moved: f64,
    /// Its length, s.
    pub dt: f64,
}

impl SpeedSpan {
    /// When the body has a speed that is between those at the ends, s from the start, and how far it has moved by then, px.
    ///
    /// The way it moves tells how its speed changed: evenly during a first part of the tick, such as a stop; evenly during a
    /// last part, such as a jump whose key is released; or at once at the start, and evenly from there.
    pub fn reach(self, speed: f64) -> (f64, f64) {
        let Self { from, to, moved, dt } = self;
        let change = to - from;
        if change == 0.0 {
            return (0.0, 0.0);
        }
        let is_part = |length: f64| length > 0.0 && length <= dt * (1.0 + EQUAL);
        let first = 2.0 * (to * dt - moved) / change;
        let last = 2.0 * (moved - from * dt) / change;
        let (start, begun, length) = if is_part(first) {
            (0.0, from, first.min(dt))
        } else if is_part(last) {
            (dt - last.min(dt), from, last.min(dt))
        } else {
            let begun = 2.0 * moved / dt - to;
            (0.0, begun, dt)
        };
        let share = (speed - begun) / (to - begun);
        let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
        let time = share * length;
        let reached = begun + share * (to - begun);
        (start + time, from * start + 0.5 * (begun + reached) * time)
    }
}
