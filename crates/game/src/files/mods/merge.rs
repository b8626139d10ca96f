//! Tables of a mod, laid over the tables of the layers below.

use crate::files::{CONFIG, Data, KINDS, Node, Table};
use hangtime_script::{Mistakes, suggestion};
use std::collections::BTreeMap;

/// What an item of each list in a level must have, so that it can be added. Without it, it overrides one below.
const LISTS: [(&str, &[&str]); 3] = [("solid", &["points"]), ("zone", &["points"]), ("entity", &["kind", "at"])];

/// How many levels of tables inside the value of a key are laid over each other; 0 replaces the value.
type DepthOf = fn(&str) -> u32;

/// Lays a table over the table of the layers below; `name` is the path of its file in the layer. Its keys override the
/// keys below, and so do the keys of its tables. A value deeper inside, and a body, is replaced as a whole.
pub fn lay_over(below: &mut Table, above: Table, name: &str) {
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

/// Lays a level over the level of this name in the layers below. A solid, zone or entity overrides the keys of the one
/// with its name, or is added if there is none. One that says that it `exists`, or cannot be added, is an error then.
pub fn lay_level_over(below: &mut Table, mut above: Table, out: &mut Mistakes) {
    above.take("exists");
    for (list, needed) in LISTS {
        let Some(Data::Array(items)) = above.get_mut(list).map(|node| &mut node.value) else {
            continue;
        };
        let known = below.get(list).map_or(&[][..], Node::items);
        let names: Vec<&str> = known.iter().filter_map(|item| item.table()?.text("name")).collect();
        items.retain_mut(|item| is_there((list, needed), item, &names, out));
        if let Some(Data::Array(known)) = below.get_mut(list).map(|node| &mut node.value)
            && let Some(Data::Array(items)) = above.take(list).map(|node| node.value)
        {
            lay_items_over(known, items);
        }
    }
    lay_keys_over(below, above, |_| 1);
}

/// Whether an item of a list overrides one of these `names`, or can be added; reported if not.
fn is_there((list, needed): (&str, &[&str]), item: &mut Node, names: &[&str], out: &mut Mistakes) -> bool {
    let Data::Table(table) = &mut item.value else {
        return true;
    };
    let insists = table.take("exists").is_some_and(|node| node.is_true());
    let Some(name) = table.text("name").filter(|name| !names.contains(name)) else {
        return true;
    };
    let lacks = needed.iter().find(|key| table.get(key).is_none());
    if !insists && lacks.is_none() {
        return true;
    }
    let needs = lacks
        .filter(|_| !insists)
        .map_or_else(String::new, |key| format!(" (a new one needs `{key}`)"));
    let message = format!(
        "`{name}` is not in the game any more: no {list} of this level, or of the mods below, has this name{needs}{}",
        suggestion(name, names.iter().copied())
    );
    out.error(table.place_of("name"), message);
    false
}

/// Lays each item of a list over the item with its name, or adds it. Another one with the same name is added, too, and
/// then reported like two with one name in a single file.
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

/// Lays the keys of a table over the keys of another one.
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
