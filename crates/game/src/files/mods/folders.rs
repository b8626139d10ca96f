//! The folders of a game's mods.

use crate::{
    Error,
    files::{GameFolder, MODS},
};
use std::{
    io,
    path::{Path, PathBuf},
};

/// The largest number of mods that a game can have.
pub const MOST_MODS: usize = 256;

/// The folder of a mod. It need not be one that can be used.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModFolder {
    /// What the names of its files begin with.
    pub name: String,
    /// Its path.
    pub path: PathBuf,
}

/// The folders in `mods/` and the folders that the user has named, sorted by name. Hidden folders are skipped. Then the
/// folders that cannot be listed, and why.
pub fn mod_folders(folder: &GameFolder) -> (Vec<ModFolder>, Vec<(String, Error)>) {
    let mut wrong = Vec::new();
    let mods = folder.path().join(MODS);
    let mut found: Vec<PathBuf> = folder.mods().to_vec();
    match folder.files().entries(&mods, MOST_MODS * 16) {
        // A file of this name has no mods, either.
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {}
        Err(source) => wrong.push((MODS.into(), Error::List { file: MODS.into(), source })),
        Ok(_) if !folder.bounds(&[]).allow(&mods) => wrong.push((MODS.into(), Error::LeadsOut { file: MODS.into() })),
        Ok(entries) => {
            let entries = entries.into_iter().map(|entry| mods.join(entry.name));
            found.extend(entries.filter(|path| is_visible_folder(folder, path)));
        }
    }
    let named = |path: PathBuf| ModFolder { name: folder.name_of(&path), path };
    let mut found: Vec<ModFolder> = found.into_iter().map(named).collect();
    found.sort();
    found.dedup_by(|a, b| a.name == b.name);
    let others = found.split_off(found.len().min(MOST_MODS)).into_iter();
    wrong.extend(others.map(|it| {
        let error = Error::OverLimit { file: it.name.clone(), limit: MOST_MODS as u64, of: "mods" };
        (it.name, error)
    }));
    (found, wrong)
}

/// The folder of the game, then the folders of all its mods by name, also mods that are left out: any may have an edit.
pub fn all_roots(folder: &GameFolder) -> Vec<PathBuf> {
    let (mods, _) = mod_folders(folder);
    let game = folder.path().to_path_buf();
    [game].into_iter().chain(mods.into_iter().map(|it| it.path)).collect()
}

fn is_visible_folder(folder: &GameFolder, path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    !name.to_string_lossy().starts_with('.') && folder.has_folder(path)
}
