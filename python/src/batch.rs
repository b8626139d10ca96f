//! Many worlds of one level at once, as environments for learning use them.

use crate::action::NamedPart;
use crate::batch_choice::BatchChoice;
use crate::batch_state::{BatchState, StepArrays};
use crate::episode::GivenAction;
use crate::errors::exception;
use crate::game::Game;
use crate::gate::Gate;
use crate::observation::NamedNumber;
use crate::plain::{read_settings, rendered};
use crate::player::Player;
use crate::pool::{Pool, SHARED, run_here};
use crate::world::{World, hash_text};
use hangtime::playtest::rgb_picture;
use hangtime::service::WorldStart;
use numpy::{
    PyArray1, PyArray3, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray1, PyReadwriteArray2,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;
use std::sync::MutexGuard;

/// Worlds of one level that are stepped together, on all threads and without the GIL. The environments of this package are
/// made of it.
#[pyclass(frozen, module = "hangtime")]
pub struct Batch {
    state: Gate<BatchState>,
    /// The threads; `None` for those that all games share.
    pool: Option<Pool>,
    /// Whether there are so few worlds that the thread that calls steps them.
    is_small: bool,
    /// How many numbers an action has, and whether they are from −1 to 1.
    action: (usize, bool),
}

/// What a step of a single world returns: what its player sees, the reward, whether the episode has ended and whether it
/// was cut, the ticks since it began, and what scripts have complained about.
type SingleResult<'py> = (Bound<'py, PyArray1<f32>>, f64, bool, bool, i64, Vec<String>);

/// The actions of a step: one row for each world.
#[derive(FromPyObject)]
enum GivenActions<'py> {
    Choices(PyReadonlyArray2<'py, i64>),
    Numbers(PyReadonlyArray2<'py, f32>),
}

#[pymethods]
impl Batch {
    #[new]
    fn new(
        py: Python<'_>,
        game: &Game,
        settings: Option<&Bound<'_, PyAny>>,
        choice: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let choice: BatchChoice = choice.extract()?;
        choice.check().map_err(PyValueError::new_err)?;
        let start = WorldStart { level: choice.level.clone(), seed: 0, settings: read_settings(settings)? };
        let first = game.begin(py, start)?;
        let rules = choice.rules(first).map_err(PyValueError::new_err)?;
        let state = BatchState::new(rules, choice.count());
        let (is_small, width) = (state.is_small(), state.action_width());
        let action = (width, choice.continuous);
        Ok(Self { state: Gate::new(state), pool: choice.pool(), is_small, action })
    }

    /// The number of worlds.
    #[getter]
    fn count(&self) -> usize {
        self.lock().episodes.len()
    }

    /// The names of the players' entities.
    #[getter]
    fn entities(&self) -> Vec<String> {
        let state = self.lock();
        let players = state.rules.players.iter();
        players.map(|player| player.entity.1.to_string()).collect()
    }

    /// Ticks a second.
    #[getter]
    fn hz(&self) -> u32 {
        self.lock().rules.first.hz()
    }

    /// The number of entities of the level.
    #[getter]
    fn entity_count(&self) -> usize {
        self.lock().rules.first.live().world().entities().len()
    }

    /// The numbers that each player sees: name, unit, least and most.
    fn observation_names(&self) -> Vec<Vec<NamedNumber>> {
        let state = self.lock();
        let players = state.rules.players.iter();
        players.map(|player| player.observation.names()).collect()
    }

    /// The parts of each player's action: name and number of choices, 0 for a number from −1 to 1.
    fn action_names(&self) -> Vec<Vec<NamedPart>> {
        let state = self.lock();
        let players = state.rules.players.iter();
        players.map(|player| player.actions.names()).collect()
    }

    /// Mistakes in the files that do not keep the level from running.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        rendered(&self.lock().rules.first.live().revision().warnings)
    }

    /// For each player, the path of its script and whether that has the rule `reward`.
    fn judges(&self) -> Vec<(Option<String>, bool)> {
        let state = self.lock();
        let live = state.rules.first.live();
        let judge = |player: &Player| {
            let me = player.find(live)?;
            let profile = live.world().profile_of(me);
            let script = live.revision().stage.profiles[profile].script?;
            let script = live.revision().scripts.get(script);
            let rewards = script.hook_names().any(|name| name == "reward");
            Some((Some(script.name().to_string()), rewards))
        };
        let players = state.rules.players.iter();
        players.map(|player| judge(player).unwrap_or((None, false))).collect()
    }

    /// Begins episodes, in all worlds or in the worlds with a place in `which`, and writes what the players see and the
    /// ticks. A seed of `None` is the next one that follows from the last seed that was given.
    fn reset(
        &self,
        py: Python<'_>,
        seeds: Vec<Option<u64>>,
        which: Option<Vec<bool>>,
        mut observations: PyReadwriteArray2<'_, f32>,
        mut ticks: PyReadwriteArray1<'_, i64>,
    ) -> PyResult<()> {
        let (out, ticks) = (observations.as_slice_mut()?, ticks.as_slice_mut()?);
        let work = |state: &mut BatchState| state.reset(&seeds, which.as_deref(), out, ticks);
        self.run_small(py, work)?.map_err(PyValueError::new_err)
    }

    /// Makes a step in the only world with its only player, or begins its next episode. `None` if the action is not an array
    /// of as many numbers of the right type; then nothing has happened.
    fn step_one<'py>(&self, py: Python<'py>, action: &Bound<'py, PyAny>) -> PyResult<Option<SingleResult<'py>>> {
        let (width, continuous) = self.action;
        let (choices, numbers);
        let action = if continuous {
            let Ok(given) = action.extract::<PyReadonlyArray1<'_, f32>>() else { return Ok(None) };
            numbers = given;
            numbers.as_slice().map(GivenAction::Numbers)
        } else {
            let Ok(given) = action.extract::<PyReadonlyArray1<'_, i64>>() else { return Ok(None) };
            choices = given;
            choices.as_slice().map(GivenAction::Choices)
        };
        let Some(action) = action.ok().filter(|action| action.len() == width) else {
            return Ok(None);
        };
        // The observation is copied where the GIL is held.
        let mut seen = Vec::new();
        let made = self.run_small(py, |state| {
            let step = state.step_one(action)?;
            seen.extend_from_slice(step.observation);
            Ok((step.reward, step.terminated, step.truncated, step.tick, step.messages))
        })?;
        let (reward, terminated, truncated, tick, messages) = made.map_err(|why: String| PyValueError::new_err(why))?;
        Ok(Some((PyArray1::from_slice(py, &seen), reward, terminated, truncated, tick, messages)))
    }

    /// Makes a step in every world; one whose episode is over begins the next one instead. Returns what scripts have
    /// complained about: places of worlds, and messages.
    #[expect(clippy::too_many_arguments)]
    #[pyo3(signature = (actions, observations, rewards, terminated, truncated, ticks))]
    fn step(
        &self,
        py: Python<'_>,
        actions: GivenActions<'_>,
        mut observations: PyReadwriteArray2<'_, f32>,
        mut rewards: PyReadwriteArray2<'_, f64>,
        mut terminated: PyReadwriteArray2<'_, bool>,
        mut truncated: PyReadwriteArray1<'_, bool>,
        mut ticks: PyReadwriteArray1<'_, i64>,
    ) -> PyResult<Vec<(usize, String)>> {
        let arrays = StepArrays {
            observations: observations.as_slice_mut()?,
            rewards: rewards.as_slice_mut()?,
            terminated: terminated.as_slice_mut()?,
            truncated: truncated.as_slice_mut()?,
            ticks: ticks.as_slice_mut()?,
        };
        let actions = match &actions {
            GivenActions::Choices(choices) => GivenAction::Choices(choices.as_slice()?),
            GivenActions::Numbers(numbers) => GivenAction::Numbers(numbers.as_slice()?),
        };
        let made = self.run_small(py, |state| state.step(actions, arrays))?;
        made.map_err(PyValueError::new_err)
    }

    /// Writes what the players of all worlds see now.
    fn observe(&self, py: Python<'_>, mut observations: PyReadwriteArray2<'_, f32>) -> PyResult<()> {
        let out = observations.as_slice_mut()?;
        let seen = self.run(py, |state| state.observe(out))?;
        seen.map_err(PyValueError::new_err)
    }

    /// Reads the files again. All worlds continue under what they say now. Returns the files that have changed.
    fn reload(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let changed = self.run(py, BatchState::reload)?;
        changed.map_err(exception)
    }

    /// A copy of one world.
    fn world(&self, place: usize) -> PyResult<World> {
        let state = self.lock();
        Ok(World::new(state.world(place)?.fork()))
    }

    /// A picture of one world: three bytes for each pixel.
    fn picture<'py>(&self, py: Python<'py>, place: usize) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let picture = self.run(py, |state| {
            let world = state.world(place)?;
            Ok::<_, PyErr>(rgb_picture(world.live()))
        })?;
        let ((width, height), bytes) = picture?;
        let shape = [height as usize, width as usize, 3];
        PyArray1::from_vec(py, bytes).reshape(shape)
    }

    /// The hash of each world's state: 16 hexadecimal digits; empty for a world that has failed.
    fn hashes(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.run(py, |state| {
            let worlds = state.episodes.par_iter().map(|episode| episode.world.as_ref());
            worlds
                .map(|world| world.map_or_else(String::new, |world| hash_text(world.live())))
                .collect()
        })
    }

    /// What was held in the present episode of one world, as an input file. Only if the batch records.
    fn record(&self, place: usize) -> PyResult<String> {
        let state = self.lock();
        let episode = state.episodes.get(place);
        let episode = episode.ok_or_else(|| PyValueError::new_err("no such world"))?;
        match state.rules.records {
            true => Ok(episode.record.clone()),
            false => Err(PyValueError::new_err("nothing was written down: make the environment with `records=True`")),
        }
    }
}

impl Batch {
    fn lock(&self) -> MutexGuard<'_, BatchState> {
        self.state.enter()
    }

    /// Does something with all worlds that divides them among threads only if there are many of them.
    fn run_small<R: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut BatchState) -> R + Send) -> PyResult<R> {
        match self.is_small {
            true => run_here(py, || work(&mut self.state.lock())),
            false => self.run(py, work),
        }
    }

    /// Does something with all worlds on the threads of the batch.
    fn run<R: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut BatchState) -> R + Send) -> PyResult<R> {
        let pool = self.pool.as_ref().unwrap_or(&SHARED);
        pool.run_locked(py, &self.state, work)
    }
}
