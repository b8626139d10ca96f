//! A thread that only keeps the pace of a game: what it loses, the machine has lost.

use hangtime::project::Pace;
use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

/// The tick rate of the game that is played.
const HZ: u32 = 60;

/// The pace of a game without the game.
#[derive(Default)]
pub struct IdlePace {
    lost: Arc<AtomicU64>,
    stop: Arc<AtomicBool>,
}

impl IdlePace {
    /// Starts the thread.
    pub fn start() -> Self {
        let idle = Self::default();
        let (lost, stop) = (idle.lost.clone(), idle.stop.clone());
        std::thread::spawn(move || {
            let mut pace = Pace::new(HZ);
            while !stop.load(Ordering::Relaxed) {
                pace.wait();
                lost.store(pace.lost(), Ordering::Relaxed);
            }
        });
        idle
    }

    /// The ticks that it has lost.
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }
}

impl Drop for IdlePace {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}
