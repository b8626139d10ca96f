//! Scripts that mods put above the script of a kind.
//!
//! Laid over each other, the files of a kind have under `scripts` one table for each of these scripts, with the name of
//! its layer, its path and its variables. Everything else of a mod's file overrides the layers below as usual.

use super::*;
use crate::files::{KINDS, ModLayer, SourceSet};
use hangtime_script::text::printable_name;

/// The largest number of scripts that one mod puts above the scripts of a kind, and of all scripts of a kind.
const MOST_SCRIPTS: usize = 8;
const MOST_LAYERS: usize = 32;

impl SourceSet {
    /// The file of a kind as a table, with the mods' files laid over it.
    pub(crate) fn layered_kind(&self, kind: &str, out: &mut Mistakes) -> Table {
        let name = format!("{KINDS}/{kind}.toml");
        let own = self.parsed(&name, out);
        let mut exists = own.is_some() || self.is_unreadable(&name);
        let mut table = own.unwrap_or_else(|| Table::empty(&name));
        refuse_layers(&mut table, out);
        for layer in &self.mods.layers {
            if let Some(above) = self.parsed(&layer.full(&name), out) {
                lay_kind_over(&mut table, above, (layer, exists), out);
                exists = true;
            }
        }
        table
    }

    /// The file of a kind as a table, without the files of other layers.
    pub(crate) fn kind_alone(&self, file: &str, mut table: Table, out: &mut Mistakes) -> Table {
        let Some(layer) = self.mods.layer_of(file) else {
            refuse_layers(&mut table, out);
            return table;
        };
        let local = self.mods.local(file);
        let mut below = self.mods.layers.iter().take_while(|other| other.name != layer.name);
        let exists = self.get(local).is_some() || below.any(|other| self.get(&other.full(local)).is_some());
        let mut alone = Table::empty(file);
        lay_kind_over(&mut alone, table, (layer, exists), out);
        alone
    }
}

/// Reports the keys of a game's kind that only kinds of mods can have.
fn refuse_layers(table: &mut Table, out: &mut Mistakes) {
    for key in ["scripts", "replaces"] {
        if let Some(node) = table.take(key) {
            out.error(&node.place, format!("`{key}` is for the files of mods; a game's kind has one `script`"));
        }
    }
}

/// Lays a mod's file of a kind over the layers below; `exists` says whether these have the kind.
fn lay_kind_over(table: &mut Table, mut above: Table, (layer, exists): (&ModLayer, bool), out: &mut Mistakes) {
    let insists = above.take("exists").is_some_and(|node| node.is_true());
    let adds =
        above.entries.is_empty() || ["model", "script", "scripts", "body"].iter().any(|key| above.get(key).is_some());
    if !exists && (insists || !adds) {
        let message = "this kind is not in the game any more: no layer below has it; a new kind needs `model`, `script` or `body`";
        out.error(&above.place, message);
    }
    let replaces = above.take("replaces");
    let scripts = above.take("scripts");
    if let Some(node) = above.get("script").filter(|_| exists || scripts.is_some()) {
        let message = "`script` is the script of a new kind; write `scripts = [\"…\"]` to put one above the scripts \
                       of the layers below, and `replaces = true` to take their place";
        out.error(&node.place, message);
        above.take("script");
    }
    let replaces = replaces.and_then(|node| place_if_true(node, out));
    let Some(scripts) = scripts else {
        if let Some(place) = replaces {
            let message = "`replaces` needs `scripts`, which take the place of the scripts in the layers below";
            out.error(&place, message);
        }
        return lay_over(table, above, KINDS);
    };
    let vars = above.take("vars");
    let mut scripts = scripts_of(&scripts, layer, vars, out);
    if replaces.is_some() {
        for key in ["script", "scripts", "vars"] {
            table.take(key);
        }
    }
    let has_script = table.get("script").is_some() || table.get("scripts").is_some();
    if !has_script && !scripts.is_empty() {
        // The lowest script is the kind's own.
        if let Data::Table(mut lowest) = scripts.remove(0).value {
            lowest.take("name");
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
    out.error(&node.place, format!("`replaces` takes true or false, not {}", node.kind()));
    None
}

/// Adds the tables of scripts to those that the layers below have put above a kind.
fn add_scripts(table: &mut Table, mut scripts: Vec<Node>, out: &mut Mistakes) {
    match table.get_mut("scripts").map(|node| &mut node.value) {
        Some(Data::Array(list)) => {
            list.append(&mut scripts);
            if let Some(node) = list.get(MOST_LAYERS) {
                out.error(&node.place, format!("a kind can have at most {MOST_LAYERS} scripts above its own"));
                list.truncate(MOST_LAYERS);
            }
        }
        _ => {
            if let Some(place) = scripts.first().map(|first| first.place.clone()) {
                table.put("scripts", Node { value: Data::Array(scripts), place });
            }
        }
    }
}

/// One table for each script that a mod's file lists.
fn scripts_of(node: &Node, layer: &ModLayer, vars: Option<Node>, out: &mut Mistakes) -> Vec<Node> {
    let Some(list) = node.list() else {
        let ending = LANGUAGES.first().ending();
        out.error(&node.place, format!("`scripts` takes a list, such as [\"angry.{ending}\"], not {}", node.kind()));
        return Vec::new();
    };
    if list.is_empty() {
        out.error(&node.place, "`scripts` is empty; leave it out");
    }
    let mut found: Vec<(String, Node)> = Vec::new();
    for item in list {
        let Some(path) = item.text() else {
            out.error(&item.place, format!("`scripts` takes paths below scripts/, not {}", item.kind()));
            continue;
        };
        if found.iter().any(|(known, _)| known == path) {
            out.error(&item.place, format!("`{}` is listed twice", printable_name(path)));
            continue;
        }
        if found.len() == MOST_SCRIPTS {
            out.error(&item.place, format!("a mod can put at most {MOST_SCRIPTS} scripts above a kind"));
            break;
        }
        let mut name = layer.name.clone();
        if !found.is_empty() {
            name = format!("{name}/{}", LANGUAGES.stem(path));
        }
        let mut table = Table::at(&item.place);
        table.put("name", Node::new(Data::Text(name), &item.place));
        table.put("script", item.clone());
        if let Some(vars) = &vars {
            table.put("vars", vars.clone());
        }
        found.push((path.to_string(), Node::new(Data::Table(table), &item.place)));
    }
    found.into_iter().map(|(_, node)| node).collect()
}

/// The scripts of mods that a kind's table lists.
pub(crate) fn kind_layers(table: &Table) -> impl Iterator<Item = (&Table, &Node)> {
    table.tables("scripts").filter_map(|table| Some((table, table.get("script")?)))
}
