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
    pub const fn late(&self) -> u64 {
        self.late
    }

    /// The number of ticks that were dropped after stalls.
    pub const fn lost(&self) -> u64 {
        self.lost
    }
}
