//! Changing a TOML file of the game. Comments and order stay as they are.

use crate::files::{GameFolder, OutputFile};
use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
};
use toml_edit::{Item, TableLike, Value};

/// Changes the text of a file at once or not at all: next to it, then renamed. Returns whether that changed the file.
///
/// # Errors
/// Why the file cannot be changed, beginning with its name. It is as it was.
pub fn edit_file(
    folder: &GameFolder,
    file: &str,
    edit: impl FnOnce(&str) -> Result<String, String>,
) -> Result<bool, String> {
    let path = writable_path(folder, file)?;
    let text = fs::read_to_string(&path).map_err(|error| format!("{file} cannot be read: {error}"))?;
    let edited = edit(&text)?;
    if edited == text {
        return Ok(false);
    }
    let (output, mut writer) = OutputFile::replace(&path).map_err(|error| error.to_string())?;
    // A full disk may say so only then.
    let sync = |writer: &mut fs::File| writer.sync_all();
    complete(file, output, (&mut writer, sync), &edited)?;
    Ok(true)
}

/// Writes a text and gives it the file's name. If the text cannot be written, the file stays as it is, and
/// what was written is removed.
fn complete<W: Write>(
    file: &str,
    output: OutputFile,
    (writer, sync): (&mut W, impl FnOnce(&mut W) -> io::Result<()>),
    text: &str,
) -> Result<(), String> {
    let written = writer.write_all(text.as_bytes()).and_then(|()| sync(writer));
    written.map_err(|error| format!("{file} cannot be written: {error}"))?;
    output.complete().map_err(|error| error.to_string())
}

/// The real path of a file that may be written: inside the game folder, and not read-only.
pub fn writable_path(folder: &GameFolder, file: &str) -> Result<PathBuf, String> {
    let path = folder.path().join(file);
    let real = path.canonicalize().map_err(|error| format!("{file} cannot be found: {error}"))?;
    if folder.check(&real, &[]).is_err() {
        return Err(format!("{file} leads out of the game folder; `--follow-links` allows to write there"));
    }
    match real.metadata() {
        Ok(metadata) if metadata.permissions().readonly() => Err(format!("{file} is read-only")),
        _ => Ok(real),
    }
}

/// Sets a value and keeps the spaces and comments around the old one.
pub fn put(table: &mut dyn TableLike, name: &str, mut new: Value) {
    if let Some(old) = table.get(name).and_then(Item::as_value) {
        *new.decor_mut() = old.decor().clone();
    }
    match table.get_mut(name) {
        Some(item) => *item = Item::Value(new),
        None => drop(table.insert(name, Item::Value(new))),
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/files/saving/toml_file.rs"]
mod tests;
