//! The part of the Python package that is written in Rust: games, worlds, and many episodes at once.
//!
//! Whatever runs scripts or steps worlds does so on the threads of [`pool`], with the GIL released: scripts need a larger
//! stack than Python's threads have.

mod action;
mod batch;
mod batch_choice;
mod batch_state;
mod episode;
mod errors;
mod game;
mod gate;
mod inputs;
mod observation;
mod page;
mod plain;
mod player;
mod pool;
mod program;
mod reading;
mod running_world;
mod together;
mod world;

use hangtime::project::LANGUAGES;
use pyo3::prelude::*;

/// The languages that scripts can be written in: `Rhai`, and `Lua` if the package was built with its feature `lua`.
#[pyfunction]
fn languages() -> Vec<&'static str> {
    let built = LANGUAGES.0.iter().filter(|language| !language.is_missing());
    built.map(|language| language.name()).collect()
}

/// Gameplay physics from hangtime, implemented in Rust. Use the package `hangtime`.
#[pymodule]
mod _hangtime {
    #[pymodule_export]
    use super::batch::Batch;
    #[pymodule_export]
    use super::errors::GameError;
    #[pymodule_export]
    use super::game::Game;
    #[pymodule_export]
    use super::languages;
    #[pymodule_export]
    use super::program::main;
    #[pymodule_export]
    use super::together::step_together;
    #[pymodule_export]
    use super::world::World;

    /// Loads NumPy's interface now: later, the garbage collector could run code in the middle of that, which would wait for
    /// it to end.
    #[pymodule_init]
    fn load_numpy(module: &super::Bound<'_, super::PyModule>) -> super::PyResult<()> {
        drop(numpy::PyArray1::<f64>::zeros(module.py(), 1, false));
        Ok(())
    }
}
