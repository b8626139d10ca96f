//! Files named on the command line.

use super::source;
use crate::project::Error;
use crate::script::host::SourceFile;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Resolves a name from the command line: from the working directory, then from the game folder.
///
/// # Errors
/// [`Error::NoSuchFile`] if neither exists.
pub fn find(root: &Path, name: &str) -> Result<PathBuf, Error> {
    [PathBuf::from(name), root.join(name)]
        .into_iter()
        .find(|path| path.exists())
        .ok_or_else(|| Error::NoSuchFile { file: name.into() })
}

/// Reads a text file named on the command line.
///
/// # Errors
/// [`Error::NoSuchFile`] if it does not exist, or why it cannot be read as UTF-8 text.
pub fn read(root: &Path, name: &str) -> Result<Arc<SourceFile>, Error> {
    let path = find(root, name)?;
    source::read_text(&path, &source::name_of(root, &path))
}

/// All test scripts at these paths: files themselves, and every `.rhai` file in folders and their
/// subfolders. Without any paths: those in `levels/tests`.
///
/// # Errors
/// [`Error::NoSuchFile`] for the first path that does not exist. A file that cannot be read is not
/// an error here; its entry in the list says why.
pub fn find_tests(root: &Path, paths: &[String]) -> Result<Vec<TestFile>, Error> {
    let mut found: Vec<PathBuf> = Vec::new();
    if paths.is_empty() {
        found = source::list(&root.join("levels").join("tests"), "rhai");
    }
    for name in paths {
        let path = find(root, name)?;
        if path.is_dir() {
            found.extend(source::list(&path, "rhai"));
        } else {
            found.push(path);
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|path| seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())));
    let read = |path: &PathBuf| source::read_text(path, &source::name_of(root, path));
    Ok(found.iter().map(read).collect())
}

/// A test script, or why it cannot be read.
pub type TestFile = Result<Arc<SourceFile>, Error>;
