//! Writes values of tunables back into the files that hold them. Comments and order stay as they are.

use super::toml_file::{edit_file, put};
use crate::files::{GameFolder, TuningChange, TuningGroup, TuningHome, content::tuning_home::unsaved_reason};
use hangtime_core::tuning::Setting;
use std::collections::BTreeMap;
use toml_edit::{DocumentMut, Item, Table, TableLike, Value};

/// A change to save, and what it is based on.
#[derive(Clone, Debug, PartialEq)]
pub struct TuningEdit {
    /// The new value.
    pub change: TuningChange,
    /// The value that the change replaces.
    pub was: Setting,
    /// Whether the file sets that value. If not, it is the default, or comes from another file.
    pub written: bool,
}

/// Saves changes of a level. Each file is written at once or not at all, next to its name and then
/// renamed. Returns the names of the files, and why the other changes were not saved.
pub fn save_tuning(folder: &GameFolder, level: &str, edits: &[TuningEdit]) -> (Vec<String>, Vec<String>) {
    save_tuning_with(level, edits, |file, change| edit_file(folder, file, change).map(drop))
}

/// The same where files are not on a disk. `edit` gets the name of a file and what changes its text, and returns why it
/// cannot be changed.
pub fn save_tuning_with(
    level: &str,
    edits: &[TuningEdit],
    mut edit: impl FnMut(&str, &dyn Fn(&str) -> Result<String, String>) -> Result<(), String>,
) -> (Vec<String>, Vec<String>) {
    let mut files: BTreeMap<String, Vec<&TuningEdit>> = BTreeMap::new();
    let mut wrong = Vec::new();
    for edit in edits {
        let TuningChange { home, group, .. } = &edit.change;
        match home.file(group, level) {
            Some(file) => files.entry(file).or_default().push(edit),
            None => {
                let key = key_of(&edit.change);
                wrong.push(format!("`{key}` is set on the command line; start hangtime without `--set` to save it"));
            }
        }
    }
    let mut saved = Vec::new();
    for (file, edits) in files {
        match edit(&file, &|text| edited_text(&file, text, &edits)) {
            Ok(()) => saved.push(file),
            Err(error) => wrong.push(error),
        }
    }
    (saved, wrong)
}

fn key_of(change: &TuningChange) -> String {
    format!("{}.{}", change.group, change.name)
}

/// A file's text after edits that all belong to it.
fn edited_text(file: &str, text: &str, edits: &[&TuningEdit]) -> Result<String, String> {
    let mut document: DocumentMut = text.parse().map_err(|_| format!("{file} {}", unsaved_reason(file)))?;
    for TuningEdit { change, was, written } in edits {
        let TuningChange { home, group, name, value } = change;
        let key = key_of(change);
        let table = table_of(&mut document, home, group).ok_or_else(|| format!("{file} has no place for `{key}`"))?;
        let found = table.get(name).map(setting_of);
        if found.as_ref().is_some_and(|found| found.as_ref() == Some(value)) {
            continue;
        }
        let unchanged = match &found {
            Some(found) => *written && found.as_ref() == Some(was),
            None => !written,
        };
        if !unchanged {
            let found = table
                .get(name)
                .map_or_else(|| "nothing".into(), |item| item.to_string().trim().to_string());
            return Err(format!("{file} has another value for `{key}` now: {found}"));
        }
        let whole = table.get(name).is_some_and(Item::is_integer);
        let new: Value = match value {
            Setting::Number(x) if whole && x.trunc() == *x => (*x as i64).into(),
            Setting::Number(x) => (*x).into(),
            Setting::Flag(x) => (*x).into(),
            Setting::Word(x) => x.as_str().into(),
        };
        put(table, name, new);
    }
    Ok(document.to_string())
}

/// The table in which a home keeps the tunables of a group. A table that is missing is added, except in
/// a level.
fn table_of<'d>(
    document: &'d mut DocumentMut,
    home: &TuningHome,
    group: &TuningGroup,
) -> Option<&'d mut dyn TableLike> {
    let name = match group {
        TuningGroup::Surface(name) => name.clone(),
        other => other.to_string(),
    };
    match home.in_game() {
        TuningHome::Model | TuningHome::Level => Some(document.as_table_mut()),
        TuningHome::Kind(_) | TuningHome::Surfaces | TuningHome::Game => {
            document.entry(&name).or_insert_with(|| Item::Table(Table::new())).as_table_like_mut()
        }
        TuningHome::Entity(entity) => {
            entity_of(document.get_mut("entity")?, entity)?.get_mut(&name)?.as_table_like_mut()
        }
        TuningHome::CommandLine | TuningHome::Mod(..) => None,
    }
}

/// The entity with this name. The first entity of a kind, if it has no name, is named after the kind.
fn entity_of<'d>(entities: &'d mut Item, name: &str) -> Option<&'d mut dyn TableLike> {
    let mut tables: Vec<&mut dyn TableLike> = match entities {
        Item::ArrayOfTables(tables) => tables.iter_mut().map(|t| t as _).collect(),
        Item::Value(Value::Array(list)) => {
            list.iter_mut().filter_map(|value| Some(value.as_inline_table_mut()? as _)).collect()
        }
        _ => return None,
    };
    let is = |table: &&mut dyn TableLike, key| table.get(key).and_then(Item::as_str) == Some(name);
    let named = tables.iter().position(|table| is(table, "name"));
    let unnamed = |table: &&mut dyn TableLike| table.get("name").is_none() && is(table, "kind");
    let index = named.or_else(|| tables.iter().position(unnamed))?;
    Some(tables.swap_remove(index))
}

/// The value of a key, if it can be a tunable's.
fn setting_of(item: &Item) -> Option<Setting> {
    match item.as_value()? {
        Value::Float(x) => Some(Setting::Number(*x.value())),
        Value::Integer(x) => Some(Setting::Number(*x.value() as f64)),
        Value::Boolean(x) => Some(Setting::Flag(*x.value())),
        Value::String(x) => Some(Setting::Word(x.value().clone())),
        _ => None,
    }
}
