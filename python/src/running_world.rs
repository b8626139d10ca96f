//! A world that has not failed, or what is left of one that has.

use crate::errors::{GameError, exception, panic_text};
use crate::inputs::GivenInputs;
use hangtime::service::ServedWorld;
use hangtime::sim::Event;
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The events that are kept from one step.
const MOST_EVENTS: usize = 100_000;

/// A world and the events of its last step.
pub struct RunningWorld {
    /// `None` after it has failed.
    pub world: Option<ServedWorld>,
    /// The events of the last step.
    pub events: Vec<Event>,
}

impl RunningWorld {
    /// The world.
    pub fn get(&self) -> PyResult<&ServedWorld> {
        self.world.as_ref().ok_or_else(ended)
    }

    /// Does something with the world. If that panics, the world is gone.
    pub fn attempt<R>(&mut self, work: impl FnOnce(&mut ServedWorld) -> R) -> PyResult<R> {
        let world = self.world.as_mut().ok_or_else(ended)?;
        match catch_unwind(AssertUnwindSafe(|| work(world))) {
            Ok(result) => Ok(result),
            Err(panic) => {
                self.world = None;
                Err(GameError::new_err(panic_text(&*panic)))
            }
        }
    }

    /// Begins a step of this many ticks.
    pub fn prepare(&mut self, inputs: Option<GivenInputs>, ticks: u64) -> PyResult<()> {
        self.events.clear();
        let queued = self.attempt(|world| match inputs {
            None => Ok(Vec::new()),
            Some(GivenInputs::Text(text)) => world.queue(&text),
            Some(GivenInputs::Held(inputs)) => {
                world.hold(inputs, ticks);
                Ok(Vec::new())
            }
        })?;
        queued.map(|_| ()).map_err(exception)
    }

    /// Makes some of its ticks.
    pub fn advance(&mut self, ticks: u64) -> PyResult<()> {
        let mut events = std::mem::take(&mut self.events);
        self.attempt(|world| {
            world.step(ticks, |live| {
                let room = MOST_EVENTS.saturating_sub(events.len());
                events.extend(live.world().events().iter().take(room).cloned());
                ControlFlow::<()>::Continue(())
            });
        })?;
        self.events = events;
        Ok(())
    }
}

fn ended() -> PyErr {
    GameError::new_err("this world has failed before and has ended")
}
