//! Entering and leaving zones.

use super::*;
use crate::level::Zone;

/// Where the entities were in this tick before they moved, sorted by id. Empty between ticks, and
/// in levels without zones.
#[derive(Default)]
pub struct Trail(Vec<Way>);

/// The beginning of an entity's path through a tick.
#[derive(Clone, Copy)]
struct Way {
    id: EntityId,
    /// Its center before anything moved.
    start: DVec2,
    /// Its center after platforms have carried and pushed it.
    carried: DVec2,
}

impl Trail {
    /// Notes where all entities are before they move.
    pub fn begin(&mut self, population: &Population, stage: &Stage) {
        self.0.clear();
        if stage.level.zones.list().is_empty() {
            return;
        }
        self.0.extend(population.entities.iter().map(|entity| {
            let start = population.lanes.body(entity).pos;
            Way { id: entity.id, start, carried: start }
        }));
    }

    /// Notes where platforms have carried the entities. None has joined or left since the tick
    /// began.
    pub fn carry(&mut self, population: &Population) {
        for (way, entity) in self.0.iter_mut().zip(&population.entities) {
            way.carried = population.lanes.body(entity).pos;
        }
    }

    /// Notes where platforms have carried an entity.
    pub fn carry_one(&mut self, id: EntityId, to: DVec2) {
        if let Ok(place) = self.0.binary_search_by_key(&id, |way| way.id) {
            self.0[place].carried = to;
        }
    }

    /// Notes that an entity was teleported, which passes through nothing.
    pub fn restart(&mut self, id: EntityId, at: DVec2) {
        if let Ok(place) = self.0.binary_search_by_key(&id, |way| way.id) {
            self.0[place] = Way { id, start: at, carried: at };
        }
    }

    /// An entity's path to where it is at the end of the tick, as straight legs that meet where it
    /// has landed. An entity that has just spawned has not moved.
    fn legs(&self, id: EntityId, landed: Option<DVec2>, end: DVec2) -> [[DVec2; 2]; 3] {
        let found = self.0.binary_search_by_key(&id, |way| way.id);
        found.map_or([[end, end]; 3], |place| {
            let Way { start, carried, .. } = self.0[place];
            let bend = landed.unwrap_or(carried);
            [[start, carried], [carried, bend], [bend, end]]
        })
    }
}

/// Memory that [`cross_zones`] reuses.
#[derive(Default)]
pub struct ZoneBuffers {
    /// The zones at one place.
    here: Vec<u16>,
    /// Where the entities were before they moved.
    pub trail: Trail,
}

/// Updates the zones of each entity at the end of the tick, and emits `enter` and `leave` for
/// each zone that its center passed, in the order in which it met their borders.
pub fn cross_zones(world: &mut World, stage: &Stage) {
    let zones = stage.zones();
    if zones.list().is_empty() {
        return;
    }
    let World { tick, population, journal, aside, .. } = world;
    let (now, ZoneBuffers { here, trail }) = (*tick, &mut aside.buffers.zones);
    for entity in &mut population.entities {
        let end = population.lanes.body(entity).pos;
        let landed = population.lanes.scratch(entity).report.details().bend;
        for [from, to] in trail.legs(entity.id, landed, end) {
            let cuts = zones.cuts(from, to);
            for (start, end) in cuts.stretches() {
                look(zones, from.lerp(to, 0.5 * (start + end)), here);
                cross(entity, here, zones.list(), journal, now);
            }
        }
        look(zones, end, here);
        cross(entity, here, zones.list(), journal, now);
    }
    here.clear();
    trail.0.clear();
}

/// Writes the zones at a place into `here`.
fn look(zones: &Zones, at: DVec2, here: &mut Vec<u16>) {
    here.clear();
    zones.visit(at, |zone| here.push(zone));
}

/// Makes `here` the entity's zones, and emits events for those that changed.
fn cross(entity: &mut Entity, here: &[u16], list: &[Zone], journal: &mut Journal, now: u64) {
    if *here == *entity.zones {
        return;
    }
    let before = mem::replace(&mut entity.zones, here.into());
    if let Some(state) = &mut entity.script_state {
        state.stale = true;
    }
    let name = |zone: &u16| list[*zone as usize].name.clone();
    let first = journal.events.len();
    for zone in before.iter().filter(|zone| !here.contains(zone)) {
        let zone = name(zone);
        journal.emit(now, entity, EventKind::Leave { zone });
    }
    journal.sort_by_zone(first);
    let first = journal.events.len();
    for zone in here.iter().filter(|zone| !before.contains(zone)) {
        let zone = name(zone);
        journal.emit(now, entity, EventKind::Enter { zone });
    }
    journal.sort_by_zone(first);
}

/// Translates an entity's zones from one level to another, by name. The entity leaves zones that no
/// longer exist.
pub fn adopt_zones(entity: &mut Entity, journal: &mut Journal, old: &Stage, new: &Stage, now: u64) {
    let zones = mem::take(&mut entity.zones);
    let mut kept = Vec::new();
    let first = journal.events.len();
    for &zone in &*zones {
        let name = &old.level.zones.list()[zone as usize].name;
        let place = new.level.zones.list().iter().position(|z| z.name == *name);
        match place {
            Some(place) => kept.push(place as u16),
            None => {
                let zone = name.clone();
                journal.emit(now, entity, EventKind::Leave { zone });
            }
        }
    }
    journal.sort_by_zone(first);
    kept.sort_unstable();
    entity.zones = kept.into();
}
