//! New game folders and behaviors, created from templates: one for each model, and some that show something else.
//!
//! `templates/NAME/behavior/` has the files of a behavior: script, kind, test level and tests. A new
//! game folder has such a behavior, the files of `templates/NAME/game/`, and the files of `templates/game/`,
//! which all games share. `templates/level/` has a level for each view. Scripts and tests are there in each language, and
//! `templates/rhai/` and `templates/luau/` have what games in these languages differ by. In every text `{{name}}` is replaced
//! by the behavior's name, `{{game}}` by the game folder's, `{{level}}` by the path of its level, `{{about}}` by what the game is
//! about, `{{notes}}` by what its author must know of the language, and `{{hangtime}}` by this version. Files that are not texts are copied. Texts name scripts with the ending of Rhai.

use super::{Error, is_game_folder};
use crate::{
    files::{GameFolder, HANGTIME, MANIFEST, disk::root::lexical, mods::check_mod_name},
    languages::LANGUAGES,
};
use include_dir::{Dir, File};
use std::{
    fs::{self, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
};
use template::TEXTS;

mod level;
mod name;
#[cfg(feature = "disk")]
mod start_test;
mod template;

pub use level::{create_level, create_level_in_mod};
#[cfg(feature = "disk")]
pub use start_test::{StartTest, save_start_test};
pub use template::{TEMPLATES, Template};

/// What [`create_from_template`] has created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Created {
    /// The new files, as paths below the root that was passed.
    pub files: Vec<String>,
    /// The behavior's name.
    pub behavior: String,
    /// The path of the new game folder; `None` if a behavior was added to an existing one.
    pub game: Option<String>,
}

/// A file to be written: its path and what is in it.
type PlannedFile = (String, Vec<u8>);

/// Creates a behavior if `root` is a game folder, and otherwise a new game folder in it. Existing files
/// are never touched, and if anything fails, no new file is left.
///
/// # Errors
/// [`Error::InvalidName`], also if a link in the game would put a file elsewhere, [`Error::AlreadyExists`] with every file
/// that is in the way, or [`Error::Write`].
pub fn create_from_template(root: impl Into<GameFolder>, name: &str, template: Template) -> Result<Created, Error> {
    let root = root.into();
    let (folder, behavior, planned) = if is_game_folder(root.path()) {
        name::check_behavior(name)?;
        (String::new(), name, behavior_files(template, name))
    } else {
        let game = name::check_game(root.path(), name)?;
        let folder = format!("{}/", name.trim_end_matches('/'));
        (folder, template.kind, game_files(template, &game))
    };
    // Where a new game is, the user has said. In a folder that does not exist, there are no links.
    let game = root.clone().at(root.path().join(&folder));
    let is_new = !game.path().exists();
    let check = |path: &Path| if is_new { Ok(()) } else { game.check(path, &[]) };
    let names = write_planned(root.path(), &folder, &planned, check)?;
    Ok(Created {
        files: names,
        behavior: behavior.into(),
        game: (!folder.is_empty()).then(|| name.trim_end_matches('/').into()),
    })
}

/// Creates a behavior in a mod of the game in `root`, and the mod itself if its folder has no `mod.toml`. Existing files
/// are never touched, and if anything fails, no new file is left.
///
/// # Errors
/// [`Error::InvalidName`], also if a link would put a file elsewhere, [`Error::NotAMod`], [`Error::AlreadyExists`] with
/// every file that is in the way, one of the game's own kind included, or [`Error::Write`].
pub fn create_in_mod(
    root: impl Into<GameFolder>,
    folder: &Path,
    name: &str,
    template: Template,
) -> Result<Created, Error> {
    let root = root.into();
    if !is_game_folder(root.path()) {
        let message = "a mod belongs to a game, and this folder is not one; run this in its folder".into();
        return Err(Error::InvalidName { message });
    }
    name::check_behavior(name)?;
    root.check_mod(folder)?;
    let kind = format!("config/entities/{name}.toml");
    if root.path().join(&kind).exists() {
        return Err(Error::AlreadyExists { files: vec![kind] });
    }
    let files = write_in_mod(&root, folder, behavior_files(template, name))?;
    Ok(Created { files, behavior: name.into(), game: None })
}

/// Writes new files in a mod of the game in `root`, and its `mod.toml` if there is none. Returns their names.
fn write_in_mod(root: &GameFolder, folder: &Path, mut planned: Vec<PlannedFile>) -> Result<Vec<String>, Error> {
    root.check_chosen(folder).map_err(|_| leads_out(&folder.display().to_string()))?;
    // Paths below the working directory, not below the game.
    let folder = lexical(folder);
    if !folder.join(MANIFEST).exists() {
        let last = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        check_mod_name(&last).map_err(|message| Error::InvalidName { message })?;
        name::check_file_name(&last)?;
        let text = format!("name = \"{last}\"\nversion = \"0.1.0\"\n# needs = {{ other = \"1.0\" }}\n");
        planned.insert(0, (MANIFEST.into(), text.into_bytes()));
    }
    let inside = folder
        .strip_prefix(lexical(root.path()))
        .unwrap_or(&folder)
        .display()
        .to_string()
        .replace('\\', "/");
    // Their first comments name the command that runs them.
    for (_, bytes) in &mut planned {
        if let Ok(text) = std::str::from_utf8(bytes) {
            *bytes = text.replace("`hangtime test ", &format!("`hangtime test {inside}/")).into_bytes();
        }
    }
    // A mod that is not in the game is where the user has said.
    let check = |path: &Path| {
        if folder.exists() {
            root.check(path, &[&folder])
        } else {
            root.check_chosen(path)
        }
    };
    write_planned(root.path(), &format!("{inside}/"), &planned, check)
}

fn leads_out(name: &str) -> Error {
    let message =
        format!("{name} leads out of the game folder, so nothing was written; to allow it, pass `--follow-links`");
    Error::InvalidName { message }
}

/// Writes new files below a folder that is named from the root, and returns their names. `check` refuses paths that lead
/// to where nothing may be written.
fn write_planned(
    root: &Path,
    folder: &str,
    planned: &[PlannedFile],
    check: impl Fn(&Path) -> Result<(), Error>,
) -> Result<Vec<String>, Error> {
    let names: Vec<String> = planned.iter().map(|(path, _)| format!("{folder}{path}")).collect();
    let paths: Vec<PathBuf> = names.iter().map(|name| root.join(name)).collect();
    let existing = paths.iter().zip(&names).filter(|(path, _)| path.symlink_metadata().is_ok());
    let files: Vec<String> = existing.map(|(_, name)| name.clone()).collect();
    if !files.is_empty() {
        return Err(Error::AlreadyExists { files });
    }
    for (path, name) in paths.iter().zip(&names) {
        check(path).map_err(|_| leads_out(name))?;
    }
    let contents = planned.iter().map(|(_, bytes)| bytes.as_slice());
    write_all(paths.iter().map(PathBuf::as_path).zip(contents)).map_err(|(at, source)| {
        let file = names.get(at).map_or(folder, String::as_str).into();
        Error::Write { file, source }
    })?;
    Ok(names)
}

fn behavior_files(template: Template, name: &str) -> Vec<PlannedFile> {
    let script = template.ending;
    let fill = |text: &str| in_language(text, script).replace("{{name}}", name);
    let from = format!("{}/behavior", template.name);
    let files = [
        ("script", script, "scripts"),
        ("kind", "toml", "config/entities"),
        ("test", "toml", "levels/tests"),
        ("test", script, "levels/tests"),
    ];
    let planned = |(file, ending, folder)| {
        (format!("{folder}/{name}.{ending}"), fill(text_of(&format!("{from}/{file}.{ending}"))).into_bytes())
    };
    files.into_iter().map(planned).collect()
}

/// A text that names scripts of the usual language, for another one.
fn in_language(text: &str, ending: &str) -> String {
    text.replace(&format!(".{}", LANGUAGES.first().ending()), &format!(".{ending}"))
}

fn game_files(template: Template, game: &str) -> Vec<PlannedFile> {
    let own = format!("{}/game", template.name);
    let about = text_of(&format!("{own}/about.md"));
    let notes = text_of(&format!("{}/notes.md", template.ending)).trim_end();
    let is_map = TEXTS.contains(format!("{own}/levels/first.tmx"));
    let level = if is_map { "levels/first.tmx" } else { "levels/first.toml" };
    let fill = |text: &str| {
        let text = in_language(text, template.ending)
            .replace("{{about}}", about)
            .replace("{{level}}", level)
            .replace("{{name}}", template.kind);
        text.replace("{{notes}}", notes)
            .replace("{{game}}", game)
            .replace("{{hangtime}}", HANGTIME)
    };
    let mut planned = behavior_files(template, template.kind);
    for folder in ["game", &own, template.ending] {
        for file in files_below(Path::new(folder)) {
            let below = file.path().strip_prefix(folder).unwrap_or(file.path());
            let language = LANGUAGES.of(&file.path().to_string_lossy());
            if language.is_some_and(|language| language.ending() != template.ending) {
                continue;
            }
            // Under their real names, Git and editors would apply them to the templates themselves.
            let to = match below.to_string_lossy().replace('\\', "/").as_str() {
                "about.md" | "notes.md" => continue,
                "gitignore" => ".gitignore".into(),
                "luaurc" => ".luaurc".into(),
                "vscode/tasks.json" => ".vscode/tasks.json".into(),
                other => other.to_string(),
            };
            // What is not a text is a picture.
            let filled = file.contents_utf8().map(|text| fill(text).into_bytes());
            planned.push((to, filled.unwrap_or_else(|| file.contents().to_vec())));
        }
    }
    planned.sort();
    planned
}

/// All files in a folder of the templates and in its subfolders.
fn files_below(folder: &Path) -> Vec<&'static File<'static>> {
    let mut folders: Vec<&Dir<'_>> = TEXTS.get_dir(folder).into_iter().collect();
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        found.extend(folder.files());
        folders.extend(folder.dirs());
    }
    found
}

/// A text of the templates. They are built into the program, and the tests create every one of them.
fn text_of(path: &str) -> &'static str {
    let file = TEXTS.get_file(path).and_then(include_dir::File::contents_utf8);
    file.unwrap_or_else(|| unreachable!("the template has no {path}"))
}

/// The files and folders created so far. Dropping it removes them again, unless they are kept.
#[derive(Default)]
struct Rollback {
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

impl Drop for Rollback {
    fn drop(&mut self) {
        // The original error is reported; a failure to clean up is not.
        for file in &self.files {
            let _ = fs::remove_file(file);
        }
        // A folder that another program has written to is not empty and stays.
        for folder in self.folders.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}

impl Rollback {
    fn create_folder(&mut self, folder: &Path) -> io::Result<()> {
        if folder.as_os_str().is_empty() || folder.is_dir() {
            return Ok(());
        }
        if let Some(parent) = folder.parent() {
            self.create_folder(parent)?;
        }
        match fs::create_dir(folder) {
            Ok(()) => {
                self.folders.push(folder.to_path_buf());
                Ok(())
            }
            // Another program has created it in the meantime.
            Err(_) if folder.is_dir() => Ok(()),
            Err(e) => Err(e),
        }
    }

    fn create_file(&mut self, path: &Path, contents: &[u8]) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            self.create_folder(folder)?;
        }
        // `create_new` never overwrites a file.
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        self.files.push(path.to_path_buf());
        file.write_all(contents)
    }

    fn keep(mut self) {
        self.files.clear();
        self.folders.clear();
    }
}

/// Writes new files and creates the folders that they need. If one fails, all others are removed again;
/// the error has the index of the file that failed.
pub fn write_all<'a>(files: impl Iterator<Item = (&'a Path, &'a [u8])>) -> Result<(), (usize, io::Error)> {
    let mut created = Rollback::default();
    for (at, (path, contents)) in files.enumerate() {
        created.create_file(path, contents).map_err(|e| (at, e))?;
    }
    created.keep();
    Ok(())
}
