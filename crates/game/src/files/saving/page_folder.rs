//! A page for a browser: a folder of files, one of which is a game.

use crate::{
    Error,
    files::{
        FileWalk, GAME_FOLDERS, GameFolder, MANIFEST, MODS, OutputFile, all_roots, check_output,
        disk::endings::{source_endings, tested_endings},
        media::sounds::SOUNDS,
        sources::{pictures::PICTURES, source::read_bytes},
    },
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use hangtime_script::text::cut_name;
use serde::Serialize;
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Component, Path, PathBuf},
};

/// The file of a page that has the game.
const GAME: &str = "game.json";

/// The largest file that is packed, in bytes.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// The files of a page by their names. A page has no folders.
#[derive(Clone, Debug, Default)]
pub struct PageFiles(BTreeMap<String, Vec<u8>>);

/// A game as a page reads it.
#[derive(Serialize)]
struct PackedGame<'a> {
    /// The level that is played first.
    level: &'a str,
    /// Texts by their paths below the game folder.
    files: BTreeMap<String, String>,
    /// Other files, in base64.
    bytes: BTreeMap<String, String>,
}

impl PageFiles {
    /// Reads a built page.
    ///
    /// # Errors
    /// If the folder cannot be read, or has no page.
    pub fn read(folder: &Path) -> io::Result<Self> {
        let mut files = BTreeMap::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                files.insert(entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path())?);
            }
        }
        Self::of(files).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// A built page of these files; none if they are no page.
    pub fn of(files: BTreeMap<String, Vec<u8>>) -> Option<Self> {
        (files.contains_key("index.html") && files.contains_key(GAME)).then_some(Self(files))
    }

    /// A file by its name.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.0.get(name).map(Vec::as_slice)
    }

    /// The type of a file with this name, for a browser.
    pub fn content_type(name: &str) -> &'static str {
        match name.rsplit_once('.').map(|(_, ending)| ending) {
            Some("html") => "text/html; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("wasm") => "application/wasm",
            Some("svg") => "image/svg+xml",
            Some("json") => "application/json",
            _ => "application/octet-stream",
        }
    }

    /// Lets the page play in the service that it comes from, which writes files or does not.
    pub fn put_service(&mut self, writes: bool) {
        self.0.insert(GAME.into(), format!(r#"{{"service":{{"writes":{writes}}}}}"#).into_bytes());
    }

    /// Puts a game into the page, whose `level` is played first.
    ///
    /// # Errors
    /// The first file of the game that cannot be read.
    pub fn put_game(&mut self, folder: &GameFolder, level: &str) -> Result<(), Error> {
        let (mut files, mut bytes) = (BTreeMap::new(), BTreeMap::new());
        for (name, file) in game_files(folder)? {
            match String::from_utf8(file) {
                Ok(text) => drop(files.insert(name, text)),
                Err(other) => drop(bytes.insert(name, STANDARD.encode(other.into_bytes()))),
            }
        }
        // Texts by names always have a JSON form.
        let packed = serde_json::to_vec(&PackedGame { level, files, bytes }).unwrap_or_default();
        self.0.insert(GAME.into(), packed);
        Ok(())
    }

    /// Writes the page into a folder that is new, empty, or has a page.
    ///
    /// # Errors
    /// [`Error::Write`] if it cannot be written, or something else is there.
    pub fn write(&self, folder: &Path) -> Result<(), Error> {
        let failed = |source: io::Error| Error::Write { file: folder.display().to_string(), source };
        fs::create_dir_all(folder).map_err(failed)?;
        let is_empty = fs::read_dir(folder).map_err(failed)?.next().is_none();
        if !is_empty && !folder.join(GAME).is_file() {
            return Err(failed(io::Error::other("the folder has other files; name a new one")));
        }
        for (name, bytes) in &self.0 {
            fs::write(folder.join(name), bytes).map_err(failed)?;
        }
        Ok(())
    }
}

/// The files of a game, by their paths below its folder, and why others cannot be listed.
#[derive(Debug, Default)]
pub struct GameListing {
    /// The paths of the files.
    pub files: BTreeMap<String, PathBuf>,
    /// Links that lead out, and folders that cannot be read.
    pub wrong: Vec<Error>,
}

impl GameListing {
    /// Lists the files of a game and of its mods: what people write, golden traces, pictures and sounds.
    pub fn of(folder: &GameFolder) -> Self {
        let mut listing = Self::default();
        let endings: Vec<&str> = tested_endings(folder.languages()).into_iter().chain(["png", "wav"]).collect();
        for root in all_roots(folder) {
            let mut paths = vec![root.join(MANIFEST)];
            paths.retain(|path| root != folder.path() && folder.has_file(path));
            let folders = GAME_FOLDERS.into_iter().chain([PICTURES, SOUNDS]).map(|name| root.join(name));
            for path in folders.filter(|path| folder.has(path)) {
                let walk = FileWalk::through(folder, &path, &endings);
                listing.wrong.extend(walk.wrong);
                paths.extend(walk.files);
            }
            listing.files.extend(paths.into_iter().map(|path| (folder.name_of(&path), path)));
        }
        listing
    }
}

/// Whether a file has this name that people write: tuning, a level, a map, a script or an input.
pub fn is_source_file(folder: &GameFolder, name: &str) -> bool {
    let ending = Path::new(name).extension();
    ending.is_some_and(|ending| source_endings(folder.languages()).iter().any(|known| ending == *known))
}

/// The bytes of a file of a game, which has this path and is called `name` in messages.
///
/// # Errors
/// If it cannot be read, or is too large.
pub fn read_game_file(folder: &GameFolder, path: &Path, name: &str) -> Result<Vec<u8>, Error> {
    read_bytes(folder, path, name, MAX_BYTES)
}

/// All files of a game by their paths below its folder, as a page has them.
///
/// # Errors
/// The first file that cannot be read.
pub fn game_files(folder: &GameFolder) -> Result<BTreeMap<String, Vec<u8>>, Error> {
    let GameListing { files, wrong } = GameListing::of(folder);
    if let Some(error) = wrong.into_iter().next() {
        return Err(error);
    }
    let read = |(name, path): (String, PathBuf)| Ok((name.clone(), read_game_file(folder, &path, &name)?));
    files.into_iter().map(read).collect()
}

/// Writes a file of a game whole or not at all, or removes it if there are no `bytes`.
///
/// # Errors
/// [`Error::LeadsOut`] if no file of the game can have this name, [`Error::Write`] if it cannot be written.
pub fn write_game_file(folder: &GameFolder, name: &str, bytes: Option<&[u8]>) -> Result<(), Error> {
    let parts: Vec<Component<'_>> = Path::new(name).components().collect();
    let is_plain = parts.iter().all(|part| matches!(part, Component::Normal(_)));
    let mut folders = GAME_FOLDERS.into_iter().chain([PICTURES, SOUNDS, MODS]);
    let is_inside = parts.len() > 1 && folders.any(|folder| parts[0] == Component::Normal(folder.as_ref()));
    if !is_plain || !is_inside {
        return Err(Error::LeadsOut { file: cut_name(name).into_owned() });
    }
    let path = folder.path().join(name);
    check_output(folder, &path, &[])?;
    let write = || match bytes {
        Some(bytes) => {
            fs::create_dir_all(path.parent().unwrap_or(folder.path()))?;
            OutputFile::save(&path, bytes)
        }
        None => fs::remove_file(&path),
    };
    write().map_err(|source| Error::Write { file: name.into(), source })
}
