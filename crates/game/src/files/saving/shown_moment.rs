//! What the window shows while time stands still, for programs that read a game's files next to it.

use super::own_folder::{OWN_FOLDER, write_own};
use crate::{
    Error,
    files::{GameFolder, disk::output::write_error, read_text},
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, io::ErrorKind, path::PathBuf};

const FILE: &str = "moment.json";

/// What the scripts of an entity hold at a tick that a window shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ShownMoment {
    /// The tick.
    pub tick: u64,
    /// The name of the entity.
    pub entity: String,
    /// For each script, by the name of its file: its variables by name, and what it reads of its entity, such as `me.x`.
    pub values: BTreeMap<String, BTreeMap<String, String>>,
}

impl ShownMoment {
    /// The file in which a game's window says what it shows.
    fn path(folder: &GameFolder) -> PathBuf {
        folder.path().join(OWN_FOLDER).join(FILE)
    }

    /// What a window shows; `None` while time runs in it, and without one.
    pub fn read(folder: &GameFolder) -> Option<Self> {
        let path = Self::path(folder);
        folder.check(&path, &[]).ok()?;
        serde_json::from_str(&read_text(folder, &path).ok()?.text).ok()
    }

    /// Says what a window shows, or that it no longer does.
    ///
    /// # Errors
    /// [`Error::LeadsOut`] if the folder is a link that leads out of the game folder, [`Error::Write`] if the file cannot be
    /// written or removed.
    pub fn write(folder: &GameFolder, shown: Option<&Self>) -> Result<(), Error> {
        if let Some(shown) = shown {
            return write_own(folder, FILE, &serde_json::to_vec(shown).unwrap_or_default());
        }
        let path = Self::path(folder);
        folder.check(&path, &[])?;
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(write_error(&path, error)),
            _ => Ok(()),
        }
    }
}
