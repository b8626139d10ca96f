//! `list_files` and `read_file`.

use super::*;
use hangtime_game::{GameListing, read_game_file};

/// Arguments of `list_files`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListFilesParams {
    /// Only paths that begin with this, such as `levels/tests/`.
    #[serde(default)]
    folder: String,
}

/// Arguments of `read_file`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadFileParams {
    /// The path below the game folder, as list_files has it.
    path: String,
    /// The first line to read, from 1.
    #[serde(default, deserialize_with = "whole_if_any")]
    from_line: Option<usize>,
}

/// The largest picture of an answer, in bytes.
pub const LARGEST_IMAGE: usize = 1 << 20;

/// The files in a game folder, by their paths below it. Those of mods elsewhere are left out.
pub fn files_inside(folder: &GameFolder) -> BTreeMap<String, PathBuf> {
    let mut files = GameListing::of(folder).files;
    files.retain(|name, _| Path::new(name).is_relative());
    files
}

/// The bytes of a file of the game.
///
/// # Errors
/// If the game has no such file, or it cannot be read.
pub fn bytes_inside(folder: &GameFolder, files: &BTreeMap<String, PathBuf>, name: &str) -> Result<Vec<u8>, ToolError> {
    let Some(path) = files.get(name) else {
        let near = suggestion(&cut_name(name), files.keys().map(String::as_str));
        return Err(ToolError::about(name, &format!("the game has no such file{near}; list_files lists all")));
    };
    Ok(read_game_file(folder, path, name)?)
}

pub fn list_files(game: &McpGame, params: ListFilesParams, _: &CallEnd) -> ToolResult {
    let GameListing { mut files, wrong } = GameListing::of(game.folder());
    files.retain(|name, _| Path::new(name).is_relative() && name.starts_with(&params.folder));
    let names = files.keys().map(|name| printable_name(name).into_owned());
    let lines = names.chain(wrong.iter().map(|error| format!("not listed: {error}")));
    match BoundedLines::of(lines).end("name a `folder`") {
        text if text.is_empty() => Err(ToolError::about(&params.folder, "the game has no files there")),
        text => text_answer(text),
    }
}

pub fn read_file(game: &McpGame, params: ReadFileParams, _: &CallEnd) -> ToolResult {
    let ReadFileParams { path, from_line } = params;
    let bytes = bytes_inside(game.folder(), &files_inside(game.folder()), &path)?;
    if path.ends_with(".png") && bytes.len() <= LARGEST_IMAGE {
        return Ok(vec![ToolContent::Image("image/png", bytes)]);
    }
    let text = String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
    let Some(text) = text else {
        return Err(ToolError::about(&path, "this is not text, or a picture that is too large to show"));
    };
    let (from, mut shown, mut lines) = (from_line.unwrap_or(1).max(1), String::new(), 0);
    for line in text.split_inclusive('\n').skip(from - 1) {
        if shown.len() + line.len() > MOST_PART {
            break;
        }
        shown.push_str(line);
        lines += 1;
    }
    let (all, next) = (text.split_inclusive('\n').count(), from + lines);
    if lines == 0 && all > 0 {
        let why = match from > all {
            true => format!("the file has {all} lines"),
            false => format!("line {from} is longer than {MOST_PART} bytes"),
        };
        return Err(ToolError::about(&path, &why));
    }
    let mut content = vec![ToolContent::Text(shown)];
    if next <= all {
        let note = format!("(lines {from} to {} of {all}; read on with `from_line`: {next})", next - 1);
        content.push(ToolContent::Text(note));
    }
    Ok(content)
}
