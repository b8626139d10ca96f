//! A page for a browser: a folder of files, one of which is a game.

use crate::{
    Error,
    files::{
        FileWalk, GAME_FOLDERS, GameFolder, MANIFEST, all_roots,
        disk::endings::tested_endings,
        media::sounds::SOUNDS,
        sources::{pictures::PICTURES, source::read_bytes},
    },
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::Serialize;
use std::{collections::BTreeMap, fs, io, path::Path};

/// The file of a page that has the game.
const GAME: &str = "game.json";

/// The largest file that is packed, in bytes.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// The files of a page by their names. A page has no folders.
#[derive(Debug, Default)]
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
        match files.contains_key("index.html") && files.contains_key(GAME) {
            true => Ok(Self(files)),
            false => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// A file by its name.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.0.get(name).map(Vec::as_slice)
    }

    /// Puts a game into the page, whose `level` is played first.
    ///
    /// # Errors
    /// The first file of the game that cannot be read.
    pub fn put_game(&mut self, folder: &GameFolder, level: &str) -> Result<(), Error> {
        let (mut files, mut bytes) = (BTreeMap::new(), BTreeMap::new());
        let endings: Vec<&str> = tested_endings(folder.languages()).into_iter().chain(["png", "wav"]).collect();
        for root in all_roots(folder) {
            let mut paths = vec![root.join(MANIFEST)];
            paths.retain(|path| root != folder.path() && path.is_file());
            let folders = GAME_FOLDERS.into_iter().chain([PICTURES, SOUNDS]).map(|name| root.join(name));
            for path in folders.filter(|path| folder.has(path)) {
                let walk = FileWalk::through(folder, &path, &endings);
                if let Some(error) = walk.wrong.into_iter().next() {
                    return Err(error);
                }
                paths.extend(walk.files);
            }
            for path in paths {
                let name = folder.name_of(&path);
                match String::from_utf8(read_bytes(folder, &path, &name, MAX_BYTES)?) {
                    Ok(text) => drop(files.insert(name, text)),
                    Err(other) => drop(bytes.insert(name, STANDARD.encode(other.into_bytes()))),
                }
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
