//! Levels in another format: as TOML, or as a map of the Tiled editor. What is written reads back as the
//! same level; comments are lost.

mod tmx;
mod toml;

use super::{Error, Revision, within_deadline};
use crate::files::{GameFolder, SourceSet};
use hangtime_script::Mistakes;
use std::{path::Path, sync::Arc};

/// A format in which levels are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelFormat {
    /// `levels/NAME.toml`.
    Toml,
    /// A map of the Tiled editor, `levels/NAME.tmx`.
    Tmx,
}

/// A level, checked and built, and its text in a format.
pub struct ExportedLevel {
    /// What the level was built to.
    pub revision: Arc<Revision>,
    /// The text; empty if no format was asked for.
    pub text: String,
}

/// Reads and checks a level, and writes it in a format if one is asked for.
///
/// # Errors
/// The same as [`Project::open`](super::Project::open).
pub fn export_level(folder: &GameFolder, level: &Path, format: Option<LevelFormat>) -> Result<ExportedLevel, Error> {
    let (folder, level) = (folder.clone(), level.to_path_buf());
    within_deadline(move || {
        let sources = SourceSet::read(&folder, &level);
        let revision = Arc::new(Revision::build(&sources, &[], 1, None)?);
        let text = match (sources.level_table(&mut Mistakes::new()), format) {
            (Some((table, ..)), Some(LevelFormat::Toml)) => toml::text_of(&table),
            (Some((table, ..)), Some(LevelFormat::Tmx)) => tmx::text_of(&table),
            _ => String::new(),
        };
        Ok(ExportedLevel { revision, text })
    })?
}
