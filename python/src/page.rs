//! The page that plays a game in a browser.

use crate::errors::{GameError, files};
use hangtime::project::{PageFiles, Project};
use pyo3::PyResult;
use std::path::Path;

/// The files of the built page; none if this package was built without it.
const BUILT: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The built page, if this package has it.
pub fn built() -> Option<PageFiles> {
    PageFiles::of(BUILT.iter().map(|(name, bytes)| ((*name).into(), bytes.to_vec())).collect())
}

/// Writes a page that plays a level of a game.
pub fn write(project: &Project, level: &str, to: &Path) -> PyResult<()> {
    let Some(mut page) = built() else {
        return Err(GameError::new_err("this package has no page; run `web/build`, and then build it again"));
    };
    let level = project.find_level(level).map_err(files)?;
    let folder = project.folder();
    let level = level.strip_prefix(folder.path()).unwrap_or(&level);
    page.put_game(folder, &level.to_string_lossy().replace('\\', "/")).map_err(files)?;
    page.write(to).map_err(files)
}
