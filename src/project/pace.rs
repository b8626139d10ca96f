//! When ticks are due.

use std::time::{Duration, Instant};

/// Most ticks made at once to catch up. After a longer stall time is dropped instead, so that
/// the game does not race.
const MOST_AT_ONCE: u32 = 4;

/// Keeps ticks at a fixed rate in real time.
#[derive(Clone, Debug)]
pub struct Pace {
    tick: Duration,
    due: Instant,
    lost: u64,
}

impl Pace {
    /// Ticks at `hz` a second, the first at once.
    #[must_use]
    pub fn new(hz: u32) -> Self {
        Self {
            tick: Duration::from_secs_f64(1.0 / f64::from(hz)),
            due: Instant::now(),
            lost: 0,
        }
    }

    /// Sleeps until a tick is due; how many are to be made now, at least one.
    pub fn wait(&mut self) -> u32 {
        let mut now = Instant::now();
        while now < self.due {
            std::thread::sleep(self.due - now);
            now = Instant::now();
        }
        let behind = (now - self.due).as_secs_f64() / self.tick.as_secs_f64();
        let due = behind as u32 + 1;
        self.due += self.tick * due;
        let made = due.min(MOST_AT_ONCE);
        self.lost += u64::from(due - made);
        made
    }

    /// How many ticks were never made because they came too late.
    #[must_use]
    pub const fn lost(&self) -> u64 {
        self.lost
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_AT_ONCE, Pace};
    use std::time::Duration;

    #[test]
    fn a_stall_is_caught_up_with_a_few_ticks_and_the_rest_is_lost() {
        let mut pace = Pace::new(1000);
        assert!(pace.wait() >= 1);
        std::thread::sleep(Duration::from_millis(50));
        assert_eq!(pace.wait(), MOST_AT_ONCE);
        assert!(pace.lost() >= 40);
    }
}
