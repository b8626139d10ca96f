//! Folders that nothing reads because of their names, and files that nothing uses.

use super::*;
use crate::files::{
    disk::{file_system::PathKind, walk::FileWalk},
    sources::level_names::LEVEL_ENDINGS,
};
use hangtime_script::Severity;

/// The folders of a game with other names that people give them, and the endings of what is in them.
const FOLDERS: [(&str, &str, &[&str]); 9] = [
    ("config", "configs conf cfg settings", &["toml"]),
    ("config/entities", "entities entity kinds", &["toml"]),
    ("config/models", "models", &["toml"]),
    ("levels", "level maps map stages", &LEVEL_ENDINGS),
    ("levels/tests", "tests test", &["rhai", "luau", "lua"]),
    ("scripts", "script code src behaviors", &["rhai", "luau", "lua"]),
    (PICTURES, "picture images image img sprites sprite textures art gfx", &["png"]),
    (SOUNDS, "sound audio sfx music", &["wav", "ogg"]),
    ("mods", "mod", &["toml"]),
];

/// The largest number of entries of a folder that are looked at.
const MOST_LOOKED_AT: usize = 1000;

/// The shortest name of a folder for which others are taken that are near it.
const SURE: usize = 6;

/// Warns of folders next to those of a game whose names are other words for them, or nearly theirs.
pub fn unread_folders(folder: &GameFolder, out: &mut Mistakes) {
    for root in all_roots(folder) {
        for entry in folder.files().entries(&root, MOST_LOOKED_AT).unwrap_or_default() {
            let path = root.join(&entry.name);
            let local = entry.name.to_string_lossy();
            let is_folder = || matches!(folder.files().kind(&path), Ok(PathKind::Folder));
            let Some((right, endings)) = right_folder(&local).filter(|_| is_folder()) else {
                continue;
            };
            let walk = FileWalk::new(folder, &[], endings).below(&path);
            let is_test = |path: &PathBuf| {
                let file = read_text(folder, path);
                file.is_ok_and(|file| file.text.contains("fn test_") || file.text.contains("function test_"))
            };
            if walk.files.iter().any(|path| right != "levels/tests" || is_test(path)) {
                let message = format!("nothing reads this folder; did you mean `{right}/`?");
                out.push(about(folder.name_of(&path), message));
            }
        }
    }
}

/// The folder that is meant by the path of another one below the folder of a game, and the endings of what is in it.
fn right_folder(local: &str) -> Option<(&'static str, &'static [&'static str])> {
    if FOLDERS.iter().any(|(name, ..)| *name == local) {
        return None;
    }
    // Many words are near a short one.
    let near = nearest(local, FOLDERS.iter().map(|(name, ..)| *name)).filter(|name| name.len() >= SURE);
    let found = FOLDERS
        .iter()
        .find(|(name, others, _)| others.split(' ').any(|it| it == local) || near == Some(*name));
    found.map(|(name, _, endings)| (*name, *endings))
}

fn about(file: String, message: impl Into<String>) -> Diagnostic {
    Diagnostic { severity: Severity::Warning, ..Diagnostic::about_file(file, message) }
}

impl GameCheck<'_> {
    /// Warns of files of the game itself that no other file uses: scripts, kinds, pictures and sounds.
    pub(super) fn unused_files(&self, chosen: &[PathBuf], out: &mut Mistakes) {
        let known = &self.known;
        // A name that is misspelled elsewhere may mean one of them.
        if known.unread || out.has_errors() {
            return;
        }
        let quoted = |name: &str| {
            let quoted = ['"', '\'', '`'].map(|quote| format!("{quote}{name}{quote}"));
            let in_scripts = |file: &Arc<SourceFile>| quoted.iter().any(|it| file.text.contains(it.as_str()));
            known.words_in_tests.contains(name) || self.scripts.values().any(in_scripts)
        };
        for path in chosen {
            let name = self.name_of(path);
            let is_used = |folder: &str, named: &BTreeSet<String>| {
                name.strip_prefix(folder).is_none_or(|it| named.contains(it) || quoted(it))
            };
            let message = if let Some(kind) = name.strip_prefix("config/entities/") {
                let kind = kind.trim_end_matches(".toml");
                let is_used = known.levels.is_empty() || known.placed.contains(kind) || quoted(kind);
                (!is_used).then_some("no level has an entity of this kind, and no script creates one")
            } else if name.starts_with("scripts/") {
                let is_script = || {
                    read_text(self.folder, path)
                        .is_ok_and(|file| matches!(self.kind_of(&name, &file), FileKind::Behavior))
                };
                (!self.is_named(&name) && is_script())
                    .then_some("nothing names this script; a kind or a level does so with its key `script`")
            } else {
                let is_used = is_used("pictures/", &known.media) && is_used("sounds/", &known.media);
                (!is_used).then_some("nothing uses this file")
            };
            out.extend(message.map(|message| about(name, message)));
        }
    }
}
