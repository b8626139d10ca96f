//! What scripts and tests import.

use hangtime_script::{Languages, SourceFile};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// Files by path below the game folder.
type NamedFiles = BTreeMap<String, Arc<SourceFile>>;

/// These scripts and all that they import, directly or through others.
pub(crate) fn with_imports(
    scripts: impl IntoIterator<Item = String>,
    languages: Languages,
    files: &NamedFiles,
) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut pending: Vec<String> = scripts.into_iter().collect();
    while let Some(name) = pending.pop() {
        if let Some(file) = files.get(&name).filter(|_| !found.contains(&name)) {
            pending.extend(imported_files(file, languages, files));
        }
        found.insert(name);
    }
    found
}

/// The files that a script or test imports, by name. A mod's script imports the mod's files, or else the game's.
pub(crate) fn imported_files(file: &SourceFile, languages: Languages, files: &NamedFiles) -> Vec<String> {
    let keys = languages.imports(file, |key| files.contains_key(key)).into_iter();
    let name = |key: String| match files.contains_key(&key) {
        true => key,
        false => format!("scripts/{key}"),
    };
    keys.map(name).collect()
}
