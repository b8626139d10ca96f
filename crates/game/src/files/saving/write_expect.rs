//! Writes contracts into the file of a kind. Comments, order and other keys stay as they are.

use super::toml_file::{edit_file, put};
use crate::files::{FeelBound, FeelQuantity, GameFolder};
use hangtime_core::models::ModelName;
use toml_edit::{DocumentMut, Item, Table, TableLike};

/// A contract to write.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectLine {
    /// The model whose table it belongs to; `None` for the kind's own.
    pub model: Option<ModelName>,
    /// What is measured.
    pub quantity: FeelQuantity,
    /// What it must be.
    pub bound: FeelBound,
}

/// Writes contracts into `file`, a kind's, at once or not at all: next to it, then renamed. Returns
/// whether that changed the file.
///
/// # Errors
/// Why the file cannot be changed. It is as it was.
pub fn write_expect(folder: &GameFolder, file: &str, lines: &[ExpectLine]) -> Result<bool, String> {
    edit_file(folder, file, |text| with_lines(text, lines).map_err(|reason| format!("{file} {reason}")))
}

/// The text of a file with these contracts.
fn with_lines(text: &str, lines: &[ExpectLine]) -> Result<String, &'static str> {
    const NO_PLACE: &str = "has no place for `[expect]`";
    let mut document: DocumentMut =
        text.parse().map_err(|_| "has a syntax error; nothing is written until it is fixed")?;
    for line in lines {
        let root: &mut dyn TableLike = document.as_table_mut();
        let mut table = table_in(root, "expect").ok_or(NO_PLACE)?;
        if let Some(model) = line.model {
            table = table_in(table, model.as_str()).ok_or(NO_PLACE)?;
        }
        put_contract(table, line);
    }
    Ok(document.to_string())
}

/// The table with this name, which is added if there is none.
fn table_in<'t>(table: &'t mut dyn TableLike, name: &str) -> Option<&'t mut dyn TableLike> {
    let new = || {
        let mut table = Table::new();
        // `[expect]` is not written above `[expect.MODEL]` unless it has keys.
        table.set_implicit(true);
        Item::Table(table)
    };
    table.entry(name).or_insert_with(new).as_table_like_mut()
}

/// Sets a contract. One that says the same is left alone.
fn put_contract(table: &mut dyn TableLike, line: &ExpectLine) {
    let name = line.quantity.name();
    let bound = |text: &str| FeelBound::parse(text, line.quantity).ok();
    if table.get(name).and_then(Item::as_str).and_then(bound) != Some(line.bound) {
        put(table, name, line.bound.to_string().into());
    }
}
