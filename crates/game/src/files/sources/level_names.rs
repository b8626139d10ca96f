//! The levels of a game, and finding one by its name.

use super::*;
use crate::files::{OutputKind, disk::endings::LDTK, name_in};
pub(crate) use hangtime_script::LEVEL_ENDINGS;
use hangtime_script::text::cut_name;

/// The folder of levels in a game and in a mod.
const LEVELS: &str = "levels";

/// The levels directly in `levels/`, then the mods' levels, each sorted. Hidden files are skipped.
pub(crate) fn levels_here(folder: &GameFolder) -> Vec<PathBuf> {
    of_all_layers(folder, FileWalk::directly_in)
}

/// The levels in `levels/` and its subfolders, then the mods' levels, each sorted. Hidden files are skipped.
pub(crate) fn all_levels(folder: &GameFolder) -> Vec<PathBuf> {
    of_all_layers(folder, FileWalk::below)
}

/// The levels of the game and of its mods. Those that lie over another one are left out.
fn of_all_layers<'f>(folder: &'f GameFolder, list: fn(FileWalk<'f>, &Path) -> FileWalk<'f>) -> Vec<PathBuf> {
    let mut known = BTreeSet::new();
    let mut found = Vec::new();
    for root in level_folders(folder) {
        let mut levels = list(FileWalk::new(folder, &[], &LEVEL_ENDINGS), &root).files;
        levels.retain(|path| known.insert(name_in(folder.files(), &root, path)));
        levels.sort();
        found.extend(levels.into_iter().flat_map(|path| each_level(folder, path)));
    }
    found
}

/// The levels of a file: itself, or each of several as `FILE#NAME`.
pub(crate) fn each_level(folder: &GameFolder, path: PathBuf) -> Vec<PathBuf> {
    let parts = match is_project(&path) {
        true => read_named(folder, &path, &folder.name_of(&path)).map_or_else(|_| Vec::new(), |file| levels_in(&file)),
        false => Vec::new(),
    };
    if parts.is_empty() {
        vec![path]
    } else {
        parts.iter().map(|part| with_part(&path, part)).collect()
    }
}

/// Whether a file is a project of LDtk, which can have several levels.
fn is_project(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == LDTK)
}

/// The path of a level of a file that has several.
fn with_part(path: &Path, part: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(format!("#{part}"));
    name.into()
}

/// The path of the file of a level, and which of its levels it is if the file has several.
pub(crate) fn split_path(path: &Path) -> (PathBuf, Option<&str>) {
    let (file, part) = path.to_str().map(split_level).unwrap_or_default();
    if part.is_some() { (file.into(), part) } else { (path.to_path_buf(), None) }
}

/// The folders with the levels of the game and of its mods, the lowest one first.
fn level_folders(folder: &GameFolder) -> Vec<PathBuf> {
    let folders = ModStack::read(folder).roots(folder).into_iter();
    folders.map(|root| root.join(LEVELS)).collect()
}

/// The level over which one of a mod lies: the lowest one with its path in the folder of levels. Maps do not lie over
/// each other.
pub(crate) fn lowest_level(folder: &GameFolder, level: PathBuf) -> PathBuf {
    let real = |path: &Path| folder.files().resolve(path);
    let below = |levels: &PathBuf| {
        let (levels, level) = (real(levels).ok()?, real(&level).ok()?);
        Some(level.strip_prefix(levels).ok()?.to_path_buf())
    };
    let folders = level_folders(folder);
    let local = folders
        .iter()
        .skip(1)
        .find_map(below)
        .filter(|local| local.extension().is_some_and(|e| e == LEVEL_ENDINGS[0]));
    let found = local.and_then(|local| {
        let mut levels = folders.iter().map(|levels| levels.join(&local));
        levels.find(|path| folder.has_file(path))
    });
    found.unwrap_or(level)
}

/// Finds a level by its name on the command line.
pub(crate) fn find_level(folder: &GameFolder, name: &str) -> Result<PathBuf, Error> {
    let path = existing_level(folder, name, None)?;
    folder.check_chosen(&split_path(&path).0)?;
    Ok(path)
}

/// Finds a level by its name in a file of the folder `from`: from there, and then as on the command
/// line. It must be in the game folder or in `from`.
pub(crate) fn find_level_from(folder: &GameFolder, from: &Path, name: &str) -> Result<PathBuf, Error> {
    let path = existing_level(folder, name, Some(from))?;
    folder.check(&split_path(&path).0, &[from])?;
    Ok(path)
}

/// The first file with this name and one of these endings, or with all of this name.
fn place_of(folder: &GameFolder, name: &str, endings: &[&str], from: Option<&Path>) -> Result<Option<PathBuf>, Error> {
    let base = Path::new(name).file_name().unwrap_or_default().to_string_lossy();
    let with_endings = |p: &PathBuf| {
        endings
            .iter()
            .map(|ending| p.with_file_name(format!("{base}.{ending}")))
            .collect::<Vec<_>>()
    };
    let named: Vec<PathBuf> = [PathBuf::from(name), folder.path().join(name)]
        .into_iter()
        .chain(level_folders(folder).iter().map(|levels| levels.join(name)))
        .collect();
    let others: Vec<PathBuf> = named.iter().flat_map(with_endings).collect();
    let near = from.map(|from| from.join(name));
    let mut places: Vec<PathBuf> = near.into_iter().chain(named).chain(others).collect();
    if let Some(from) = from {
        // Whether a file elsewhere exists must not show.
        places.retain(|path| folder.claims(path, &[from]));
        if places.is_empty() {
            return Err(Error::LeadsOut { file: cut_name(name).into_owned() });
        }
    }
    Ok(places.into_iter().find(|path| folder.has_file(path)))
}

fn existing_level(folder: &GameFolder, name: &str, from: Option<&Path>) -> Result<PathBuf, Error> {
    if let Some(place) = place_of(folder, name, &LEVEL_ENDINGS, from)? {
        if place.extension().is_some_and(|ending| ending == OutputKind::Recording.ending()) {
            return Err(Error::IsRecording { file: cut_name(name).into_owned() });
        }
        return Ok(lowest_level(folder, place));
    }
    if let Some((file, part)) = name.rsplit_once('#')
        && let Some(place) = place_of(folder, file, &LEVEL_ENDINGS[2..], from)?
        && is_project(&place)
    {
        return Ok(with_part(&place, part));
    }
    let (root, levels) = (folder.path(), level_folders(folder));
    // Suggest names with an extension only if the wrong one has it.
    let ending_of =
        |path: &Path| LEVEL_ENDINGS.iter().position(|ending| path.extension().is_some_and(|e| e == *ending));
    let has_ending = ending_of(Path::new(split_level(name).0)).is_some();
    let spelled = |path: PathBuf| {
        let (file, part) = split_path(&path);
        let file = if has_ending { file } else { file.with_extension("") };
        let below = levels.iter().find(|levels| file.starts_with(levels));
        let name = name_in(folder.files(), below.map_or(root, |levels| levels), &file);
        part.map_or_else(|| name.clone(), |part| format!("{name}#{part}"))
    };
    let mut all = all_levels(folder);
    // Levels in TOML come first.
    all.sort_by_key(|path| ending_of(&split_path(path).0));
    let names: Vec<String> = all.into_iter().map(spelled).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    // The file may be in another folder.
    let file = |name: &&str| name.rsplit('/').next().unwrap_or_default().to_string();
    let files: Vec<String> = names.iter().map(file).collect();
    let near = nearest(&file(&name), files.iter().map(String::as_str));
    let place = near.and_then(|near| files.iter().position(|file| file == near));
    let hint = match place.filter(|_| nearest(name, names.iter().copied()).is_none()) {
        Some(place) => format!("; did you mean `{}`?", names[place]),
        None => nearest_few(name, "levels", names),
    };
    Err(Error::NoSuchLevel { name: cut_name(name).into_owned(), hint })
}
