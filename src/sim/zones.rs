//! Entering and leaving zones.

use super::entity::Entity;
use super::event::EventKind;
use super::journal::Journal;
use super::population::Population;
use super::stage::Stage;

/// Updates the zones of each entity at the end of the tick `now`, and emits `enter` and `leave`.
/// `buffer` is memory to reuse.
pub(super) fn cross_zones(
    population: &mut Population,
    journal: &mut Journal,
    buffer: &mut Vec<u16>,
    stage: &Stage,
    now: u64,
) {
    let list = stage.level.zones.list();
    if list.is_empty() {
        return;
    }
    for entity in &mut population.entities {
        buffer.clear();
        let pos = population.lanes.body(entity).pos;
        stage.level.zones.visit(pos, |zone| buffer.push(zone));
        if **buffer == *entity.zones {
            continue;
        }
        let before = std::mem::replace(&mut entity.zones, buffer.as_slice().into());
        if let Some(state) = &mut entity.script_state {
            state.stale = true;
        }
        let name = |zone: &u16| list[*zone as usize].name.clone();
        for zone in before.iter().filter(|z| !buffer.contains(z)) {
            let zone = name(zone);
            journal.emit(now, entity, EventKind::Leave { zone });
        }
        for zone in buffer.iter().filter(|z| !before.contains(z)) {
            let zone = name(zone);
            journal.emit(now, entity, EventKind::Enter { zone });
        }
    }
    buffer.clear();
}

/// Translates an entity's zones from one level to another, by name. The entity leaves zones that no
/// longer exist.
pub(super) fn adopt_zones(
    entity: &mut Entity,
    journal: &mut Journal,
    old: &Stage,
    new: &Stage,
    now: u64,
) {
    let zones = std::mem::take(&mut entity.zones);
    let mut kept = Vec::new();
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
    kept.sort_unstable();
    entity.zones = kept.into();
}
