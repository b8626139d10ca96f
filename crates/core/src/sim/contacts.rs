//! Contacts between entities, and `touch` events.

use super::{
    pairs::{PIECES, touch},
    *,
};

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
pub fn update_contacts(world: &mut World, executor: &dyn Executor, stage: &Stage) {
    let World { tick: now, population, journal, contacts, aside, .. } = world;
    if !stage.touches || population.entities.len() < 2 {
        contacts.touching.clear();
        return;
    }
    let Population { entities, lanes, .. } = population;
    let touching = &mut contacts.touching;
    let TickBuffers { pairs: finder, touched: spare, .. } = &mut aside.buffers;
    finder.find(executor, entities, lanes, stage, SEARCH);
    finder.sort_by_index();
    find_touching(finder, executor, entities, lanes, stage);
    mem::swap(touching, spare);
    touching.clear();
    touching.reserve(finder.pairs.capacity());
    let mut before = spare.iter().peekable();
    for (first, second) in finder.pairs.iter().filter(|pair| **pair != APART) {
        let [a, b] = [*first, *second].map(|index| &entities[index as usize]);
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

/// Takes the place of a pair of entities that do not touch.
const APART: (u32, u32) = (0, 0);

/// Replaces the pairs that do not touch.
fn find_touching(finder: &mut PairFinder, executor: &dyn Executor, entities: &[Entity], lanes: &Lanes, stage: &Stage) {
    let PairFinder { pairs, outlines, .. } = finder;
    let view = stage.level.view;
    let compare = |pairs: &mut [(u32, u32)], outlines: &mut [Outlines; 2]| {
        for pair in pairs {
            let (a, b) = *pair;
            let colliders = [a, b].map(|index| {
                let entity = &entities[index as usize];
                PlacedCollider::of(entity, lanes.body(entity), stage)
            });
            if !touch(colliders.each_ref(), view, TOUCH_DISTANCE, outlines) {
                *pair = APART;
            }
        }
    };
    if !is_crowd(entities, executor) {
        compare(pairs, Outlines::of_one(outlines));
        return;
    }
    let executor = &InPieces { executor, most: pairs.len().div_ceil(PIECES).max(1) };
    let of_pieces = Outlines::of_pieces((executor, PIECES), pairs.len(), outlines);
    any_chunk(executor, (&mut pairs[..], of_pieces), &|(pairs, outlines): (&mut [_], OfChunks<'_, _>)| {
        compare(pairs, outlines.of_one());
        false
    });
}
