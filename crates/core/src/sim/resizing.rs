//! Changing the size of a body, if there is room.

use super::{posture::ducks, *};
use crate::{geometry::Collider, level::Scenery, models::Cling};

/// Why a body keeps its size.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ResizeError {
    /// Its model moves rigid pieces.
    #[error("a body of the model `{0}` consists of pieces, which have no size")]
    Pieces(ModelName),
    /// Its path is planned for its size.
    #[error("a body in ballistic flight keeps its size until it lands")]
    Flies,
    /// Something is in the way.
    #[error("there is no room for {} by {} px{}", .size.x, .size.y, in_the_way(.solid))]
    NoRoom {
        /// The full widths, px.
        size: DVec2,
        /// The solid that is in the way, if it is one.
        solid: Option<Arc<str>>,
    },
    /// Its center would leave the level.
    #[error("with {} by {} px, its center would be outside the level's bounds", .0.x, .0.y)]
    Outside(DVec2),
}

fn in_the_way(solid: &Option<Arc<str>>) -> String {
    let solid = solid.as_ref();
    solid.map_or_else(String::new, |name| format!(": `{name}` is in the way"))
}

/// Lets each body take the stance that its script has set, or else the first whose action is held. One that finds no room
/// stays as it is, and tries again in the next tick.
pub fn change_stances(world: &mut World, stage: &Stage) {
    let mut standing = None;
    for index in 0..world.population.entities.len() {
        let Population { entities, lanes, .. } = &mut world.population;
        let entity = &entities[index];
        let stances = &stage.profiles[entity.profile as usize].stances;
        if stances.is_empty() {
            continue;
        }
        let (intent, _) = lanes.intent_mut(entity);
        intent.set_ducks(ducks(stances));
        // It drops first, as it stands: with another shape it would have to look for its ground.
        let drops = ducks(stances) && intent.drops();
        let held = intent.directions();
        let posture = entity.posture.as_ref();
        let set = posture.and_then(|posture| posture.set.as_ref());
        let wanted = stances.iter().find(|stance| match set {
            Some(name) => stance.name == *name,
            None => stance.action.is_some_and(|action| held.has(action)),
        });
        let name = wanted.map(|stance| &stance.name);
        let waits = drops && lanes.body(entity).ground.is_some();
        if name == entity.stance() || waits || entity.model.is_rigid() {
            continue;
        }
        let size = wanted.map(|stance| stance.size).or_else(|| posture?.size);
        let standing = standing.get_or_insert_with(|| stage.standing(world.tick, &world.switches.level));
        assume(world, stage, standing, index, ("stance", size), |posture| posture.stance = name.cloned());
    }
}

/// Gives the entity at `index` the full widths that its script wants, px; its kind's if there are none.
pub fn resize(world: &mut World, stage: &Stage, index: usize, size: Option<DVec2>) {
    let entity = &world.population.entities[index];
    let stances = &stage.profiles[entity.profile as usize].stances;
    // A stance keeps its own size.
    let stance = entity.posture.as_ref().and_then(|posture| posture.stance_among(stances));
    let counts = stance.map(|stance| stance.size).or(size);
    let standing = world.standing(stage);
    assume(world, stage, &standing, index, ("resize", counts), |posture| posture.size = size);
}

/// Sets the stance that the script of the entity at `index` wants; the held actions decide if that is none.
pub fn set_stance(world: &mut World, index: usize, name: Option<&Arc<str>>) {
    let entity = &mut world.population.entities[index];
    entity.posture = entity.posture_with(|posture| posture.set = name.cloned());
}

/// Changes the posture of the entity at `index`, with which its body has these full widths, px (its kind's if there are none),
/// if there is room. `what` names the change.
fn assume(
    world: &mut World,
    stage: &Stage,
    standing: &Transit,
    index: usize,
    (what, size): (&'static str, Option<DVec2>),
    change: impl FnOnce(&mut Posture),
) {
    let World { population: Population { entities, lanes, .. }, aside, .. } = world;
    let entity = &mut entities[index];
    let kind = &stage.profiles[entity.profile as usize];
    let [was, now] = [entity.shape(kind), entity.shape_of_size(size, kind)];
    let at = match stage.fit_size(standing, lanes.body(entity), (entity.model, lanes.mode(entity)), [was, now]) {
        Ok(at) => at,
        Err(_) if aside.why.is_off() => return,
        Err(refusal) => return aside.why.refused(entity, what, &refusal.to_string(), |_| vec![]),
    };
    if was != now {
        let sensed = lanes.body(entity).sensed;
        lanes.scratch_mut(entity).report.refitted |= sensed;
        let body = lanes.body_mut(entity);
        (body.pos, body.sensed) = (at, false);
    }
    entity.posture = entity.posture_with(change);
    aside.overrides.note_change(entity.id);
}

/// How much farther than its growth a body may be moved to get room, px.
const SLACK: f64 = 0.01;

/// How often it is moved out of what it overlaps.
const MOST_MOVES: usize = 8;

impl Stage {
    /// Where the center of a body with this view would be with other full widths, px (its kind's if there are none), and the
    /// half-widths that it would have. `profile` is an index into the profiles of this stage.
    ///
    /// # Errors
    /// If the body would keep its size.
    pub fn plan_size(
        &self,
        standing: &Transit,
        profile: usize,
        view: &EntityView,
        size: Option<DVec2>,
    ) -> Result<(DVec2, DVec2), ResizeError> {
        let model = view.model.unwrap_or(self.profiles[profile].model);
        let kind = self.profiles[profile].loadouts.kind_shape(model);
        let (was, now) = (kind.sized(2.0 * view.half), size.map_or(kind, |size| kind.sized(size)));
        let body = Body { pos: view.pos, z: view.z, inverted: view.inverted, ..Body::default() };
        let at = self.fit_size(standing, &body, (model, view.mode), [was, now])?;
        Ok((at, now.half))
    }

    /// Where the center of a body is after its shape has changed.
    fn fit_size(
        &self,
        standing: &Transit,
        body: &Body,
        (model, mode): (ModelName, Mode),
        [was, now]: [Collider; 2],
    ) -> Result<DVec2, ResizeError> {
        if model.is_rigid() {
            return Err(ResizeError::Pieces(model));
        }
        if mode == Mode::Flying {
            return Err(ResizeError::Flies);
        }
        if was == now {
            return Ok(body.pos);
        }
        let scenery = self.level.terrain_at(body.z).moved(standing).upward(body.up());
        let at = room(&scenery, body, [was, now], self.level.view).map_err(|at| {
            let solid = scenery.solid_at(now, at).cloned();
            ResizeError::NoRoom { size: now.size(), solid }
        })?;
        // A body that is outside already may still shrink or grow there.
        let leaves = self.level.bounds.holds(body.pos) && !self.level.bounds.holds(at);
        if leaves { Err(ResizeError::Outside(now.size())) } else { Ok(at) }
    }

    /// A free place near `body` for an entity, with the platforms at `standing`. `None` if there is no room.
    pub(super) fn fit_entity(&self, standing: &Transit, entity: &Entity, body: &Body) -> Option<DVec2> {
        if entity.model.is_rigid() {
            return self.fit(standing, entity.slot.index(), entity.model, body);
        }
        let scenery = self.level.terrain_at(body.z).moved(standing);
        scenery.push_out(entity.shape(&self.profiles[entity.profile as usize]), body.pos)
    }
}

/// Where the center of a body is after its shape has changed: its feet stay where they are, in a top view its center. Next
/// to walls it moves to the side, by what it grows at most. If there is no room, the place that it would need.
fn room(scenery: &Scenery, body: &Body, [was, now]: [Collider; 2], view: View) -> Result<DVec2, DVec2> {
    let grown = now.half - was.half;
    let up = DVec2::new(0.0, body.up());
    let wider = grown.x.max(0.0);
    let (mut at, mut most) = (body.pos, DVec2::splat(wider.max(grown.y)));
    if view == View::Side {
        most = DVec2::new(wider, wider.max(-grown.y));
        at += up * grown.y;
        if let Some(contact) = &body.ground {
            at.y = contact.resting_height(scenery, now, at);
        }
        if let Some(Cling { normal, .. }) = body.cling {
            // It keeps its hold: on a wall the feet stay, too, and under a roof what touches it.
            let away = normal * (now.reach(normal) - was.reach(normal));
            let wall = normal.x.abs() > normal.y.abs();
            at = if wall { at + DVec2::new(away.x, 0.0) } else { body.pos + away };
        }
    }
    let near = |to: &DVec2| (*to - at).abs().cmple(most + SLACK).all();
    let free = |to: &DVec2| scenery.overlap(now, *to).is_none();
    let lifted = || {
        let out = scenery.overlap(now, at)?.to_touch;
        let rises = out.dot(up) > 0.0;
        rises.then(|| at + up * (out.length_squared() / out.dot(up)))
    };
    let found = Some(at).filter(free);
    let found = found.or_else(|| lifted().filter(near).filter(free));
    let found = found.or_else(|| scenery.move_out(now, at, MOST_MOVES).filter(near));
    // What is smaller in every direction has room around the same center.
    let found = found.or_else(|| grown.cmple(DVec2::ZERO).all().then_some(body.pos));
    // And it does not get behind a wall.
    let direct = |to: &DVec2| scenery.dropping(true).cast(body.pos, *to - body.pos).is_none();
    let mut found = found.filter(direct).ok_or(at)?;
    if body.ground.is_some() {
        let down = up * -(grown.abs().max_element() + SLACK);
        found += scenery.sweep(now, found, down).map_or(DVec2::ZERO, |hit| down * hit.time);
    }
    Ok(found)
}
