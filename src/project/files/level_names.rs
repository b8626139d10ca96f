//! The levels of a game, and finding one by its name.

use super::file_system::Disk;
use super::naming::name_of;
use super::root::GameFolder;
use super::source::list;
use super::walk::FileWalk;
use crate::project::Error;
use crate::script::host::names::{nearest, suggestion};
use crate::script::host::text::cut_name;
use std::path::{Path, PathBuf};

/// The endings of levels. Of two levels with the same name, the one with the first ending is found.
pub(in crate::project) const LEVEL_ENDINGS: [&str; 2] = ["toml", "tmx"];

/// The levels directly in `levels/`, sorted. Hidden files are skipped.
pub(in crate::project) fn levels_here(folder: &GameFolder) -> Vec<PathBuf> {
    let walk = FileWalk::new(&Disk, folder, &[], &LEVEL_ENDINGS);
    walk.directly_in(&folder.path().join("levels")).files
}

/// The levels in `levels/` and its subfolders, sorted. Hidden files are skipped.
pub(in crate::project) fn all_levels(folder: &GameFolder) -> Vec<PathBuf> {
    let found = LEVEL_ENDINGS.iter();
    let mut found: Vec<PathBuf> = found
        .flat_map(|ending| list(folder, "levels", ending))
        .collect();
    found.sort();
    found
}

/// Finds a level by its name on the command line.
pub(in crate::project) fn find_level(folder: &GameFolder, name: &str) -> Result<PathBuf, Error> {
    let path = existing_level(folder, name, None)?;
    folder.check_chosen(&Disk, &path)?;
    Ok(path)
}

/// Finds a level by its name in a file of the folder `from`: from there, and then as on the command
/// line. It must be in the game folder or in `from`.
pub(in crate::project) fn find_level_from(
    folder: &GameFolder,
    from: &Path,
    name: &str,
) -> Result<PathBuf, Error> {
    let path = existing_level(folder, name, Some(from))?;
    folder.check(&Disk, &path, &[from])?;
    Ok(path)
}

fn existing_level(folder: &GameFolder, name: &str, from: Option<&Path>) -> Result<PathBuf, Error> {
    let root = folder.path();
    let levels = root.join("levels");
    let with_ending =
        |p: PathBuf, ending| p.with_file_name(format!("{}.{ending}", base_name(name)));
    let named = [PathBuf::from(name), root.join(name), levels.join(name)];
    let near = from.map(|from| from.join(name));
    let places = near.into_iter().chain(named.clone());
    let others = named
        .iter()
        .flat_map(|p| LEVEL_ENDINGS.map(|ending| with_ending(p.clone(), ending)));
    let mut places: Vec<PathBuf> = places.chain(others).collect();
    if let Some(from) = from {
        // Whether a file elsewhere exists must not show.
        places.retain(|path| folder.claims(&Disk, path, &[from]));
        if places.is_empty() {
            let file = cut_name(name).into_owned();
            return Err(Error::LeadsOut { file });
        }
    }
    if let Some(place) = places.into_iter().find(|path| path.is_file()) {
        return Ok(place);
    }
    // Suggest names with an extension only if the wrong one has it.
    let has_ending = LEVEL_ENDINGS
        .iter()
        .any(|ending| Path::new(name).extension().is_some_and(|e| e == *ending));
    let all = LEVEL_ENDINGS
        .iter()
        .flat_map(|ending| list(folder, "levels", ending));
    let names: Vec<String> = all
        .map(|path| {
            name_of(
                &levels,
                &if has_ending {
                    path
                } else {
                    path.with_extension("")
                },
            )
        })
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    // The file may be in another folder.
    let file = |name: &&str| name.rsplit('/').next().unwrap_or_default().to_string();
    let files: Vec<String> = names.iter().map(file).collect();
    let near = nearest(&file(&name), files.iter().map(String::as_str));
    let place = near.and_then(|near| files.iter().position(|file| file == near));
    let hint = match place.filter(|_| nearest(name, names.iter().copied()).is_none()) {
        Some(place) => format!("; did you mean `{}`?", names[place]),
        None => suggestion(name, names),
    };
    Err(Error::NoSuchLevel {
        name: cut_name(name).into_owned(),
        hint,
    })
}

fn base_name(name: &str) -> String {
    Path::new(name)
        .file_name()
        .map_or_else(String::new, |n| n.to_string_lossy().into_owned())
}
