//! A headless run.

use super::heavy::{Divergence, HeavyTwin};
use hangtime_core::sim::Inputs;
use hangtime_game::{Live, Track};
use std::io;

/// Records something in every tick of a run.
pub trait Observer {
    /// Called once at tick 0, then after each tick.
    ///
    /// # Errors
    /// When the observer cannot write its output. The run ends then.
    fn observe(&mut self, live: &mut Live) -> io::Result<()>;

    /// Called when the world has changed between two ticks because a script wants to play another level.
    ///
    /// # Errors
    /// When the observer cannot write its output. The run ends then.
    fn change_level(&mut self, _live: &Live) -> io::Result<()> {
        Ok(())
    }
}

/// Why a heavy run ended early.
#[derive(Debug, thiserror::Error)]
pub enum HeavyError {
    /// An observer cannot write its output.
    #[error(transparent)]
    Output(#[from] io::Error),
    /// Saving and loading made a difference.
    #[error(transparent)]
    Divergence(#[from] Divergence),
}

/// Plays `ticks` ticks with the input of `track` as fast as possible.
///
/// # Errors
/// The first error of an observer.
pub fn run(live: &mut Live, track: &Track, ticks: u64, observers: &mut [&mut dyn Observer]) -> io::Result<()> {
    let none = Inputs::none();
    play(live, ticks, observers, |live| {
        live.step(track.get(live.world().ticks()).unwrap_or(&none));
        Ok(())
    })
}

/// Plays like [`run`], along with a twin that is saved and loaded before every tick.
///
/// # Errors
/// The first error of an observer, or the first difference of the twin.
pub fn run_heavy(
    live: &mut Live,
    track: &Track,
    ticks: u64,
    observers: &mut [&mut dyn Observer],
) -> Result<(), HeavyError> {
    let mut twin = HeavyTwin::new(live);
    play(live, ticks, observers, |live| {
        let inputs = track.at(live.world().ticks());
        Ok(twin.step(live, &inputs)?)
    })
}

fn play<E: From<io::Error>>(
    live: &mut Live,
    ticks: u64,
    observers: &mut [&mut dyn Observer],
    mut step: impl FnMut(&mut Live) -> Result<(), E>,
) -> Result<(), E> {
    for observer in observers.iter_mut() {
        observer.observe(live)?;
    }
    for _ in 0..ticks {
        if live.change_level() {
            for observer in observers.iter_mut() {
                observer.change_level(live)?;
            }
        }
        step(live)?;
        for observer in observers.iter_mut() {
            observer.observe(live)?;
        }
    }
    Ok(())
}
