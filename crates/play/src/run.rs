//! A headless run.

use super::*;
use hangtime_game::scripts_were_stopped;

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

/// Plays `ticks` ticks with the input of `track` as fast as possible.
///
/// # Errors
/// The first error of an observer, and [`Interrupted`](io::ErrorKind::Interrupted) if scripts were
/// [stopped](hangtime_game::ending_scripts) in a tick, which no observer sees.
pub fn run(live: &mut Live, track: &Track, ticks: u64, observers: &mut [&mut dyn Observer]) -> io::Result<()> {
    play(live, track, ticks, observers, None).map(drop)
}

/// Plays like [`run`], along with a twin that is saved and loaded before every tick. Ends with the first difference of the
/// twin, if there is one.
///
/// # Errors
/// The same as [`run`].
pub fn run_heavy(
    live: &mut Live,
    track: &Track,
    ticks: u64,
    observers: &mut [&mut dyn Observer],
) -> io::Result<Option<Divergence>> {
    let twin = HeavyTwin::new(live);
    play(live, track, ticks, observers, Some(twin))
}

fn play(
    live: &mut Live,
    track: &Track,
    ticks: u64,
    observers: &mut [&mut dyn Observer],
    mut twin: Option<HeavyTwin>,
) -> io::Result<Option<Divergence>> {
    let none = Inputs::none();
    observers.iter_mut().try_for_each(|observer| observer.observe(live))?;
    for _ in 0..ticks {
        if live.change_level() {
            observers.iter_mut().try_for_each(|observer| observer.change_level(live))?;
        }
        let inputs = track.get(live.world().ticks()).unwrap_or(&none);
        let stepped = step(live, &mut twin, inputs);
        check_whole()?;
        observers.iter_mut().try_for_each(|observer| observer.observe(live))?;
        if let Err(divergence) = stepped {
            return Ok(Some(divergence));
        }
    }
    Ok(None)
}

/// An error if scripts were stopped in the last tick: it is not the one that the inputs make.
pub fn check_whole() -> io::Result<()> {
    if scripts_were_stopped() {
        Err(io::ErrorKind::Interrupted.into())
    } else {
        Ok(())
    }
}
