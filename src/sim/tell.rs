//! The end of a tick: what happened in it becomes events.

use super::{EventKind, Stage, World};
use crate::level::{Feature, Level, Solid};
use crate::models::{HookLoss, HookNews, Landing, Report, Support};
use std::sync::Arc;

impl World {
    /// Gathers what the models report of this tick, and who has left the level.
    pub(super) fn tell(&mut self, stage: &Stage) {
        let mut reports = std::mem::take(&mut self.reported);
        let entities = &self.entities;
        self.lanes.report(|id, _, report| {
            if report.is_eventful()
                && let Ok(index) = entities.binary_search_by_key(&id, |e| e.id)
            {
                reports.push((index, *report));
            }
        });
        for (index, report) in reports.drain(..) {
            self.tell_report(stage, index, &report);
        }
        self.reported = reports;
        self.note_fall_outs(stage);
        self.sort_events();
    }

    /// Sorts events by entity, and those of one by their kinds; what is alike by whom or what it is about.
    /// Without a buffer, as a steady tick allocates nothing; but what scripts have said is told in the order
    /// in which they said it.
    pub(super) fn sort_events(&mut self) {
        let order = |a: &super::Event, b: &super::Event| {
            let key = |event: &super::Event| (event.entity, event.happening.rank());
            key(a)
                .cmp(&key(b))
                .then_with(|| a.happening.about().cmp(b.happening.about()))
        };
        if self.events.iter().any(|e| e.happening.is_said()) {
            self.events.sort_by(order);
        } else {
            self.events.sort_unstable_by(order);
        }
    }

    fn note_fall_outs(&mut self, stage: &Stage) {
        for index in 0..self.entities.len() {
            let pos = self.lanes.body(&self.entities[index]).pos;
            let outside = !stage.level.bounds.holds(pos);
            if outside && !self.entities[index].outside {
                self.note(self.tick, index, EventKind::FallOut);
            }
            self.entities[index].outside = outside;
        }
    }

    /// Turns what a model reported into events.
    fn tell_report(&mut self, stage: &Stage, index: usize, report: &Report) {
        let level = &stage.level;
        if let Some(hold) = self.lanes.body(&self.entities[index]).cling
            && report.grabbed
        {
            let (solid, surface) = names(level, hold.feature);
            let normal = hold.normal;
            let happening = EventKind::Grab {
                solid,
                surface,
                normal,
            };
            self.note(self.tick, index, happening);
        }
        if report.dropped {
            let jumped = report.jumped;
            self.note(self.tick, index, EventKind::Drop { jumped });
        }
        self.tell_hook(stage, index, report.hook);
        if report.crushed {
            self.note(self.tick, index, EventKind::Crush);
        }
        if let Some(hit) = report.hit {
            let (solid, surface) = match report.struck {
                Some(solid) => names_of(level, &level.terrain.solids()[solid as usize]),
                None => names(level, hit.feature),
            };
            let happening = EventKind::Hit {
                solid,
                surface,
                normal: hit.normal,
                speed: hit.speed,
                foot: hit.foot,
            };
            self.note(self.tick, index, happening);
        }
        if report.flight_over.is_some() {
            self.end_jump(index);
        }
        if report.jumped {
            self.note(self.tick, index, EventKind::Jump);
        }
        if report.left_ground {
            self.note(
                self.tick,
                index,
                EventKind::LeaveGround {
                    jumped: report.jumped,
                },
            );
        }
        if let Some(landing) = report.landed {
            self.tell_landing(stage, index, &landing);
        }
        if let Some(change) = report.new_surface {
            let name = |s| Arc::clone(level.surface_name(s));
            let happening = EventKind::Surface {
                surface: name(change.to),
                was: change.from.map_or_else(|| self.no_surface.clone(), name),
            };
            self.note(self.tick, index, happening);
        }
    }

    fn tell_landing(&mut self, stage: &Stage, index: usize, landing: &Landing) {
        let level = &stage.level;
        let (solid, surface) = match landing.on {
            Support::Feature(feature) => names(level, feature),
            Support::Floor(floor) => {
                let solid = floor
                    .solid
                    .map(|s| &level.terrain.solids()[s as usize].name);
                let name = solid.unwrap_or(&self.no_surface).clone();
                (name, level.surface_name(floor.surface).clone())
            }
        };
        let happening = EventKind::Land {
            solid,
            surface,
            normal: landing.normal,
            speed: landing.speed,
        };
        self.note(self.tick, index, happening);
    }

    fn tell_hook(&mut self, stage: &Stage, index: usize, news: HookNews) {
        if let Some(feature) = news.attached {
            let (solid, surface) = names(&stage.level, feature);
            let at = self.lanes.hook(&self.entities[index]).tip;
            self.note(self.tick, index, EventKind::Hook { solid, surface, at });
        }
        if let Some(loss) = news.lost {
            let snapped = loss == HookLoss::Snapped;
            self.note(self.tick, index, EventKind::Unhook { snapped });
        }
    }
}

/// The names of the solid and the surface of a part of the terrain.
fn names(level: &Level, feature: Feature) -> (Arc<str>, Arc<str>) {
    names_of(level, level.terrain.solid_of(feature))
}

fn names_of(level: &Level, solid: &Solid) -> (Arc<str>, Arc<str>) {
    let surface = level.surface_name(solid.surface);
    (solid.name.clone(), surface.clone())
}
