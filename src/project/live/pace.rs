//! Ticks in real time.

use std::time::{Duration, Instant};

/// The largest number of ticks made at once to catch up. After a longer stall the rest is dropped, so
/// that the game does not race.
const MAX_CATCH_UP: u32 = 4;

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
        Self {
            tick: Duration::from_secs_f64(1.0 / f64::from(hz)),
            due: Instant::now(),
            late: 0,
            lost: 0,
        }
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
        let made = due.min(MAX_CATCH_UP);
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
    use super::{MAX_CATCH_UP, Pace};
    use std::time::Duration;

    #[test]
    fn catches_up_a_few_ticks_after_a_stall_and_drops_the_rest() {
        let mut pace = Pace::new(1000);
        assert!(pace.wait() >= 1);
        std::thread::sleep(Duration::from_millis(50));
        assert_eq!(pace.wait(), MAX_CATCH_UP);
        assert!(pace.late() >= u64::from(MAX_CATCH_UP - 1));
        assert!(pace.lost() >= 40);
    }
}
