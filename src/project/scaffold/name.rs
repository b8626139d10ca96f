//! What a new behavior or game folder may be called.

use crate::project::builtin::is_game_folder;
use crate::script::host::Diagnostic;
use std::path::{Component, Path, PathBuf};

/// Longest name of a behavior.
const LONGEST: usize = 64;

/// What no entity may be called, and the test level has one that is called as the behavior is.
const LEVEL: &str = "level";

fn wrong(message: String) -> Diagnostic {
    Diagnostic {
        file: None,
        ..Diagnostic::about_file("", message)
    }
}

/// Whether a behavior may have this name; it is that of its files and its kind.
pub(super) fn check_behavior(name: &str) -> Result<(), Diagnostic> {
    if name == LEVEL {
        return Err(wrong(format!(
            "a behavior cannot be called `{name}`: that is the name of the level itself, in events and traces"
        )));
    }
    if is_word(name) {
        return Ok(());
    }
    let right = word_of(name);
    let hint = if is_word(&right) && right != LEVEL {
        format!("; `{right}` would be one")
    } else {
        String::new()
    };
    Err(wrong(format!(
        "`{name}` is no name for a behavior, which is what `new` makes in a game folder: it has small \
         letters, digits and `_`, at most {LONGEST}, and begins with a letter{hint}"
    )))
}

fn is_word(name: &str) -> bool {
    name.len() <= LONGEST
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// The word that is nearest to what was meant: `Double Jump`, `doubleJump` and
/// `scripts/double-jump.rhai` are `double_jump`.
fn word_of(name: &str) -> String {
    let name = name
        .rsplit(['/', '\\'])
        .find(|part| !part.is_empty())
        .unwrap_or("");
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

/// Whether a game folder can be made at this path; what it is called.
pub(super) fn check_game(root: &Path, name: &str) -> Result<String, Diagnostic> {
    if let Some(game) = game_around(root) {
        let game = game.display();
        return Err(wrong(format!(
            "this folder belongs to the game in {game}; `hangtime --root {game} new {name}` makes a \
             behavior there"
        )));
    }
    if Path::new(name)
        .components()
        .any(|part| part == Component::ParentDir)
    {
        return Err(wrong(format!(
            "`{name}` leads through `..`; say where the game folder is to lie without it, or with --root"
        )));
    }
    let last = Path::new(name)
        .file_name()
        .unwrap_or_default()
        .to_string_lossy();
    if !last.contains(char::is_alphanumeric) || name.contains(char::is_control) {
        return Err(wrong(format!(
            "`{}` is no name for a game folder: it has at least a letter or a digit",
            name.escape_debug()
        )));
    }
    let folder = root.join(name);
    if is_game_folder(&folder) {
        return Err(wrong(format!(
            "{name} is a game folder already; `hangtime --root {name} new NAME` makes a behavior in it"
        )));
    }
    if let Some(parent) = Path::new(name).parent()
        && is_game_folder(&root.join(parent))
    {
        let parent = parent.display();
        return Err(wrong(format!(
            "{parent} is a game folder; `hangtime --root {parent} new {last}` makes a behavior in it"
        )));
    }
    Ok(last.into_owned())
}

/// The game folder in whose `config/`, `scripts/` or `levels/` this folder lies.
fn game_around(folder: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    let belongs = |game: &&Path| {
        let way = folder.strip_prefix(game).ok();
        let first = way.and_then(|way| way.components().next());
        first.is_some_and(|first| {
            ["config", "scripts", "levels"]
                .iter()
                .any(|name| first.as_os_str() == *name)
        })
    };
    folder
        .ancestors()
        .skip(1)
        .filter(|game| is_game_folder(game))
        .find(belongs)
        .map(Path::to_path_buf)
}

#[cfg(test)]
mod tests {
    use super::{check_behavior, is_word, word_of};

    #[test]
    fn the_right_name_is_found() {
        for (wrong, right) in [
            ("Double Jump", "double_jump"),
            ("doubleJump", "double_jump"),
            ("double-jump", "double_jump"),
            ("scripts/dash.rhai", "dash"),
            ("2fast", "fast"),
            ("jump2x", "jump2x"),
            ("HERO", "hero"),
            ("_x_", "x"),
            ("déjà vu", "d_j_vu"),
            ("../up", "up"),
            ("9", ""),
            ("", ""),
            ("…", ""),
        ] {
            assert_eq!(word_of(wrong), right, "{wrong}");
            assert!(right.is_empty() || is_word(right), "{right}");
        }
    }

    #[test]
    fn names_are_checked() {
        for good in ["a", "dash", "double_jump", "jump2x", &"a".repeat(64)] {
            assert!(check_behavior(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "A",
            "2x",
            "_a",
            "a b",
            "a/b",
            "a.b",
            "ä",
            "../a",
            "level",
            &"a".repeat(65),
        ] {
            assert!(check_behavior(bad).is_err(), "{bad}");
        }
    }
}
