//! Reading the texts that a revision is made of.

use super::{
    level_names::{LEVEL_ENDINGS, split_path},
    *,
};
use crate::{
    files::{PathKind, SURFACES, Sound},
    languages::LANGUAGES,
};
use hangtime_script::{Execution, Languages, Severity};
use std::time::Duration;

/// The largest file that is read, in bytes. Scripts have a smaller limit, `MOST_SOURCE`.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// The largest output of hangtime that is read again, such as a golden trace, in bytes.
const MAX_OUTPUT: u64 = 256 * 1024 * 1024;

/// The largest number of files that are read for one level.
const MOST_FILES: usize = 10_000;

/// The largest number of bytes of all these files together.
const MOST_TOTAL: u64 = 64 * 1024 * 1024;

/// No set has more bytes than this: the last file may exceed the limit of all of them, and the level is
/// read in any case.
pub(crate) const LARGEST_SET: u64 = MOST_TOTAL + 2 * MAX_BYTES;

/// No set has more files than this: the level and what a map refers to are read in any case.
pub(crate) const MOST_FILES_OF_A_SET: usize = MOST_FILES + MOST_REFERENCES + 1;

/// The texts of all files that a level may depend on, read at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceSet {
    /// The game folder.
    pub root: PathBuf,
    /// The path of the level: of its file, and then `#NAME` if it is one of several in a project of LDtk.
    pub level_path: PathBuf,
    /// The level's name: its path below the game folder, or its full path if it is elsewhere.
    pub level: String,
    /// Every file that could be read, by its path below the game folder.
    pub files: BTreeMap<String, Arc<SourceFile>>,
    /// The pictures of the game and its mods.
    pub(crate) pictures: MediaFiles<Sheet>,
    /// Their sounds.
    pub(crate) sounds: MediaFiles<Sound>,
    /// The mods among these files.
    pub mods: ModStack,
    /// The folders of the mods of the running game, which continues when they break.
    pub(crate) running_mods: BTreeSet<String>,
    /// How the user wants scripts to be executed.
    pub execution: Execution,
    /// The languages of the scripts.
    pub languages: Languages,
    /// Why the others could not be read.
    pub unreadable: Vec<Diagnostic>,
    /// Warnings that do not depend on what the files contain.
    pub(crate) notes: Vec<Diagnostic>,
    /// The real folders in which all of these are, wherever links lead.
    pub(crate) folders: BTreeSet<PathBuf>,
    /// The bytes of all files.
    pub(crate) bytes: u64,
    /// Whether a limit was reached, so that files are missing.
    pub(crate) is_cut: bool,
}

impl Default for SourceSet {
    /// No files; scripts may be written in all languages.
    fn default() -> Self {
        Self {
            root: PathBuf::new(),
            level_path: PathBuf::new(),
            level: String::new(),
            files: BTreeMap::new(),
            pictures: MediaFiles::default(),
            sounds: MediaFiles::default(),
            mods: ModStack::default(),
            running_mods: BTreeSet::new(),
            execution: Execution::default(),
            languages: LANGUAGES,
            unreadable: Vec::new(),
            notes: Vec::new(),
            folders: BTreeSet::new(),
            bytes: 0,
            is_cut: false,
        }
    }
}

impl SourceSet {
    /// Files that have been read before, such as a recording's. Nothing is read from a disk.
    pub(crate) fn of_files(level: &str, files: BTreeMap<String, Arc<SourceFile>>) -> Self {
        Self {
            level_path: PathBuf::from(level),
            level: level.into(),
            bytes: files.values().map(|file| file.text.len() as u64).sum(),
            mods: ModStack::of(&files),
            files,
            ..Self::default()
        }
    }

    /// A game before anything of it has been read.
    fn of_no_files(folder: &GameFolder) -> Self {
        Self {
            root: folder.path().to_path_buf(),
            execution: folder.execution(),
            languages: folder.languages(),
            ..Self::default()
        }
    }

    /// Reads what a level may depend on: `config/`, `scripts/`, the level, and the input files
    /// in the level's folder.
    pub fn read(folder: impl Into<GameFolder>, level_path: &Path) -> Self {
        let folder = folder.into();
        Self::read_shared(&folder).with_level(&folder, level_path)
    }

    /// Reads `config/` and `scripts/`, along with a level that is in no file.
    pub(crate) fn read_with_level(folder: &GameFolder, name: &str, text: String) -> Self {
        let mut set = Self { level: name.into(), level_path: name.into(), ..Self::read_shared(folder) };
        set.files.insert(name.into(), Arc::new(SourceFile { name: name.into(), text }));
        set
    }

    /// Reads what all levels of a game may depend on: `config/` and `scripts/`.
    pub(crate) fn read_shared(folder: &GameFolder) -> Self {
        let mut set = Self::of_no_files(folder);
        let mut wrong = Mistakes::new();
        if is_gone(folder) {
            let unreadable = Error::FolderGone { path: folder.path().to_path_buf() }.diagnostics();
            return Self { is_cut: true, unreadable, ..set };
        }
        set.folders.extend(folder.files().resolve(folder.path()).ok());
        set.add_shared(folder, folder.path(), &mut wrong);
        set.add_mods(folder, &mut wrong);
        set.pictures = set.read_media(folder);
        set.sounds = set.read_media(folder);
        set.unreadable = wrong.finish();
        set
    }

    /// Reads a map with the files that it names, and the kinds and surfaces of the game that it can name.
    pub(crate) fn read_map(folder: &GameFolder, path: &Path) -> Self {
        let mut set = Self::of_no_files(folder);
        let kinds = folder.path().join("config").join("entities");
        set.add_walk(FileWalk::through(folder, &kinds, &["toml"]), &mut Mistakes::new());
        set.add(folder, &folder.path().join(SURFACES), &mut Mistakes::new());
        set.with_level(folder, path)
    }

    /// Adds what one level may depend on, too: the level, and the input files in its folder.
    pub(crate) fn with_level(mut self, folder: &GameFolder, level_path: &Path) -> Self {
        self.level_path = level_path.to_path_buf();
        let (level_path, part) = split_path(level_path);
        self.level = folder.name_of(&level_path);
        if let Some(part) = part {
            self.level += &format!("#{part}");
        }
        let level_path = &*level_path;
        if is_gone(folder) {
            return self;
        }
        let mut wrong = Mistakes::new();
        wrong.extend(std::mem::take(&mut self.unreadable));
        self.add_folder_of(folder, level_path);
        match folder.check_chosen(level_path) {
            Ok(()) => {
                self.add(folder, level_path, &mut wrong);
                self.add_referred(folder, level_path, &mut wrong);
                self.warn_of_twins(folder);
            }
            Err(error) => wrong.extend(error.diagnostics()),
        }
        if let Some(level_folder) = level_path.parent() {
            let level_folder = if level_folder == Path::new("") { Path::new(".") } else { level_folder };
            let mut walk = FileWalk::new(folder, &[level_folder], &["input"]).directly_in(level_folder);
            // The level names the input that it needs, so that a folder that cannot be listed matters
            // then.
            walk.wrong.retain(|error| !matches!(error, Error::List { .. }));
            self.add_walk(walk, &mut wrong);
        }
        self.add_mod_inputs(folder, &mut wrong);
        self.unreadable = wrong.finish();
        self
    }

    /// Reads until two readings in a row are equal, so that no file is caught half-written.
    ///
    /// # Errors
    /// The names of files that change too often for that.
    pub fn read_settled(folder: &GameFolder, level_path: &Path) -> Result<Self, Vec<String>> {
        let mut last = Self::read(folder, level_path);
        let mut changed = Vec::new();
        // Editors that write in several steps finish within a few rounds.
        for _ in 0..50 {
            let next = Self::read(folder, level_path);
            if next == last || BuildProgress::is_cancelled() {
                return Ok(last);
            }
            changed = last.differences(&next);
            last = next;
            folder.files().sleep(Duration::from_millis(2));
        }
        Err(changed)
    }

    /// The names of the files that differ between two readings.
    fn differences(&self, other: &Self) -> Vec<String> {
        let pictures = differing(&self.pictures.files, &other.pictures.files);
        let sounds = differing(&self.sounds.files, &other.sounds.files);
        let mut names: BTreeSet<&String> = differing(&self.files, &other.files).chain(pictures).chain(sounds).collect();
        let unreadable: Vec<String> = self
            .unreadable
            .iter()
            .chain(&other.unreadable)
            .map(|wrong| wrong.file_name().to_string())
            .filter(|_| self.unreadable != other.unreadable)
            .collect();
        names.extend(&unreadable);
        names.into_iter().cloned().collect()
    }

    /// Adds the files in `config/` and `scripts/` of the game or of a mod.
    pub(crate) fn add_shared(&mut self, folder: &GameFolder, root: &Path, wrong: &mut Mistakes) {
        self.add_walk(FileWalk::through(folder, &root.join("config"), &["toml"]), wrong);
        let scripts: Vec<&str> = folder.languages().endings().collect();
        self.add_walk(FileWalk::through(folder, &root.join("scripts"), &scripts), wrong);
    }

    /// Adds the real folder of a file.
    fn add_folder_of(&mut self, folder: &GameFolder, path: &Path) {
        let real = folder.files().resolve(path).ok();
        self.folders.extend(real.and_then(|path| Some(path.parent()?.to_path_buf())));
    }

    pub(crate) fn add_walk(&mut self, walk: FileWalk<'_>, wrong: &mut Mistakes) {
        for error in &walk.wrong {
            wrong.extend(error.diagnostics());
            self.is_cut |= matches!(error, Error::OverLimit { .. });
        }
        self.folders.extend(walk.folders());
        for path in walk.files {
            if self.is_cut || BuildProgress::is_cancelled() {
                return;
            }
            let (limit, of) = if self.files.len() >= MOST_FILES {
                (MOST_FILES as u64, "files")
            } else if self.bytes >= MOST_TOTAL {
                (MOST_TOTAL, "bytes")
            } else {
                self.add(walk.folder, &path, wrong);
                continue;
            };
            let file = walk.folder.name_of(&path);
            return self.cut(Error::OverLimit { file, limit, of }, wrong);
        }
    }

    /// Notes that files are missing from here on.
    fn cut(&mut self, error: Error, wrong: &mut Mistakes) {
        wrong.extend(error.diagnostics());
        self.is_cut = true;
    }

    pub(crate) fn add(&mut self, folder: &GameFolder, path: &Path, wrong: &mut Mistakes) {
        match read_text(folder, path) {
            Ok(file) => {
                self.bytes += file.text.len() as u64;
                self.files.insert(file.name.clone(), file);
            }
            Err(error) => wrong.extend(error.diagnostics()),
        }
    }

    /// Adds the files that a level refers to if it is a map, and if they are in the game folder or in the level's folder.
    /// Building the level reports those that do not exist.
    fn add_referred(&mut self, folder: &GameFolder, level_path: &Path, wrong: &mut Mistakes) {
        let level_folder = level_path.parent().map(Path::to_path_buf).unwrap_or_default();
        let level = self.level.clone();
        let (file, part) = split_level(&level);
        let map = is_map(file).then(|| (file.to_string(), level_path.to_path_buf()));
        let mut next: Vec<(String, PathBuf)> = map.into_iter().collect();
        let mut count = 0;
        while let Some((from, from_path)) = next.pop() {
            let Some(file) = self.files.get(&from) else {
                continue;
            };
            for (name, path) in referred_files(file, &from_path, MapParts::Level(part)) {
                count += 1;
                if count > MOST_REFERENCES || self.files.contains_key(&name) {
                    continue;
                }
                if self.bytes >= MOST_TOTAL {
                    return self.cut(Error::OverLimit { file: name, limit: MOST_TOTAL, of: "bytes" }, wrong);
                }
                if let Err(error) = folder.check(&path, &[&level_folder]) {
                    wrong.extend(error.diagnostics());
                    continue;
                }
                match read_named(folder, &path, &name) {
                    Ok(file) => {
                        self.bytes += file.text.len() as u64;
                        self.files.insert(name.clone(), file);
                        next.push((name, path.clone()));
                    }
                    Err(Error::NoSuchFile { .. }) => {}
                    Err(error) => wrong.extend(error.diagnostics()),
                }
                self.add_folder_of(folder, &path);
            }
        }
    }

    /// Warns of levels with the same name that are found after this one.
    fn warn_of_twins(&mut self, folder: &GameFolder) {
        let own = LEVEL_ENDINGS.iter().position(|ending| self.level.ends_with(&format!(".{ending}")));
        for ending in own.map_or(&[][..], |own| &LEVEL_ENDINGS[own + 1..]) {
            let twin = self.level_path.with_extension(ending);
            if folder.has_file(&twin) {
                let message = format!("`{}` has the same name and is played unless you add `.{ending}`", self.level);
                let note = Diagnostic::about_file(folder.name_of(&twin), message);
                self.notes.push(Diagnostic { severity: Severity::Warning, ..note });
            }
        }
    }

    /// Whether it is reported why this file could not be read.
    pub(crate) fn is_unreadable(&self, name: &str) -> bool {
        self.unreadable.iter().any(|d| d.file_name() == name)
    }

    /// Whether files are missing because a limit was reached.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The file of the level.
    pub(crate) fn level_source(&self) -> Option<&Arc<SourceFile>> {
        self.get(level_file(&self.level))
    }

    /// The file with this name.
    pub fn get(&self, name: &str) -> Option<&Arc<SourceFile>> {
        self.files.get(name)
    }

    /// The files below a folder whose names end like this, by their paths below that folder.
    pub fn below<'a>(
        &'a self,
        folder: &'a str,
        ending: &'a str,
    ) -> impl Iterator<Item = (&'a str, &'a Arc<SourceFile>)> {
        self.files.iter().filter_map(move |(name, file)| {
            let rest = name.strip_prefix(folder)?.strip_prefix('/')?;
            rest.ends_with(ending).then_some((rest, file))
        })
    }
}

/// Whether there is no folder at a path.
fn is_gone(folder: &GameFolder) -> bool {
    let path = if folder.path() == Path::new("") { Path::new(".") } else { folder.path() };
    match folder.files().kind(path) {
        Ok(kind) => kind != PathKind::Folder,
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

/// Reads a file as UTF-8 text.
pub(crate) fn read_text(folder: &GameFolder, path: &Path) -> Result<Arc<SourceFile>, Error> {
    read_named(folder, path, &folder.name_of(path))
}

/// Reads an output of hangtime as UTF-8 text, which may be larger than the files of a game.
pub(crate) fn read_output(folder: &GameFolder, path: &Path) -> Result<Arc<SourceFile>, Error> {
    let name = folder.name_of(path);
    text_of(read_bytes(folder, path, &name, MAX_OUTPUT)?, &name)
}

/// Reads a file that messages call by a name.
pub(crate) fn read_named(folder: &GameFolder, path: &Path, name: &str) -> Result<Arc<SourceFile>, Error> {
    BuildProgress::at(name);
    text_of(read_bytes(folder, path, name, MAX_BYTES)?, name)
}

fn text_of(bytes: Vec<u8>, name: &str) -> Result<Arc<SourceFile>, Error> {
    let file = |text: &str| Arc::new(SourceFile { name: name.to_string(), text: text.to_string() });
    match String::from_utf8(bytes) {
        // Some editors write an invisible byte order mark first.
        Ok(text) => Ok(file(text.trim_start_matches('\u{feff}'))),
        Err(e) => {
            let at = e.utf8_error().valid_up_to();
            let place = Place::new(&file(&String::from_utf8_lossy(e.as_bytes())), at..at + 1);
            Err(Diagnostic::error(place, "this is not UTF-8 text").into())
        }
    }
}

pub(crate) fn read_bytes(folder: &GameFolder, path: &Path, name: &str, limit: u64) -> Result<Vec<u8>, Error> {
    let file = || name.to_string();
    let failed = |source: io::Error| match source.kind() {
        io::ErrorKind::NotFound => Error::NoSuchFile { file: file() },
        _ => Error::Read { file: file(), source },
    };
    let too_large = |bytes| Error::TooLarge { file: file(), bytes, limit };
    let fs = folder.files();
    match fs.kind(path).map_err(failed)? {
        PathKind::File(bytes) if bytes > limit => return Err(too_large(bytes)),
        PathKind::File(_) => {}
        // Opening a pipe waits for its other end, and reading one or a device may never end.
        PathKind::Folder | PathKind::Special => return Err(Error::NotAFile { file: file() }),
    }
    // The file may grow while it is read.
    let bytes = fs.read(path, limit + 1).map_err(failed)?;
    if bytes.len() as u64 > limit {
        return Err(too_large(bytes.len() as u64));
    }
    Ok(bytes)
}

/// All files with these extensions in a folder of a game and its subfolders, sorted. Hidden files are
/// skipped.
pub(crate) fn list_in(folder: &GameFolder, path: &Path, endings: &[&str]) -> Vec<PathBuf> {
    FileWalk::through(folder, path, endings).files
}

/// The names of the files that differ between two readings.
fn differing<'a, T: PartialEq>(
    one: &'a BTreeMap<String, T>,
    other: &'a BTreeMap<String, T>,
) -> impl Iterator<Item = &'a String> {
    one.keys().chain(other.keys()).filter(|name| one.get(*name) != other.get(*name))
}
