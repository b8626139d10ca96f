//! A level file that is edited by hand: what was changed and not saved, and what can be undone.

use super::{
    level_text::{LevelItem, LevelText},
    toml_file::{edit_file, writable_path},
};
use crate::files::{Drafts, GameFolder, ModStack, is_map};
use std::{
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

/// The most edits that can be undone, and the most bytes that these keep together.
const MOST_UNDONE: usize = 500;
const MOST_BYTES: usize = 8 << 20;

/// An invisible mark that some editors write first.
const MARK: char = '\u{feff}';

/// A change of a text at one place.
#[derive(Clone, Debug)]
struct TextChange {
    at: usize,
    old: String,
    new: String,
}

impl TextChange {
    fn between(old: &str, new: &str) -> Self {
        let at = old.char_indices().zip(new.chars()).find(|((_, a), b)| a != b);
        let at = at.map_or(old.len().min(new.len()), |((at, _), _)| at);
        let ends = old[at..].chars().rev().zip(new[at..].chars().rev());
        let same: usize = ends.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
        Self { at, old: old[at..old.len() - same].into(), new: new[at..new.len() - same].into() }
    }

    fn made(&self, text: &str) -> String {
        format!("{}{}{}", &text[..self.at], self.new, &text[self.at + self.old.len()..])
    }

    fn reversed(self) -> Self {
        Self { at: self.at, old: self.new, new: self.old }
    }
}

/// A level file whose things are moved by hand. What is not saved is a draft, which the game's folder shows in place of the
/// file, so the running game continues with it as with a file that was edited elsewhere.
#[derive(Debug)]
pub struct EditedLevel {
    folder: GameFolder,
    /// Its path below the folder.
    name: String,
    /// Its real path.
    path: PathBuf,
    drafts: Drafts,
    /// The text on the disk.
    saved: String,
    /// When that was written, and its length; none if it is to be read again.
    stamp: Option<(SystemTime, u64)>,
    has_mark: bool,
    level: LevelText,
    undo: Vec<TextChange>,
    redo: Vec<TextChange>,
}

impl EditedLevel {
    /// Opens a level file of a folder to edit it. `mods` are those that the level is played with.
    ///
    /// # Errors
    /// Why it cannot be edited.
    pub fn open(folder: &GameFolder, level: &Path, mods: &ModStack, drafts: &Drafts) -> Result<Self, String> {
        let name = folder.name_of(level);
        if is_map(&name) {
            return Err(format!(
                "{name} is drawn in the editor that it comes from; save it there, and it takes effect here"
            ));
        }
        if let Some(layer) = mods.layer_of(&name) {
            return Err(format!("{name} is a file of the mod `{}`, so it is not edited here", layer.name));
        }
        let changed = mods
            .layers
            .iter()
            .find(|layer| folder.has_file(&folder.path().join(&layer.folder).join(&name)));
        if let Some(layer) = changed {
            let mod_name = &layer.name;
            return Err(format!(
                "the mod `{mod_name}` changes {name}, so what is shown is not what the file says; play without it to edit the level"
            ));
        }
        let path = writable_path(folder, &name)?;
        let mut edited = Self {
            folder: folder.clone(),
            name,
            path,
            drafts: drafts.clone(),
            saved: String::new(),
            stamp: None,
            has_mark: false,
            level: LevelText::default(),
            undo: Vec::new(),
            redo: Vec::new(),
        };
        let text = edited.read()?;
        edited.level = edited.parsed(text.clone())?;
        edited.saved = text;
        Ok(edited)
    }

    /// Its path below the game's folder.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The game's folder, as it is on the disk.
    pub fn folder(&self) -> &GameFolder {
        &self.folder
    }

    /// Its text, with all edits.
    pub fn level(&self) -> &LevelText {
        &self.level
    }

    /// The things that can be edited.
    pub fn items(&self) -> &[LevelItem] {
        self.level.items()
    }

    /// Whether it has edits that are not in the file.
    pub fn is_unsaved(&self) -> bool {
        self.level.text() != self.saved
    }

    /// Edits the level: it has this text from now on.
    ///
    /// # Errors
    /// If the text is not TOML. The level stays as it was.
    pub fn edit(&mut self, text: String) -> Result<(), String> {
        if text == self.level.text() {
            return Ok(());
        }
        let change = TextChange::between(self.level.text(), &text);
        self.adopt(text)?;
        self.redo.clear();
        self.undo.push(change);
        let bytes = |change: &TextChange| change.old.len() + change.new.len();
        let mut kept: usize = self.undo.iter().map(bytes).sum();
        while self.undo.len() > MOST_UNDONE || kept > MOST_BYTES && self.undo.len() > 1 {
            kept -= bytes(&self.undo.remove(0));
        }
        Ok(())
    }

    /// Takes the last edit back. Returns whether there was one.
    pub fn undo(&mut self) -> bool {
        self.undo.pop().is_some_and(|change| {
            let back = change.clone().reversed();
            self.redo.push(change);
            self.adopt(back.made(self.level.text())).is_ok()
        })
    }

    /// Makes the last edit again that was taken back. Returns whether there was one.
    pub fn redo(&mut self) -> bool {
        self.redo.pop().is_some_and(|change| {
            self.undo.push(change.clone());
            self.adopt(change.made(self.level.text())).is_ok()
        })
    }

    /// Writes the edits into the file, along with what someone else has changed there. Returns whether there were any.
    ///
    /// # Errors
    /// Why it cannot be written; the edits stay. If someone else has changed the same lines, it is not overwritten.
    pub fn save(&mut self) -> Result<bool, String> {
        self.stamp = None;
        self.refresh()?;
        if !self.is_unsaved() {
            return Ok(false);
        }
        let mark = if self.has_mark { MARK.to_string() } else { String::new() };
        let (saved, new) = (format!("{mark}{}", self.saved), format!("{mark}{}", self.level.text()));
        edit_file(&self.folder, &self.name, |text| match text == saved {
            true => Ok(new),
            false => Err(format!("{} has just been changed by another program; save again", self.name)),
        })?;
        self.saved = self.level.text().into();
        self.stamp = None;
        self.drafts.remove(&self.path);
        Ok(true)
    }

    /// Looks at the file: what someone else has changed there is adopted, and edits of other lines stay. Returns whether it
    /// has changed.
    ///
    /// # Errors
    /// Why what is there cannot be adopted. All stays as it is, and the next call looks again.
    pub fn refresh(&mut self) -> Result<bool, String> {
        let stamp = fs::metadata(&self.path).ok().and_then(|it| Some((it.modified().ok()?, it.len())));
        if stamp.is_some() && stamp == self.stamp {
            return Ok(false);
        }
        let text = self.read()?;
        if text != self.saved {
            let merged = merged(&self.saved, &text, self.level.text()).ok_or_else(|| {
                format!(
                    "{} was changed on disk where it has edits here that are not saved, so it is not overwritten; \
                     Ctrl+Z takes edits back",
                    self.name
                )
            })?;
            let level = self.parsed(merged)?;
            self.level = level;
            self.saved = text;
            // The places of earlier edits are elsewhere now.
            self.undo.clear();
            self.redo.clear();
            self.show();
            self.stamp = stamp;
            return Ok(true);
        }
        self.stamp = stamp;
        Ok(false)
    }

    fn read(&mut self) -> Result<String, String> {
        let text = fs::read_to_string(&self.path);
        let text = text.map_err(|error| format!("{} cannot be read: {error}", self.name))?;
        self.has_mark = text.starts_with(MARK);
        Ok(text.trim_start_matches(MARK).into())
    }

    fn parsed(&self, text: String) -> Result<LevelText, String> {
        LevelText::parse(&self.name, text)
    }

    fn adopt(&mut self, text: String) -> Result<(), String> {
        self.level = self.parsed(text)?;
        self.show();
        Ok(())
    }

    /// Shows the game what is edited.
    fn show(&self) {
        match self.is_unsaved() {
            true => self.drafts.put(&self.path, self.level.text()),
            false => self.drafts.remove(&self.path),
        }
    }
}

/// The text with the changes of both sides; none if they change the same lines.
fn merged(base: &str, theirs: &str, ours: &str) -> Option<String> {
    if theirs == ours {
        return Some(ours.into());
    }
    let lines = |text: &'_ str| -> Vec<String> { text.split_inclusive('\n').map(String::from).collect() };
    let (base, theirs, ours) = (lines(base), lines(theirs), lines(ours));
    let (start, end) = changed_lines(&base, &theirs);
    let (first, last) = changed_lines(&base, &ours);
    let longer = ours.len() as isize - base.len() as isize;
    // Where theirs goes, as lines of ours.
    let by = if longer == 0 {
        // Moved things leave all lines where they are, so each line is one of its sides.
        (start..end).all(|line| base[line] == ours[line]).then_some(0)
    } else if end <= first {
        Some(0)
    } else {
        (last <= start).then_some(longer)
    }?;
    let [kept, added] = [start, end].map(|line| line.saturating_add_signed(by));
    let tail = base.len() - end;
    let between = &theirs[start..theirs.len() - tail];
    Some([&ours[..kept], between, &ours[added..]].concat().concat())
}

/// The lines from the first to the last one that differ.
fn changed_lines(old: &[String], new: &[String]) -> (usize, usize) {
    let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let most = old.len().min(new.len()) - start;
    let same = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    (start, old.len() - same)
}

#[cfg(test)]
#[path = "../../../tests/unit/files/saving/edited_level.rs"]
mod tests;
