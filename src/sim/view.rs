//! An entity as scripts, traces, tests and pictures see it.

use super::population::level_name;
use super::{Entity, EntityId, Stage, World};
use crate::models::{Body, HookView, Mode, ModelName, Piece};
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
    /// The model that moves it; without meaning for the level, which has no body.
    pub model: ModelName,
    /// What it is doing; without meaning for the level.
    pub mode: Mode,
    /// Center, px.
    pub pos: DVec2,
    /// Height of its feet in a top view, px; else 0.
    pub z: f64,
    /// The model's own velocity, px/s.
    pub vel: DVec2,
    /// How fast it rises in a top view, px/s; else 0.
    pub vel_z: f64,
    /// Velocity from outside, px/s.
    pub external: DVec2,
    /// How far it is turned, radians counter-clockwise.
    pub angle: f64,
    /// How fast it turns, rad/s.
    pub spin: f64,
    /// 1 towards +x, −1 towards −x.
    pub facing: f64,
    /// Whether it stands.
    pub grounded: bool,
    /// The surface it stands on; empty in the air.
    pub surface: Arc<str>,
    /// The name of the solid it stands on; empty in the air, and on the plain ground of a top view.
    pub solid: Arc<str>,
    /// The names of the zones that its center is in; none where there are none.
    pub zones: Arc<[Arc<str>]>,
    /// What can be seen of its hook.
    pub hook: HookView,
    /// How far each of its feet is pressed in, −1..=1; none but a vessel has any.
    pub feet: Vec<f64>,
    /// How far a foot can be pressed in, px.
    pub foot_travel: f64,
    /// How hard its drive pushes, 0..=1; none but a vessel has one.
    pub thrust: f64,
    /// Half-widths of its collider, px; of a body that turns, of the box around it.
    pub half: DVec2,
    /// How far its lowest point lies below its center, px.
    pub depth: f64,
    /// The pieces that it consists of, if it is a body that turns.
    pub pieces: Option<Arc<[Piece]>>,
    /// Seconds since it was born.
    pub age: f64,
    /// Whether its script has failed so often that it is not called any more.
    pub quarantined: bool,
}

impl EntityView {
    /// What is seen where there is nothing to see yet.
    #[must_use]
    pub fn of_nobody() -> Self {
        Self::blank(&"".into(), &[].into())
    }

    /// The level, as its own script sees it: nothing but a name and an age.
    #[must_use]
    pub(super) fn of_level(nothing: &Arc<str>, no_zones: &Arc<[Arc<str>]>, age: f64) -> Self {
        Self {
            name: level_name(),
            kind: level_name(),
            age,
            ..Self::blank(nothing, no_zones)
        }
    }

    fn blank(nothing: &Arc<str>, no_zones: &Arc<[Arc<str>]>) -> Self {
        Self {
            id: EntityId::LEVEL,
            name: nothing.clone(),
            kind: nothing.clone(),
            player: 0,
            model: ModelName::topdown,
            mode: Mode::Free,
            pos: DVec2::ZERO,
            z: 0.0,
            vel: DVec2::ZERO,
            vel_z: 0.0,
            external: DVec2::ZERO,
            angle: 0.0,
            spin: 0.0,
            facing: 1.0,
            grounded: false,
            surface: nothing.clone(),
            solid: nothing.clone(),
            zones: no_zones.clone(),
            hook: HookView::default(),
            feet: Vec::new(),
            foot_travel: 0.0,
            thrust: 0.0,
            half: DVec2::ZERO,
            depth: 0.0,
            pieces: None,
            age: 0.0,
            quarantined: false,
        }
    }
}

/// A view that many hold and few write: a copy is made by who writes while another holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedView(Arc<EntityView>);

impl From<EntityView> for SharedView {
    fn from(view: EntityView) -> Self {
        Self(Arc::new(view))
    }
}

impl std::ops::Deref for SharedView {
    type Target = EntityView;
    fn deref(&self) -> &EntityView {
        &self.0
    }
}

impl std::ops::DerefMut for SharedView {
    fn deref_mut(&mut self) -> &mut EntityView {
        Arc::make_mut(&mut self.0)
    }
}

/// What was shown to scripts in the last tick, by the places of entities. It is used again, and no state: a
/// copy of the world begins without.
#[derive(Debug, Default)]
pub(super) struct Shown(Vec<Option<SharedView>>);

impl Clone for Shown {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for Shown {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Names change hardly ever: what stays is not counted anew.
fn keep<T: ?Sized>(held: &mut Arc<T>, now: &Arc<T>) {
    if !Arc::ptr_eq(held, now) {
        held.clone_from(now);
    }
}

impl World {
    /// What can be seen of an entity.
    #[must_use]
    pub fn view(&self, stage: &Stage, entity: &Entity) -> EntityView {
        let mut view = EntityView::blank(&self.no_surface, &self.no_zones);
        self.look_at(stage, entity, &mut view);
        view
    }

    /// Writes what can be seen of an entity over what was seen before.
    pub(super) fn look_at(&self, stage: &Stage, entity: &Entity, view: &mut EntityView) {
        let body = self.lanes.body(entity);
        let profile = self.profile_of(stage, entity);
        let surface = body.surface.filter(|_| body.stands());
        view.id = entity.id;
        keep(&mut view.name, &entity.name);
        keep(&mut view.kind, &entity.kind);
        view.player = entity.player.unwrap_or(0);
        view.model = entity.model;
        view.mode = self.lanes.mode(entity);
        view.pos = body.pos;
        view.z = body.z;
        view.vel = body.vel;
        view.vel_z = body.vel_z;
        view.external = body.external;
        view.angle = body.angle;
        view.spin = body.spin;
        view.facing = body.facing;
        view.grounded = body.stands();
        let surface = surface.map(|s| stage.level.surface_name(s));
        keep(&mut view.surface, surface.unwrap_or(&self.no_surface));
        keep(&mut view.solid, self.stood_on(stage, body));
        if entity.zones.is_empty() {
            keep(&mut view.zones, &self.no_zones);
        } else {
            view.zones = self.zones_of(stage, entity);
        }
        view.hook = self.lanes.hook(entity);
        view.feet = self.lanes.feet(entity);
        view.foot_travel = profile.loadouts.foot_travel(entity.model);
        view.thrust = self.lanes.thrust(entity);
        view.half = profile.loadouts.shape(entity.model).half;
        view.depth = profile.loadouts.depth(entity.model, body.angle);
        view.pieces = profile.loadouts.pieces(entity.model);
        view.quarantined = entity.quarantined();
        view.age = (self.tick - entity.born) as f64 / f64::from(stage.hz);
    }

    /// The name of the solid that a body stands on; empty if there is none.
    fn stood_on<'a>(&'a self, stage: &'a Stage, body: &Body) -> &'a Arc<str> {
        let terrain = &stage.level.terrain;
        let on_ground = body.ground.map(|contact| terrain.solid_of(contact.feature));
        let on_top = || Some(&terrain.solids()[body.floor?.solid? as usize]);
        on_ground
            .or_else(on_top)
            .map_or(&self.no_surface, |solid| &solid.name)
    }

    /// What can be seen of the entity at `index`, to be shared. What was shared of it in the tick before is
    /// used again if nobody holds it any more.
    pub(super) fn shared_view(&mut self, stage: &Stage, index: usize) -> SharedView {
        let entity = &self.entities[index];
        let last = self.shown.0.get_mut(index).and_then(Option::take);
        if let Some(mut last) = last
            && let Some(view) = Arc::get_mut(&mut last.0)
        {
            self.look_at(stage, entity, view);
            return last;
        }
        self.view(stage, entity).into()
    }

    /// Keeps what was shared of the entity at `index`, to be used again.
    pub(super) fn keep_view(&mut self, index: usize, view: SharedView) {
        let shown = &mut self.shown.0;
        if shown.len() <= index {
            shown.resize(index + 1, None);
        }
        shown[index] = Some(view);
    }

    /// The names of the zones that an entity is in.
    fn zones_of(&self, stage: &Stage, entity: &Entity) -> Arc<[Arc<str>]> {
        let list = stage.level.zones.list();
        let names = entity.zones.iter().map(|z| list[*z as usize].name.clone());
        names.collect()
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
