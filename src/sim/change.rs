//! Changing models, and coming back to where one began.

use super::why::by_choice_of;
use super::{Entity, EventKind, Stage, World};
use crate::models::ModelName;
use std::sync::Arc;

impl World {
    /// Puts an entity that has left the level back where it started, at rest but for its starting
    /// velocity.
    pub(super) fn return_to_start(&mut self, stage: &Stage, index: usize) {
        self.why_noted(index, "back at its start: it had left the level's bounds");
        let standing = self.standing(stage);
        let entity = &mut self.entities[index];
        entity.outside = false;
        let start = &stage.starts[entity.start as usize];
        let mut body = start.body(entity.model);
        let profile = entity.profile as usize;
        let fit = stage.fit(&standing, profile, entity.model, &body);
        body.pos = fit.unwrap_or(start.at);
        self.let_go(index);
        let old = self.lanes.body_mut(&self.entities[index]);
        body.windows = old.windows;
        *old = body;
    }

    /// Moves an entity into the lane of the model it should have. Position, velocities, jump and
    /// variables go along; a body that stands keeps its feet where they are.
    pub(super) fn change_model(&mut self, stage: &Stage, index: usize) {
        let entity = &mut self.entities[index];
        entity.model_due = false;
        let number = entity.profile as usize;
        let profile = &stage.profiles[number];
        let (was, model) = (entity.model, entity.wanted_model(profile.model));
        if was == model {
            entity.refused = None;
            return;
        }
        if !model.views().contains(&stage.level.view) {
            let view = stage.level.view.name();
            self.refuse_model(index, model, &format!("it does not work in a {view} view"));
            return;
        }
        let mut body = self.lanes.body(entity).clone();
        let wanted = body.pos;
        let stands = body.ground.is_some();
        let loadouts = &profile.loadouts;
        let fit = stage.refit(
            &self.standing(stage),
            number,
            [was, model],
            &mut body,
            stands,
        );
        let Some(at) = fit else {
            self.refuse_model(index, model, "there is no room for its body");
            return;
        };
        self.switch_lane(index, model);
        let same = loadouts.shape(was) == loadouts.shape(model) && !was.turns() && !model.turns();
        let entity = &self.entities[index];
        let moved = self.lanes.body_mut(entity);
        (moved.angle, moved.spin) = (body.angle, body.spin);
        if !same || at != wanted {
            moved.pos = at;
            moved.sensed = false;
        }
        let happening = EventKind::Model { model, was };
        self.note(self.tick + 1, index, happening);
    }

    /// Says once that a change of model cannot be made, and tries again in the next tick.
    fn refuse_model(&mut self, index: usize, model: ModelName, reason: &str) {
        let entity = &mut self.entities[index];
        entity.model_due = true;
        if entity.refused != Some(model) {
            entity.refused = Some(model);
            let why = format!("`{}`: {reason}", model.as_str());
            let because = |e: &Entity| vec![by_choice_of(e, model)];
            self.why_refused(index, "model", &why, because);
            let reason = Arc::from(reason);
            let happening = EventKind::ModelRefused { model, reason };
            self.note(self.tick + 1, index, happening);
        }
    }

    fn switch_lane(&mut self, index: usize, model: ModelName) {
        self.let_go(index);
        let entity = &self.entities[index];
        let (mover, moved) = self.lanes.take(entity.model, entity.place);
        let place = entity.place;
        if let Some(other) = moved.and_then(|id| self.index_of(id)) {
            self.entities[other].place = place;
        }
        let entity = &mut self.entities[index];
        entity.place = self.lanes.push(model, mover);
        entity.model = model;
        entity.refused = None;
    }
}
