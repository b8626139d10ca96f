//! A hash over all files of a game.

use super::endings::{GAME_FOLDERS, TESTED_ENDINGS};
use super::file_system::Disk;
use super::naming::name_of;
use super::root::GameFolder;
use super::source::read_bytes;
use super::walk::FileWalk;

/// The largest file that is hashed, in bytes.
const MAX_HASHED: u64 = 256 * 1024 * 1024;

/// A hash over the names and contents of all files of a game in `config/`, `scripts/` and `levels/`,
/// as 16 hexadecimal digits. Copies of a game in other folders or on other machines have the same. A
/// file that cannot be read counts with its name.
#[must_use]
pub fn game_hash(folder: &GameFolder) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut add = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    for name in GAME_FOLDERS {
        let walk = FileWalk::new(&Disk, folder, &[], &TESTED_ENDINGS);
        let mut files: Vec<_> = walk
            .below(&folder.path().join(name))
            .files
            .into_iter()
            .map(|path| (name_of(folder.path(), &path), path))
            .collect();
        files.sort();
        for (name, path) in files {
            add(name.as_bytes());
            match read_bytes(&Disk, &path, &name, MAX_HASHED) {
                Ok(bytes) => add(&bytes),
                Err(_) => add(b"unreadable"),
            }
        }
    }
    hasher.finalize().to_hex()[..16].to_string()
}
