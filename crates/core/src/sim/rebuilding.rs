//! A level that scripts change while it is played: solids that they create and remove, and tiles that they break.
//!
//! What is created appears, and what was created disappears, like a solid that is switched on or off. The ground of the
//! level only ever gets less: bodies look again what they rest on, and hooks and ropes that held on to what is gone let go.

use super::*;
use std::borrow::Cow;

/// The area around the end of a rope in which it holds on to the ground.
const GRIP: Collider = Collider::ellipse(1.0, 1.0);

impl World {
    /// The stage that it was begun with, with the level as scripts have changed it.
    #[inline]
    pub fn stage<'s>(&self, base: &'s Stage) -> Cow<'s, Stage> {
        let level = self.level(base);
        if Arc::ptr_eq(level, &base.level) {
            return Cow::Borrowed(base);
        }
        let mut stage = base.clone();
        stage.level = level.clone();
        Cow::Owned(stage)
    }

    /// The level as scripts have changed it; `base` is the stage that the world was begun with.
    #[inline]
    pub fn level<'a>(&'a self, base: &'a Stage) -> &'a Arc<Level> {
        self.changes().level(&base.level)
    }

    /// Builds the level again after scripts have created or removed solids.
    #[cold]
    pub(super) fn rebuild_level(&mut self, base: &Stage) {
        // The profiles of entities are derived for each level, whatever has changed about them.
        self.aside.overrides.settle(&mut self.population);
        let old = self.level(base).clone();
        let changed = self.switches.build(base);
        let stage = &*self.stage(base);
        let (was, now) = (&old.terrain, &stage.level.terrain);
        let standing = &self.standing(base);
        let tick = self.tick + 1;
        let World { population, journal, joints, .. } = self;
        let Population { entities, lanes, .. } = population;
        for entity in &*entities {
            let shape = entity.shape(profile_of(stage, entity));
            let body = lanes.body_mut(entity);
            let place = body.ground.map_or(body.pos, |contact| contact.point(shape, body.pos));
            let mut holds = !(changed && stage.level.view == View::Top);
            for feature in carrying::features(body).filter(|feature| feature.body().is_none()) {
                let found = now.feature_like(was, *feature, place);
                holds &= found.is_some();
                *feature = found.unwrap_or(Feature::Face(0));
            }
            if now.edges().is_empty() {
                (body.ground, body.cling) = (None, None);
            }
            if changed && let Some(floor) = &mut body.floor {
                floor.solid = None;
            }
            body.sensed &= holds;
            if changed {
                let scenery = stage.level.terrain_at(body.z).moved(standing);
                if lanes.adopt(entity, None, &scenery) {
                    journal.emit(tick, entity, EventKind::Unhook { snapped: false });
                }
            }
        }
        if changed {
            lanes.wake();
            let held = |level: &Level, at: DVec2| level.terrain.still().overlap(GRIP, at).is_some();
            let gone = |end: &JointEnd| end.on == Anchor::Level && held(&old, end.at) && !held(&stage.level, end.at);
            joints.drop_ends(gone, population, journal, tick);
        }
        self.routes.search_again();
        self.aside.search = None;
    }
}
