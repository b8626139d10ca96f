//! Contacts between entities, and `touch` events.

use super::pairs::touch;
use super::world::TickBuffers;
use super::*;

/// The distance at which bodies touch, px. Bodies that push each other apart keep touching.
const TOUCH_DISTANCE: f64 = 0.5;

/// How many pairs of neighbors are compared in a tick, unless there are more entities.
pub const MOST_TOUCHES: usize = 8_000;

/// In a crowd, each entity is compared with this many neighbors; in a very large one with fewer.
const SEARCH: PairSearch = PairSearch { margin: TOUCH_DISTANCE, most: 32, most_in_all: MOST_TOUCHES, pushing: false };

/// Which entities touch.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Contacts {
    /// The ids of touching entities, the lower one first.
    pub touching: Vec<(EntityId, EntityId)>,
}

impl Contacts {
    /// Forgets the contacts of an entity that despawns.
    pub fn forget(&mut self, id: EntityId) {
        self.touching.retain(|(a, b)| *a != id && *b != id);
    }
}

/// Finds out which entities touch at the end of the tick, and emits events for new contacts.
pub fn update_contacts(world: &mut World, stage: &Stage) {
    let World { tick: now, population, journal, contacts, aside, .. } = world;
    if !stage.touches || population.entities.len() < 2 {
        contacts.touching.clear();
        return;
    }
    let Population { entities, lanes, .. } = population;
    let touching = &mut contacts.touching;
    let TickBuffers { pairs: finder, touched: spare, .. } = &mut aside.buffers;
    finder.find(entities, lanes, stage, SEARCH);
    std::mem::swap(touching, spare);
    touching.clear();
    touching.reserve(finder.pairs.capacity());
    let mut before = spare.iter().peekable();
    for (first, second) in &finder.pairs {
        let pair = [*first, *second].map(|index| &entities[index as usize]);
        if !touch(pair, lanes, stage, TOUCH_DISTANCE, &mut finder.outlines) {
            continue;
        }
        let [a, b] = pair;
        let ids = (a.id, b.id);
        touching.push(ids);
        // Both lists are sorted by entity.
        while before.next_if(|old| **old < ids).is_some() {}
        if before.next_if_eq(&&ids).is_none() {
            for (entity, other) in [(a, b), (b, a)] {
                let (other, kind) = (other.name.clone(), other.kind.clone());
                journal.emit(*now, entity, EventKind::Touch { other, kind });
            }
        }
    }
    spare.clear();
}
