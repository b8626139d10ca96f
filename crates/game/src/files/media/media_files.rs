//! Files of a game that people have made with other programs, as they were read: pictures and sounds.

use hangtime_script::{Diagnostic, Mistakes, Severity};
use parking_lot::Mutex;
use std::{
    collections::BTreeMap,
    sync::{Arc, Weak},
};

/// A kind of such files, by what they are decoded to.
pub(crate) trait Medium: Sized + Send + Sync + 'static {
    /// Their folder in a game and in a mod, which is also what messages call them.
    const FOLDER: &'static str;
    /// What their bytes are called where all of them are too many.
    const BYTES: &'static str;
    /// How their names end.
    const ENDINGS: &'static [&'static str];
    /// The largest file that is read, bytes.
    const MAX_BYTES: u64;
    /// The largest size of all of them together, bytes.
    const MOST_TOTAL: u64;
    /// The largest number of files.
    const MOST_FILES: usize;
    /// The most memory of all of them together once they are decoded, bytes.
    const MOST_DECODED: u64;
    /// What is said of one that cannot be used as it is now.
    const STAYS: &'static str;

    /// What is in a file.
    ///
    /// # Errors
    /// Why it cannot be used, and what can.
    fn decode(bytes: &[u8]) -> Result<Self, String>;

    /// The memory that it takes, bytes.
    fn memory(&self) -> u64;

    /// Those that are in use, by the hashes of their files: a file that has not changed is not decoded again.
    fn in_use() -> &'static Mutex<BTreeMap<[u8; 32], Weak<Self>>>;
}

/// Decoded files, by their paths below their folder.
pub(crate) type Media<T> = BTreeMap<Box<str>, Arc<T>>;

/// A file as it was read.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct MediumBytes {
    pub bytes: Arc<[u8]>,
    pub hash: [u8; 32],
}

impl std::fmt::Debug for MediumBytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "MediumBytes({} bytes)", self.bytes.len())
    }
}

/// All files of one kind as they were read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MediaFiles<T> {
    /// Those that could be read, by their paths below the game folder.
    pub(crate) files: BTreeMap<String, MediumBytes>,
    /// Why others could not be read.
    pub(crate) unreadable: Vec<Diagnostic>,
    /// Those that the running game uses. They stay while their files are broken.
    pub shown: Media<T>,
    /// Whether the folders have been read. The files of a recording come without them.
    pub(crate) are_read: bool,
    /// Whether what is wrong is an error.
    pub are_checked: bool,
}

impl<T> Default for MediaFiles<T> {
    fn default() -> Self {
        Self {
            files: BTreeMap::new(),
            unreadable: Vec::new(),
            shown: Media::new(),
            are_read: false,
            are_checked: false,
        }
    }
}

impl<T> MediaFiles<T> {
    /// The content hash of each file.
    pub(crate) fn hashes(&self) -> impl Iterator<Item = (String, [u8; 32])> + '_ {
        let unreadable = self.unreadable.iter().map(|wrong| (wrong.headline(), [0; 32]));
        self.files.iter().map(|(name, file)| (name.clone(), file.hash)).chain(unreadable)
    }

    /// The number of files.
    pub fn count(&self) -> usize {
        self.files.len() + self.unreadable.len()
    }

    /// Reports what is wrong.
    pub(crate) fn say(&self, wrong: Diagnostic, out: &mut Mistakes) {
        let severity = if self.are_checked { Severity::Error } else { Severity::Warning };
        out.push(Diagnostic { severity, ..wrong });
    }
}
