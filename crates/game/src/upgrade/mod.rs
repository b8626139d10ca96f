//! Upgrading a game that was made for an earlier version: tunables that were renamed since, and boxes that were round.
//!
//! Edits replace only the characters that change, so comments and layout stay as they are.

mod diff;
mod scripts;
mod tables;

use crate::{
    Error,
    check::is_definitions,
    files::{
        CONFIG, Config, FileWalk, GAME_FOLDERS, GameFolder, HANGTIME, InputScript, SourceSet, all_roots, made_for,
        mods::read_version, parse, read_text, saving::toml_file::edit_file, write_game_file,
    },
};
use hangtime_core::{models::ModelName, tuning::renamed};
use hangtime_script::{Diagnostic, Mistakes, SourceFile};
use std::{ops::Range, sync::Arc};

/// What an upgrade changes in a game.
#[derive(Debug, Default)]
pub struct Upgrade {
    /// The files that change. The one that has the version is the last, so that an upgrade that fails can be repeated.
    pub files: Vec<UpgradedFile>,
    /// What it leaves to the author, as warnings.
    pub left: Vec<Diagnostic>,
}

/// A file that an upgrade changes.
#[derive(Debug)]
pub struct UpgradedFile {
    file: Arc<SourceFile>,
    /// The bytes that are replaced, in the order of the file, and their new texts.
    edits: Vec<Edit>,
}

type Edit = (Range<usize>, String);

/// The current name of the last part of a dotted path if it is a tunable of this model that was renamed.
fn current_name(model: &str, old: &str) -> Option<&'static str> {
    let new = renamed(old)?;
    let model = ModelName::parse(model)?;
    model.tunables().iter().any(|tunable| tunable.name == new).then_some(new)
}

/// The edit of a key such as `platformer.jump_speed`, at this place of a file, if its tunable was renamed.
fn renamed_key(key: &str, at: usize) -> Option<Edit> {
    let (model, old) = key.rsplit_once('.')?;
    let new = current_name(model.rsplit('.').next()?, old)?;
    let end = at + key.len();
    Some((end - old.len()..end, new.into()))
}

impl Upgrade {
    /// Finds out what changes in a game for this version of hangtime. Nothing is written.
    ///
    /// # Errors
    /// Every file that cannot be read or parsed, and a game that is made for a later version.
    pub fn of(folder: &GameFolder) -> Result<Self, Error> {
        let shared = SourceSet::read_shared(folder);
        let config = shared.layered_table(CONFIG, &mut Mistakes::new());
        let made = made_for(&config)?;
        let actions = Config::read(&config, &mut Mistakes::new()).keys.own_actions().clone();
        let mut wrong = Mistakes::new();
        let mut upgrade = Self::default();
        let mut tables = tables::OldTables::new(&shared, made.as_ref());
        for file in files_of(folder, &mut wrong) {
            let found = if file.name.ends_with(".toml") {
                parse(&file).map(|table| tables.edits(&file, &table, &mut wrong))
            } else if let Some(language) = folder.languages().of(&file.name) {
                scripts::edits(&file, language)
            } else {
                match InputScript::parse_with(&file, &actions) {
                    Ok(script) => Ok(script.set_at.iter().filter_map(|at| setting(&file.text, at)).collect()),
                    Err(error) => {
                        wrong.extend(error.diagnostics());
                        continue;
                    }
                }
            };
            match found {
                Ok(edits) => upgrade.add(&file, edits),
                Err(error) => wrong.push(error),
            }
        }
        if wrong.has_errors() {
            return Err(wrong.finish().into());
        }
        upgrade.left = tables.left;
        upgrade.set_version(folder)?;
        Ok(upgrade)
    }

    fn add(&mut self, file: &Arc<SourceFile>, mut edits: Vec<Edit>) {
        if !edits.is_empty() {
            edits.sort_by_key(|(at, _)| at.start);
            self.files.push(UpgradedFile { file: file.clone(), edits });
        }
    }

    /// Says in the game's settings which version it is made for.
    fn set_version(&mut self, folder: &GameFolder) -> Result<(), Error> {
        let path = folder.path().join(CONFIG);
        let file = if path.exists() {
            read_text(folder, &path)?
        } else {
            Arc::new(SourceFile { name: CONFIG.into(), text: String::new() })
        };
        let table = parse(&file)?;
        let edit = match table.get("hangtime") {
            Some(_) if made_for(&table)? >= read_version(HANGTIME) => return Ok(()),
            Some(node) => (node.place.span.clone(), format!("\"{HANGTIME}\"")),
            None => {
                let end = if file.text.contains("\r\n") { "\r\n" } else { "\n" };
                let at = beginning(&file.text);
                let is_key = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with(['#', '[']);
                // A line apart from the tables, and next to keys.
                let gap = match file.text[at..].lines().next() {
                    None => "",
                    Some(line) if is_key(&line) => "",
                    Some(_) => end,
                };
                (at..at, format!("hangtime = \"{HANGTIME}\"{end}{gap}"))
            }
        };
        let own = self.files.iter().position(|it| it.file.name == CONFIG).map(|own| self.files.remove(own));
        let mut edits = own.map_or_else(Vec::new, |own| own.edits);
        edits.push(edit);
        self.add(&file, edits);
        Ok(())
    }

    /// Writes the files, each whole or not at all.
    ///
    /// # Errors
    /// The first file that cannot be written; those before it are written, and a second upgrade writes the others.
    pub fn write(&self, folder: &GameFolder) -> Result<(), Error> {
        self.files.iter().try_for_each(|it| {
            let name = &it.file.name;
            if it.file.text.is_empty() {
                return write_game_file(folder, name, Some(it.text().as_bytes()));
            }
            let edit = |text: &str| match text.strip_suffix(it.file.text.as_str()) {
                // Some editors write an invisible byte order mark first, which stays.
                Some(before @ ("" | "\u{feff}")) => Ok(format!("{before}{}", it.text())),
                _ => Err(format!("{name} has changed in the meantime")),
            };
            edit_file(folder, name, edit)
                .map(drop)
                .map_err(|why| Diagnostic::about_file("upgrade", why).into())
        })
    }
}

impl UpgradedFile {
    /// Its name, below the game folder.
    pub fn name(&self) -> &str {
        &self.file.name
    }

    /// Its new text.
    pub fn text(&self) -> String {
        replaced(&self.file.text, 0..self.file.text.len(), &self.edits)
    }

    /// What changes in it, as a unified diff.
    pub fn diff(&self) -> String {
        diff::unified(&self.file, &self.edits)
    }
}

/// A part of a text with the edits in it.
fn replaced(text: &str, part: Range<usize>, edits: &[Edit]) -> String {
    let mut new = String::new();
    let mut from = part.start;
    for (at, insert) in edits {
        new += &text[from..at.start];
        new += insert;
        from = at.end;
    }
    new + &text[from..part.end]
}

/// The files of a game and its mods that may name what has changed.
fn files_of(folder: &GameFolder, wrong: &mut Mistakes) -> Vec<Arc<SourceFile>> {
    let endings: Vec<&str> = ["toml", "input"].into_iter().chain(folder.languages().endings()).collect();
    let mut files = Vec::new();
    for root in all_roots(folder) {
        for name in GAME_FOLDERS {
            let walk = FileWalk::new(folder, &[], &endings).below(&root.join(name));
            walk.wrong.iter().for_each(|error| wrong.extend(error.diagnostics()));
            for path in walk.files.iter().filter(|path| !is_definitions(folder.languages(), path)) {
                match read_text(folder, path) {
                    Ok(file) => files.push(file),
                    Err(error) => wrong.extend(error.diagnostics()),
                }
            }
        }
    }
    files
}

/// The edit of a setting such as `platformer.jump_speed=600` at this place, if its tunable was renamed.
fn setting(text: &str, at: &Range<usize>) -> Option<Edit> {
    let (key, _) = text[at.clone()].split_once('=')?;
    renamed_key(key.trim_end(), at.start)
}

/// Where the first key of a TOML file can be: after the comment that the file begins with, if an empty line ends it.
fn beginning(text: &str) -> usize {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        at += line.len();
        match line.trim() {
            "" if line.ends_with('\n') => return at,
            comment if comment.starts_with('#') => {}
            _ => break,
        }
    }
    0
}
