//! The journal of a tick: events for scripts and traces.

use super::*;
use std::cmp::Ordering;

/// The events of the last step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Journal {
    /// What happened in the last step, sorted by entity. Scripts receive it in the next one.
    pub events: Vec<Event>,
    /// Events that were not delivered in their tick because its operations were used up. They are
    /// delivered in the next tick.
    pub deferred: Vec<Event>,
}

impl Journal {
    /// Emits an event of an entity, visible at the end of `tick`.
    pub fn emit(&mut self, tick: u64, entity: &Entity, kind: EventKind) {
        self.events.push(Event::of(entity, tick, kind));
    }

    /// Emits an event of the level itself.
    pub fn emit_for_level(&mut self, tick: u64, kind: EventKind) {
        self.events.push(Event { tick, entity: EntityId::LEVEL, name: Arc::from("level"), kind });
    }

    /// Emits an event of an entity, if it still exists, or of the level.
    pub fn emit_for(&mut self, population: &Population, id: EntityId, tick: u64, kind: EventKind) {
        if id == EntityId::LEVEL {
            self.emit_for_level(tick, kind);
        } else if let Some(index) = population.index_of(id) {
            self.emit(tick, &population.entities[index], kind);
        }
    }

    /// Sorts the events from the index `first` on by zone. They report zones that were entered or
    /// left at the same place.
    pub fn sort_by_zone(&mut self, first: usize) {
        self.events[first..].sort_unstable_by(|a, b| a.kind.zone().cmp(b.kind.zone()));
    }

    /// Sorts the events by entity, then by kind, then by what they are about. Events that scripts
    /// have caused keep their order, and so do zones that are entered and left. Script events take a
    /// sort with a buffer; ticks without them must not allocate.
    pub fn sort(&mut self) {
        let events = &mut self.events;
        if events.iter().any(|event| event.kind.is_from_script()) {
            // There may be thousands.
            events.sort_by(event_order);
            return;
        }
        sort_in_place(events, &event_order);
    }
}

/// The order of many events. Its memory is reused in every tick and is not state.
#[derive(Default)]
pub struct EventOrder {
    /// Where the events of each entity begin.
    begins: Vec<u32>,
    /// The places that the sorted events had before.
    places: Vec<u32>,
}

impl EventOrder {
    /// Sorts the events as [`Journal::sort`] does. Many are first sorted by how many each entity has.
    pub fn sort(&mut self, journal: &mut Journal) {
        let events = &mut journal.events;
        if events.len() <= MANY {
            journal.sort();
            return;
        }
        let ids = || events.iter().map(|event| event.entity.0);
        let (lowest, highest) = (ids().min().unwrap_or(0), ids().max().unwrap_or(0));
        let span = (highest - lowest) as usize + 1;
        if span > SPARSE * events.len() {
            journal.sort();
            return;
        }
        let Self { begins, places } = self;
        begins.clear();
        begins.reserve(span.next_power_of_two());
        begins.resize(span, 0);
        ids().for_each(|id| begins[(id - lowest) as usize] += 1);
        let mut begin = 0;
        for entity in &mut *begins {
            (begin, *entity) = (begin + *entity, begin);
        }
        places.clear();
        places.reserve_exact(events.capacity());
        places.resize(events.len(), 0);
        for (place, id) in (0..).zip(ids()) {
            let next = &mut begins[(id - lowest) as usize];
            places[*next as usize] = place;
            *next += 1;
        }
        let event = |place: u32| &events[place as usize];
        for own in places.chunk_by_mut(|a, b| event(*a).entity == event(*b).entity) {
            if own.len() > 1 {
                own.sort_unstable_by(|a, b| event_order(event(*a), event(*b)).then(a.cmp(b)));
            }
        }
        // Each event moves to where it belongs, along circles of events that take each other's places.
        for start in 0..events.len() {
            let mut at = start;
            loop {
                let from = mem::replace(&mut places[at], at as u32) as usize;
                if from == start || from == at {
                    break;
                }
                events.swap(at, from);
                at = from;
            }
        }
    }
}

impl Event {
    /// An event of an entity, visible at the end of `tick`.
    pub(super) fn of(entity: &Entity, tick: u64, kind: EventKind) -> Self {
        Self { tick, entity: entity.id, name: entity.name.clone(), kind }
    }
}

/// More events than this are sorted by how many each entity has, unless there are more ids than this many for each event.
const MANY: usize = 256;
const SPARSE: usize = 8;

/// Up to this many events are sorted by insertion.
const FEW: usize = 32;

/// Sorts without a buffer and keeps the order of equal events. When a crowd meets, there are many.
fn sort_in_place(events: &mut [Event], order: &impl Fn(&Event, &Event) -> Ordering) {
    if events.len() > FEW {
        let middle = events.len() / 2;
        sort_in_place(&mut events[..middle], order);
        sort_in_place(&mut events[middle..], order);
        merge_in_place(events, middle, order);
        return;
    }
    for last in 1..events.len() {
        let (sorted, rest) = events.split_at(last);
        let place = sorted.partition_point(|event| order(event, &rest[0]).is_le());
        events[place..=last].rotate_right(1);
    }
}

/// Merges the sorted events before and after `middle`: halves the longer part, exchanges what has to
/// change sides, and merges the two rests.
fn merge_in_place(events: &mut [Event], middle: usize, order: &impl Fn(&Event, &Event) -> Ordering) {
    let (before, after) = events.split_at(middle);
    let (Some(last), Some(first)) = (before.last(), after.first()) else {
        return;
    };
    if order(last, first).is_le() {
        return;
    }
    if events.len() == 2 {
        events.swap(0, 1);
        return;
    }
    let (from, to) = if before.len() > after.len() {
        let from = before.len() / 2;
        let fewer = after.partition_point(|event| order(event, &before[from]).is_lt());
        (from, middle + fewer)
    } else {
        let more = after.len() / 2;
        let from = before.partition_point(|event| order(event, &after[more]).is_le());
        (from, middle + more)
    };
    events[from..to].rotate_left(middle - from);
    let between = from + (to - middle);
    merge_in_place(&mut events[..between], from, order);
    merge_in_place(&mut events[between..], to - between, order);
}

/// The order of events: by entity, then by kind, then by what they are about.
pub fn event_order(a: &Event, b: &Event) -> Ordering {
    let key = |event: &Event| (event.entity, event.kind.place());
    key(a).cmp(&key(b)).then_with(|| a.kind.about().cmp(b.kind.about()))
}

#[cfg(test)]
#[path = "../../tests/unit/sim/journal.rs"]
mod tests;
