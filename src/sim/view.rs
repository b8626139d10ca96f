//! An entity as scripts, traces, tests and pictures see it.

use super::{Entity, EntityId, Stage, World};
use crate::models::HookView;
use glam::DVec2;
use std::sync::Arc;

/// A copy of what can be seen of an entity.
#[derive(Clone, Debug, PartialEq)]
pub struct EntityView {
    /// Its number.
    pub id: EntityId,
    /// Its name.
    pub name: Arc<str>,
    /// Its kind.
    pub kind: Arc<str>,
    /// The player who controls it, from 1; 0 for none.
    pub player: u8,
    /// Its model's name.
    pub model: &'static str,
    /// The model's own word for what it is doing.
    pub mode: &'static str,
    /// Centre, px.
    pub pos: DVec2,
    /// The model's own velocity, px/s.
    pub vel: DVec2,
    /// Velocity from outside, px/s.
    pub external: DVec2,
    /// 1 towards +x, −1 towards −x.
    pub facing: f64,
    /// Whether it stands.
    pub grounded: bool,
    /// The surface it stands on; empty in the air.
    pub surface: Arc<str>,
    /// What can be seen of its hook.
    pub hook: HookView,
    /// Half-widths of its collider, px.
    pub half: DVec2,
    /// Seconds since it was born.
    pub age: f64,
}

impl World {
    /// What can be seen of an entity.
    #[must_use]
    pub fn view(&self, stage: &Stage, entity: &Entity) -> EntityView {
        let body = self.lanes.body(entity);
        let profile = &stage.profiles[entity.profile as usize];
        let surface = body.ground.and(body.surface);
        EntityView {
            id: entity.id,
            name: entity.name.clone(),
            kind: entity.kind.clone(),
            player: entity.player.unwrap_or(0),
            model: entity.model.as_str(),
            mode: self.lanes.mode(entity),
            pos: body.pos,
            vel: body.vel,
            external: body.external,
            facing: body.facing,
            grounded: body.ground.is_some(),
            surface: surface.map_or_else(
                || self.no_surface.clone(),
                |s| stage.level.surface_name(s).clone(),
            ),
            hook: self.lanes.hook(entity),
            half: profile.outfits.shape(entity.model).half,
            age: (self.tick - entity.born) as f64 / f64::from(stage.hz),
        }
    }

    /// What can be seen of the entity with this name.
    #[must_use]
    pub fn view_of(&self, stage: &Stage, name: &str) -> Option<EntityView> {
        self.entities
            .iter()
            .find(|e| &*e.name == name)
            .map(|e| self.view(stage, e))
    }
}
