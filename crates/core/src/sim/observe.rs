//! Copying the state of entities into views.

use super::entity::Entity;
use super::lane::Lanes;
use super::overrides::profile_of;
use super::stage::Stage;
use super::view::EntityView;
use crate::models::Body;
use std::sync::Arc;

/// Writes the visible state of an entity over `view`.
pub(super) fn observe(view: &mut EntityView, entity: &Entity, lanes: &Lanes, stage: &Stage, tick: u64) {
    let loadouts = &profile_of(stage, entity).loadouts;
    let body = lanes.observe(entity, loadouts, view);
    let surface = body.surface.filter(|_| body.stands());
    view.id = entity.id;
    replace(&mut view.name, Some(&entity.name));
    replace(&mut view.kind, Some(&entity.kind));
    view.player = entity.player.unwrap_or(0);
    view.model = Some(entity.model);
    view.pos = body.pos;
    view.z = body.z;
    view.vel = body.vel;
    view.vel_z = body.vel_z;
    view.external = body.external;
    view.angle = body.angle;
    view.spin = body.spin;
    view.facing = body.facing;
    view.grounded = body.stands();
    view.inverted = body.inverted;
    let surface = surface.map(|s| stage.level.surface_name(s));
    replace(&mut view.surface, surface);
    replace(&mut view.solid, solid_under(stage, body));
    if !entity.zones.is_empty() {
        let list = stage.level.zones.list();
        let names = entity.zones.iter().map(|z| list[*z as usize].name.clone());
        view.zones = names.collect();
    } else if !view.zones.is_empty() {
        view.zones = Arc::default();
    }
    view.quarantined = entity.quarantined();
    view.age = (tick - entity.born) as f64 / f64::from(stage.hz);
}

/// Replaces a name. It is usually the same one, and then its reference count stays untouched.
fn replace(held: &mut Arc<str>, now: Option<&Arc<str>>) {
    match now {
        Some(now) if !Arc::ptr_eq(held, now) => held.clone_from(now),
        None if !held.is_empty() => *held = Arc::default(),
        _ => {}
    }
}

/// The name of the solid that a body stands on.
fn solid_under<'a>(stage: &'a Stage, body: &Body) -> Option<&'a Arc<str>> {
    let terrain = &stage.level.terrain;
    let on_ground = body.ground.map(|contact| terrain.solid_of(contact.feature));
    let on_top = || Some(&terrain.solids()[body.floor?.solid? as usize]);
    on_ground.or_else(on_top).map(|solid| &solid.name)
}
