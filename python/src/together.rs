//! Steps of many worlds at once.

use crate::inputs::GivenInputs;
use crate::pool::SHARED;
use crate::running_world::STRETCH;
use crate::world::{World, check_ticks};
use hangtime::service::ServedWorld;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use rayon::prelude::*;
use std::time::Instant;

/// Makes the same number of ticks in several worlds at once, on all threads. `inputs` has one entry for each world, as
/// `World.step` takes them. If one has mistakes, nothing moves. Ctrl-C ends the step; the worlds may have made different numbers
/// of ticks by then.
#[pyfunction]
#[pyo3(signature = (worlds, ticks = 1, inputs = None))]
pub fn step_together(
    py: Python<'_>,
    worlds: &Bound<'_, PyAny>,
    ticks: i128,
    inputs: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let ticks = check_ticks(ticks)?;
    let worlds: Vec<Bound<'_, World>> =
        worlds.extract().map_err(|_| PyTypeError::new_err("worlds must be a list of worlds"))?;
    let inputs = inputs.map(read_list).transpose()?;
    if inputs.as_ref().is_some_and(|inputs| inputs.len() != worlds.len()) {
        return Err(PyValueError::new_err("inputs: one entry for each world"));
    }
    let mut addresses: Vec<_> = worlds.iter().map(|world| world.as_ptr() as usize).collect();
    addresses.sort_unstable();
    if addresses.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(PyValueError::new_err("worlds: one of them is there twice"));
    }
    let mut given = Vec::with_capacity(worlds.len());
    for (place, world) in worlds.iter().enumerate() {
        let inputs = inputs.as_ref().map(|inputs| &inputs[place]);
        given.push((world.get(), world.get().inputs(inputs)?));
    }
    let mut steps = read_all(py, given, ticks)?;
    let mut failure = None;
    while !steps.is_empty() {
        let until = Instant::now() + STRETCH;
        let failed: Vec<PyErr> = SHARED.run(py, || {
            let each = steps.par_iter_mut();
            let advance = |(world, left): &mut (&World, u64)| {
                let made = world.lock().advance(*left, until);
                *left = *made.as_ref().unwrap_or(&0);
                made.err()
            };
            each.filter_map(advance).collect()
        })?;
        // A world that fails ends alone.
        failure = failure.or(failed.into_iter().next());
        steps.iter().for_each(|(world, _)| world.give_way(py));
        steps.retain(|(_, left)| *left > 0);
        if let Err(interrupted) = py.check_signals() {
            for (world, _) in &steps {
                world.enter().attempt(ServedWorld::let_go)?;
            }
            return Err(interrupted);
        }
    }
    failure.map_or(Ok(()), Err)
}

/// A list with the inputs of each world.
fn read_list<'py>(given: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    if given.is_instance_of::<PyList>() || given.is_instance_of::<PyTuple>() {
        return given.extract();
    }
    Err(PyTypeError::new_err("inputs must be a list with one entry for each world, as in [\"10 right\", None]"))
}

/// Begins a step in each world, or, if inputs of one are wrong, in none. Returns the worlds with the ticks to make.
fn read_all<'a>(
    py: Python<'_>,
    given: Vec<(&'a World, Option<GivenInputs>)>,
    ticks: u64,
) -> PyResult<Vec<(&'a World, u64)>> {
    SHARED.run(py, || {
        let read = given.into_iter().map(|(world, inputs)| {
            let queue = world.lock().read(inputs, ticks)?;
            Ok((world, queue))
        });
        let read: Vec<_> = read.collect::<PyResult<_>>()?;
        let begun = read.into_iter().map(|(world, queue)| {
            world.lock().begin(queue)?;
            Ok((world, ticks))
        });
        begun.collect()
    })?
}
