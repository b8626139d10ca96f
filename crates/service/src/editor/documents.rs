//! The files that are open in the editor.

use super::location::path_of;
use lsp_types::Uri;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The texts of open files, which may not be saved.
#[derive(Debug, Default)]
pub(super) struct OpenDocuments {
    /// By their paths.
    texts: BTreeMap<PathBuf, String>,
}

impl OpenDocuments {
    /// Keeps the text of a file that is opened or changed, and returns its path.
    pub fn put(&mut self, uri: &Uri, text: String) -> Option<PathBuf> {
        let path = path_of(uri)?;
        self.texts.insert(path.clone(), text);
        Some(path)
    }

    /// Forgets a file that is closed.
    pub fn close(&mut self, uri: &Uri) -> Option<PathBuf> {
        let path = path_of(uri)?;
        self.texts.remove(&path);
        Some(path)
    }

    /// The text of an open file.
    pub fn text(&self, path: &Path) -> Option<&str> {
        self.texts.get(path).map(String::as_str)
    }

    /// All open files with their texts.
    pub fn all(&self) -> impl Iterator<Item = (&Path, &str)> {
        let texts = self.texts.iter();
        texts.map(|(path, text)| (path.as_path(), text.as_str()))
    }
}
