//! Ticks in real time.

use std::time::{Duration, Instant};

/// The longest time whose ticks are made at once to catch up. After a longer stall the rest is dropped, so
/// that the game does not race.
const CATCH_UP: Duration = Duration::from_millis(200);

/// Keeps ticks at a fixed rate in real time.
#[derive(Clone, Debug)]
pub struct Pace {
    tick: Duration,
    due: Instant,
    late: u64,
    lost: u64,
}

impl Pace {
    /// Paces `hz` ticks a second. The first one is due immediately.
    #[must_use]
    pub fn new(hz: u32) -> Self {
        Self { tick: Duration::from_secs_f64(1.0 / f64::from(hz)), due: Instant::now(), late: 0, lost: 0 }
    }

    /// Continues at another rate. The next tick is due immediately.
    pub fn set_rate(&mut self, hz: u32) {
        *self = Self { late: self.late, lost: self.lost, ..Self::new(hz) };
    }

    /// Sleeps until a tick is due and returns how many to make now: 1, or more to catch up.
    pub fn wait(&mut self) -> u32 {
        let mut now = Instant::now();
        while now < self.due {
            std::thread::sleep(self.due - now);
            now = Instant::now();
        }
        let behind = (now - self.due).as_secs_f64() / self.tick.as_secs_f64();
        let due = behind as u32 + 1;
        self.due += self.tick * due;
        let most = (CATCH_UP.as_secs_f64() / self.tick.as_secs_f64()).ceil() as u32;
        let made = due.min(most);
        self.late += u64::from(made - 1);
        self.lost += u64::from(due - made);
        made
    }

    /// The number of ticks that were made at least one tick after their time.
    #[must_use]
    pub const fn late(&self) -> u64 {
        self.late
    }

    /// The number of ticks that were dropped after stalls.
    #[must_use]
    pub const fn lost(&self) -> u64 {
        self.lost
    }
}

#[cfg(test)]
mod tests {
    use super::{CATCH_UP, Pace};
    use std::time::Duration;

    #[test]
    fn catches_up_after_a_short_stall_and_drops_what_is_older() {
        for hz in [30, 60, 144, 240, 1000] {
            let mut pace = Pace::new(hz);
            assert!(pace.wait() >= 1);
            std::thread::sleep(CATCH_UP + Duration::from_millis(100));
            // Ticks of the last moments are made, and no others.
            let made = f64::from(pace.wait()) / f64::from(hz);
            assert!((made - CATCH_UP.as_secs_f64()).abs() <= 1.0 / f64::from(hz), "{hz}: {made}");
            let lost = pace.lost();
            assert!(lost as f64 >= 0.1 * f64::from(hz) - 2.0, "{hz}: {lost}");
            // Another rate does not forget them.
            pace.set_rate(500);
            assert_eq!(pace.lost(), lost);
        }
    }

    #[test]
    fn a_stall_of_a_tenth_of_a_second_loses_no_tick() {
        for hz in [60, 240] {
            let mut pace = Pace::new(hz);
            pace.wait();
            std::thread::sleep(Duration::from_millis(100));
            let made = pace.wait();
            // A busy machine may stall for longer.
            if f64::from(made) < 0.19 * f64::from(hz) {
                assert!(f64::from(made) >= 0.1 * f64::from(hz) - 1.0, "{made} at {hz} Hz");
                assert_eq!(pace.lost(), 0);
            }
        }
    }
}
