//! The content of all files of a game, as hashes.

use crate::files::{
    disk::{
        endings::{GAME_FOLDERS, MODS, tested_endings},
        root::GameFolder,
        walk::FileWalk,
    },
    mods::{MANIFEST, all_roots, mod_folders},
    sources::{referred::ReferredFiles, source::read_bytes},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

/// The largest file whose content is compared, in bytes.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// The content hashes of all files of a game at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fingerprints {
    /// The hash of each file, by path below the game folder; zeros for one that cannot be read.
    files: BTreeMap<String, [u8; 32]>,
    /// The real folders in which the files are.
    pub folders: BTreeSet<PathBuf>,
}

impl Fingerprints {
    /// Reads the files in `config/`, `scripts/` and `levels/` of a game and of its mods, the tilesets and templates that maps there
    /// name, and the files directly in other folders that the user has named.
    pub fn read(folder: &GameFolder, others: &[PathBuf]) -> Self {
        let mut all = Self::default();
        let (mods, _) = mod_folders(folder);
        all.folders.extend(folder.files().resolve(&folder.path().join(MODS)).ok());
        for it in &mods {
            all.folders.extend(folder.files().resolve(&it.path).ok());
            all.add_file(folder, format!("{}/{MANIFEST}", it.name), &it.path.join(MANIFEST));
        }
        let endings = tested_endings(folder.languages());
        let roots = all_roots(folder).into_iter();
        for path in roots.flat_map(|root| GAME_FOLDERS.map(|name| root.join(name))) {
            let walk = FileWalk::new(folder, &[], &endings);
            all.add(folder, walk.below(&path));
        }
        for other in others {
            let others: [&Path; 1] = [other];
            let walk = FileWalk::new(folder, &others, &endings);
            all.add(folder, walk.directly_in(other));
        }
        all
    }

    fn add_file(&mut self, folder: &GameFolder, name: String, path: &Path) {
        let bytes = read_bytes(folder, path, &name, MAX_BYTES);
        let hash = bytes.map_or([0; 32], |bytes| *blake3::hash(&bytes).as_bytes());
        self.files.insert(name, hash);
    }

    fn add(&mut self, folder: &GameFolder, walk: FileWalk<'_>) {
        self.folders.extend(walk.folders());
        let mut referred = ReferredFiles::default();
        referred.add(folder, &walk.files);
        self.folders.extend(referred.folders);
        for path in walk.files {
            self.add_file(folder, folder.name_of(&path), &path);
        }
        for (name, path) in referred.files {
            self.add_file(folder, name, &path);
        }
    }

    /// The names of files that differ, have come or have gone.
    pub fn changes(&self, later: &Self) -> BTreeSet<String> {
        let names = self.files.keys().chain(later.files.keys());
        let changed = names.filter(|name| self.files.get(*name) != later.files.get(*name));
        changed.cloned().collect()
    }
}
