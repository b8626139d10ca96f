//! `new`: game folders and behaviors, made from templates: one for each movement model.
//!
//! A template lies in `templates/MODEL/`. `behavior/` is what a behavior is made of: script, kind, a
//! test level and its tests. A game folder is such a behavior with what lies in `game/`, and what all
//! game folders have (`templates/game/`). In every text `{{name}}` stands for the behavior, `{{game}}`
//! for the game folder's name and `{{about}}` for what the game is about.

mod name;
mod template;
mod write;

pub use template::{TEMPLATES, Template};

use super::builtin::is_game_folder;
use crate::script::host::Diagnostic;
use include_dir::Dir;
use std::path::{Path, PathBuf};
use template::TEXTS;

/// The files of a behavior: where they lie in a template, and where in a game folder.
const BEHAVIOUR: [(&str, &str); 4] = [
    ("script.rhai", "scripts/{{name}}.rhai"),
    ("kind.toml", "config/entities/{{name}}.toml"),
    ("test.toml", "levels/tests/{{name}}.toml"),
    ("test.rhai", "levels/tests/{{name}}.rhai"),
];

/// What was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The files, as paths below the folder in which they were asked for.
    pub files: Vec<String>,
    /// The behavior's name.
    pub behavior: String,
    /// The new game folder as it was named; none for a behavior in a game folder.
    pub game: Option<String>,
}

/// A file to be made: its path and its text.
type Planned = (String, String);

/// Makes a behavior in a game folder, a game folder in any other. All of it or nothing; no file that
/// is there is touched.
///
/// # Errors
/// What is wrong with the name, every file that is there already, or why it cannot be written.
pub fn make_from_template(
    root: &Path,
    name: &str,
    template: Template,
) -> Result<Made, Vec<Diagnostic>> {
    let (folder, behavior, planned) = if is_game_folder(root) {
        name::check_behavior(name).map_err(|wrong| vec![wrong])?;
        (String::new(), name, behavior_files(template, name))
    } else {
        let game = name::check_game(root, name).map_err(|wrong| vec![wrong])?;
        let planned = game_files(template, &game);
        (
            format!("{}/", name.trim_end_matches('/')),
            template.kind,
            planned,
        )
    };
    let shown: Vec<String> = planned
        .iter()
        .map(|(path, _)| format!("{folder}{path}"))
        .collect();
    let places: Vec<PathBuf> = shown.iter().map(|path| root.join(path)).collect();
    let there: Vec<Diagnostic> = places
        .iter()
        .zip(&shown)
        .filter(|(place, _)| place.symlink_metadata().is_ok())
        .map(|(_, path)| Diagnostic::about_file(path, "is there already; nothing was made"))
        .collect();
    if !there.is_empty() {
        return Err(there);
    }
    let texts = planned.iter().map(|(_, text)| text.as_str());
    write::write_all(places.iter().map(PathBuf::as_path).zip(texts)).map_err(|(at, e)| {
        let path = shown.get(at).map_or(name, String::as_str);
        let why = format!("cannot be made: {e}; what was made before it is gone again");
        vec![Diagnostic::about_file(path, why)]
    })?;
    Ok(Made {
        files: shown,
        behavior: behavior.into(),
        game: (!folder.is_empty()).then(|| name.trim_end_matches('/').into()),
    })
}

fn behavior_files(template: Template, name: &str) -> Vec<Planned> {
    let fill = |text: &str| text.replace("{{name}}", name);
    let from = format!("{}/behavior", template.model.as_str());
    BEHAVIOUR
        .iter()
        .map(|(file, to)| (fill(to), fill(text_of(&format!("{from}/{file}")))))
        .collect()
}

fn game_files(template: Template, game: &str) -> Vec<Planned> {
    let own = format!("{}/game", template.model.as_str());
    let about = text_of(&format!("{own}/about.md"));
    let fill = |text: &str| {
        text.replace("{{about}}", about)
            .replace("{{name}}", template.kind)
            .replace("{{game}}", game)
    };
    let mut planned = behavior_files(template, template.kind);
    for folder in ["game", &own] {
        for path in texts_below(Path::new(folder)) {
            let below = path.strip_prefix(folder).unwrap_or(&path);
            // They would take effect on the templates if they had their own names there.
            let to = match below.to_string_lossy().replace('\\', "/").as_str() {
                "about.md" => continue,
                "gitignore" => ".gitignore".into(),
                "vscode/tasks.json" => ".vscode/tasks.json".into(),
                other => other.to_string(),
            };
            planned.push((to, fill(text_of(&path.to_string_lossy()))));
        }
    }
    planned.sort();
    planned
}

/// The paths of all texts below a folder of the templates.
fn texts_below(folder: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<&Dir<'_>> = TEXTS.get_dir(folder).into_iter().collect();
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        found.extend(folder.files().map(|file| file.path().to_path_buf()));
        folders.extend(folder.dirs());
    }
    found
}

/// A text of the templates; they come with the program, and a test makes every one of them.
fn text_of(path: &str) -> &'static str {
    let file = TEXTS
        .get_file(path)
        .and_then(include_dir::File::contents_utf8);
    file.unwrap_or_else(|| unreachable!("the template has no {path}"))
}
