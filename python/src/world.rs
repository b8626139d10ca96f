//! A running level.

use crate::errors::{GameError, exception};
use crate::gate::Gate;
use crate::inputs::{GivenInputs, read_inputs};
use crate::plain;
use crate::pool::run_here;
use crate::reading::{Readings, no_entity};
use crate::running_world::{RunningWorld, STRETCH};
use glam::DVec2;
use hangtime::models::OwnActions;
use hangtime::playtest::{EntityLine, TickLine};
use hangtime::project::Live;
use hangtime::service::{Column, ServedWorld, ServiceError};
use hangtime::sim::{EntityId, Judgement};
use numpy::PyArray2;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::sync::MutexGuard;
use std::time::Instant;

/// How far from the origin points may be, px.
const FARTHEST: f64 = 1e6;

/// A running level.
#[pyclass(frozen, module = "hangtime")]
pub struct World {
    inner: Gate<RunningWorld>,
    /// The arrays of `observe`, with what is read into them.
    readings: Readings,
}

/// The most ticks of one call: five years of play at 60 Hz.
const MOST_TICKS: i128 = 10_000_000_000;

/// A number of ticks, if it is neither negative nor huge.
pub fn check_ticks(ticks: i128) -> PyResult<u64> {
    match ticks {
        0..=MOST_TICKS => Ok(ticks.unsigned_abs() as u64),
        _ => Err(PyValueError::new_err(format!("ticks must be 0 to {MOST_TICKS}, not {ticks}"))),
    }
}

/// The hash of a world's state, as traces show it: 16 hexadecimal digits.
pub fn hash_text(live: &Live) -> String {
    format!("{:016x}", live.world().hash())
}

impl World {
    /// A world to drive.
    pub fn new(world: ServedWorld) -> Self {
        Self { inner: Gate::new(RunningWorld::new(world)), readings: Readings::default() }
    }

    /// The world, for as long as the answer is kept. For threads without the GIL.
    pub fn lock(&self) -> MutexGuard<'_, RunningWorld> {
        self.inner.lock()
    }

    /// The same for threads of Python, which give up the GIL while they wait.
    pub fn enter(&self) -> MutexGuard<'_, RunningWorld> {
        self.inner.enter()
    }

    /// Lets other threads look at the world between two stretches of a step.
    pub fn give_way(&self, py: Python<'_>) {
        self.inner.give_way(py);
    }

    /// Does something with the world on a thread that can run scripts.
    fn run<R: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut ServedWorld) -> R + Send) -> PyResult<R> {
        run_here(py, || self.lock().attempt(work))?
    }

    /// The same for work that a game's files or a parameter can make fail.
    fn attempt<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut ServedWorld) -> Result<R, ServiceError> + Send,
    ) -> PyResult<R> {
        self.run(py, work)?.map_err(exception)
    }

    fn read<R>(&self, read: impl FnOnce(&Live) -> R) -> PyResult<R> {
        Ok(read(self.enter().get()?.live()))
    }

    fn actions(&self) -> PyResult<OwnActions> {
        self.read(|live| live.revision().stage.actions.clone())
    }

    /// Reads inputs for it.
    pub fn inputs(&self, given: Option<&Bound<'_, PyAny>>) -> PyResult<Option<GivenInputs>> {
        let given = given.filter(|given| !given.is_none());
        let actions = self.actions()?;
        given.map(|given| read_inputs(given, &actions)).transpose()
    }
}

#[pymethods]
impl World {
    /// Makes ticks. `inputs` replaces what is left of earlier inputs: the text of an input file, whose lines play on in
    /// later steps, or what is held during this step.
    #[pyo3(signature = (ticks = 1, inputs = None))]
    fn step(&self, py: Python<'_>, ticks: i128, inputs: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let mut left = check_ticks(ticks)?;
        let inputs = self.inputs(inputs)?;
        let mut given = Some(inputs);
        loop {
            let until = Instant::now() + STRETCH;
            left = run_here(py, || {
                let mut inner = self.lock();
                if let Some(inputs) = given.take() {
                    let inputs = inner.read(inputs, left)?;
                    inner.begin(inputs)?;
                }
                inner.advance(left, until)
            })??;
            if left == 0 {
                return Ok(());
            }
            self.give_way(py);
            if let Err(interrupted) = py.check_signals() {
                self.enter().attempt(ServedWorld::let_go)?;
                return Err(interrupted);
            }
        }
    }

    /// The ticks made.
    #[getter]
    fn tick(&self) -> PyResult<u64> {
        Ok(self.enter().get()?.tick())
    }

    /// Ticks a second.
    #[getter]
    fn hz(&self) -> PyResult<u32> {
        Ok(self.enter().get()?.hz())
    }

    /// Seconds since the level began.
    #[getter]
    fn time(&self) -> PyResult<f64> {
        self.read(Live::time)
    }

    /// The seed of all randomness.
    #[getter]
    fn seed(&self) -> PyResult<u64> {
        self.read(|live| live.world().seed())
    }

    /// The path of the level below the game folder.
    #[getter]
    fn level(&self) -> PyResult<String> {
        self.read(|live| live.revision().stage.level.name.to_string())
    }

    /// The hash of the state, as traces show it: 16 hexadecimal digits.
    #[getter]
    fn hash(&self) -> PyResult<String> {
        self.read(hash_text)
    }

    /// How many ticks from now on have queued inputs.
    #[getter]
    fn queued(&self) -> PyResult<u64> {
        let inner = self.enter();
        let world = inner.get()?;
        Ok(world.inputs().left(world.tick()))
    }

    /// The names of the entities, in the order of their ids.
    #[getter]
    fn entities(&self) -> PyResult<Vec<String>> {
        self.read(|live| live.world().entities().iter().map(|e| e.name.to_string()).collect())
    }

    /// The events of the last step, with the keys that they have in traces.
    #[getter]
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        // No lock is held while objects of Python are made: that may run other code, which may ask for this world.
        let events = self.enter().events.clone();
        events.iter().map(|event| plain::event(py, event)).collect()
    }

    /// The state as a line of a trace has it.
    fn line<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = self.read(|live| {
            let entities = live.world().entities().iter();
            let entities = entities.map(|entity| EntityLine::new(live, entity, None));
            let line = TickLine::new(live, entities.collect(), live.world().events().iter());
            serde_json::to_string(&line)
        })?;
        let text = text.map_err(|error| GameError::new_err(error.to_string()))?;
        py.import("json")?.call_method1("loads", (text,))
    }

    /// Reads columns of entities into an array: one row for each column, one number for each entity. The same columns of
    /// the same entities are read into the same array again. Entities that do not exist are NaN.
    #[pyo3(signature = (columns, entities = None))]
    fn observe<'py>(
        &self,
        py: Python<'py>,
        columns: &Bound<'py, PyAny>,
        entities: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let columns = plain::read_names("columns", columns, "[\"pos.x\"]")?;
        let entities = entities.map(|names| plain::read_names("entities", names, "[\"hero\"]"));
        let wanted = (columns, entities.transpose()?);
        self.readings.read(py, &self.inner, wanted)
    }

    /// The columns that every entity has: name, unit and meaning. Variables of scripts are `vars.NAME`.
    #[staticmethod]
    fn columns() -> Vec<(&'static str, &'static str, &'static str)> {
        Column::known().collect()
    }

    /// Saves the world, with its settings and the inputs that it has yet to play.
    fn snapshot<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.attempt(py, |world| world.snapshot())?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Continues with a snapshot of a world of the same level.
    fn restore(&self, py: Python<'_>, snapshot: &[u8]) -> PyResult<()> {
        self.attempt(py, |world| world.restore(snapshot))
    }

    /// The same world again: from here on, both go their own ways.
    fn fork(&self) -> PyResult<Self> {
        Ok(Self::new(self.enter().get()?.fork()))
    }

    /// Reads the files again and continues under what they say now. Returns the files that have changed.
    fn reload(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.attempt(py, ServedWorld::reload)
    }

    /// Changes settings in the running world. Returns warnings.
    fn set(&self, py: Python<'_>, settings: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        let settings = plain::read_settings(Some(settings))?;
        let warnings = self.attempt(py, |world| world.set(settings))?;
        Ok(plain::rendered(&warnings))
    }

    /// What the rules `reward` and `done` of an entity's script say; `None` if there is no such rule.
    fn judge(&self, py: Python<'_>, entity: &str) -> PyResult<(Option<f64>, Option<bool>)> {
        let id = self.id_of(entity)?;
        let Judgement { reward, done } = run_here(py, || self.lock().judge(id))??;
        Ok((reward, done))
    }

    /// Where the straight line from one point to another meets terrain, px; `None` if it does not.
    fn cast(&self, start: (f64, f64), end: (f64, f64)) -> PyResult<Option<(f64, f64)>> {
        let (start, end) = (point(start)?, point(end)?);
        self.read(|live| {
            let stage = &live.revision().stage;
            let standing = live.world().standing(stage);
            let scenery = stage.level.terrain.moved(&standing);
            let hit = scenery.cast(start, end - start);
            hit.map(|hit| hit.cast_point(start, end - start).into())
        })
    }

    /// Teleports an entity, out of solids, px, and sets its velocity if there is one. Returns whether there was room.
    #[pyo3(signature = (entity, at, velocity = None))]
    fn place(
        &self,
        py: Python<'_>,
        entity: &str,
        at: &Bound<'_, PyAny>,
        velocity: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<bool> {
        let id = self.id_of(entity)?;
        let at = plain::read_numbers("at", at)?;
        let velocity = velocity.map(|given| plain::read_numbers("velocity", given)).transpose()?;
        self.attempt(py, |world| world.place(id, &at, velocity.as_deref()))
    }

    /// Emits an event. In the next tick, `fn on_NAME` runs in every script that defines it.
    #[pyo3(signature = (event, data = None))]
    fn emit(&self, py: Python<'_>, event: &str, data: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let data = data.map(plain::read_event_data).transpose()?.unwrap_or_default();
        self.attempt(py, |world| world.emit(event, data))
    }

    /// Takes what scripts have complained about since the last call.
    fn faults(&self) -> PyResult<Vec<String>> {
        let mut inner = self.enter();
        inner.get()?;
        let faults = std::mem::take(&mut inner.faults);
        Ok(faults.first.iter().map(|fault| fault.render(false)).collect())
    }

    /// Takes the lines that scripts of this world have printed since the last call, the first 1,000.
    fn printed(&self) -> Vec<String> {
        std::mem::take(&mut self.enter().printed).lines
    }

    /// Mistakes in the files that do not keep the level from running.
    #[getter]
    fn warnings(&self) -> PyResult<Vec<String>> {
        self.read(|live| plain::rendered(&live.revision().warnings))
    }

    fn __copy__(&self) -> PyResult<Self> {
        self.fork()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.fork()
    }

    fn __repr__(&self) -> String {
        match self.enter().get() {
            Ok(world) => {
                format!("hangtime.World({:?}, tick {})", &*world.live().revision().stage.level.name, world.tick())
            }
            Err(_) => "hangtime.World(failed)".into(),
        }
    }
}

impl World {
    fn id_of(&self, name: &str) -> PyResult<EntityId> {
        let found = self.read(|live| {
            let found = live.world().entity(name).map(|e| e.id);
            found.ok_or_else(|| no_entity(live, name))
        })?;
        found.map_err(PyKeyError::new_err)
    }
}

fn point((x, y): (f64, f64)) -> PyResult<DVec2> {
    let point = DVec2::new(x, y);
    // NaN is neither.
    match point.x.abs() <= FARTHEST && point.y.abs() <= FARTHEST {
        true => Ok(point),
        false => Err(PyValueError::new_err(format!(
            "a point must have finite numbers of at most {FARTHEST} px, not {point}"
        ))),
    }
}
