//! A headless run.

use crate::project::{Live, Track};
use std::io;

/// Something that looks at every tick of a run.
pub trait Observer {
    /// Looks at the game: once at tick 0, then after each tick.
    ///
    /// # Errors
    /// When it cannot write down what it sees; the run ends then.
    fn see(&mut self, live: &mut Live) -> io::Result<()>;
}

/// Plays `ticks` ticks of `track` as fast as they go.
///
/// # Errors
/// Those of the observers.
pub fn run(
    live: &mut Live,
    track: &Track,
    ticks: u64,
    observers: &mut [&mut dyn Observer],
) -> io::Result<()> {
    for observer in observers.iter_mut() {
        observer.see(live)?;
    }
    for _ in 0..ticks {
        live.step(&track.at(live.world().ticks()));
        for observer in observers.iter_mut() {
            observer.see(live)?;
        }
    }
    Ok(())
}
