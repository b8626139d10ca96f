//! What a kind's numbers were when its contracts last held: `.hangtime/feel/KIND.json` in the game
//! folder. The file may be deleted at any time; without it, a report cannot say which edit moved a
//! number.

use crate::Error;
use crate::files::disk::new_file::check_output;
use crate::files::disk::output::{OutputFile, OutputKind, write_error};
use crate::files::disk::root::GameFolder;
use crate::files::sources::source::read_text;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The folder for what hangtime remembers about a game. Its name begins with a dot, so no game reads
/// it.
const FOLDER: &str = ".hangtime";

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
    #[must_use]
    pub fn new(script: String) -> Self {
        Self { feel: VERSION, script, models: BTreeMap::new() }
    }

    /// Reads what is remembered about a kind; `None` if nothing is, or nothing that this version can
    /// read.
    #[must_use]
    pub fn read(folder: &GameFolder, kind: &str) -> Option<Self> {
        let path = file_of(folder, kind);
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
        let path = file_of(folder, kind);
        let own = folder.path().join(FOLDER);
        let below = path.parent().unwrap_or(&own);
        folder.check(&own, &[])?;
        folder.check(below, &[])?;
        check_output(folder, &path, &[])?;
        let written = self.write_to(&own, below, &path);
        let output = written.map_err(|source| write_error(&path, source))?;
        output.complete()
    }

    fn write_to(&self, own: &Path, below: &Path, path: &Path) -> io::Result<OutputFile> {
        let is_new = !own.exists();
        fs::create_dir_all(below)?;
        if is_new {
            // What is remembered belongs to one working copy.
            fs::write(own.join(".gitignore"), "*\n")?;
        }
        let (output, mut file) = OutputFile::open(path, OutputKind::Results)?;
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        Ok(output)
    }
}

fn file_of(folder: &GameFolder, kind: &str) -> PathBuf {
    let name = format!("{kind}.json");
    folder.path().join(FOLDER).join("feel").join(name)
}

#[cfg(test)]
mod tests {
    use super::{FeelMemory, GameFolder, RememberedModel};
    use std::fs;

    fn memory() -> FeelMemory {
        let values = [("apex".to_string(), 189.83)].into();
        let tunables = [("platformer.jump_speed".to_string(), "540".to_string())].into();
        let model = RememberedModel { values, tunables };
        FeelMemory { models: [("platformer".to_string(), model)].into(), ..FeelMemory::new("ab".into()) }
    }

    #[test]
    fn what_is_written_reads_back() {
        let root = tempfile::tempdir().unwrap();
        let folder = GameFolder::new(root.path());
        assert_eq!(FeelMemory::read(&folder, "foes/bat"), None);
        memory().write(&folder, "foes/bat").unwrap();
        assert_eq!(FeelMemory::read(&folder, "foes/bat"), Some(memory()));
        let ignored = fs::read_to_string(root.path().join(".hangtime/.gitignore")).unwrap();
        assert_eq!(ignored, "*\n");
    }

    #[test]
    fn files_that_cannot_be_read_count_as_nothing() {
        let root = tempfile::tempdir().unwrap();
        let folder = GameFolder::new(root.path());
        memory().write(&folder, "hero").unwrap();
        let path = root.path().join(".hangtime/feel/hero.json");
        let text = fs::read_to_string(&path).unwrap();
        for broken in ["", "{}", "[1, 2", &text[..text.len() / 2], &text.replace(": 1,", ": 2,")] {
            fs::write(&path, broken).unwrap();
            assert_eq!(FeelMemory::read(&folder, "hero"), None, "{broken}");
        }
        memory().write(&folder, "hero").unwrap();
        assert_eq!(FeelMemory::read(&folder, "hero"), Some(memory()));
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_written_through_a_link_that_leads_out() {
        let (root, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::os::unix::fs::symlink(other.path(), root.path().join(".hangtime")).unwrap();
        let folder = GameFolder::new(root.path());
        let refused = memory().write(&folder, "hero").unwrap_err().to_string();
        assert!(refused.contains("leads out"), "{refused}");
        assert_eq!(fs::read_dir(other.path()).unwrap().count(), 0);
    }
}
