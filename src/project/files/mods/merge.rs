//! Tables of a mod, laid over those of the layers below.

use crate::project::files::tree::{Data, Node, Table, TableKey};

/// Lays a table of `config/` over that of the layers below: its keys override theirs, and those of its tables
/// override the keys of theirs. A value deeper inside, such as a body, is replaced as a whole.
pub(in crate::project) fn lay_over(below: &mut Table, above: Table) {
    for (key, node) in above.entries {
        let is_keys = key.name == "keys";
        lay_key_over(below, key, node, |below, key, node| {
            if is_keys {
                // The keys of a player are a table in this table.
                lay_key_over(below, key, node, replace);
            } else {
                replace(below, key, node);
            }
        });
    }
}

/// Lays a level over the one of this name in the layers below. Solids, zones and entities override the keys of those
/// with their name, and are added if there are none.
pub(in crate::project) fn lay_level_over(below: &mut Table, above: Table) {
    for (key, node) in above.entries {
        let is_list = ["solid", "zone", "entity"].contains(&key.name.as_str());
        let list = below
            .entries
            .iter_mut()
            .find(|(known, _)| known.name == key.name);
        match (list.map(|(_, node)| &mut node.value), node.value) {
            (Some(Data::Array(list)), Data::Array(nodes)) if is_list => {
                nodes.into_iter().for_each(|node| lay_item_over(list, node));
            }
            (_, value) => lay_key_over(below, key, Node { value, ..node }, replace),
        }
    }
}

/// Lays one of a list over that with its name, or adds it.
fn lay_item_over(list: &mut Vec<Node>, node: Node) {
    let name = name_of(&node).map(String::from);
    let same = |other: &&mut Node| name.is_some() && name_of(other) == name.as_deref();
    match (
        list.iter_mut().find(same).map(|node| &mut node.value),
        node.value,
    ) {
        (Some(Data::Table(below)), Data::Table(above)) => {
            for (key, node) in above.entries {
                lay_key_over(below, key, node, replace);
            }
        }
        (_, value) => list.push(Node { value, ..node }),
    }
}

fn name_of(node: &Node) -> Option<&str> {
    match &node.value {
        Data::Table(table) => table.get("name")?.text(),
        _ => None,
    }
}

/// Lays a value over that of a key; `inside` lays those of two tables over each other.
fn lay_key_over(
    below: &mut Table,
    key: TableKey,
    node: Node,
    inside: impl Fn(&mut Table, TableKey, Node),
) {
    let known = below
        .entries
        .iter_mut()
        .find(|(known, _)| known.name == key.name);
    match (known.map(|(_, node)| &mut node.value), node.value) {
        (Some(Data::Table(below)), Data::Table(above)) if !is_body(&above) => {
            for (key, node) in above.entries {
                inside(below, key, node);
            }
        }
        (_, value) => replace(below, key, Node { value, ..node }),
    }
}

/// Whether a table is a body: the ways to write one exclude each other.
fn is_body(table: &Table) -> bool {
    let ways = ["ellipse", "box", "pieces"];
    ways.iter().any(|way| table.get(way).is_some())
}

fn replace(table: &mut Table, key: TableKey, node: Node) {
    table.set(&[key], node);
}
