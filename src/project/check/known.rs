//! The names in a game's files, for checking its scripts against them.

use crate::project::files::file_system::Disk;
use crate::project::files::naming::name_of;
use crate::project::files::source::{list, read_text};
use crate::project::files::tree::{Data, Node, Table, parse};
use crate::project::files::{GameFolder, SourceSet};
use crate::script::host::{BuildProgress, GameNames, Mistakes};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Collects the names in all files of a game folder. Files that cannot be read are reported when they
/// are checked themselves.
pub(super) fn collect_names(folder: &GameFolder) -> GameNames {
    let mut known = GameNames::default();
    let tables = |name: &str| {
        let below = folder.path().join(name);
        let paths = list(folder, name, "toml").into_iter();
        let paths = paths.take_while(|_| !BuildProgress::is_cancelled());
        let read = paths.map(move |path| {
            let name = name_of(&below, &path);
            let file = read_text(&path, &name).ok();
            (name, file.and_then(|file| parse(&file).ok()))
        });
        read.collect::<Vec<_>>()
    };
    for (name, table) in tables("config/entities") {
        known
            .kinds
            .insert(name.trim_end_matches(".toml").to_string());
        known.behaviors.extend(table.iter().filter_map(script_of));
        known.unread |= table.is_none();
        table
            .iter()
            .for_each(|table| collect_vars(table, &mut known));
    }
    for (name, table) in tables("config") {
        if name != "surfaces.toml" {
            continue;
        }
        known.unread |= table.is_none();
        if let Some(table) = &table {
            let keys = table.entries.iter().map(|(key, _)| key.name.clone());
            known.surfaces.extend(keys);
        }
    }
    for (name, table) in tables("levels").into_iter().chain(maps(folder)) {
        known.levels.insert(name);
        match table {
            Some(table) => collect_level(&table, &mut known),
            None => known.unread = true,
        }
    }
    for path in list(folder, "levels", "rhai") {
        if let Ok(test) = read_text(&path, "") {
            known.queried_events.extend(queried_events(&test.text));
            let word = |c: char| !c.is_alphanumeric() && c != '_';
            known
                .words_in_tests
                .extend(test.text.split(word).map(String::from));
        }
    }
    known
}

/// The levels that are maps, as the tables that their TOML would be.
fn maps(folder: &GameFolder) -> Vec<(String, Option<Table>)> {
    let levels = folder.path().join("levels");
    let paths = list(folder, "levels", "tmx").into_iter();
    let read = |path: PathBuf| {
        let sources = SourceSet::read_map(&Disk, folder, &path);
        BuildProgress::at(&sources.level);
        let table = sources.level_table(&mut Mistakes::new());
        (name_of(&levels, &path), table)
    };
    paths
        .take_while(|_| !BuildProgress::is_cancelled())
        .map(read)
        .collect()
}

/// Adds the variables in the `vars` of a kind, entity or level.
fn collect_vars(table: &Table, known: &mut GameNames) {
    let Some(vars) = table.get("vars").and_then(table_of) else {
        return;
    };
    let names = vars.entries.iter().map(|(key, _)| key.name.clone());
    known.vars.extend(names);
}

fn script_of(table: &Table) -> Option<String> {
    Some(table.get("script")?.text()?.to_string())
}

/// Adds the names in a level. Values of a wrong type are skipped; checking the level reports them.
fn collect_level(level: &Table, known: &mut GameNames) {
    known.level_scripts.extend(script_of(level));
    collect_vars(level, known);
    collect_surfaces(level, &mut known.surfaces);
    for (key, node) in &level.entries {
        let tables = match &node.value {
            Data::Array(nodes) => nodes.iter().filter_map(table_of).collect(),
            _ => table_of(node).into_iter().collect::<Vec<_>>(),
        };
        for table in tables {
            let name = table.get("name").and_then(Node::text).map(String::from);
            match key.name.as_str() {
                "solid" => {
                    let switched = table.get("present").and(name.clone());
                    known.switched.extend(switched);
                    known.solids.extend(name);
                }
                "zone" => known.zones.extend(name),
                "entity" => {
                    known.behaviors.extend(script_of(table));
                    let model = table.get("model").and_then(Node::text);
                    known.models.extend(model.map(String::from));
                    collect_vars(table, known);
                    known.entities.extend(name);
                }
                _ => {}
            }
        }
    }
}

fn table_of(node: &Node) -> Option<&Table> {
    match &node.value {
        Data::Table(table) => Some(table),
        _ => None,
    }
}

/// Adds every `surface` of a table and of the tables in it.
fn collect_surfaces(table: &Table, out: &mut BTreeSet<String>) {
    for (key, node) in &table.entries {
        if key.name == "surface" {
            out.extend(node.text().map(String::from));
        }
        match &node.value {
            Data::Table(table) => collect_surfaces(table, out),
            Data::Array(nodes) => {
                for table in nodes.iter().filter_map(table_of) {
                    collect_surfaces(table, out);
                }
            }
            _ => {}
        }
    }
}

/// The events that a test queries by name, as in `t.events("won")`.
fn queried_events(text: &str) -> impl Iterator<Item = String> + '_ {
    let asked = text.split("events(\"").skip(1);
    asked.filter_map(|rest| Some(rest.split_once('"')?.0.to_string()))
}
