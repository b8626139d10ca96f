//! The files that a level depends on: an edit of any other one does not change how it plays.

use super::revision::Revision;
use crate::script::host::SourceFile;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Files by path below the game folder.
type NamedFiles = BTreeMap<String, Arc<SourceFile>>;

impl Revision {
    /// The files that this level is made of, by path below the game folder: the level and its demo, what
    /// all levels have in common, the kinds that are in it or may be spawned, and their scripts with all
    /// that these import.
    #[must_use]
    pub fn used_files(&self) -> BTreeSet<String> {
        let shared = |name: &&String| {
            let kind = name.starts_with("config/entities/");
            let behavior = name.starts_with("scripts/") && name.ends_with(".rhai");
            !kind && !behavior && (!name.ends_with(".input") || self.names_in_level(name))
        };
        let mut used: BTreeSet<String> = self.files.keys().filter(shared).cloned().collect();
        let kinds = self.stage.kinds.keys();
        used.extend(kinds.map(|kind| format!("config/entities/{kind}.toml")));
        let scripts = self.scripts.all().iter();
        used.extend(with_imports(
            scripts.map(|script| script.name().to_string()),
            &self.files,
        ));
        used
    }

    /// Whether the level names this input file, which is in its folder.
    fn names_in_level(&self, input: &str) -> bool {
        let name = input.rsplit('/').next().unwrap_or_default();
        let levels = self.files.iter();
        let mut levels = levels.filter(|(level, _)| {
            !level.starts_with("config/") && (level.ends_with(".toml") || level.ends_with(".tmx"))
        });
        levels.any(|(_, level)| level.text.contains(name))
    }
}

/// These scripts and all that they import, directly or through others.
pub(in crate::project) fn with_imports(
    scripts: impl IntoIterator<Item = String>,
    files: &NamedFiles,
) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut pending: Vec<String> = scripts.into_iter().collect();
    while let Some(name) = pending.pop() {
        if let Some(file) = files.get(&name).filter(|_| !found.contains(&name)) {
            let imports = imports_of(&file.text).into_iter();
            pending.extend(imports.map(|path| format!("scripts/{path}")));
        }
        found.insert(name);
    }
    found
}

/// The paths that a script imports, below `scripts/`, with their ending.
pub(in crate::project) fn imports_of(text: &str) -> Vec<String> {
    text.split("import")
        .skip(1)
        .filter_map(|rest| {
            let path = rest.trim_start().strip_prefix('"')?.split('"').next()?;
            Some(if path.ends_with(".rhai") {
                path.into()
            } else {
                format!("{path}.rhai")
            })
        })
        .collect()
}
