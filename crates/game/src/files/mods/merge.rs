//! Tables of a mod, laid over those of the layers below.

use crate::files::{CONFIG, Data, KINDS, Node, Table};
use std::collections::BTreeMap;

/// How many levels of tables inside the value of a key are laid over each other; 0 replaces the value.
type DepthOf = fn(&str) -> u32;

/// Lays a table over that of the layers below, of the file with this path in its layer: its keys override theirs, and
/// those of its tables override the keys of theirs. A value deeper inside, and a body, is replaced as a whole.
pub(crate) fn lay_over(below: &mut Table, above: Table, name: &str) {
    let depth_of: DepthOf = if name == CONFIG {
        // The keys of a player are a table in the table of keys.
        |key| if key == "keys" { 2 } else { 1 }
    } else if name.starts_with(KINDS) {
        depth_in_entity
    } else {
        |_| 1
    };
    lay_keys_over(below, above, depth_of);
}

/// Lays a level over the one of this name in the layers below. Solids, zones and entities override the keys of those
/// with their name, and are added if there are none.
pub(crate) fn lay_level_over(below: &mut Table, mut above: Table) {
    for list in ["solid", "zone", "entity"] {
        let is_list = above.get(list).is_some_and(|node| node.list().is_some());
        if is_list
            && let Some(Data::Array(known)) = below.get_mut(list).map(|node| &mut node.value)
            && let Some(Data::Array(items)) = above.take(list).map(|node| node.value)
        {
            lay_items_over(known, items);
        }
    }
    lay_keys_over(below, above, |_| 1);
}

/// Lays each item of a list over that with its name, or adds it. Another one with the same name is added, too, and then
/// reported like two with one name in a single file.
fn lay_items_over(below: &mut Vec<Node>, above: Vec<Node>) {
    let name_of = |node: &Node| node.table()?.text("name").map(String::from);
    let named = below.iter().enumerate().rev().filter_map(|(at, node)| Some((name_of(node)?, at)));
    let mut places: BTreeMap<String, usize> = named.collect();
    for node in above {
        let place = name_of(&node).and_then(|name| places.remove(&name));
        match (place.map(|at| &mut below[at].value), node.value) {
            (Some(Data::Table(below)), Data::Table(above)) => {
                lay_keys_over(below, above, depth_in_entity);
            }
            (_, value) => below.push(Node { value, ..node }),
        }
    }
}

/// The ways to write a body exclude each other.
fn depth_in_entity(key: &str) -> u32 {
    if key == "body" { 0 } else { 1 }
}

/// Lays the keys of a table over those of another one.
fn lay_keys_over(below: &mut Table, above: Table, depth_of: DepthOf) {
    let names = below.entries.iter().enumerate();
    let mut places: BTreeMap<String, usize> = names.map(|(at, (key, _))| (key.name.clone(), at)).collect();
    for (key, node) in above.entries {
        let Some(at) = places.get(&key.name) else {
            places.insert(key.name.clone(), below.entries.len());
            below.entries.push((key, node));
            continue;
        };
        let known = &mut below.entries[*at];
        match (depth_of(&key.name), &mut known.1.value, node.value) {
            (1, Data::Table(below), Data::Table(above)) => lay_keys_over(below, above, |_| 0),
            (2.., Data::Table(below), Data::Table(above)) => lay_keys_over(below, above, |_| 1),
            (_, _, value) => *known = (key, Node { value, ..node }),
        }
    }
}
