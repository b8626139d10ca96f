//! Changed values of TOML files, and changed solids, zones and entities of levels.

use super::change::Change;
use crate::files::{
    content::settings::key_prefix,
    mods::lay_over,
    tables::tree::{Data, Node, Table, parse},
};
use hangtime_script::SourceFile;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// The changed values of a path in `config/`, by their keys as in settings: from the files of all layers before to those
/// after. None if one cannot be read.
pub fn changed_values((old, new): (Vec<Arc<SourceFile>>, Vec<Arc<SourceFile>>), local: &str) -> Option<Vec<Change>> {
    let prefix = key_prefix(local)?;
    let (old, new) = (values_of(&old, local, &prefix)?, values_of(&new, local, &prefix)?);
    Some(differences(&old, &new))
}

/// The values that differ, by their keys.
fn differences(old: &BTreeMap<String, String>, new: &BTreeMap<String, String>) -> Vec<Change> {
    let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let change =
        |key: &String| Change::Value { key: key.clone(), old: old.get(key).cloned(), new: new.get(key).cloned() };
    keys.into_iter().filter(|key| old.get(*key) != new.get(*key)).map(change).collect()
}

/// The values of a file in `config/` in all layers together, the lowest one first. None if one cannot be read.
pub fn values_of(layers: &[Arc<SourceFile>], local: &str, prefix: &str) -> Option<BTreeMap<String, String>> {
    let mut table = Table::empty(local);
    for file in layers {
        lay_over(&mut table, parse(file).ok()?, local);
    }
    let mut values = BTreeMap::new();
    flatten(&table, prefix, &mut values);
    Some(values)
}

fn flatten(table: &Table, prefix: &str, out: &mut BTreeMap<String, String>) {
    for (key, node) in &table.entries {
        let key = format!("{prefix}{}", key.name);
        match &node.value {
            Data::Table(table) => flatten(table, &format!("{key}."), out),
            _ => {
                out.insert(key, node.shown());
            }
        }
    }
}

/// The lists of a level, with the word for one of their entries.
const LISTS: [(&str, &str, &str); 3] =
    [("solid", "solid", "solids"), ("zone", "zone", "zones"), ("entity", "entity", "entities")];

/// What changed in a level: its values, then the number of solids, zones and entities.
pub fn changed_level(old: &Arc<SourceFile>, new: &Arc<SourceFile>) -> Vec<String> {
    let (Ok(old), Ok(new)) = (parse(old), parse(new)) else {
        return vec!["changed".into()];
    };
    let mut parts = values_outside_of_lists(&old, &new);
    for (key, one, many) in LISTS {
        let (before, after) = (entries(&old, key), entries(&new, key));
        parts.extend(changed_entries(&before, &after, one, many));
    }
    parts
}

/// The values of a level outside of its lists.
fn values_outside_of_lists(old: &Table, new: &Table) -> Vec<String> {
    let values = |table: &Table| {
        let mut values = BTreeMap::new();
        let mut plain = table.clone();
        plain.entries.retain(|(key, _)| LISTS.iter().all(|(list, ..)| key.name != *list));
        flatten(&plain, "", &mut values);
        values
    };
    differences(&values(old), &values(new)).iter().map(Change::to_string).collect()
}

fn entries(level: &Table, key: &str) -> Vec<String> {
    match level.get(key).map(|node| &node.value) {
        Some(Data::Array(nodes)) => nodes.iter().map(Node::spelled).collect(),
        _ => Vec::new(),
    }
}

/// `2 solids changed`, `1 entity added`. An entry that was moved to another place in the list is the same.
fn changed_entries(old: &[String], new: &[String], one: &str, many: &str) -> Vec<String> {
    let mut counts: BTreeMap<&String, i64> = BTreeMap::new();
    for entry in old {
        *counts.entry(entry).or_default() -= 1;
    }
    for entry in new {
        *counts.entry(entry).or_default() += 1;
    }
    let gone: i64 = counts.values().filter(|n| **n < 0).map(|n| -n).sum();
    let come: i64 = counts.values().filter(|n| **n > 0).sum();
    let changed = gone.min(come);
    let parts = [(changed, "changed"), (come - changed, "added"), (gone - changed, "removed")];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    parts
        .map(|(count, what)| format!("{count} {} {what}", if count == 1 { one } else { many }))
        .collect()
}
