//! The error of every call that reads, builds, checks or writes a game's files.

use hangtime_script::{Diagnostic, Diagnostics};
use std::{io, path::PathBuf, time::Duration};

/// Why a game could not be opened, built, checked or written.
///
/// `Display` names the file and says what is wrong with it, one line per mistake. To show users the
/// source lines with carets as the `hangtime` program does, render [`Error::diagnostics`] with
/// [`render_all`](hangtime_script::render_all).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The path given to [`Project::load`](super::Project::load) is not a folder. Pass the folder
    /// that holds `config/`, `scripts/` and `levels/`.
    #[error("{}: no such folder", path.display())]
    NoSuchFolder {
        /// The path as it was passed.
        path: PathBuf,
    },

    /// The game folder was renamed or removed while the game ran. The game continues with what it has
    /// read.
    #[error("{}: the game folder is gone; it is read again when it is back", path.display())]
    FolderGone {
        /// The path as it was passed.
        path: PathBuf,
    },

    /// No level has this name. The hint names the closest one, or lists all of them.
    #[error("{name}: no such level{hint}")]
    NoSuchLevel {
        /// The name as it was passed.
        name: String,
        /// `; did you mean …?` or the list of levels, to be appended to a message. May be empty.
        hint: String,
    },

    /// A recording was named where a level is expected.
    #[error(
        "{file}: this is a recording, not a level; `hangtime replay {file}` plays it again and compares every tick, and \
         `hangtime play {file}` shows it in the window"
    )]
    IsRecording {
        /// The name as it was passed.
        file: String,
    },

    /// A file or folder does not exist. Check the spelling; names are resolved from the working
    /// directory first, then from the game folder.
    #[error("{file}: no such file")]
    NoSuchFile {
        /// The name as it was passed, or the path below the game folder.
        file: String,
    },

    /// No file or folder of tests has this name.
    #[error("{name}: no such file{hint}")]
    NoSuchTests {
        /// The name as it was passed.
        name: String,
        /// What to do instead, to be appended to a message.
        hint: String,
    },

    /// The path is a folder, a pipe or a device. Pass a regular file.
    #[error("{file}: this is not a file")]
    NotAFile {
        /// The path below the game folder.
        file: String,
    },

    /// The file is larger than hangtime reads. Split it.
    #[error("{file}: the file has {bytes} bytes; the limit is {limit}")]
    TooLarge {
        /// The path below the game folder.
        file: String,
        /// Its size.
        bytes: u64,
        /// The largest size that is read.
        limit: u64,
    },

    /// A file that the game names, or a link in its folder, leads out of the game folder. If you trust
    /// the game, allow it with the option `--follow-links` or
    /// [`GameFolder::follow_links`](super::GameFolder::follow_links).
    #[error("{file}: this leads out of the game folder and is not read; to allow it, pass `--follow-links`")]
    LeadsOut {
        /// The path below the game folder, or as the game names it.
        file: String,
    },

    /// A link in the game folder leads to nothing. Remove it, or mend what it leads to.
    #[error("{file}: this link leads to nothing")]
    DeadLink {
        /// The path below the game folder.
        file: String,
    },

    /// The game has more files, bytes or folders than hangtime reads. Remove those that it does not
    /// need.
    #[error("{file}: the limit of {limit} {of} in a game is reached here")]
    OverLimit {
        /// The first file or folder that is not read, below the game folder.
        file: String,
        /// The limit.
        limit: u64,
        /// What it counts: `files`, `bytes`, `files and folders`, `nested folders` or `mods`.
        of: &'static str,
    },

    /// No kind has this name. The hint names the closest one, or lists all of them.
    #[error("{name}: there is no config/entities/{name}.toml{hint}")]
    NoSuchKind {
        /// The name as it was passed.
        name: String,
        /// A suggestion, beginning with `; `, or empty.
        hint: String,
    },

    /// The operating system refused to read a file. `source` has its reason, such as missing
    /// permissions.
    #[error("{file}: cannot read the file")]
    Read {
        /// The path below the game folder.
        file: String,
        /// What the system reported.
        source: io::Error,
    },

    /// The operating system refused to list a folder. `source` has its reason.
    #[error("{file}: cannot list this folder")]
    List {
        /// The path below the game folder.
        file: String,
        /// What the system reported.
        source: io::Error,
    },

    /// The operating system refused to write a file. `source` has its reason. Files that the same
    /// call created before it failed are removed again.
    #[error("{file}: cannot write the file")]
    Write {
        /// The path as it was passed.
        file: String,
        /// What the system reported.
        source: io::Error,
    },

    /// An output, such as a trace, would overwrite one of the game's files. Choose another name.
    #[error("{file}: this is a file of the game, not an earlier output of this kind; nothing was written")]
    OverwritesGame {
        /// The path as it was passed.
        file: String,
    },

    /// An output has a name that games read: it would be a level, a script or an input file. Nothing was
    /// written.
    #[error("{file}: games read files with this ending; name the output `….{ending}`")]
    ReadAsGame {
        /// The path as it was passed.
        file: String,
        /// The usual ending of such outputs.
        ending: &'static str,
    },

    /// This folder cannot be a mod of the game.
    #[error("{}: {why}", path.display())]
    NotAMod {
        /// The path as it was passed.
        path: PathBuf,
        /// Why not.
        why: &'static str,
    },

    /// Files that [`create_from_template`](super::create_from_template) would write already exist.
    /// Nothing was written; choose another name or remove them.
    #[error("{} already exists; nothing was written", files.join(", "))]
    AlreadyExists {
        /// The paths that are taken.
        files: Vec<String>,
    },

    /// A new game folder or behavior cannot have this name. The message says why and, if there is
    /// one, suggests a valid name.
    #[error("{message}")]
    InvalidName {
        /// The whole explanation.
        message: String,
    },

    /// Files or settings of the game have mistakes. Each diagnostic names file, line and column;
    /// fix them all and try again. Warnings may be among them.
    #[error("{}", headlines(diagnostics))]
    Invalid {
        /// The mistakes, errors first, then by file and place.
        diagnostics: Vec<Diagnostic>,
    },

    /// One file took too long to read or compile. A slow disk, or thousands of outlines that cross
    /// each other, are the usual reasons.
    #[error("{file}: reading and compiling this takes longer than {} s", limit.as_secs_f64())]
    CompileTimeout {
        /// The file that was being read or compiled.
        file: String,
        /// The time that a single file may take.
        limit: Duration,
    },

    /// All files together took too long to read and compile.
    #[error("{file}: reading and compiling all files takes longer than {} s; this is the last one that was begun", limit.as_secs_f64())]
    BuildTimeout {
        /// The file that was being read or compiled.
        file: String,
        /// The time that all files may take.
        limit: Duration,
    },

    /// hangtime panicked while it worked on a file. Please report it, with the file.
    #[error("{file}: hangtime itself failed here; please report this bug")]
    Internal {
        /// The file that was being read or compiled; empty before the first.
        file: String,
    },
}

impl Error {
    /// The error as messages for a terminal. [`Error::Invalid`] has one for each mistake; every
    /// other variant has exactly one.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let text = self.to_string();
        match self {
            Self::Invalid { diagnostics } => diagnostics.clone(),
            Self::AlreadyExists { files } => files
                .iter()
                .map(|file| Diagnostic::about_file(file, "already exists; nothing was written"))
                .collect(),
            Self::InvalidName { .. } => vec![Diagnostic { file: None, ..Diagnostic::about_file("", text) }],
            Self::NoSuchFolder { path } | Self::FolderGone { path } | Self::NotAMod { path, .. } => {
                vec![about(&path.display().to_string(), &text)]
            }
            Self::Read { file, source } | Self::List { file, source } | Self::Write { file, source } => {
                vec![about(file, &format!("{text}: {source}"))]
            }
            Self::NoSuchLevel { name: file, .. }
            | Self::NoSuchKind { name: file, .. }
            | Self::NoSuchTests { name: file, .. }
            | Self::IsRecording { file }
            | Self::NoSuchFile { file }
            | Self::NotAFile { file }
            | Self::TooLarge { file, .. }
            | Self::OverwritesGame { file }
            | Self::ReadAsGame { file, .. }
            | Self::LeadsOut { file }
            | Self::DeadLink { file }
            | Self::OverLimit { file, .. }
            | Self::CompileTimeout { file, .. }
            | Self::BuildTimeout { file, .. }
            | Self::Internal { file } => vec![about(file, &text)],
        }
    }
}

impl From<Vec<Diagnostic>> for Error {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Self::Invalid { diagnostics }
    }
}

impl From<Diagnostics> for Error {
    fn from(Diagnostics(diagnostics): Diagnostics) -> Self {
        Self::Invalid { diagnostics }
    }
}

impl From<Diagnostic> for Error {
    fn from(diagnostic: Diagnostic) -> Self {
        vec![diagnostic].into()
    }
}

/// A message about a file whose text begins with the file's name.
fn about(file: &str, text: &str) -> Diagnostic {
    let message = text.strip_prefix(file).unwrap_or(text);
    Diagnostic::about_file(file, message.strip_prefix(": ").unwrap_or(message))
}

fn headlines(diagnostics: &[Diagnostic]) -> String {
    let lines: Vec<String> = diagnostics.iter().map(Diagnostic::headline).collect();
    lines.join("\n")
}
