//! Arrays into which columns of entities are read again and again.

use crate::errors::exception;
use crate::gate::Gate;
use crate::running_world::RunningWorld;
use hangtime::project::Live;
use hangtime::script::host::names::suggestion;
use hangtime::service::{Column, ColumnReader, check_variable};
use numpy::{PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The arrays of a world that are used again. A program that reads other columns all the time gets new ones.
const MOST_READINGS: usize = 64;

/// What is to be read: names of columns, and of entities unless those are all.
pub type Wanted = (Vec<String>, Option<Vec<String>>);

/// The arrays of a world that are used again, the latest last.
#[derive(Default)]
pub struct Readings(Mutex<Vec<Reading>>);

/// An array, and what is read into it.
struct Reading {
    wanted: Wanted,
    reader: ColumnReader,
    /// The numbers of the last reading.
    numbers: Vec<f64>,
    /// The array; `None` before the first reading.
    array: Option<Py<PyArray2<f64>>>,
}

impl Readings {
    /// Reads columns into the array that they were read into before, if the entities are the same.
    ///
    /// Python may run other code, which may ask for this very world, whenever one of its objects is made or dropped. So
    /// nothing is locked then.
    ///
    /// # Errors
    /// If there is no such column or entity.
    pub fn read<'py>(
        &self,
        py: Python<'py>,
        world: &Gate<RunningWorld>,
        wanted: Wanted,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let known = self.take(&wanted);
        let mut stale = None;
        let mut reading = {
            let inner = world.enter();
            let live = inner.get()?.live();
            let reading = match known {
                Some(known) if known.fits(live) => known,
                other => {
                    stale = other;
                    Reading::new(live, wanted)?
                }
            };
            reading.filled(live)
        };
        drop(stale);
        let array = reading.array(py)?;
        reading.array = Some(array.clone().unbind());
        let dropped = self.keep(reading);
        drop(dropped);
        Ok(array)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Reading>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, wanted: &Wanted) -> Option<Reading> {
        let mut all = self.lock();
        let place = all.iter().rposition(|reading| reading.wanted == *wanted)?;
        Some(all.remove(place))
    }

    /// Keeps a reading, and returns one that has to go.
    fn keep(&self, reading: Reading) -> Option<Reading> {
        let mut all = self.lock();
        let again = all.iter().position(|other| other.wanted == reading.wanted);
        let place = again.or((all.len() >= MOST_READINGS).then_some(0));
        let dropped = place.map(|place| all.remove(place));
        all.push(reading);
        dropped
    }
}

impl Reading {
    fn new(live: &Live, wanted: Wanted) -> PyResult<Self> {
        let (columns, entities) = &wanted;
        let columns = columns.iter().map(|name| column(live, name));
        let columns = columns.collect::<PyResult<Vec<_>>>()?;
        let reader = match entities {
            None => ColumnReader::new(columns, live, |_| true),
            Some(names) => {
                check_names(live, names)?;
                ColumnReader::named(columns, live, names)
            }
        };
        Ok(Self { wanted, reader, numbers: Vec::new(), array: None })
    }

    /// Whether its rows are still those that are wanted.
    fn fits(&self, live: &Live) -> bool {
        self.wanted.1.is_some() || self.reader.has_all_of(live)
    }

    fn filled(mut self, live: &Live) -> Self {
        self.numbers.resize(self.reader.len(), 0.0);
        self.reader.read(live, &mut self.numbers);
        self
    }

    /// The array with the numbers: the same as before, unless someone has changed its shape, type or flags in place.
    fn array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let shape = [self.reader.columns().len(), self.reader.rows().len()];
        if let Some(before) = &self.array {
            let before = before.bind(py).as_any().cast::<PyArray2<f64>>();
            if let Ok(array) = before
                && array.shape() == shape
                && array.is_c_contiguous()
                && let Ok(mut numbers) = array.try_readwrite()
            {
                numbers.as_slice_mut()?.copy_from_slice(&self.numbers);
                return Ok(array.clone());
            }
        }
        let array = PyArray2::zeros(py, shape, false);
        let mut numbers = array.try_readwrite()?;
        numbers.as_slice_mut()?.copy_from_slice(&self.numbers);
        drop(numbers);
        Ok(array)
    }
}

fn column(live: &Live, name: &str) -> PyResult<Column> {
    let column = Column::parse(name).map_err(exception)?;
    if let Some(variable) = column.variable() {
        let checked = check_variable(live, None, variable);
        checked.map_err(|wrong| PyValueError::new_err(format!("columns: {wrong}")))?;
    }
    Ok(column)
}

/// Entities that the level begins with may be gone; others have to be there.
fn check_names(live: &Live, names: &[String]) -> PyResult<()> {
    let starts = live.revision().stage.starts.iter();
    let starts: Vec<&str> = starts.map(|start| &*start.name).collect();
    for name in names {
        if live.world().entity(name).is_none() && !starts.contains(&name.as_str()) {
            return Err(PyKeyError::new_err(no_entity(live, name)));
        }
    }
    Ok(())
}

/// What to say about the name of an entity that does not exist.
pub fn no_entity(live: &Live, name: &str) -> String {
    let names = live.world().entities().iter().map(|e| &*e.name);
    format!("there is no entity `{name}`{}", suggestion(name, names))
}
