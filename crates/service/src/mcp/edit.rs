//! `propose_edit`.

use super::*;
use hangtime_game::{is_source_file, write_game_file};

/// Arguments of `propose_edit`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EditParams {
    /// The edits. Either all of them are taken or none.
    #[schemars(length(min = 1, max = MOST_EDITS))]
    edits: Vec<FileEdit>,
}

/// The most edits of a call.
const MOST_EDITS: usize = 20;

/// An edit of a file: its whole `text`, or `old` and `new` for an exact replacement, or `remove`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FileEdit {
    /// The path below the game folder, of a file that exists or is new.
    path: String,
    /// The whole text of the file.
    text: Option<String>,
    /// A text that is in the file exactly once, as read_file shows it.
    old: Option<String>,
    /// What replaces it.
    new: Option<String>,
    /// Whether the file is removed.
    #[serde(default)]
    remove: bool,
}

/// The bytes of files; `None` for one that does not exist.
type FileStates = BTreeMap<String, Option<Vec<u8>>>;

impl FileEdit {
    /// The file after the edit.
    ///
    /// # Errors
    /// If it cannot be made in the file as it is.
    fn apply(&self, before: Option<&[u8]>) -> Result<Option<Vec<u8>>, ToolError> {
        let wrong = |message: &str| Err(ToolError::about(&self.path, message));
        match (&self.text, &self.old, &self.new, self.remove) {
            (Some(text), None, None, false) => Ok(Some(text.clone().into_bytes())),
            (None, None, None, true) => Ok(None),
            (None, Some(old), Some(new), false) if !old.is_empty() => {
                let Some(text) = before.and_then(|bytes| std::str::from_utf8(bytes).ok()) else {
                    return wrong("there is no such text to replace a part of; give a new file its whole `text`");
                };
                match text.matches(old.as_str()).count() {
                    1 => Ok(Some(text.replacen(old.as_str(), new, 1).into_bytes())),
                    0 => wrong("`old` is not in the file; read it again, and copy the text exactly"),
                    count => wrong(&format!("`old` is in the file {count} times; take more of what is around it")),
                }
            }
            _ => wrong("an edit takes `text`, or `old` and `new`, or `remove`"),
        }
    }
}

pub fn propose_edit(game: &McpGame, params: EditParams, end: &CallEnd) -> ToolResult {
    if !(1..=MOST_EDITS).contains(&params.edits.len()) {
        return Err(ToolError(format!("`edits` takes 1 to {MOST_EDITS} edits")));
    }
    let folder = game.folder();
    let (before, after) = files_with(folder, &params.edits)?;
    let messages = check_candidate(folder, &after)?;
    let is_refused = messages.iter().any(Diagnostic::is_error);
    let messages = shown_messages(&messages);
    if is_refused {
        return Err(ToolError(format!("refused, and nothing was written:\n{messages}")));
    }
    if end.is_here() {
        return Err(ToolError("the call has ended; nothing was written".into()));
    }
    if !game.writes {
        let text = "the edit has no errors. Nothing was written, because the server was started without `--write`\n";
        return text_answer(format!("{text}{messages}"));
    }
    // Someone else may have saved them in the meantime.
    if files_with(folder, &params.edits)?.0 != before {
        return Err(ToolError(
            "a file has changed while the edit was checked; nothing was written. Read it again".into(),
        ));
    }
    let mut text = String::new();
    for (name, bytes) in &after {
        write_game_file(folder, name, bytes.as_deref()).map_err(|error| ToolError(format!("{text}error: {error}")))?;
        let done = if bytes.is_some() { "saved" } else { "removed" };
        text += &format!("{done} {}\n", printable_name(name));
    }
    text_answer(text + messages.as_str())
}

/// The edited files as they are, and as they would be.
///
/// # Errors
/// If an edit cannot be made, or is of something that is not a file of the game.
fn files_with(folder: &GameFolder, edits: &[FileEdit]) -> Result<(FileStates, FileStates), ToolError> {
    let files = files_inside(folder);
    let (mut before, mut after) = (FileStates::new(), FileStates::new());
    for edit in edits {
        let name = &edit.path;
        if !before.contains_key(name) {
            let bytes = files.contains_key(name).then(|| bytes_inside(folder, &files, name)).transpose()?;
            before.insert(name.clone(), bytes.clone());
            after.insert(name.clone(), bytes);
        }
        let edited = edit.apply(after[name].as_deref())?;
        after.insert(name.clone(), edited);
    }
    // What the game would not read then is none of its files, wherever the path leads.
    let read = files_inside(&folder.clone().with_edits(&after));
    for (name, bytes) in &after {
        let is_of_game = if bytes.is_some() { read.contains_key(name) } else { before[name].is_some() };
        if !is_of_game || !is_source_file(folder, name) {
            let message = "not a file that a game has; numbers are `.toml` in config/, scripts are in scripts/, and levels, \
                           tests and inputs in levels/";
            return Err(ToolError::about(name, message));
        }
    }
    Ok((before, after))
}

/// The messages about the edited files, and the errors that the edits would cause elsewhere.
fn check_candidate(folder: &GameFolder, after: &FileStates) -> Result<Vec<Diagnostic>, ToolError> {
    let is_edited = |message: &Diagnostic| after.contains_key(message.file_name());
    let mut found = check_paths(folder.clone().with_edits(after), Vec::new())?.diagnostics;
    found.retain(|message| message.is_error() || is_edited(message));
    if !found.iter().all(is_edited) {
        let known = check_paths(folder.clone(), Vec::new())?.diagnostics;
        // Hints may change with the edit.
        let at = |message: &Diagnostic| {
            let place = message.place.as_ref().map(|place| place.span.clone());
            (message.file_name().to_string(), place)
        };
        let known: Vec<_> = known.iter().map(at).collect();
        found.retain(|message| is_edited(message) || !known.contains(&at(message)));
    }
    Ok(found)
}
