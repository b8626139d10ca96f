//! Arrays into which columns of entities are read again and again.

use crate::errors::exception;
use hangtime::project::Live;
use hangtime::service::{Column, ColumnReader};
use hangtime::sim::EntityId;
use numpy::PyArray2;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;

/// An array, and what is read into it.
pub struct Reading {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The names of the entities; `None` for all.
    pub entities: Option<Vec<String>>,
    /// Which entities there were.
    pub population: Vec<EntityId>,
    /// What reads them.
    pub reader: ColumnReader,
    /// The array.
    pub array: Py<PyArray2<f64>>,
}

impl Reading {
    /// An array for these columns of these entities.
    ///
    /// # Errors
    /// If there is no such column or entity.
    pub fn new(
        py: Python<'_>,
        live: &Live,
        (columns, entities): (Vec<String>, Option<Vec<String>>),
        population: Vec<EntityId>,
    ) -> PyResult<Self> {
        let parsed = columns.iter().map(|name| Column::parse(name));
        let parsed = parsed.collect::<Result<Vec<_>, _>>().map_err(exception)?;
        for name in entities.iter().flatten() {
            let mut all = live.world().entities().iter();
            if !all.any(|e| *e.name == **name) {
                return Err(PyKeyError::new_err(format!("there is no entity `{name}`")));
            }
        }
        let wanted = |name: &str| {
            let mut names = entities.iter().flatten();
            entities.is_none() || names.any(|wanted| wanted == name)
        };
        let reader = ColumnReader::new(parsed, live, |e| wanted(&e.name));
        let array = PyArray2::zeros(py, [columns.len(), reader.rows().len()], false);
        Ok(Self {
            columns,
            entities,
            population,
            reader,
            array: array.unbind(),
        })
    }
}
