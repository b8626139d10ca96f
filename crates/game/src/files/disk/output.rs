//! Files that commands write: next to their final names, and renamed when they are complete.

use super::endings::{GAME_FOLDERS, MODS, source_endings};
use crate::Error;
use crate::languages::LANGUAGES;
use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Read as _, Write};
use std::path::{Path, PathBuf};
use tempfile::TempPath;

/// What a command writes. An earlier output of the same kind may be overwritten, wherever it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputKind {
    /// A trace as JSON Lines.
    Trace,
    /// A film as a GIF.
    Gif,
    /// A picture as a PNG.
    Png,
    /// A recording.
    Recording,
    /// The results of tests or of a sweep as JSON Lines.
    Results,
    /// The results of tests as JUnit XML.
    Junit,
    /// The table of a sweep as CSV.
    Csv,
    /// A drawing as SVG.
    Svg,
    /// A profile as JSON.
    Profile,
    /// A level. It never replaces a file of a game, which may have been edited since.
    Level,
}

impl OutputKind {
    /// The ending of its file names.
    pub(crate) const fn ending(self) -> &'static str {
        match self {
            Self::Trace => "jsonl",
            Self::Gif => "gif",
            Self::Png => "png",
            Self::Recording => "run",
            Self::Results => "jsonl",
            Self::Junit => "xml",
            Self::Csv => "csv",
            Self::Svg => "svg",
            Self::Profile => "json",
            Self::Level => "toml",
        }
    }

    /// How every file of this kind begins.
    const fn beginning(self) -> &'static [u8] {
        match self {
            Self::Trace => b"{\"trace\":",
            Self::Gif => b"GIF8",
            Self::Png => b"\x89PNG",
            Self::Recording => b"{\"run\":",
            Self::Results => b"{\"results\":",
            Self::Junit => b"<?xml",
            Self::Csv => b"run,",
            Self::Svg => b"<svg ",
            Self::Profile => b"{\"profile\":",
            // No file begins with this, which is not text.
            Self::Level => b"\xff\x00",
        }
    }
}

/// The largest number of links that are followed to a file that does not exist yet.
const MOST_LINKS: usize = 40;

/// An output that is not complete yet. Until [`OutputFile::complete`], a file of this name stays as
/// it is; dropping this instead removes what has been written.
#[derive(Debug)]
pub struct OutputFile {
    /// The path as it was passed.
    path: PathBuf,
    /// The same path without links.
    target: PathBuf,
    /// The temporary file; `None` for what cannot be replaced, such as a pipe.
    temporary: Option<TempPath>,
}

impl OutputFile {
    /// Starts to write a file, with its buffered writer.
    ///
    /// # Errors
    /// [`Error::OverwritesGame`] if that would overwrite one of the game's files: an existing
    /// `.toml`, `.tmx`, `.rhai` or `.input`, or anything in the folders `config`, `scripts` and `levels`
    /// of `root`, unless it is an earlier output of this kind. [`Error::ReadAsGame`] if a game would read
    /// it. [`Error::Write`] if the file cannot be created.
    pub fn create(root: &Path, path: &Path, kind: OutputKind) -> Result<(Self, Box<dyn Write + Send>), Error> {
        refuse_game_files(root, path, kind)?;
        let (output, file) = Self::open(path, kind).map_err(|source| write_error(path, source))?;
        Ok((output, Box::new(BufWriter::new(file))))
    }

    /// Writes a whole text: next to the file, then renamed.
    ///
    /// # Errors
    /// Those of [`create`](OutputFile::create) and [`complete`](OutputFile::complete).
    pub fn write_text(root: &Path, path: &Path, kind: OutputKind, text: &str) -> Result<(), Error> {
        let (output, mut out) = Self::create(root, path, kind)?;
        let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        drop(out);
        match written {
            Ok(()) => output.complete(),
            Err(source) => Err(output.write_error(source)),
        }
    }

    /// Starts to write a file in place, without a buffer: each write is in the file at once, so a process
    /// that is killed leaves all of them.
    ///
    /// # Errors
    /// Those of [`create`](OutputFile::create).
    pub fn in_place(root: &Path, path: &Path, kind: OutputKind) -> Result<Box<dyn Write + Send>, Error> {
        refuse_game_files(root, path, kind)?;
        let file = File::create(path).map_err(|source| write_error(path, source))?;
        Ok(Box::new(file))
    }

    /// Starts to write a new content for an existing file of the game, whose path has no links. If
    /// there is no room next to it, the file stays as it is.
    pub(crate) fn replace(path: &Path) -> Result<(Self, File), Error> {
        let permissions = path.metadata().map(|metadata| metadata.permissions());
        let temporary = permissions.and_then(|permissions| next_to(path, Some(permissions)));
        let (file, temporary) = temporary.map_err(|source| write_error(path, source))?.into_parts();
        let output = Self { path: path.to_path_buf(), target: path.to_path_buf(), temporary: Some(temporary) };
        Ok((output, file))
    }

    pub(crate) fn open(path: &Path, kind: OutputKind) -> io::Result<(Self, File)> {
        // A link stays, and what it leads to is replaced.
        let target = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let output = |target, temporary| Self { path: path.to_path_buf(), target, temporary };
        let existing = match target.metadata() {
            Ok(metadata) => Some(metadata),
            // A link to a file that does not exist yet.
            Err(_) if target.is_symlink() => {
                let file = File::create(&target)?;
                return Ok((output(target, None), file));
            }
            Err(_) => None,
        };
        if let Some(existing) = &existing {
            // Renaming would replace what may not be written.
            let file = OpenOptions::new().write(true).open(&target)?;
            if !existing.is_file() {
                return Ok((output(target, None), file));
            }
        }
        let permissions = existing.as_ref().map(|m| m.permissions());
        let temporary = match kind {
            OutputKind::Recording => part_of(&target, permissions),
            _ => next_to(&target, permissions),
        };
        let temporary = match temporary {
            Ok(temporary) => temporary,
            // The folder takes no new files, but this one may be written.
            Err(_) if existing.is_some() => {
                let file = File::create(&target)?;
                return Ok((output(target, None), file));
            }
            Err(e) => return Err(e),
        };
        let (file, temporary) = temporary.into_parts();
        Ok((output(target, Some(temporary)), file))
    }

    /// Gives the file its name. Its writer must have been flushed and dropped.
    ///
    /// # Errors
    /// [`Error::Write`] if it cannot be renamed.
    pub fn complete(self) -> Result<(), Error> {
        let Some(temporary) = self.temporary else {
            return Ok(());
        };
        let renamed = temporary.persist(&self.target);
        renamed.map_err(|failed| write_error(&self.path, without_path(failed.error)))
    }

    /// The error for a failure to write to it.
    #[must_use]
    pub fn write_error(&self, source: io::Error) -> Error {
        write_error(&self.path, source)
    }

    /// Leaves what was written so far under its temporary name, which is returned if there is one.
    #[must_use]
    pub fn keep_part(self) -> Option<PathBuf> {
        self.temporary?.keep().ok()
    }

    /// The path as it was passed.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// A new file next to `target` whose name ends with `.part`: if the program crashes, it can be found there, and
/// what is in it can be used. If there is one already, the new one has some letters before that.
fn part_of(target: &Path, permissions: Option<Permissions>) -> io::Result<tempfile::NamedTempFile<File>> {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let exact = NextTo { prefix: &name, letters: 0, ending: ".part" };
    match exact.create(target, permissions.clone()) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let prefix = format!("{name}.");
            let other = NextTo { prefix: &prefix, letters: 6, ..exact };
            other.create(target, permissions)
        }
        created => created,
    }
}

/// A new temporary file in the folder of `target`. Its name begins with a dot, so no game reads it.
pub(crate) fn next_to(target: &Path, permissions: Option<Permissions>) -> io::Result<tempfile::NamedTempFile<File>> {
    let name = target.file_name().unwrap_or_default();
    let prefix = format!(".{}.", name.to_string_lossy());
    let hidden = NextTo { prefix: &prefix, letters: 6, ending: "" };
    hidden.create(target, permissions)
}

/// The name of a temporary file: a prefix, random letters and an ending.
struct NextTo<'a> {
    prefix: &'a str,
    letters: usize,
    ending: &'a str,
}

impl NextTo<'_> {
    /// Creates the file in the folder of `target`.
    fn create(&self, target: &Path, permissions: Option<Permissions>) -> io::Result<tempfile::NamedTempFile<File>> {
        let folder = match target.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(self.prefix).rand_bytes(self.letters).suffix(self.ending);
        #[cfg(unix)]
        let usual = std::os::unix::fs::PermissionsExt::from_mode(0o666);
        #[cfg(unix)]
        builder.permissions(usual);
        let temporary = builder.tempfile_in(folder).map_err(without_path)?;
        if let Some(permissions) = permissions {
            temporary.as_file().set_permissions(permissions)?;
        }
        Ok(temporary)
    }
}

/// An error of the system without the name of a temporary file, which says nothing to the user.
fn without_path(error: io::Error) -> io::Error {
    let text = error.to_string();
    match text.split_once(" at path \"") {
        Some((reason, _)) => io::Error::new(error.kind(), reason),
        None => error,
    }
}

pub(crate) fn write_error(path: &Path, source: io::Error) -> Error {
    Error::Write { file: path.display().to_string(), source }
}

fn refuse_game_files(root: &Path, path: &Path, kind: OutputKind) -> Result<(), Error> {
    let file = || path.display().to_string();
    if belongs_to_game(root, path) && !begins_with(path, kind.beginning()) {
        return Err(Error::OverwritesGame { file: file() });
    }
    if kind != OutputKind::Level && (is_read_by_games(path) || is_read_by_games(&real_target(path))) {
        return Err(Error::ReadAsGame { file: file(), ending: kind.ending() });
    }
    Ok(())
}

/// Whether games read files with names like this one.
fn is_read_by_games(path: &Path) -> bool {
    let ending = path.extension().map(|e| e.to_ascii_lowercase());
    ending.is_some_and(|e| source_endings(LANGUAGES).iter().any(|game| e == *game))
}

/// The path of the file that is written, without links: also of one that does not exist yet.
pub(crate) fn real_target(path: &Path) -> PathBuf {
    let mut target = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        if let Ok(real) = target.canonicalize() {
            return real;
        }
        let folder = match target.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let Ok(link) = target.read_link() else {
            // A new file.
            let real = folder.canonicalize().ok();
            let real = real.and_then(|folder| Some(folder.join(target.file_name()?)));
            return real.unwrap_or(target);
        };
        target = folder.join(link);
    }
    target
}

/// Whether a path leads to an existing file that a game may be made of.
fn belongs_to_game(root: &Path, path: &Path) -> bool {
    let Ok(real) = path.canonicalize() else {
        return false;
    };
    let inside = |folder: &str| {
        let folder = root.join(folder).canonicalize();
        folder.is_ok_and(|folder| real.starts_with(folder))
    };
    real.is_file()
        && (is_read_by_games(path)
            || is_read_by_games(&real)
            || GAME_FOLDERS.iter().any(|folder| inside(folder))
            || inside(MODS))
}

fn begins_with(path: &Path, beginning: &[u8]) -> bool {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(beginning.len() as u64).read_to_end(&mut bytes));
    read.is_ok() && bytes == beginning
}
