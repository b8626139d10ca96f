//! A world that has not failed, or what is left of one that has.

use crate::errors::{GameError, exception, panic_text};
use crate::inputs::GivenInputs;
use hangtime::script::host::recording_prints;
use hangtime::service::{InputQueue, ServedWorld};
use hangtime::sim::Event;
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// The events that are kept from one step.
const MOST_EVENTS: usize = 100_000;

/// The lines that are kept until they are taken.
const MOST_PRINTED: usize = 1000;

/// How many ticks pass between two looks at the clock.
const TICKS_PER_LOOK: u64 = 16;

/// How long ticks are made before Python may handle a signal, such as that of Ctrl-C, and before other threads may look at
/// the world.
pub const STRETCH: Duration = Duration::from_millis(50);

/// A world and the events of its last step.
pub struct RunningWorld {
    /// `None` after it has failed.
    pub world: Option<ServedWorld>,
    /// The events of the last step.
    pub events: Vec<Event>,
    /// The lines that its scripts have printed since they were last taken: the first ones.
    pub printed: Vec<String>,
}

impl RunningWorld {
    /// The world.
    pub fn get(&self) -> PyResult<&ServedWorld> {
        self.world.as_ref().ok_or_else(ended)
    }

    /// A world to drive.
    pub fn new(world: ServedWorld) -> Self {
        Self { world: Some(world), events: Vec::new(), printed: Vec::new() }
    }

    /// Does something with the world. If that panics, the world is gone.
    pub fn attempt<R>(&mut self, work: impl FnOnce(&mut ServedWorld) -> R) -> PyResult<R> {
        let world = self.world.as_mut().ok_or_else(ended)?;
        // Worlds share their scripts, but not what these print.
        let attempt = || catch_unwind(AssertUnwindSafe(|| work(world)));
        let (made, printed) = recording_prints(attempt);
        let room = MOST_PRINTED.saturating_sub(self.printed.len());
        self.printed.extend(printed.lines.into_iter().take(room));
        match made {
            Ok(result) => Ok(result),
            Err(panic) => {
                self.world = None;
                Err(GameError::new_err(panic_text(&*panic)))
            }
        }
    }

    /// Reads the inputs of a step of this many ticks. Nothing changes.
    pub fn read(&self, inputs: Option<GivenInputs>, ticks: u64) -> PyResult<Option<InputQueue>> {
        let world = self.get()?;
        match inputs {
            None => Ok(None),
            Some(GivenInputs::Text(text)) => {
                let read = world.read_inputs(&text).map_err(exception)?;
                Ok(Some(read.0))
            }
            Some(GivenInputs::Held(inputs)) => Ok(Some(InputQueue::hold(inputs, ticks, world.tick()))),
        }
    }

    /// Begins a step with these inputs.
    pub fn begin(&mut self, inputs: Option<InputQueue>) -> PyResult<()> {
        self.events.clear();
        match inputs {
            Some(inputs) => self.attempt(|world| world.play(inputs)),
            None => Ok(()),
        }
    }

    /// Makes up to this many ticks, until a moment has come. Returns how many are left.
    pub fn advance(&mut self, ticks: u64, until: Instant) -> PyResult<u64> {
        let mut events = std::mem::take(&mut self.events);
        let made = self.attempt(|world| {
            let before = world.tick();
            world.step(ticks, |live| {
                let room = MOST_EVENTS.saturating_sub(events.len());
                events.extend(live.world().events().iter().take(room).cloned());
                let looks = live.world().ticks().is_multiple_of(TICKS_PER_LOOK);
                match looks && Instant::now() >= until {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            });
            world.tick() - before
        })?;
        self.events = events;
        Ok(ticks - made)
    }
}

fn ended() -> PyErr {
    GameError::new_err("this world has failed before and has ended")
}
