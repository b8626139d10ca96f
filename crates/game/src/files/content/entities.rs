//! `[[entity]]`: the entities that a level starts with.

use super::{kind::KindSettings, *};
use crate::files::tables::points::{is_far, warn_of_distance};
use hangtime_core::sim::MOST_PLAYERS;

/// An `[[entity]]` of a level.
pub(crate) struct EntityEntry<'a> {
    pub name: Arc<str>,
    pub kind: String,
    pub kind_place: Place,
    pub at: DVec2,
    /// Height above the ground plane in a top view, px.
    pub z: f64,
    /// Rotation, radians.
    pub angle: f64,
    pub velocity: DVec2,
    pub player: Option<u8>,
    /// The whole table. It may override any key of the kind.
    pub table: &'a Table,
}

/// The keys of an `[[entity]]` that a kind does not have.
pub(crate) const ENTITY_KEYS: [&str; 6] = ["kind", "name", "at", "angle_deg", "velocity", "player"];

/// Reads every `[[entity]]`. Entities without a valid kind or place are reported and left out.
pub(crate) fn read_entities<'a>(reader: &mut TableReader<'a, '_>, view: View) -> Vec<EntityEntry<'a>> {
    let mut names = BTreeSet::new();
    let mut entries: Vec<(Option<String>, EntityEntry<'a>)> = Vec::new();
    for table in reader.tables("entity") {
        if BuildProgress::is_cancelled() {
            break;
        }
        let mut reader = TableReader::new(table, reader.out);
        let name = read_name(&mut reader, &mut names);
        if name.as_deref() == Some("level") {
            let message = "an entity cannot be named `level`; in events and traces that is the level itself";
            reader.error(table.place_of("name"), message);
        }
        entries.extend(read_entity(&mut reader, view).map(|entry| (name, entry)));
    }
    let unnamed = entries.iter().filter(|(name, _)| name.is_none());
    let unnamed: BTreeSet<&str> = unnamed.map(|(_, entry)| entry.kind.as_str()).collect();
    for (name, entry) in &entries {
        let Some(name) = name.as_deref().filter(|name| *name != entry.kind && unnamed.contains(name)) else {
            continue;
        };
        let message = format!(
            "`{name}` is a kind, too, and its entity without a name is called `{name}_2` now; give this one another name"
        );
        reader.warn(entry.table.place_of("name"), message);
    }
    name_entities(entries)
}

/// Reads one `[[entity]]`, all but its name.
fn read_entity<'a>(reader: &mut TableReader<'a, '_>, view: View) -> Option<EntityEntry<'a>> {
    let table = reader.table;
    let kind = reader.require_text("kind", "an entity");
    let at = reader.require("at", "an entity").and_then(|node| read_at(reader, node, view));
    let velocity = reader.point("velocity").unwrap_or_default();
    let degrees = reader.number("angle_deg", range(-360.0, 360.0), "°");
    let player = read_player(reader);
    if at.is_some_and(|(at, _)| is_far(at)) {
        warn_of_distance(reader, table.place_of("at"), "this place");
    }
    let (Some((kind, kind_place)), Some((at, z))) = (kind, at) else {
        // The other keys are checked all the same: one of them may be a misspelled `kind` or `at`.
        KindSettings::default().read(table, &ENTITY_KEYS, reader.out);
        return None;
    };
    Some(EntityEntry {
        name: "".into(),
        kind: kind.to_string(),
        kind_place: kind_place.clone(),
        at,
        z,
        angle: degrees.unwrap_or(0.0).to_radians(),
        velocity,
        player,
        table,
    })
}

/// Names the entities that have no name after their kind: `crate`, `crate_2`, `crate_3`, …
fn name_entities<'a>(entries: Vec<(Option<String>, EntityEntry<'a>)>) -> Vec<EntityEntry<'a>> {
    let mut taken: BTreeSet<String> = entries.iter().filter_map(|(name, _)| name.clone()).collect();
    taken.insert("level".into());
    // The last number of each kind, so that naming thousands of entities stays linear.
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let mut free_name = |kind: &str| {
        let count = counts.entry(kind.to_string()).or_default();
        loop {
            *count += 1;
            let name = match *count {
                1 => kind.to_string(),
                n => format!("{kind}_{n}"),
            };
            if taken.insert(name.clone()) {
                return name;
            }
        }
    };
    let name = |(name, entry): (Option<String>, EntityEntry<'a>)| {
        let name = name.unwrap_or_else(|| free_name(&entry.kind)).into();
        EntityEntry { name, ..entry }
    };
    entries.into_iter().map(name).collect()
}

/// Reads `at`: a point, in a top view optionally with a height.
fn read_at<'a>(reader: &mut TableReader<'a, '_>, node: &'a Node, view: View) -> Option<(DVec2, f64)> {
    if view == View::Side || node.items().len() != 3 {
        return reader.point_of("at", node).map(|at| (at, 0.0));
    }
    let [x, y, z] = reader.numbers_of("at", node, "a place, [x, y, z]")?;
    if z < 0.0 {
        reader.error(&node.items()[2].place, "the height must be at least 0, which is the ground plane");
        return None;
    }
    Some((DVec2::new(x, y), z))
}

fn read_player(reader: &mut TableReader<'_, '_>) -> Option<u8> {
    let node = reader.get("player")?;
    match node.value {
        Data::Flag(true) => Some(1),
        Data::Flag(false) => None,
        Data::Int(number) if (1..=i64::from(MOST_PLAYERS)).contains(&number) => Some(number as u8),
        _ => {
            let message = format!("`player` must be a whole number from 1 to {MOST_PLAYERS}");
            reader.error(&node.place, message);
            None
        }
    }
}
