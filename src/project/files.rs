//! What commands read and write beside the game folder.

use super::source;
use crate::script::host::{Diagnostic, SourceFile};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Makes or replaces a file, to be written to.
///
/// # Errors
/// When it cannot be made.
pub fn create(path: &Path) -> Result<Box<dyn Write + Send>, Diagnostic> {
    match File::create(path) {
        Ok(file) => Ok(Box::new(BufWriter::new(file))),
        Err(e) => {
            let why = format!("cannot be written: {e}");
            Err(Diagnostic::about_file(path.display().to_string(), why))
        }
    }
}

/// Finds a file named on the command line: from the working directory, then under the root.
///
/// # Errors
/// When it is in neither place.
pub fn find(root: &Path, name: &str) -> Result<PathBuf, Diagnostic> {
    [PathBuf::from(name), root.join(name)]
        .into_iter()
        .find(|path| path.exists())
        .ok_or_else(|| {
            Diagnostic::about_file(name, "there is no such file, here or in the game folder")
        })
}

/// Reads a text named on the command line.
///
/// # Errors
/// When there is none, or it cannot be read as text.
pub fn read(root: &Path, name: &str) -> Result<Arc<SourceFile>, Diagnostic> {
    let path = find(root, name)?;
    source::read_text(&path, &source::name_of(root, &path))
}

/// All test scripts at these paths: files themselves, and what lies in folders and below.
/// A path that does not exist is an error.
///
/// # Errors
/// About the first path that does not exist.
pub fn find_tests(root: &Path, paths: &[String]) -> Result<Vec<TestFile>, Diagnostic> {
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
pub type TestFile = Result<Arc<SourceFile>, Diagnostic>;
