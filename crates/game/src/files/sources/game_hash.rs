//! A hash over all files of a game.

use super::{referred::ReferredFiles, *};
use crate::files::{GAME_FOLDERS, ORDER, disk::endings::tested_endings};

/// The largest file that is hashed, in bytes.
const MAX_HASHED: u64 = 256 * 1024 * 1024;

/// A hash over the names and contents of all files of a game and of its mods in `config/`, `scripts/` and `levels/`, and
/// of the tilesets and templates that maps there name, as 16 hexadecimal digits. Copies of a game in other folders or on other machines have the same. A
/// file that cannot be read counts with its name.
pub fn game_hash(folder: &GameFolder) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut add_bytes = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    let mut add = |name: &str, path: &Path| {
        add_bytes(name.as_bytes());
        match read_bytes(folder, path, name, MAX_HASHED) {
            Ok(bytes) => add_bytes(&bytes),
            Err(_) => add_bytes(b"unreadable"),
        }
    };
    let mut referred = ReferredFiles::default();
    let (mods, _) = mod_folders(folder);
    for it in &mods {
        add(&format!("{}/{MANIFEST}", it.name), &it.path.join(MANIFEST));
    }
    let order = folder.path().join(ORDER);
    if folder.has_file(&order) {
        add(ORDER, &order);
    }
    let endings = tested_endings(folder.languages());
    let roots = all_roots(folder).into_iter();
    for path in roots.flat_map(|root| GAME_FOLDERS.map(|name| root.join(name))) {
        let paths = FileWalk::through(folder, &path, &endings).files;
        referred.add(folder, &paths);
        let mut files: Vec<(String, &PathBuf)> = paths.iter().map(|path| (folder.name_of(path), path)).collect();
        files.sort();
        for (name, path) in files {
            add(&name, path);
        }
    }
    for (name, path) in &referred.files {
        add(name, path);
    }
    hasher.finalize().to_hex()[..16].to_string()
}
