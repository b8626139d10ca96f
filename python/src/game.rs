//! A game folder.

use crate::errors::{exception, files};
use crate::page;
use crate::plain::read_settings;
use crate::pool::run_here;
use crate::world::World;
use hangtime::project::GameFolder;
use hangtime::service::{ServedGame, ServedWorld, WorldStart};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::path::PathBuf;
use std::sync::Arc;

/// A game folder, with `config/`, `scripts/` and `levels/`.
///
/// Worlds of the same level and settings share what was built from the files, for as long as the files stay the same.
#[pyclass(frozen, module = "hangtime")]
pub struct Game {
    game: Arc<ServedGame>,
    mods: Vec<PathBuf>,
}

impl Game {
    /// Starts a level.
    pub fn begin(&self, py: Python<'_>, start: WorldStart) -> PyResult<ServedWorld> {
        let created = run_here(py, || ServedWorld::create(&self.game, &start))?;
        created.map_err(exception)
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (folder = PathBuf::from("."), mods = Vec::new()))]
    fn new(folder: PathBuf, mods: Vec<PathBuf>) -> PyResult<Self> {
        let folder = GameFolder::new(folder).with_mods(&mods).map_err(files)?;
        let game = ServedGame::load(folder).map_err(files)?;
        Ok(Self { game: Arc::new(game), mods })
    }

    /// The path of the game folder.
    #[getter]
    fn folder(&self) -> PathBuf {
        self.game.project().root().into()
    }

    /// The names of the levels in `levels/`, sorted; subfolders are left out.
    #[getter]
    fn levels(&self) -> Vec<String> {
        let levels = self.game.project().levels();
        let names = levels.iter().filter_map(|path| path.file_stem());
        names.map(|name| name.to_string_lossy().into()).collect()
    }

    /// The names of the actions that the game defines in `[keys]`, in alphabetical order.
    #[getter]
    fn own_actions(&self) -> Vec<String> {
        let actions = self.game.project().own_actions();
        actions.names().map(String::from).collect()
    }

    /// Starts a level at tick 0.
    #[pyo3(signature = (level, seed = 0, settings = None))]
    fn world(&self, py: Python<'_>, level: String, seed: i128, settings: Option<&Bound<'_, PyAny>>) -> PyResult<World> {
        let settings = read_settings(settings)?;
        let seed = u64::try_from(seed)
            .map_err(|_| PyValueError::new_err(format!("seed must be 0 to {}, not {seed}", u64::MAX)))?;
        let start = WorldStart { level, seed, settings };
        Ok(World::new(self.begin(py, start)?))
    }

    /// Writes a folder that any web server can serve: a page that plays this game in a browser, beginning with a level, and
    /// edits it. The folder is new, empty, or has a page.
    fn export_page(&self, py: Python<'_>, folder: PathBuf, level: &str) -> PyResult<()> {
        run_here(py, || page::write(self.game.project(), level, &folder))?
    }

    /// Pickled games are the paths of their folders.
    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (PathBuf, Vec<PathBuf>)) {
        (py.get_type::<Self>(), (self.folder(), self.mods.clone()))
    }

    fn __repr__(&self) -> String {
        format!("hangtime.Game({:?})", self.folder().display().to_string())
    }
}
