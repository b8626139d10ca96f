//! Scripts that mods put above the script of a kind.
//!
//! Laid over each other, the files of a kind have under `scripts` one table for each of these scripts, with the name of
//! its layer, its path and its variables. Everything else of a mod's file overrides the layers below as usual.

use crate::files::disk::endings::KINDS;
use crate::files::mods::{ModLayer, lay_over};
use crate::files::sources::source::SourceSet;
use crate::files::tables::tree::{Data, Node, Table, TableKey, parse};
use crate::languages::LANGUAGES;
use hangtime_script::text::printable_name;
use hangtime_script::{BuildProgress, Diagnostic, Mistakes, Place};

/// The largest number of scripts that one mod puts above those of a kind, and of all scripts of a kind.
const MOST_SCRIPTS: usize = 8;
const MOST_LAYERS: usize = 32;

impl SourceSet {
    /// The file of a kind as a table, with those of the mods laid over it.
    pub(crate) fn layered_kind(&self, kind: &str, out: &mut Mistakes) -> Table {
        let name = format!("{KINDS}/{kind}.toml");
        let read = |name: &str, out: &mut Mistakes| {
            let file = self.get(name).filter(|_| !BuildProgress::is_cancelled())?;
            BuildProgress::at(name);
            parse(file).map_err(|wrong| out.push(wrong)).ok()
        };
        let own = read(&name, out);
        let mut exists = own.is_some() || self.is_unreadable(&name);
        let mut table = own.unwrap_or_else(|| Table::empty(&name));
        refuse_layers(&mut table, out);
        for layer in &self.mods.layers {
            let Some(above) = read(&format!("{}/{name}", layer.folder), out) else {
                continue;
            };
            lay_kind_over(&mut table, above, (layer, exists), out);
            exists = true;
        }
        table
    }

    /// The file of a kind as a table, without those of other layers.
    pub(crate) fn kind_alone(&self, file: &str, mut table: Table, out: &mut Mistakes) -> Table {
        let Some(layer) = self.mods.layer_of(file) else {
            refuse_layers(&mut table, out);
            return table;
        };
        let local = self.mods.local(file);
        let below = self.mods.layers.iter();
        let below = below.take_while(|other| other.name != layer.name);
        let mut below = below.map(|other| format!("{}/{local}", other.folder));
        let exists = self.get(local).is_some() || below.any(|name| self.get(&name).is_some());
        let mut alone = Table::empty(file);
        lay_kind_over(&mut alone, table, (layer, exists), out);
        alone
    }
}

/// Reports the keys of a game's kind that only those of mods have.
fn refuse_layers(table: &mut Table, out: &mut Mistakes) {
    for key in ["scripts", "replaces"] {
        if let Some(node) = take(table, key) {
            let message = format!("`{key}` is for the files of mods; a game's kind has one `script`");
            out.push(Diagnostic::error(node.place, message));
        }
    }
}

/// Lays a mod's file of a kind over the layers below; `exists` says whether these have the kind.
fn lay_kind_over(table: &mut Table, mut above: Table, (layer, exists): (&ModLayer, bool), out: &mut Mistakes) {
    let replaces = take(&mut above, "replaces");
    let scripts = take(&mut above, "scripts");
    if let Some(node) = above.get("script").filter(|_| exists || scripts.is_some()) {
        let message = "`script` is the script of a new kind; write `scripts = [\"…\"]` to put one above those of the \
                       layers below, and `replaces = true` to take their place";
        out.push(Diagnostic::error(node.place.clone(), message));
        take(&mut above, "script");
    }
    let replaces = replaces.and_then(|node| place_if_true(node, out));
    let Some(scripts) = scripts else {
        if let Some(place) = replaces {
            let message = "`replaces` needs `scripts`, which take the place of those of the layers below";
            out.push(Diagnostic::error(place, message));
        }
        return lay_over(table, above, KINDS);
    };
    let vars = take(&mut above, "vars");
    let mut scripts = scripts_of(&scripts, layer, vars, out);
    if replaces.is_some() {
        for key in ["script", "scripts", "vars"] {
            take(table, key);
        }
    }
    let has_script = table.get("script").is_some() || table.get("scripts").is_some();
    if !has_script && !scripts.is_empty() {
        // The lowest script is that of the kind.
        if let Data::Table(mut lowest) = scripts.remove(0).value {
            take(&mut lowest, "name");
            lay_over(table, lowest, KINDS);
        }
    }
    lay_over(table, above, KINDS);
    add_scripts(table, scripts, out);
}

/// The place of `replaces` if it is true.
fn place_if_true(node: Node, out: &mut Mistakes) -> Option<Place> {
    if let Data::Flag(flag) = node.value {
        return flag.then_some(node.place);
    }
    let message = format!("`replaces` takes true or false, not {}", node.kind());
    out.push(Diagnostic::error(node.place, message));
    None
}

/// Adds the tables of scripts to those that the layers below have put above a kind.
fn add_scripts(table: &mut Table, mut scripts: Vec<Node>, out: &mut Mistakes) {
    let known = table.entries.iter_mut().find(|(key, _)| key.name == "scripts");
    match known.map(|(_, node)| &mut node.value) {
        Some(Data::Array(list)) => {
            list.append(&mut scripts);
            if let Some(node) = list.get(MOST_LAYERS) {
                let message = format!("a kind can have at most {MOST_LAYERS} scripts above its own");
                out.push(Diagnostic::error(node.place.clone(), message));
                list.truncate(MOST_LAYERS);
            }
        }
        _ => {
            if let Some(first) = scripts.first() {
                let place = first.place.clone();
                let value = Data::Array(scripts);
                table.set(&[key("scripts", &place)], Node { value, place });
            }
        }
    }
}

/// One table for each script that a mod's file lists.
fn scripts_of(node: &Node, layer: &ModLayer, vars: Option<Node>, out: &mut Mistakes) -> Vec<Node> {
    let mut error = |place: &Place, message: String| {
        out.push(Diagnostic::error(place.clone(), message));
    };
    let Data::Array(list) = &node.value else {
        let ending = LANGUAGES.first().ending();
        let message = format!("`scripts` takes a list, such as [\"angry.{ending}\"], not {}", node.kind());
        error(&node.place, message);
        return Vec::new();
    };
    if list.is_empty() {
        error(&node.place, "`scripts` is empty; leave it out".into());
    }
    let mut found: Vec<(String, Node)> = Vec::new();
    for item in list {
        let Some(path) = item.text() else {
            error(&item.place, format!("`scripts` takes paths below scripts/, not {}", item.kind()));
            continue;
        };
        if found.iter().any(|(known, _)| known == path) {
            error(&item.place, format!("`{}` is listed twice", printable_name(path)));
            continue;
        }
        if found.len() == MOST_SCRIPTS {
            error(&item.place, format!("a mod can put at most {MOST_SCRIPTS} scripts above a kind"));
            break;
        }
        let name = match found.is_empty() {
            true => layer.name.clone(),
            false => format!("{}/{}", layer.name, LANGUAGES.stem(path)),
        };
        let place = &item.place;
        let text = |text: String| Node { value: Data::Text(text), place: place.clone() };
        let mut entries = vec![(key("name", place), text(name)), (key("script", place), text(path.to_string()))];
        entries.extend(vars.clone().map(|vars| (key("vars", &vars.place), vars)));
        let table = Table { entries, place: place.clone() };
        let node = Node { value: Data::Table(table), place: place.clone() };
        found.push((path.to_string(), node));
    }
    found.into_iter().map(|(_, node)| node).collect()
}

fn key(name: &str, place: &Place) -> TableKey {
    TableKey { name: name.into(), place: place.clone() }
}

/// Removes a key of a table, and returns its value.
fn take(table: &mut Table, key: &str) -> Option<Node> {
    let place = table.entries.iter().position(|(known, _)| known.name == key)?;
    Some(table.entries.remove(place).1)
}

/// The scripts of mods that a kind's table lists.
pub(crate) fn kind_layers(table: &Table) -> impl Iterator<Item = (&Table, &Node)> {
    let list = match table.get("scripts").map(|node| &node.value) {
        Some(Data::Array(list)) => list.as_slice(),
        _ => &[],
    };
    list.iter().filter_map(|node| match &node.value {
        Data::Table(table) => Some((table, table.get("script")?)),
        _ => None,
    })
}
