//! What players have kept: one file for each of them, in `saves/` of the game folder.

use crate::files::{FileSystem, FolderEntry, GameFolder, OutputFile, PathKind, disk::walk::MOST_ENTRIES};
use hangtime_core::sim::{KeptValues, Value};
use hangtime_script::text::cut_name;
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

/// The folder of the files, below the game folder. No game is read from it.
const FOLDER: &str = "saves";

/// The version of the format.
const VERSION: u64 = 1;

/// The largest file that is read, bytes: more than the most that can be kept takes, with every character escaped.
const MOST_BYTES: u64 = 16 << 20;

/// The longest name of a player.
const LONGEST_PLAYER: usize = 32;

/// The most files of a player that stay after they could not be used.
const MOST_ASIDE: usize = 10;

/// The player whose values are used if none is named.
pub const USUAL_PLAYER: &str = "player";

/// A file of saves as it is written.
#[derive(Serialize, Deserialize)]
struct SaveFile {
    /// The version of the format.
    saves: u64,
    /// The version of hangtime that wrote it.
    hangtime: String,
    kept: BTreeMap<String, Value>,
    /// What others have added to the file, which stays in it.
    #[serde(flatten)]
    others: BTreeMap<String, serde_json::Value>,
}

/// What one player has kept, and the file of it.
#[derive(Clone, Debug)]
pub struct PlayerSaves {
    path: PathBuf,
    /// What is in the file.
    written: KeptValues,
    /// What else is in it.
    others: BTreeMap<String, serde_json::Value>,
}

impl PlayerSaves {
    /// Opens the file of a player, and reads what was kept. A file that is damaged or from a later version of hangtime is
    /// renamed, so that it is not overwritten, and the player begins with nothing; the text says so. The last ten such files
    /// of a player are kept.
    ///
    /// # Errors
    /// If the name is none, or the file cannot be read, or cannot be renamed.
    pub fn open(folder: &GameFolder, player: &str) -> Result<(Self, Option<String>), String> {
        let (saves, wrong) = Self::read(folder, player)?;
        let Some(wrong) = wrong else {
            return Ok((saves, None));
        };
        let aside = put_aside(folder.files(), &saves.path)?;
        let text =
            format!("{wrong}; it is now {}, and the player `{player}` begins with nothing kept", aside.display());
        Ok((saves, Some(text)))
    }

    /// Reads what a player has kept, and changes no file. The text says why a file that is damaged or from a later version
    /// of hangtime cannot be used; then nothing is kept.
    ///
    /// # Errors
    /// If the name is none, or the file cannot be read.
    pub fn read(folder: &GameFolder, player: &str) -> Result<(Self, Option<String>), String> {
        let path = file_of(folder, player)?;
        let (contents, wrong) = match read_text(folder.files(), &path) {
            Ok(text) => match text.and_then(|text| kept_in(&text)) {
                Ok(contents) => (contents, None),
                Err(wrong) => (SaveContents::default(), Some(format!("{}: {wrong}", path.display()))),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => (SaveContents::default(), None),
            Err(source) => return Err(problem(&path, "cannot be read", &source)),
        };
        let (written, others) = contents;
        Ok((Self { path, written, others }, wrong))
    }

    /// What is in the file.
    pub fn kept(&self) -> &KeptValues {
        &self.written
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the file if something else is in it: next to it, then renamed, so that it is always whole.
    ///
    /// # Errors
    /// If it cannot be written, or could not be read again. The file stays as it was.
    pub fn save(&mut self, kept: &KeptValues) -> Result<(), String> {
        if *kept == self.written {
            // The same memory is compared faster.
            self.written = kept.clone();
            return Ok(());
        }
        let write = || -> io::Result<()> {
            let file = SaveFile {
                saves: VERSION,
                hangtime: env!("CARGO_PKG_VERSION").into(),
                kept: kept.iter().map(|(n, v)| (n.into(), v.clone())).collect(),
                others: self.others.clone(),
            };
            let text = serde_json::to_string(&file)?;
            // What could not be read again would be lost.
            kept_in(&text).map_err(io::Error::other)?;
            fs::create_dir_all(self.path.parent().unwrap_or(Path::new(".")))?;
            OutputFile::save(&self.path, text.as_bytes())
        };
        write().map_err(|source| problem(&self.path, "cannot be written", &source))?;
        self.written = kept.clone();
        Ok(())
    }
}

/// The players who have kept something in this game, in the order of their names.
///
/// # Errors
/// If the folder cannot be listed.
pub fn players(folder: &GameFolder) -> Result<Vec<String>, String> {
    let path = folder.path().join(FOLDER);
    let entries = match folder.files().entries(&path, MOST_ENTRIES) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(problem(&path, "cannot be listed", &source)),
    };
    let player = |entry: &FolderEntry| {
        let player = entry.name.to_str()?.strip_suffix(".json")?;
        is_player(player).then(|| player.to_string())
    };
    let mut names: Vec<String> = entries.iter().filter_map(player).collect();
    names.sort();
    Ok(names)
}

fn is_player(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    !name.is_empty() && name.len() <= LONGEST_PLAYER && name.chars().all(fits)
}

fn file_of(folder: &GameFolder, player: &str) -> Result<PathBuf, String> {
    if !is_player(player) {
        return Err(format!(
            "`{}` cannot be the name of a player; it can have up to {LONGEST_PLAYER} letters, digits, `-` and `_`",
            cut_name(player)
        ));
    }
    let saves = folder.path().join(FOLDER);
    let path = saves.join(format!("{player}.json"));
    match folder.check(&path, &[]) {
        Ok(()) => Ok(path),
        Err(_) => Err(format!("{FOLDER}: this leads out of the game folder; `--follow-links` allows to write there")),
    }
}

/// What a file has kept, and what else is in it.
type SaveContents = (KeptValues, BTreeMap<String, serde_json::Value>);

/// The text of a file, or why it is not a save.
fn read_text(files: &dyn FileSystem, path: &Path) -> io::Result<Result<String, String>> {
    match files.kind(path)? {
        PathKind::File(_) => {}
        PathKind::Folder | PathKind::Special => return Err(io::Error::other("this is not a file")),
    }
    let bytes = files.read(path, MOST_BYTES + 1)?;
    let text = String::from_utf8(bytes);
    Ok(text.map_err(|_| "this save is damaged (it is not UTF-8 text)".into()))
}

/// What is in the text of a file, or why it cannot be used.
fn kept_in(text: &str) -> Result<SaveContents, String> {
    if text.len() as u64 > MOST_BYTES {
        return Err("this save is too large".into());
    }
    // Some editors write an invisible byte order mark first.
    let text = text.trim_start_matches('\u{feff}');
    let any: serde_json::Value =
        serde_json::from_str(text).map_err(|error| format!("this save is damaged ({error})"))?;
    match any.get("saves").and_then(serde_json::Value::as_u64) {
        Some(version) if version > VERSION => {
            return Err(format!(
                "this save is from a later version of hangtime (format {version}; this version reads {VERSION})"
            ));
        }
        Some(VERSION) => {}
        _ => return Err("this save is damaged (it has no version)".into()),
    }
    let file: SaveFile = serde_json::from_value(any).map_err(|error| format!("this save is damaged ({error})"))?;
    let kept = KeptValues::checked(file.kept).map_err(|wrong| format!("this save is damaged ({wrong})"))?;
    Ok((kept, file.others))
}

/// Renames a player's file to a name that no file has, so that nothing overwrites it, and deletes the oldest files
/// that were renamed before: a file that is damaged at every start would fill the disk. Returns its new path.
fn put_aside(files: &dyn FileSystem, path: &Path) -> Result<PathBuf, String> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let entries = files
        .entries(folder, MOST_ENTRIES)
        .map_err(|source| problem(folder, "cannot be listed", &source))?;
    let player = path.file_stem().unwrap_or_default().to_string_lossy();
    let before = format!("{player}.aside-");
    let number = |entry: &FolderEntry| -> Option<u32> {
        let name = entry.name.to_str()?.strip_prefix(&before)?.strip_suffix(".json")?;
        name.parse().ok().filter(|number| *number < u32::MAX)
    };
    let mut numbers: Vec<u32> = entries.iter().filter_map(number).collect();
    numbers.sort_unstable();
    let named = |number: u32| folder.join(format!("{before}{number}.json"));
    let next = numbers.last().map_or(1, |last| last + 1);
    let aside = named(next);
    let renamed = fs::rename(path, &aside);
    renamed.map_err(|source| problem(path, "cannot be used, and cannot be renamed", &source))?;
    for old in numbers.iter().rev().skip(MOST_ASIDE - 1) {
        // One that cannot be deleted does no harm.
        let _ = fs::remove_file(named(*old));
    }
    Ok(aside)
}

fn problem(path: &Path, problem: &str, source: &io::Error) -> String {
    format!("{}: {problem}: {source}", path.display())
}
