//! Turning the models' reports into events.

use super::entity::Entity;
use super::event::EventKind;
use super::flight::end_flight;
use super::journal::Journal;
use super::lane::Lanes;
use super::population::Population;
use super::stage::Stage;
use crate::level::{Feature, Level, Solid};
use crate::models::{HookLoss, HookNews, Landing, Report, Support};
use std::sync::Arc;

/// Emits events for what the models report of the tick that ended with `now`, and for entities that
/// have left the level. `buffer` is memory to reuse.
pub(super) fn emit_reports(
    population: &mut Population,
    journal: &mut Journal,
    buffer: &mut Vec<(usize, Report)>,
    stage: &Stage,
    now: u64,
) {
    let entities = &population.entities;
    population.lanes.report(|id, _, report| {
        if report.is_eventful()
            && let Ok(index) = entities.binary_search_by_key(&id, |e| e.id)
        {
            buffer.push((index, *report));
        }
    });
    let lanes = &population.lanes;
    for (index, report) in buffer.drain(..) {
        let entity = &mut population.entities[index];
        if report.flight_over.is_some() {
            end_flight(entity);
        }
        emit_report(entity, lanes, journal, &stage.level, &report, now);
    }
    for entity in &mut population.entities {
        let pos = lanes.body(entity).pos;
        let outside = !stage.level.bounds.holds(pos);
        if outside && !entity.outside {
            journal.emit(now, entity, EventKind::FallOut);
        }
        entity.outside = outside;
    }
}

/// Emits the events of one entity.
fn emit_report(
    entity: &Entity,
    lanes: &Lanes,
    journal: &mut Journal,
    level: &Level,
    report: &Report,
    now: u64,
) {
    let body = lanes.body(entity);
    let mut emit = |kind: EventKind| journal.emit(now, entity, kind);
    let jumped = report.jumped;
    if let Some(cling) = body.cling
        && report.grabbed
    {
        let (solid, surface) = names(level, cling.feature);
        let normal = cling.normal;
        emit(EventKind::Grab {
            solid,
            surface,
            normal,
        });
    }
    if report.dropped {
        emit(EventKind::Drop { jumped });
    }
    emit_hook(entity, lanes, level, &report.details().hook, &mut emit);
    if report.crushed {
        emit(EventKind::Crush);
    }
    if let Some(hit) = report.details().hit {
        let (solid, surface) = match report.details().struck {
            Some(solid) => names_of(level, &level.terrain.solids()[solid as usize]),
            None => names(level, hit.feature),
        };
        emit(EventKind::Hit {
            solid,
            surface,
            normal: hit.normal,
            speed: hit.speed,
            foot: hit.foot,
        });
    }
    if jumped {
        emit(EventKind::Jump);
    }
    if report.left_ground {
        emit(EventKind::LeaveGround { jumped });
    }
    if let Some(landing) = report.details().landed {
        emit(land(level, &landing));
    }
    if let Some(change) = report.new_surface {
        let name = |s| Arc::clone(level.surface_name(s));
        emit(EventKind::Surface {
            surface: name(change.to),
            was: change.from.map_or_else(Arc::default, name),
        });
    }
}

fn land(level: &Level, landing: &Landing) -> EventKind {
    let (solid, surface) = match landing.on {
        Support::Feature(feature) => names(level, feature),
        Support::Floor(floor) => {
            let name = |solid| level.terrain.solids()[solid as usize].name.clone();
            let solid = floor.solid.map_or_else(Arc::default, name);
            (solid, level.surface_name(floor.surface).clone())
        }
    };
    EventKind::Land {
        solid,
        surface,
        normal: landing.normal,
        speed: landing.speed,
    }
}

fn emit_hook(
    entity: &Entity,
    lanes: &Lanes,
    level: &Level,
    news: &HookNews,
    emit: &mut impl FnMut(EventKind),
) {
    if let Some(feature) = news.attached {
        let (solid, surface) = names(level, feature);
        let at = lanes.hook(entity).tip;
        emit(EventKind::Hook { solid, surface, at });
    }
    if let Some(loss) = news.lost {
        let snapped = loss == HookLoss::Snapped;
        emit(EventKind::Unhook { snapped });
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
