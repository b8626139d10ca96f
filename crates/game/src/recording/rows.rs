//! The numbers of entities that a recording keeps, so that a replay can name the first one that differs.

use hangtime_core::sim::{Entity, World};
use std::collections::BTreeMap;

/// The most entities of a tick whose numbers are kept. Hashes cover all of them.
pub const MOST_ROWS: usize = 64;

/// The names of the numbers of a row.
pub const ROW_FIELDS: [&str; 11] =
    ["pos.x", "pos.y", "vel.x", "vel.y", "pos.z", "vel.z", "external.x", "external.y", "angle", "spin", "external.z"];

/// The numbers of an entity, in the order of [`ROW_FIELDS`].
pub type EntityRow = [f64; ROW_FIELDS.len()];

/// The entities that have moved in a tick: for each its id and its numbers, without zeros at the end.
pub type TickRows = Vec<Vec<f64>>;

/// The numbers of the first entities of a world, by their ids.
pub fn rows_of(world: &World) -> BTreeMap<u32, EntityRow> {
    let entities = world.entities().iter().take(MOST_ROWS);
    entities.map(|e| (e.id.0, row_of(world, e))).collect()
}

fn row_of(world: &World, entity: &Entity) -> EntityRow {
    let body = world.body(entity);
    [
        body.pos.x,
        body.pos.y,
        body.vel.x,
        body.vel.y,
        body.z,
        body.vel_z,
        body.external.x,
        body.external.y,
        body.angle,
        body.spin,
        body.external_z,
    ]
}

/// Writes the entities of a world whose numbers differ from those in `last`, and notes the new ones there.
pub fn moved(world: &World, last: &mut BTreeMap<u32, EntityRow>) -> TickRows {
    let mut rows = TickRows::new();
    for entity in world.entities().iter().take(MOST_ROWS) {
        let row = row_of(world, entity);
        let bits = |row: &EntityRow| row.map(f64::to_bits);
        let id = entity.id.0;
        if last.get(&id).is_some_and(|known| bits(known) == bits(&row)) {
            continue;
        }
        last.insert(id, row);
        let used = row.iter().rposition(|x| x.to_bits() != 0);
        let numbers = &row[..used.map_or(0, |last| last + 1)];
        rows.push(std::iter::once(f64::from(id)).chain(numbers.iter().copied()).collect());
    }
    rows
}

/// Reads an entity's id and numbers. `None` if it has no id or too many numbers.
pub fn read_row(row: &[f64]) -> Option<(u32, EntityRow)> {
    let (id, numbers) = row.split_first()?;
    let whole = id.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(id);
    if !whole || numbers.len() > ROW_FIELDS.len() {
        return None;
    }
    let mut read = EntityRow::default();
    read[..numbers.len()].copy_from_slice(numbers);
    Some((*id as u32, read))
}
