//! How fast the game runs.

/// The slowest speed is 2 to this power.
const SLOWEST: i8 = -4;

/// The fastest speed is 2 to this power.
const FASTEST: i8 = 2;

/// How fast the game runs: 1/16, 1/8, 1/4, 1/2, 1, 2 or 4 times its normal speed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameSpeed {
    exponent: i8,
    /// Frames since the last tick, in slow motion.
    waited: u32,
}

impl GameSpeed {
    /// Half as fast, but not slower than 1/16.
    pub fn slower(&mut self) {
        self.exponent = (self.exponent - 1).max(SLOWEST);
    }

    /// Twice as fast, but not faster than 4 times.
    pub fn faster(&mut self) {
        self.exponent = (self.exponent + 1).min(FASTEST);
    }

    /// Normal speed.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Whether it is the normal speed.
    #[must_use]
    pub fn is_normal(self) -> bool {
        self.exponent == 0
    }

    /// The ticks per frame.
    #[must_use]
    pub fn factor(self) -> f64 {
        let power = f64::from(1_u32 << self.exponent.unsigned_abs());
        if self.exponent < 0 { 1.0 / power } else { power }
    }

    /// The number of ticks to make in this frame.
    pub fn ticks(&mut self) -> u32 {
        if self.exponent >= 0 {
            return 1 << self.exponent;
        }
        self.waited += 1;
        if self.waited < 1 << self.exponent.unsigned_abs() {
            return 0;
        }
        self.waited = 0;
        1
    }

    /// The speed as it is shown, such as `1/4`; `None` for normal speed.
    #[must_use]
    pub fn shown(self) -> Option<String> {
        let power = 1_u32 << self.exponent.unsigned_abs();
        match self.exponent {
            0 => None,
            1.. => Some(format!("{power}×")),
            _ => Some(format!("1/{power}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::GameSpeed;

    #[test]
    fn every_speed_makes_its_share_of_ticks() {
        let mut speed = GameSpeed::default();
        (0..9).for_each(|_| speed.slower());
        for expected in [1.0 / 16.0, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 4.0] {
            assert_eq!(speed.factor(), expected);
            let ticks: u32 = (0..160).map(|_| speed.ticks()).sum();
            assert_eq!(f64::from(ticks), 160.0 * expected);
            speed.faster();
        }
        speed.reset();
        assert_eq!((speed.factor(), speed.shown()), (1.0, None));
    }
}
