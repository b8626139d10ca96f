//! A file of a revision, as a recording has it.

use serde::{Deserialize, Serialize};

/// A file of a revision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RecordedFile {
    /// The hash of the text, hexadecimal.
    pub blake3: String,
    /// The text.
    pub text: String,
}
