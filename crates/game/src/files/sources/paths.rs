//! Files named on the command line.

use super::{
    level_names::LEVEL_ENDINGS,
    source,
    source::{list_in, read_text},
    *,
};
use hangtime_script::names::did_you_mean;

/// Resolves a name from the command line: from the working directory, then from the game folder.
///
/// # Errors
/// [`Error::NoSuchFile`] if neither exists.
pub fn find(folder: impl Into<GameFolder>, name: &str) -> Result<PathBuf, Error> {
    let folder = folder.into();
    [PathBuf::from(name), folder.path().join(name)]
        .into_iter()
        .find(|path| folder.has(path))
        .ok_or_else(|| Error::NoSuchFile { file: name.into() })
}

/// What messages call a file or folder that exists: its path below the game folder, or its full path.
/// It is looked for as by [`find`].
pub fn name_of_existing(folder: impl Into<GameFolder>, name: &str) -> Option<String> {
    let folder = folder.into();
    Some(folder.name_of(&find(&folder, name).ok()?))
}

/// Reads a text file named on the command line.
///
/// # Errors
/// [`Error::NoSuchFile`] if it does not exist, [`Error::LeadsOut`] if it is in the game folder but a
/// link to elsewhere, or why it cannot be read as UTF-8 text.
pub fn read(folder: impl Into<GameFolder>, name: &str) -> Result<Arc<SourceFile>, Error> {
    read_chosen(folder.into(), name, read_text)
}

fn read_chosen(
    folder: GameFolder,
    name: &str,
    read: impl FnOnce(&GameFolder, &Path) -> Result<Arc<SourceFile>, Error>,
) -> Result<Arc<SourceFile>, Error> {
    let path = find(&folder, name)?;
    folder.check_chosen(&path)?;
    read(&folder, &path)
}

/// Reads an output of hangtime that is named on the command line, such as a results file. It may be
/// larger than the files of a game.
///
/// # Errors
/// The same as [`read`].
pub fn read_output(folder: impl Into<GameFolder>, name: &str) -> Result<Arc<SourceFile>, Error> {
    read_chosen(folder.into(), name, source::read_output)
}

/// Reads a text file that a file of the game names: from the first of these folders that has it, then
/// from the game folder.
///
/// # Errors
/// [`Error::NoSuchFile`] if it does not exist, [`Error::LeadsOut`] if it is neither in the game folder
/// nor in `from`, or why it cannot be read as UTF-8 text.
pub fn read_from(folder: &GameFolder, from: &[&Path], name: &str) -> Result<Arc<SourceFile>, Error> {
    let places = from
        .iter()
        .map(|from| from.join(name))
        .chain([PathBuf::from(name), folder.path().join(name)]);
    // Whether a file elsewhere exists must not show.
    let mut places = places.filter(|path| folder.claims(path, from)).peekable();
    let file = name.to_string();
    if places.peek().is_none() {
        return Err(Error::LeadsOut { file });
    }
    let path = places.find(|path| folder.has(path)).ok_or(Error::NoSuchFile { file })?;
    folder.check(&path, from)?;
    read_text(folder, &path)
}

/// All test scripts and input files at these paths: files themselves, and every script and `.input`
/// file in folders and their subfolders. Without any paths: those in `levels/tests` of the game and of the mods
/// that are loaded.
///
/// # Errors
/// [`Error::NoSuchTests`] for the first path that does not exist. A file that cannot be read is not
/// an error here; its entry in the list says why.
pub fn find_tests(folder: impl Into<GameFolder>, paths: &[String]) -> Result<Vec<TestFile>, Error> {
    let folder = folder.into();
    let endings: Vec<&str> = folder.languages().endings().chain(["input"]).collect();
    let mut walk = FileWalk::new(&folder, &[], &endings);
    if paths.is_empty() {
        for root in ModStack::read(&folder).roots(&folder) {
            walk = walk.below(&root.join("levels").join("tests"));
        }
    }
    let (mut found, mut wrong) = (walk.files, walk.wrong);
    for name in paths {
        let path = find_test(&folder, name)?;
        if folder.has_folder(&path) {
            let walk = FileWalk::new(&folder, &[&path], &endings).below(&path);
            found.extend(walk.files);
            wrong.extend(walk.wrong);
        } else {
            found.push(path);
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|path| seen.insert(folder.files().resolve(path).unwrap_or_else(|_| path.clone())));
    let read = |path: &PathBuf| {
        folder.check_chosen(path)?;
        read_text(&folder, path)
    };
    let wrong = wrong.into_iter().map(Err);
    Ok(found.iter().map(read).chain(wrong).collect())
}

/// Resolves a path of tests from the command line as [`find`] does.
///
/// # Errors
/// [`Error::NoSuchTests`] if it does not exist.
pub fn find_test(folder: impl Into<GameFolder>, name: &str) -> Result<PathBuf, Error> {
    let folder = folder.into();
    find(&folder, name).map_err(|_| no_test(&folder, name))
}

/// The error about a path that does not exist: most likely the name of a test, a level or a kind.
fn no_test(folder: &GameFolder, name: &str) -> Error {
    let endings: Vec<&str> = folder.languages().endings().chain(["input"]).collect();
    let files = list_in(folder, &folder.path().join("levels/tests"), &endings).into_iter();
    let files: Vec<String> = files.map(|path| folder.name_of(&path)).collect();
    let last = |name: &str| name.rsplit('/').next().unwrap_or_default().to_string();
    let shorts: Vec<String> = files.iter().map(|file| last(file)).collect();
    if endings.iter().any(|ending| name.ends_with(&format!(".{ending}"))) {
        let near = nearest(&last(name), shorts.iter().map(String::as_str));
        let near = near.and_then(|near| files.iter().find(|file| last(file) == near));
        return Error::NoSuchTests { name: name.into(), hint: did_you_mean(near) };
    }
    let exists = |below: &str, ending: &str| folder.has_file(&folder.path().join(format!("{below}/{name}{ending}")));
    let what = if LEVEL_ENDINGS.iter().any(|ending| exists("levels", &format!(".{ending}"))) {
        format!("`{name}` is a level, but ")
    } else if exists("config/entities", ".toml") {
        format!("`{name}` is a kind, but ")
    } else {
        String::new()
    };
    let rest = format!("`test` takes files and folders; to choose tests by their names, write `--filter {name}`");
    Error::NoSuchTests { name: name.into(), hint: format!("; {what}{rest}") }
}

/// A test script or an input file, or why it cannot be read.
pub type TestFile = Result<Arc<SourceFile>, Error>;
