//! Contacts between entities: pushing them apart, and `touch` events.

use super::entity::Entity;
use super::event::EventKind;
use super::id::EntityId;
use super::journal::Journal;
use super::lane::Lanes;
use super::pairs::{PairFinder, overlap, touch};
use super::population::Population;
use super::stage::Stage;
use crate::level::slide;
use crate::models::Surroundings;
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// The distance at which bodies touch, px. Bodies that push each other apart keep touching.
const TOUCH_DISTANCE: f64 = 0.5;

/// Which entities touch.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Contacts {
    /// The ids of touching entities, the lower one first.
    pub touching: Vec<(EntityId, EntityId)>,
    #[serde(skip)]
    pub finder: PairFinder,
    /// Memory for the pairs of the next tick; empty between ticks.
    #[serde(skip)]
    spare: Vec<(EntityId, EntityId)>,
}

impl Contacts {
    /// Forgets the contacts of an entity that despawns.
    pub fn forget(&mut self, id: EntityId) {
        self.touching.retain(|(a, b)| *a != id && *b != id);
    }
}

/// Separates overlapping entities whose kinds push, the lighter one farther. The order of pairs follows
/// their names, so that it does not depend on which entity was created first.
pub(super) fn push_apart(
    lanes: &mut Lanes,
    entities: &[Entity],
    finder: &mut PairFinder,
    stage: &Stage,
    around: &Surroundings<'_>,
) {
    let profile = |e: &Entity| &stage.profiles[e.profile as usize];
    if !entities.iter().any(|e| profile(e).pushes) {
        return;
    }
    finder.find(entities, lanes, stage, 0.0);
    let name = |i: u32| &entities[i as usize].name;
    for pair in &mut finder.pairs {
        if name(pair.1) < name(pair.0) {
            *pair = (pair.1, pair.0);
        }
    }
    let key = |pair: &(u32, u32)| (name(pair.0), name(pair.1));
    finder.pairs.sort_unstable_by(|a, b| key(a).cmp(&key(b)));
    for (first, second) in &finder.pairs {
        let pair = [*first, *second].map(|index| &entities[index as usize]);
        let [a, b] = pair;
        if !(profile(a).pushes && profile(b).pushes) {
            continue;
        }
        let Some(apart) = overlap(pair, lanes, stage, 0.0, &mut finder.outlines) else {
            continue;
        };
        let share = profile(b).mass / (profile(a).mass + profile(b).mass);
        push(lanes, a, apart * share, stage, around);
        push(lanes, b, apart * (share - 1.0), stage, around);
    }
}

/// Moves an entity as far as the terrain allows.
fn push(lanes: &mut Lanes, entity: &Entity, by: DVec2, stage: &Stage, around: &Surroundings<'_>) {
    let loadouts = &stage.profiles[entity.profile as usize].loadouts;
    let shape = loadouts.shape(entity.model);
    let body = lanes.body_mut(entity);
    let scenery = around.scenery_at(body.z);
    body.pos = slide(&scenery, shape, body.pos, by, |_, _| false).pos;
    body.sensed = false;
}

/// Finds out which entities touch at the end of the tick `now`, and emits events for new contacts.
pub(super) fn update_contacts(
    contacts: &mut Contacts,
    journal: &mut Journal,
    population: &Population,
    stage: &Stage,
    now: u64,
) {
    if !stage.touches {
        contacts.touching.clear();
        return;
    }
    let Population {
        entities, lanes, ..
    } = population;
    let Contacts {
        touching,
        finder,
        spare,
    } = contacts;
    finder.find(entities, lanes, stage, TOUCH_DISTANCE);
    std::mem::swap(touching, spare);
    touching.clear();
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
                journal.emit(now, entity, EventKind::Touch { other, kind });
            }
        }
    }
    spare.clear();
}
