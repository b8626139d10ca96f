//! Floor 5: a game folder on disk, and the revisions made from it. The only floor that touches
//! files.
//!
//! * [`Project`] is a folder with `config/`, `scripts/` and `levels/`.
//! * [`Revision`] is all of it, read, checked and compiled: immutable and numbered.
//! * [`Live`] is a world under a revision, which can be exchanged between two ticks.
//! * [`Reloader`] watches the folder and builds the next revision beside the running one.
//! * [`InputScript`] is an input file.
//! * [`Pace`] says when ticks are due in real time.

mod body;
mod build;
mod builtin;
mod cast;
mod check;
mod config;
pub mod files;
mod headers;
mod input;
mod keys;
mod kind;
mod known;
mod level;
mod live;
mod misnamed;
mod pace;
mod provenance;
mod reader;
mod reload;
mod revision;
mod scaffold;
mod settings;
mod source;
mod surfaces;
mod tree;
mod watch;
mod why;
mod zones;

pub use build::within_deadline;
pub use builtin::{is_game_folder, unpack_playground};
pub use check::{Found, check};
pub use config::Config;
pub use input::{InputScript, Track};
pub use keys::{KEY_NAMES, KeyMap, WindowKey};
pub use live::Live;
pub use pace::Pace;
pub use provenance::Provenance;
pub use reload::{Notice, Reloader};
pub use revision::Revision;
pub use scaffold::{Made, TEMPLATES, Template, make_from_template};
pub use source::SourceSet;
pub use why::{Diary, WhyPanel};

use crate::script::host::{Diagnostic, Settings};
use std::path::{Path, PathBuf};

/// A game folder.
#[derive(Clone, Debug)]
pub struct Project {
    root: PathBuf,
}

impl Project {
    /// The game in this folder.
    ///
    /// # Errors
    /// When there is no such folder.
    pub fn load(root: impl Into<PathBuf>) -> Result<Self, Diagnostic> {
        let root = root.into();
        if root.is_dir() {
            return Ok(Self { root });
        }
        Err(Diagnostic::about_file(
            root.display().to_string(),
            "there is no such folder",
        ))
    }

    /// The folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Finds a level: as a path from the working directory, then under the root, then below
    /// `levels/`, with or without `.toml`.
    ///
    /// # Errors
    /// When there is none, with the names of those that there are.
    pub fn find_level(&self, name: &str) -> Result<PathBuf, Diagnostic> {
        source::find_level(&self.root, name)
    }

    /// The levels in the folder `levels/` itself, sorted.
    #[must_use]
    pub fn levels(&self) -> Vec<PathBuf> {
        source::list_here(&self.root.join("levels"), "toml")
    }

    /// Reads, checks and compiles everything that a level needs.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn open(&self, level: &Path, settings: &Settings) -> Result<Revision, Vec<Diagnostic>> {
        let sources = SourceSet::read(&self.root, level);
        let settings = settings.clone();
        within_deadline(move || Revision::build(&sources, &settings, 1, None))
            .map_err(|late| vec![late])?
    }
}
