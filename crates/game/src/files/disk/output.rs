//! Files that commands write: next to their final names, and renamed when they are complete.

use super::{
    endings::{GAME_FOLDERS, MODS, source_endings},
    root::GameFolder,
};
use crate::{Error, languages::LANGUAGES};
use hangtime_script::Diagnostic;
use std::{
    fs::{File, OpenOptions, Permissions},
    io::{self, BufWriter, Read as _, Write},
    path::{Path, PathBuf},
};
use tempfile::{Builder, NamedTempFile, TempPath};

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
    /// An input file that `reachable` has found.
    Certificate,
    /// An input file of what was played. It gets the first free number.
    Input,
    /// A search of `reachable` that continues later, as JSON.
    Search,
    /// A level. It never replaces a file of a game, which may have been edited since.
    Level,
}

impl OutputKind {
    /// The ending of its file names, and how every file of this kind begins.
    const fn form(self) -> (&'static str, &'static [u8]) {
        match self {
            Self::Trace => ("jsonl", b"{\"trace\":"),
            Self::Gif => ("gif", b"GIF8"),
            Self::Png => ("png", b"\x89PNG"),
            Self::Recording => ("run", b"{\"run\":"),
            Self::Results => ("jsonl", b"{\"results\":"),
            Self::Junit => ("xml", b"<?xml"),
            Self::Csv => ("csv", b"run,"),
            Self::Svg => ("svg", b"<svg "),
            Self::Profile => ("json", b"{\"profile\":"),
            Self::Certificate => ("input", CERTIFICATE.as_bytes()),
            Self::Search => ("json", b"{\"reachable\":"),
            // No file begins with this, which is not text.
            Self::Input => ("input", b"\xff\x00"),
            Self::Level => ("toml", b"\xff\x00"),
        }
    }

    /// The ending of its file names.
    pub(crate) const fn ending(self) -> &'static str {
        self.form().0
    }
}

/// How every input file that `reachable` writes begins.
pub const CERTIFICATE: &str = "# A certificate of `hangtime reachable`";

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
    /// `.toml`, `.tmx`, `.ldtk`, `.rhai` or `.input`, or anything in the folders `config`, `scripts` and `levels`
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
    /// The same as [`create`](OutputFile::create) and [`complete`](OutputFile::complete).
    pub fn write_text(root: &Path, path: &Path, kind: OutputKind, text: &str) -> Result<(), Error> {
        let (output, mut out) = Self::create(root, path, kind)?;
        out.write_all(text.as_bytes())
            .and_then(|()| out.flush())
            .map_err(|source| write_error(path, source))?;
        drop(out);
        output.complete()
    }

    /// Writes a whole text into a folder, which is made if it does not exist.
    ///
    /// # Errors
    /// The same as [`write_text`](OutputFile::write_text).
    pub fn write_into(root: &Path, folder: &Path, name: &str, kind: OutputKind, text: &str) -> Result<(), Error> {
        std::fs::create_dir_all(folder).map_err(|source| write_error(folder, source))?;
        Self::write_text(root, &folder.join(name), kind, text)
    }

    /// Starts to write a file in place, without a buffer: each write is in the file at once, so a process
    /// that is killed leaves all of them.
    ///
    /// # Errors
    /// The same as [`create`](OutputFile::create).
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

    fn open(path: &Path, kind: OutputKind) -> io::Result<(Self, File)> {
        // A link stays, and what it leads to is replaced.
        let target = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let (file, temporary) = Self::file_for(&target, kind)?;
        Ok((Self { path: path.to_path_buf(), target, temporary }, file))
    }

    /// The file to write into, and its path if it is a temporary one.
    fn file_for(target: &Path, kind: OutputKind) -> io::Result<(File, Option<TempPath>)> {
        let existing = target.metadata().ok();
        if let Some(existing) = &existing {
            // Renaming would replace what may not be written.
            let file = OpenOptions::new().write(true).open(target)?;
            if !existing.is_file() {
                return Ok((file, None));
            }
        } else if target.is_symlink() {
            // A link to a file that does not exist yet.
            return Ok((File::create(target)?, None));
        }
        let permissions = existing.as_ref().map(|m| m.permissions());
        let temporary = match kind {
            OutputKind::Recording => part_of(target, permissions),
            _ => next_to(target, permissions),
        };
        match temporary.map(NamedTempFile::into_parts) {
            Ok((file, temporary)) => Ok((file, Some(temporary))),
            // The folder takes no new files, but this one may be written.
            Err(_) if existing.is_some() => Ok((File::create(target)?, None)),
            Err(error) => Err(error),
        }
    }

    /// Writes a whole file: next to it, then renamed once it is on the disk.
    pub(crate) fn save(path: &Path, bytes: &[u8]) -> io::Result<()> {
        let (output, mut file) = Self::open(path, OutputKind::Results)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        output.rename()
    }

    fn rename(self) -> io::Result<()> {
        match self.temporary {
            Some(temporary) => temporary.persist(&self.target).map_err(|failed| without_path(failed.error)),
            None => Ok(()),
        }
    }

    /// Gives the file its name. Its writer must have been flushed and dropped.
    ///
    /// # Errors
    /// [`Error::Write`] if it cannot be renamed.
    pub fn complete(self) -> Result<(), Error> {
        let path = self.path.clone();
        self.rename().map_err(|source| write_error(&path, source))
    }

    /// The error for a failure to write to it.
    pub fn write_error(&self, source: io::Error) -> Error {
        write_error(&self.path, source)
    }

    /// Leaves what was written so far under its temporary name, which is returned if there is one.
    pub fn keep_part(self) -> Option<PathBuf> {
        self.temporary?.keep().ok()
    }

    /// The path as it was passed.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// A new file next to `target` whose name ends with `.part`: if the program crashes, it can be found there, and
/// what is in it can be used. If there is one already, the new one has some letters before that.
fn part_of(target: &Path, permissions: Option<Permissions>) -> io::Result<NamedTempFile> {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let mut exact = Builder::new();
    exact.prefix(&*name).rand_bytes(0).suffix(".part");
    match create_next_to(target, exact, permissions.clone()) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let prefix = format!("{name}.");
            let mut other = Builder::new();
            other.prefix(&prefix).suffix(".part");
            create_next_to(target, other, permissions)
        }
        created => created,
    }
}

/// A new temporary file in the folder of `target`. Its name begins with a dot, so no game reads it.
pub(crate) fn next_to(target: &Path, permissions: Option<Permissions>) -> io::Result<NamedTempFile> {
    let name = target.file_name().unwrap_or_default();
    let prefix = format!(".{}.", name.to_string_lossy());
    let mut hidden = Builder::new();
    hidden.prefix(&prefix);
    create_next_to(target, hidden, permissions)
}

fn create_next_to(
    target: &Path,
    #[cfg_attr(not(unix), expect(unused_mut))] mut builder: Builder<'_, '_>,
    permissions: Option<Permissions>,
) -> io::Result<NamedTempFile> {
    #[cfg(unix)]
    let usual = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    #[cfg(unix)]
    builder.permissions(usual);
    let temporary = builder.tempfile_in(folder_of(target)).map_err(without_path)?;
    if let Some(permissions) = permissions {
        temporary.as_file().set_permissions(permissions)?;
    }
    Ok(temporary)
}

/// The folder that a path is in.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
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
    if belongs_to_game(root, path) && !begins_with(path, kind.form().1) {
        return Err(Error::OverwritesGame { file: file() });
    }
    let is_source = matches!(kind, OutputKind::Level | OutputKind::Certificate);
    if !is_source && (is_read_by_games(path) || is_read_by_games(&real_target(path))) {
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
        let folder = folder_of(&target);
        let Ok(link) = target.read_link() else {
            // A new file.
            let real = folder.canonicalize().ok().and_then(|folder| Some(folder.join(target.file_name()?)));
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
    let inside = |folder: &str| root.join(folder).canonicalize().is_ok_and(|folder| real.starts_with(folder));
    let in_game = || GAME_FOLDERS.into_iter().chain([MODS]).any(inside);
    real.is_file() && (is_read_by_games(path) || is_read_by_games(&real) || in_game())
}

fn begins_with(path: &Path, beginning: &[u8]) -> bool {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(beginning.len() as u64).read_to_end(&mut bytes));
    read.is_ok() && bytes == beginning
}

/// Refuses a file that hangtime itself names, if it or a folder that it is in is a link that leads out of the
/// game folder and of the folders `near`.
///
/// # Errors
/// [`Error::LeadsOut`].
pub fn check_output(folder: &GameFolder, path: &Path, near: &[&Path]) -> Result<(), Error> {
    if folder.follows_links() {
        return Ok(());
    }
    if path.is_symlink() && !path.exists() {
        // Writing would create what the link names.
        let file = path.display().to_string();
        return Err(Error::LeadsOut { file });
    }
    let existing = path.ancestors().find(|part| part.exists());
    folder.check(existing.unwrap_or(path), near)
}

/// Writes a file that does not exist yet, whole or not at all, and the folder that it is in.
///
/// # Errors
/// [`Error::OverwritesGame`] if it exists, [`Error::LeadsOut`] if a link leads it out of the game folder,
/// [`Error::Write`] if it cannot be written.
pub fn write_new(folder: &GameFolder, path: &Path, text: &str) -> Result<(), Error> {
    let root = folder.path();
    if path.symlink_metadata().is_ok() {
        let file = path.display().to_string();
        return Err(Error::OverwritesGame { file });
    }
    check_output(folder, path, &[])?;
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(|source| write_error(parent, source))?;
    }
    OutputFile::write_text(root, path, OutputKind::Level, text)
}

/// Removes a file that [`write_new`] has just made.
pub fn remove_new(path: &Path) {
    // If that fails, the user sees the file.
    let _ = std::fs::remove_file(path);
}

/// Refuses outputs if two of them are the same file, in whatever spelling and through whatever links. Pipes and
/// devices can be named more than once.
///
/// # Errors
/// [`Error::Invalid`] with the later one of the two.
pub fn check_distinct<'p>(outputs: impl IntoIterator<Item = &'p Path>) -> Result<(), Error> {
    let mut earlier = Vec::new();
    for path in outputs {
        let target = real_target(path);
        let metadata = target.metadata().ok();
        if metadata.as_ref().is_some_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
            continue;
        }
        let inode = metadata.as_ref().and_then(inode);
        let is_same = |other: &Path, number| target == *other || (inode.is_some() && inode == number);
        let same = earlier.iter().find(|(_, other, number): &&(&Path, PathBuf, _)| is_same(other, *number));
        if let Some((other, ..)) = same {
            let message = if *other == path {
                "two outputs cannot have the same name".into()
            } else {
                format!("two outputs cannot be the same file: this one is also `{}`", other.display())
            };
            return Err(Diagnostic::about_file(path.display().to_string(), message).into());
        }
        earlier.push((path, target, inode));
    }
    Ok(())
}

/// The device and number of a file that exists: a name that is a hard link has the same as the others.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have no such numbers")]
fn inode(metadata: &std::fs::Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn inode(_: &std::fs::Metadata) -> Option<(u64, u64)> {
    None
}
