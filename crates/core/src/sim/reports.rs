//! Turning the models' reports into events.

use super::*;
use crate::{
    level::Solid,
    models::{Impact, Landing},
};

/// What the reports of a tick are about.
#[derive(Clone, Copy)]
pub struct ReportContext<'a> {
    pub entities: &'a [Entity],
    pub level: &'a Level,
    /// The tick that ends.
    pub now: u64,
    /// Whether the tick has ended already for bodies that report nothing.
    pub ended: bool,
}

/// What the bodies of a chunk report.
#[derive(Default)]
pub struct ChunkReports {
    events: Vec<Event>,
    /// The indices of entities whose flight is over, and of those that have left the level.
    pub landed: Vec<usize>,
    pub gone: Vec<usize>,
}

impl ChunkReports {
    /// Exchanges its events with a list.
    pub fn exchange(&mut self, events: &mut Vec<Event>) {
        mem::swap(&mut self.events, events);
    }

    /// Appends the events of all other chunks to the first one's.
    pub fn join(lists: &mut [Self]) {
        if let [first, others @ ..] = lists {
            for other in others {
                first.events.append(&mut other.events);
            }
        }
    }

    /// Adds events for what an entity reports, and for one that has left the level. The tip of its hook is
    /// looked up if it matters.
    #[inline]
    pub fn add(
        &mut self,
        context: ReportContext<'_>,
        id: EntityId,
        body: &Body,
        tip: &dyn Fn() -> DVec2,
        report: &Report,
    ) {
        let outside = !context.level.bounds.holds(body.pos);
        if !outside && !report.is_eventful() {
            return;
        }
        let ReportContext { entities, level, now, .. } = context;
        let Some(index) = id.among(entities) else {
            return;
        };
        let entity = &entities[index];
        if report.flight_over.is_some() {
            self.landed.push(index);
        }
        let events = &mut self.events;
        let mut emit = |kind: EventKind| events.push(Event::of(entity, now, kind));
        emit_report(body, tip, level, report, &mut emit);
        // Entities that were outside have returned or despawned as the tick began.
        if outside && !entity.outside {
            emit(EventKind::FallOut);
            self.gone.push(index);
        }
    }
}

/// Emits the events of one entity.
fn emit_report(body: &Body, tip: &dyn Fn() -> DVec2, level: &Level, report: &Report, emit: &mut impl FnMut(EventKind)) {
    let (details, jumped) = (report.details(), report.jumped);
    if let (Some(cling), true) = (body.cling, report.grabbed) {
        let (solid, surface) = names(level, cling.feature);
        emit(EventKind::Grab { solid, surface, normal: cling.normal });
    }
    if report.dropped {
        emit(EventKind::Drop { jumped });
    }
    if let Some(feature) = details.hook.attached {
        let (solid, surface) = names(level, feature);
        emit(EventKind::Hook { solid, surface, at: tip(), other: None });
    }
    if let Some(loss) = details.hook.lost {
        emit(EventKind::Unhook { snapped: loss == HookLoss::Snapped });
    }
    if report.crushed {
        emit(EventKind::Crush);
    }
    if let Some(Impact { feature, normal, speed, foot, at, piece }) = details.hit {
        let (solid, surface) = match details.struck {
            Some(solid) => names_of(level, &level.terrain.solids()[solid as usize]),
            None => names(level, feature),
        };
        emit(EventKind::Hit { solid, surface, normal, speed, foot, at, part: piece });
    }
    if jumped {
        emit(EventKind::Jump);
    }
    if report.left_ground {
        emit(EventKind::LeaveGround { jumped });
    }
    if let Some(Landing { on, normal, speed, at }) = details.landed {
        let (solid, surface) = on.names(level);
        emit(EventKind::Land { solid, surface, normal, speed, at });
    }
    if let Some(change) = report.new_surface {
        let name = |s| Arc::clone(level.surface_name(s));
        emit(EventKind::Surface { surface: name(change.to), was: change.from.map_or_else(Arc::default, name) });
    }
}

/// The names of a terrain feature's solid and surface.
fn names(level: &Level, feature: Feature) -> (Arc<str>, Arc<str>) {
    names_of(level, level.terrain.solid_of(feature))
}

fn names_of(level: &Level, solid: &Solid) -> (Arc<str>, Arc<str>) {
    let surface = level.surface_name(solid.surface);
    (solid.name.clone(), surface.clone())
}

/// Emits events for what the models report of the tick that has ended, and for entities that
/// have left the level. The tick may have `ended` already for bodies that report nothing.
pub fn emit_reports(world: &mut World, executor: &dyn Executor, stage: &Stage, ended: bool) {
    let World { tick, population: Population { entities, lanes, .. }, journal, aside, .. } = world;
    let context = ReportContext { entities, level: &stage.level, now: *tick, ended };
    let lists = &mut aside.buffers.reports;
    lanes.list_reports(executor, context, lists, &mut journal.events);
    for ChunkReports { landed, gone, .. } in lists {
        aside.settled &= landed.is_empty() && gone.is_empty();
        if !landed.is_empty() {
            landed.drain(..).for_each(|index| end_flight(&mut entities[index]));
        }
        if !gone.is_empty() {
            gone.drain(..).for_each(|index| entities[index].outside = true);
        }
    }
}
