//! A world that has not failed, or what is left of one that has.

use crate::errors::{GameError, exception, panic_text};
use crate::inputs::GivenInputs;
use hangtime::project::Live;
use hangtime::script::host::{FaultQueue, RecordedPrints};
use hangtime::service::{InputQueue, ServedWorld};
use hangtime::sim::{EntityId, Event, Judgement};
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// The events that are kept from one step.
const MOST_EVENTS: usize = 100_000;

/// How many ticks pass between two looks at the clock.
const TICKS_PER_LOOK: u64 = 16;

/// How long ticks are made before Python may handle a signal, such as Ctrl-C's, and before other threads may look at
/// the world.
pub const STRETCH: Duration = Duration::from_millis(50);

/// A world and the events of its last step.
pub struct RunningWorld {
    /// `None` after it has failed.
    pub world: Option<ServedWorld>,
    /// The events of the last step.
    pub events: Vec<Event>,
    /// The first lines that its scripts have printed since they were last taken.
    pub printed: RecordedPrints,
    /// The first faults of its scripts since they were last taken.
    pub faults: FaultQueue,
}

/// Adds what the last tick or judgement of a game reported.
fn note_report(live: &Live, printed: &mut RecordedPrints, faults: &mut FaultQueue) {
    printed.append(live.report().printed.clone());
    faults.append(live.report().faults.clone());
}

impl RunningWorld {
    /// The world.
    pub fn get(&self) -> PyResult<&ServedWorld> {
        self.world.as_ref().ok_or_else(ended)
    }

    /// A world to drive.
    pub fn new(world: ServedWorld) -> Self {
        Self {
            world: Some(world),
            events: Vec::new(),
            printed: RecordedPrints::default(),
            faults: FaultQueue::default(),
        }
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

    /// Asks the script of an entity how well the entity does.
    pub fn judge(&mut self, entity: EntityId) -> PyResult<Judgement> {
        let (mut printed, mut faults) = (std::mem::take(&mut self.printed), std::mem::take(&mut self.faults));
        let judgement = self.attempt(|world| {
            let judgement = world.live_mut().judge(entity);
            note_report(world.live(), &mut printed, &mut faults);
            judgement
        });
        (self.printed, self.faults) = (printed, faults);
        judgement
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
        let (mut printed, mut faults) = (std::mem::take(&mut self.printed), std::mem::take(&mut self.faults));
        let made = self.attempt(|world| {
            let before = world.tick();
            world.step(ticks, |live| {
                note_report(live, &mut printed, &mut faults);
                let room = MOST_EVENTS.saturating_sub(events.len());
                events.extend(live.world().events().iter().take(room).cloned());
                let looks = live.world().ticks().is_multiple_of(TICKS_PER_LOOK);
                match looks && Instant::now() >= until {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            });
            world.tick() - before
        });
        (self.events, self.printed, self.faults) = (events, printed, faults);
        Ok(ticks - made?)
    }
}

fn ended() -> PyErr {
    GameError::new_err("this world has failed before and has ended")
}
