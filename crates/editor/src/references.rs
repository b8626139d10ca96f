//! References and renaming: all places in the game that mean the same name.

use super::*;
use lsp_types::{
    DocumentChangeOperation, DocumentChanges, OneOf, OptionalVersionedTextDocumentIdentifier, RenameFile, ResourceOp,
    TextDocumentEdit, WorkspaceEdit,
};

/// The name at the cursor, and where it is.
pub fn name_at(file: &EditedFile<'_>) -> Option<(NamedWord, Range<usize>)> {
    let words = Words::of(file);
    words.named(words.at(file.offset)?)
}

/// All places that mean the name at the cursor.
pub fn references(file: &EditedFile<'_>) -> Vec<Location> {
    let Some((word, _)) = name_at(file) else {
        return Vec::new();
    };
    let in_file = |(path, text): (PathBuf, String)| {
        let spans = Words::of(&EditedFile::new(&path, &text, file.game, file.open)).spans_of(&word);
        spans.into_iter().filter_map(|span| location(&path, &text, span)).collect::<Vec<_>>()
    };
    texts_with(file, &word.name).into_iter().flat_map(in_file).collect()
}

/// The files of the game, and the one at the cursor, whose text contains a name.
fn texts_with(file: &EditedFile<'_>, name: &str) -> Vec<(PathBuf, String)> {
    let mut paths = file.game.files();
    if !paths.iter().any(|path| path == file.path) {
        paths.push(file.path.into());
    }
    let text = |path: &PathBuf| file.open.get(path).cloned().or_else(|| file.game.saved(path));
    let texts = paths.into_iter().filter_map(|path| text(&path).map(|text| (path, text)));
    texts.filter(|(_, text)| text.contains(name)).collect()
}

impl Words<'_> {
    /// Where a name is meant.
    fn spans_of(&self, word: &NamedWord) -> Vec<Range<usize>> {
        let all = (0..self.all.len()).filter(|i| self.all[*i].text.contains(&word.name));
        all.filter_map(|i| self.named(i))
            .filter(|(it, _)| it == word)
            .map(|(_, span)| span)
            .collect()
    }

    /// A place at which a text or a variable of an unknown entity may mean a name.
    fn doubt(&self, word: &NamedWord) -> Option<usize> {
        let is_doubtful = |i: &usize| {
            let it = self.all[*i];
            let inside = it.inside().map(|inside| &self.file.text[inside]);
            match word.thing {
                NamedThing::InGame(_) => {
                    inside == Some(&word.name) && self.role(*i).is_none() && self.named(*i).is_none()
                }
                NamedThing::Variable => {
                    let is_read = it.is(&word.name) && *i > 1 && self.all[i - 2].is("vars") && self.all[i - 1].is(".");
                    is_read && self.named(*i).is_none()
                }
                // A script of a mod calls functions of the one below it.
                NamedThing::InFile => it.is(&word.name) && *i > 1 && self.all[i - 2].is("base"),
                _ => false,
            }
        };
        (0..self.all.len()).find(is_doubtful)
    }
}

/// Gives the name at the cursor another one, everywhere.
///
/// # Errors
/// Why that is not possible.
pub fn rename(file: &EditedFile<'_>, new: &str) -> Result<WorkspaceEdit, String> {
    let (word, _) = name_at(file).ok_or("nothing here has a name that can be changed")?;
    let old = word.name.as_str();
    check_new(file, &word, new)?;
    let mut changes = Vec::new();
    for (path, text) in texts_with(file, old) {
        let words = Words::of(&EditedFile::new(&path, &text, file.game, file.open));
        let is_map = is_of_map(&path);
        let in_map = || text.find(&format!("\"{old}\"")).filter(|_| matches!(word.thing, NamedThing::InGame(_)));
        if let Some(at) = if is_map { in_map() } else { words.doubt(&word).map(|i| words.all[i].at) } {
            let line = text[..at].matches('\n').count() + 1;
            let name = file.game.name_of(&path);
            return Err(format!("{name}:{line} may mean `{old}`, too; change it there first"));
        }
        let edit = |span| OneOf::Left(TextEdit::new(range_in(&text, span), new.into()));
        let edits: Vec<_> = if is_map {
            Vec::new()
        } else {
            words.spans_of(&word).into_iter().map(edit).collect()
        };
        if let (Some(uri), false) = (uri_of(&path), edits.is_empty()) {
            let text_document = OptionalVersionedTextDocumentIdentifier { uri, version: None };
            changes.push(DocumentChangeOperation::Edit(TextDocumentEdit { text_document, edits }));
        }
    }
    if word.thing == NamedThing::InGame(Names::Kind) {
        let files = file
            .game
            .files()
            .into_iter()
            .filter(|path| file.game.kind_in(path).as_deref() == Some(old));
        let moved = files.filter_map(|path| {
            let mut target = path.clone();
            for _ in old.split('/') {
                target.pop();
            }
            let (old_uri, new_uri) = (uri_of(&path)?, uri_of(&target.join(format!("{new}.toml")))?);
            Some(ResourceOp::Rename(RenameFile { old_uri, new_uri, options: None, annotation_id: None }))
        });
        changes.extend(moved.map(DocumentChangeOperation::Op));
    }
    Ok(WorkspaceEdit { document_changes: Some(DocumentChanges::Operations(changes)), ..WorkspaceEdit::default() })
}

/// Checks whether a name can have this new name.
fn check_new(file: &EditedFile<'_>, word: &NamedWord, new: &str) -> Result<(), String> {
    let old = &word.name;
    let is_built_in = hooks().any(|hook| hook.event() == Some(old));
    let is_hook = word.thing == NamedThing::InFile && find_hook(old).is_some();
    let in_quotes = match word.thing {
        NamedThing::InGame(Names::Event) if is_built_in => return Err(format!("`{old}` is an event of hangtime")),
        NamedThing::InGame(Names::Event) => false,
        NamedThing::InGame(Names::Kind | Names::Entity | Names::Solid | Names::Zone) => true,
        NamedThing::InGame(names) => return Err(format!("`{old}` is {}; change it in its files", names.what())),
        _ if is_hook => return Err(format!("hangtime calls `{old}` by this name")),
        _ => false,
    };
    let fits = if in_quotes {
        !new.trim().is_empty() && !new.contains(['"', '\'', '\\', '\n'])
    } else {
        new.chars().all(in_word) && !new.starts_with(|c: char| c.is_ascii_digit()) && !new.is_empty()
    };
    if !fits {
        return Err(format!("`{new}` cannot be a name here"));
    }
    let known = file.game.known();
    let is_taken = match word.thing {
        NamedThing::InGame(Names::Event) => texts_of(Names::Event, file.game).iter().any(|it| it == new),
        NamedThing::InGame(Names::Kind) => known.kinds.contains(new),
        NamedThing::InGame(Names::Entity) => known.may_be_entity(new),
        NamedThing::InGame(Names::Solid) => known.solids.contains(new),
        NamedThing::InGame(_) => known.zones.contains(new),
        // A name that is anywhere in the file could be another one's.
        _ => {
            let own = texts_with(file, old)
                .into_iter()
                .filter(|(path, _)| word.home.starts_with(&file.game.name_of(path)));
            let mut texts = own.chain([(file.path.into(), file.text.into())]);
            texts.any(|(_, text)| text.split(|c| !in_word(c)).any(|it| it == new))
        }
    };
    if is_taken { Err(format!("there is a `{new}` already")) } else { Ok(()) }
}
