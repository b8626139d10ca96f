//! Recording what a phase did.

use super::log::WhyLog;
use super::refusals::record_refusals;
use super::report::{Kinetics, TickPhase, WhyDetail};
use crate::models::Surroundings;
use crate::sim::population::Population;
use crate::sim::stage::Stage;

impl WhyLog {
    /// Records what a phase did to the watched entities, and begins the next one.
    pub fn record(&mut self, phase: TickPhase, population: &Population, stage: &Stage, around: &Surroundings<'_>) {
        let Some(log) = &mut self.0 else { return };
        let lanes = &population.lanes;
        for watched in &mut log.list {
            let Some(index) = population.index_of(watched.report.entity) else {
                continue;
            };
            let entity = &population.entities[index];
            let body = lanes.body(entity);
            let after = match phase {
                TickPhase::Drive | TickPhase::Ropes => Kinetics::driven(body, &lanes.scratch(entity).motion),
                _ => Kinetics::of(body),
            };
            if after.pos != watched.last.pos {
                let report = &lanes.scratch(entity).report;
                let bend = report.details().bend.filter(|_| phase == TickPhase::Travel);
                let path = &mut watched.report.path;
                path.extend(bend.into_iter().chain([body.pos]));
            }
            if after != watched.last {
                let before = std::mem::replace(&mut watched.last, after);
                watched.add(phase, WhyDetail::Changed { before, after });
            }
            record_refusals(watched, phase, entity, lanes, stage, around);
        }
        log.phase = phase.next();
    }
}
