//! Steps of many worlds at once.

use crate::inputs::GivenInputs;
use crate::pool::SHARED;
use crate::world::{World, check_ticks};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;

/// Makes the same number of ticks in several worlds at once, on all threads. `inputs` has one entry for each world, as
/// `World.step` takes them.
#[pyfunction]
#[pyo3(signature = (worlds, ticks = 1, inputs = None))]
pub fn step_together(
    py: Python<'_>,
    worlds: Vec<Bound<'_, World>>,
    ticks: i128,
    inputs: Option<Vec<Bound<'_, PyAny>>>,
) -> PyResult<()> {
    let ticks = check_ticks(ticks)?;
    if inputs
        .as_ref()
        .is_some_and(|inputs| inputs.len() != worlds.len())
    {
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
    let made: Vec<PyResult<()>> = SHARED.run(py, || {
        let each = given.into_par_iter();
        let step = |(world, inputs): (&World, Option<GivenInputs>)| {
            let mut inner = world.lock();
            inner.prepare(inputs, ticks)?;
            inner.advance(ticks)
        };
        each.map(step).collect()
    })?;
    made.into_iter().collect()
}
