//! Valid names of new behaviors and game folders.

use crate::{
    Error,
    files::{GAME_FOLDERS, MODS},
    is_game_folder,
};
use hangtime_script::text::is_small_name;
use std::path::{Component, Path, PathBuf};

/// The largest number of characters in a behavior's name.
const MAX_LENGTH: usize = 64;

/// A name that no entity may have. A behavior's test level has an entity named like the behavior.
const LEVEL: &str = "level";

fn invalid(message: String) -> Error {
    Error::InvalidName { message }
}

/// Checks the name of a behavior, which is also the name of its files and its kind.
pub fn check_behavior(name: &str) -> Result<(), Error> {
    if name == LEVEL {
        return Err(invalid(format!(
            "a behavior cannot be named `{name}`; in events and traces that is the level itself"
        )));
    }
    check_word(name, "behavior")
}

/// Checks the name of a level, which is also the name of its file.
pub fn check_level(name: &str) -> Result<(), Error> {
    check_word(name, "level")
}

/// The names of devices on Windows, with any ending: a file cannot have one there.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];
const NUMBERED_DEVICES: [&str; 2] = ["com", "lpt"];

/// Refuses names that no file or folder can have on every system.
pub fn check_file_name(name: &str) -> Result<(), Error> {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let is_numbered =
        |device: &&str| stem.strip_prefix(*device).is_some_and(|rest| matches!(rest.as_bytes(), [b'1'..=b'9']));
    if DEVICES.contains(&&*stem) || NUMBERED_DEVICES.iter().any(is_numbered) {
        return Err(invalid(format!(
            "`{}` is the name of a device on Windows, where no file can have it; take another name",
            name.escape_debug()
        )));
    }
    Ok(())
}

fn check_word(name: &str, what: &str) -> Result<(), Error> {
    if is_word(name) {
        return check_file_name(name);
    }
    let right = word_of(name);
    let hint = if is_word(&right) && right != what {
        format!("; try `{right}`")
    } else {
        String::new()
    };
    Err(invalid(format!(
        "`{}` is not a valid name for a {what}; start with a letter, and use at most {MAX_LENGTH} lowercase letters, \
         digits and `_`{hint}",
        name.escape_debug()
    )))
}

fn is_word(name: &str) -> bool {
    is_small_name(name, MAX_LENGTH, &['_'])
}

/// The valid name closest to an invalid one: `Double Jump`, `doubleJump` and
/// `scripts/double-jump.rhai` become `double_jump`.
fn word_of(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or("");
    let stem = name.split('.').next().unwrap_or("");
    let mut word = String::new();
    let mut last = ' ';
    for c in stem.chars() {
        if c.is_ascii_uppercase() && (last.is_ascii_lowercase() || last.is_ascii_digit()) {
            word.push('_');
        }
        match c {
            _ if c.is_ascii_alphanumeric() => word.push(c.to_ascii_lowercase()),
            _ if !word.is_empty() && !word.ends_with('_') => word.push('_'),
            _ => {}
        }
        last = c;
    }
    word.trim_start_matches(|c: char| !c.is_ascii_lowercase())
        .trim_end_matches('_')
        .to_string()
}

/// Checks the path of a new game folder and returns its last part, the game's name.
pub fn check_game(root: &Path, name: &str) -> Result<String, Error> {
    if let Some(game) = game_around(root) {
        let game = game.display();
        return Err(invalid(format!(
            "this folder belongs to the game in {game}; to create a behavior there, run \
             `hangtime --root {game} new {name}`"
        )));
    }
    let path = Path::new(name);
    if path.components().any(|part| part == Component::ParentDir) {
        return Err(invalid(format!(
            "`{name}` contains `..`; to create a game folder elsewhere, use its full path or --root"
        )));
    }
    let last = path.file_name().unwrap_or_default().to_string_lossy();
    if !last.contains(char::is_alphanumeric) || name.contains(char::is_control) {
        return Err(invalid(format!(
            "`{}` is not a valid name for a game folder; it needs at least one letter or digit",
            name.escape_debug()
        )));
    }
    for part in path.components() {
        check_file_name(&part.as_os_str().to_string_lossy())?;
    }
    if is_game_folder(&root.join(name)) {
        return Err(invalid(format!(
            "{name} is already a game folder; to create a behavior in it, run `hangtime --root {name} new NAME`"
        )));
    }
    if let Some(parent) = path.parent()
        && is_game_folder(&root.join(parent))
    {
        let parent = parent.display();
        return Err(invalid(format!(
            "{parent} is a game folder; to create a behavior in it, run `hangtime --root {parent} new {last}`"
        )));
    }
    Ok(last.into_owned())
}

/// The game folder whose `config/`, `scripts/` or `levels/` contains this folder.
fn game_around(folder: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    let belongs = |game: &&Path| {
        let mut folders = GAME_FOLDERS.into_iter().chain([MODS]);
        folders.any(|name| folder.starts_with(game.join(name)))
    };
    let mut games = folder.ancestors().skip(1).filter(|game| is_game_folder(game));
    games.find(belongs).map(Path::to_path_buf)
}
