//! The program `hangtime`, which comes with the package.

use crate::page;
use hangtime::cli;
use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the program `hangtime` with the arguments of this process, and returns its exit code.
#[pyfunction]
pub fn main(py: Python<'_>) -> PyResult<u8> {
    // Python only takes a note of Ctrl-C and waits for this function to end.
    let signal = py.import("signal")?;
    signal.call_method1("signal", (signal.getattr("SIGINT")?, signal.getattr("SIG_DFL")?))?;
    let arguments: Vec<OsString> = py.import("sys")?.getattr("argv")?.extract()?;
    Ok(py.detach(|| cli::main(arguments, page::built())))
}
