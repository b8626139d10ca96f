//! Errors as Python's exceptions.

use hangtime::script::host::render_all;
use hangtime::service::ServiceError;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;
use std::any::Any;

create_exception!(
    hangtime,
    GameError,
    PyException,
    "What is wrong with a game: its files, with file, line and column, a snapshot, or a world that has failed."
);

/// The exception for what a served world reports: `ValueError` for parameters, `GameError` for the rest.
pub fn exception(error: ServiceError) -> PyErr {
    match error {
        ServiceError::Files(error) | ServiceError::Level { error } => {
            GameError::new_err(render_all(&error.diagnostics(), false))
        }
        ServiceError::Parameter { .. } => PyValueError::new_err(error.to_string()),
        error => GameError::new_err(error.to_string()),
    }
}

/// The exception for files that are wrong.
pub fn files(error: hangtime::Error) -> PyErr {
    exception(ServiceError::Files(error))
}

/// What a panic said. It is a bug of hangtime, and no reason to end a program that runs a thousand other worlds.
pub fn panic_text(panic: &(dyn Any + Send)) -> String {
    let said = panic.downcast_ref::<String>().map(String::as_str);
    let said = said.or_else(|| panic.downcast_ref::<&str>().copied());
    let said = said.unwrap_or("without a message");
    format!("this world has failed, which is a bug in hangtime: {said}")
}
