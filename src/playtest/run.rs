//! A headless run.

use crate::project::{Live, Track};
use std::io;

/// Records something in every tick of a run.
pub trait Observer {
    /// Called once at tick 0, then after each tick.
    ///
    /// # Errors
    /// When the observer cannot write its output. The run ends then.
    fn observe(&mut self, live: &mut Live) -> io::Result<()>;
}

/// Plays `ticks` ticks with the input of `track` as fast as possible.
///
/// # Errors
/// The first error of an observer.
pub fn run(
    live: &mut Live,
    track: &Track,
    ticks: u64,
    observers: &mut [&mut dyn Observer],
) -> io::Result<()> {
    for observer in observers.iter_mut() {
        observer.observe(live)?;
    }
    for _ in 0..ticks {
        live.step(&track.at(live.world().ticks()));
        for observer in observers.iter_mut() {
            observer.observe(live)?;
        }
    }
    Ok(())
}
