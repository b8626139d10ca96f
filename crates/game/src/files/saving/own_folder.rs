//! `.hangtime` in the game folder: what hangtime keeps about a game for one working copy. Its name begins with a dot, so no
//! game reads it.

use crate::{
    Error,
    files::{GameFolder, OutputFile, check_output, disk::output::write_error, read_text},
};
use hangtime_script::text::plain_file_name;
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

/// The folder, below the game folder.
pub(crate) const OWN_FOLDER: &str = ".hangtime";

/// Writes a file of the folder in place of an earlier one.
///
/// # Errors
/// [`Error::LeadsOut`] if the folder is a link that leads out of the game folder, [`Error::Write`] if it cannot be written.
pub(crate) fn write_own(folder: &GameFolder, name: &str, bytes: &[u8]) -> Result<(), Error> {
    let own = folder.path().join(OWN_FOLDER);
    let path = own.join(name);
    check_output(folder, &path, &[])?;
    let is_new = !own.exists();
    let below = path.parent().unwrap_or(&own);
    let write = || {
        fs::create_dir_all(below)?;
        if is_new {
            fs::write(own.join(".gitignore"), "*\n")?;
        }
        OutputFile::save(&path, bytes)
    };
    write().map_err(|source| write_error(&path, source))
}

/// Writes the recording of a failed test in place of an earlier one. Returns its path below the game folder.
///
/// # Errors
/// [`Error::LeadsOut`] if the folder is a link that leads out of the game folder, [`Error::Write`] if it
/// cannot be written.
pub fn save_failed_test(folder: &GameFolder, test: &str, recording: &[u8]) -> Result<String, Error> {
    let mut plain = plain_file_name(test);
    if plain != test {
        // Other names look the same without what was replaced or cut.
        let hash = blake3::hash(test.as_bytes()).to_hex();
        plain = format!("{plain}-{}", &hash[..8]);
    }
    let name = format!("failed/{plain}.run");
    write_own(folder, &name, recording)?;
    Ok(format!("{OWN_FOLDER}/{name}"))
}

/// The file with the names of the tests that failed when they last ran, one a line.
const LAST_FAILED: &str = "last_failed.txt";

/// The names of the tests that failed when they last ran.
pub fn last_failed(folder: &GameFolder) -> BTreeSet<String> {
    let path = folder.path().join(OWN_FOLDER).join(LAST_FAILED);
    let text = folder.check(&path, &[]).ok().and_then(|()| read_text(folder, &path).ok());
    text.map_or_else(BTreeSet::new, |file| file.text.lines().map(String::from).collect())
}

/// Notes which tests have run, and which of them have failed. What others did when they last ran stays known.
///
/// # Errors
/// [`Error::LeadsOut`] if the folder is a link that leads out of the game folder, [`Error::Write`] if the file cannot be
/// written.
pub fn note_failed<'n>(folder: &GameFolder, ran: impl IntoIterator<Item = (&'n str, bool)>) -> Result<(), Error> {
    let known = last_failed(folder);
    let mut failed = known.clone();
    for (name, has_failed) in ran {
        // A name with a line break could not be read back.
        match has_failed && !name.contains(['\n', '\r']) {
            true => _ = failed.insert(name.into()),
            false => _ = failed.remove(name),
        }
    }
    if failed == known {
        return Ok(());
    }
    let text: String = failed.iter().map(|name| format!("{name}\n")).collect();
    write_own(folder, LAST_FAILED, text.as_bytes())
}

/// The format that is read and written.
const VERSION: u32 = 1;

/// What a kind's numbers and tunables were when all of its contracts held.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FeelMemory {
    feel: u32,
    /// The content hash of its script; empty without one.
    pub script: String,
    /// By the name of the model.
    pub models: BTreeMap<String, RememberedModel>,
}

/// What is remembered about a kind under one model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RememberedModel {
    /// The measured numbers at the game's tick rate, by name.
    pub values: BTreeMap<String, f64>,
    /// The values of all tunables that could move them, as in a setting.
    pub tunables: BTreeMap<String, String>,
}

impl FeelMemory {
    /// What is to be remembered, without any models yet.
    pub fn new(script: String) -> Self {
        Self { feel: VERSION, script, models: BTreeMap::new() }
    }

    /// Reads what is remembered about a kind; `None` if nothing is, or nothing that this version can
    /// read.
    pub fn read(folder: &GameFolder, kind: &str) -> Option<Self> {
        let path = folder.path().join(OWN_FOLDER).join(name_of(kind));
        folder.check(&path, &[]).ok()?;
        let file = read_text(folder, &path).ok()?;
        let memory: Self = serde_json::from_str(&file.text).ok()?;
        (memory.feel == VERSION).then_some(memory)
    }

    /// Remembers this about a kind. A file that says the same is left alone.
    ///
    /// # Errors
    /// [`Error::LeadsOut`] if the folder is a link that leads out of the game folder, [`Error::Write`]
    /// if the file cannot be written. An earlier one stays as it is.
    pub fn write(&self, folder: &GameFolder, kind: &str) -> Result<(), Error> {
        if Self::read(folder, kind).as_ref() == Some(self) {
            return Ok(());
        }
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        write_own(folder, &name_of(kind), text.as_bytes())
    }
}

fn name_of(kind: &str) -> String {
    format!("feel/{kind}.json")
}
