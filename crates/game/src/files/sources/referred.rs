//! Tilesets, templates and levels that the maps of a game name, wherever they are in its folder.

use super::*;
use crate::files::disk::endings::is_of_map;

/// Files that other files of a game name.
#[derive(Debug, Default)]
pub(crate) struct ReferredFiles {
    /// Their paths, by what a level calls them: the path below the game folder.
    pub files: BTreeMap<String, PathBuf>,
    /// The real folders in which they are, also of those that do not exist.
    pub folders: BTreeSet<PathBuf>,
}

impl ReferredFiles {
    /// Adds what the maps among these files name, directly or through each other, except for the files
    /// themselves. Files that a level may not read are left out.
    pub fn add(&mut self, folder: &GameFolder, files: &[PathBuf]) {
        let known: BTreeSet<String> = files.iter().map(|path| folder.name_of(path)).collect();
        for map in files.iter().filter(|path| is_of_map(path)) {
            self.follow(folder, map, &known);
        }
    }

    fn follow(&mut self, folder: &GameFolder, map: &Path, known: &BTreeSet<String>) {
        let near = map.parent().unwrap_or(Path::new(""));
        let mut next = vec![(folder.name_of(map), map.to_path_buf())];
        let mut seen = BTreeSet::new();
        while let Some((from, from_path)) = next.pop() {
            let Ok(file) = read_named(folder, &from_path, &from) else {
                continue;
            };
            for (name, path) in referred_files(&file, &from_path, MapParts::All) {
                let is_new = seen.len() < MOST_REFERENCES && seen.insert(name.clone());
                if !is_new || folder.check(&path, &[near]).is_err() {
                    continue;
                }
                let parent = path.parent().and_then(|parent| folder.files().resolve(parent).ok());
                self.folders.extend(parent);
                next.push((name.clone(), path.clone()));
                if !known.contains(&name) {
                    self.files.insert(name, path);
                }
            }
        }
    }
}
