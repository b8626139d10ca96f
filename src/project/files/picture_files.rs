//! The pictures of a game as they were read.

use crate::script::host::{Diagnostic, Mistakes, Severity};
use crate::sim::Sheet;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Decoded pictures, by their paths below `pictures/`.
pub(in crate::project) type Sheets = BTreeMap<Box<str>, Arc<Sheet>>;

/// A file as it was read.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct PictureBytes {
    pub bytes: Arc<[u8]>,
    pub hash: [u8; 32],
}

impl std::fmt::Debug for PictureBytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PictureBytes({} bytes)", self.bytes.len())
    }
}

/// The pictures of a game as they were read.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::project) struct PictureFiles {
    /// Those that could be read, by their paths below the game folder.
    pub(super) files: BTreeMap<String, PictureBytes>,
    /// Why others could not be read.
    pub(super) unreadable: Vec<Diagnostic>,
    /// The pictures that the running game shows. They stay while their files are broken.
    pub shown: Sheets,
    /// Whether the folders of pictures have been read. The files of a recording come without them.
    pub(super) are_read: bool,
    /// Whether what is wrong is an error.
    pub are_checked: bool,
}

impl PictureFiles {
    /// The content hash of each file.
    pub(super) fn hashes(&self) -> impl Iterator<Item = (String, [u8; 32])> + '_ {
        let unreadable = self.unreadable.iter();
        let unreadable = unreadable.map(|wrong| (wrong.headline(), [0; 32]));
        let files = self.files.iter();
        files
            .map(|(name, file)| (name.clone(), file.hash))
            .chain(unreadable)
    }

    /// The names of the files that differ between two readings.
    pub(super) fn differences<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = String> + 'a {
        let names = self.files.keys().chain(other.files.keys());
        let differ = |name: &&String| self.files.get(*name) != other.files.get(*name);
        names.filter(differ).cloned()
    }

    /// The number of files.
    pub fn count(&self) -> usize {
        self.files.len() + self.unreadable.len()
    }

    /// Reports what is wrong.
    pub(super) fn say(&self, wrong: Diagnostic, out: &mut Mistakes) {
        let severity = match self.are_checked {
            true => Severity::Error,
            false => Severity::Warning,
        };
        out.push(Diagnostic { severity, ..wrong });
    }
}
