//! Checks of the events that scripts have yet to receive.

use super::super::event::{Event, EventKind};
use super::super::journal::event_order;
use super::super::world::World;
use super::script::check_value;
use crate::models::saved::{Checked, SavedError, ensure, number, unit, vector};
use glam::DVec2;

/// Checks the events of the last step and those that were deferred.
pub(super) fn check_events(world: &World) -> Checked {
    let journal = &world.journal;
    let sorted = journal.events.is_sorted_by(|a, b| event_order(a, b).is_le());
    ensure(sorted, "events", || "is not sorted by entity".into())?;
    for (list, events) in [("events", &journal.events), ("deferred", &journal.deferred)] {
        for (place, event) in events.iter().enumerate() {
            let within = |error: SavedError| error.within(&format!("{list}[{place}]"));
            check_event(event, world).map_err(within)?;
        }
    }
    Ok(())
}

fn check_event(event: &Event, world: &World) -> Checked {
    let next = world.population.next_id;
    ensure(event.entity.0 < next, "entity", || format!("is {}; it must be below {next}", event.entity.0))?;
    ensure(event.tick <= world.tick, "tick", || format!("is {}; the tick of the world is {}", event.tick, world.tick))?;
    let kind = check_kind(&event.kind);
    kind.map_err(|error| error.within("kind"))
}

fn check_kind(kind: &EventKind) -> Checked {
    match kind {
        EventKind::Land { normal, speed, at, .. } => {
            vector("at", *at, f64::MAX)?;
            if *normal != DVec2::ZERO {
                unit("normal", *normal)?;
            }
            number("speed", *speed, f64::MAX)
        }
        EventKind::Hit { normal, speed, at, .. } => {
            vector("at", *at, f64::MAX)?;
            unit("normal", *normal)?;
            number("speed", *speed, f64::MAX)
        }
        EventKind::Grab { normal, .. } => unit("normal", *normal),
        EventKind::Hook { at, .. } => vector("at", *at, f64::MAX),
        EventKind::Signal { data, .. } | EventKind::Timer { data, .. } => check_value("data", data),
        _ => Ok(()),
    }
}
