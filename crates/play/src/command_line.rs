//! Command lines that users can copy.

use super::*;
use hangtime_game::GameFolder;

/// The options for the game folder and for mods that are not in it, each with a space before it. None for the working
/// directory.
pub fn root_option(folder: &GameFolder) -> String {
    let option = |name: &str, path: &Path| format!(" --{name} {}", quoted(&path.display().to_string()));
    let root = folder.path();
    let root = (root != Path::new(".")).then(|| option("root", root));
    let mods = folder.mods().iter().map(|path| option("mod", path));
    root.into_iter().chain(mods).collect()
}

/// An argument as shells read it.
pub fn quoted(argument: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:,+@%".contains(c);
    if !argument.is_empty() && argument.chars().all(plain) {
        return argument.into();
    }
    let is_special = |c: char| !cfg!(windows) && matches!(c, '"' | '\\' | '$' | '`');
    let escaped = argument.chars().flat_map(|c| is_special(c).then_some('\\').into_iter().chain([c]));
    format!("\"{}\"", escaped.collect::<String>())
}
