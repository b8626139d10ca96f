//! An entity as scripts, traces, tests and drawing see it.

use super::*;

/// A copy of the visible state of an entity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EntityView {
    /// Its id.
    pub id: EntityId,
    /// Its name.
    pub name: Arc<str>,
    /// Its kind.
    pub kind: Arc<str>,
    /// The player who controls it, counted from 1; 0 for none.
    pub player: u8,
    /// Its model; `None` for the level.
    pub model: Option<ModelName>,
    /// What it is doing. Meaningless for the level, which has no body.
    pub mode: Mode,
    /// Center, px.
    pub pos: DVec2,
    /// Height of its feet in a top view, px; 0 in a side view.
    pub z: f64,
    /// The model's velocity, px/s.
    pub vel: DVec2,
    /// Vertical velocity in a top view, px/s; 0 in a side view.
    pub vel_z: f64,
    /// External velocity, px/s.
    pub external: DVec2,
    /// The part of it that points up in a top view, px/s; 0 in a side view.
    pub external_z: f64,
    /// Angle, radians counterclockwise.
    pub angle: f64,
    /// Angular velocity, rad/s.
    pub spin: f64,
    /// 1 toward +x, −1 toward −x.
    pub facing: f64,
    /// Whether it is on the ground.
    pub grounded: bool,
    /// Whether gravity is inverted for it, so that its feet are at the top.
    pub inverted: bool,
    /// The surface it is on; empty in the air.
    pub surface: Arc<str>,
    /// The solid it is on, or the entity that carries it; empty in the air and on the plain ground of a top view.
    pub solid: Arc<str>,
    /// The names of the zones that contain its center.
    pub zones: Arc<[Arc<str>]>,
    /// Its hook.
    pub hook: HookView,
    /// Compression of each foot, −1..=1; empty for models without feet.
    pub feet: Vec<f64>,
    /// The distance of a fully compressed foot, px.
    pub foot_travel: f64,
    /// Thrust, 0..=1; 0 for models without an engine.
    pub thrust: f64,
    /// Half-extents of its collider, px; of the bounding box at angle 0 if the body turns.
    pub half: DVec2,
    /// The form of its collider; meaningless if the body turns.
    pub form: ColliderForm,
    /// Distance from its center down to its lowest point, px.
    pub depth: f64,
    /// Whether its size is not its kind's.
    pub resized: bool,
    /// The stance that it is in.
    pub stance: Option<Arc<str>>,
    /// The pieces of its collider, if the body turns.
    pub pieces: Option<Arc<[Piece]>>,
    /// Seconds since it spawned, of its time.
    pub age: f64,
    /// The moment on its clock.
    pub now: ClockTick,
    /// Its own factor for the rate of its time.
    pub time_scale: f64,
    /// The rate of its time: its factor times the world's and those of its zones; 1 for full rate, 0 if it stands
    /// still.
    pub rate: f64,
    /// Whether its script is disabled because it failed too often.
    pub quarantined: bool,
}

impl EntityView {
    /// A view without an entity: a placeholder until there is one. Does not allocate.
    pub fn empty() -> Self {
        Self { facing: 1.0, time_scale: 1.0, rate: 1.0, ..Self::default() }
    }

    /// The level as its own script sees it: a name and an age.
    pub(super) fn of_level(age: f64) -> Self {
        Self { name: "level".into(), kind: "level".into(), age, ..Self::empty() }
    }

    /// Its collider, unless the body turns.
    pub fn collider(&self) -> Collider {
        Collider { half: self.half, form: self.form }
    }

    /// The name of its model; empty for the level.
    pub fn model_name(&self) -> &'static str {
        self.model.map_or("", ModelName::as_str)
    }
}

/// The parts of a view that have to be looked up elsewhere than in the body. The other ones are always written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewParts {
    /// Its name.
    pub name: bool,
    /// The surface that it is on.
    pub surface: bool,
    /// The solid that it is on.
    pub solid: bool,
    /// The zones that contain its center.
    pub zones: bool,
    /// Its hook.
    pub hook: bool,
}

impl ViewParts {
    /// All of them.
    pub const ALL: Self = Self { name: true, surface: true, solid: true, zones: true, hook: true };
}

/// Writes the visible state of an entity over `view`. Parts that are not wanted stay as they are. Returns its input, and the
/// actions that it held in the previous tick.
pub fn observe<'l>(
    view: &mut EntityView,
    entity: &Entity,
    population: &'l Population,
    (stage, changes, tick): (&Stage, &LevelChanges, u64),
    parts: ViewParts,
) -> (&'l Intent, Actions) {
    let lanes = &population.lanes;
    let loadouts = &profile_of(stage, entity).loadouts;
    let (body, intent, before) = lanes.observe(entity, loadouts, view, parts.hook);
    if entity.posture.is_some() && !entity.model.is_rigid() {
        // The stage may lack the profiles of single entities.
        let kind = &stage.profiles[entity.profile as usize];
        view.half = entity.shape(kind).half;
        (view.depth, view.resized) = (view.half.y, view.half != kind.loadouts.shape(entity.model).half);
    } else {
        view.resized = false;
    }
    if view.stance.as_ref() != entity.stance() {
        view.stance = entity.stance().cloned();
    }
    view.id = entity.id;
    if parts.name {
        replace(&mut view.name, Some(&entity.name));
    }
    replace(&mut view.kind, Some(&entity.kind));
    view.player = entity.player.unwrap_or(0);
    view.model = Some(entity.model);
    view.pos = body.pos;
    view.z = body.z;
    view.vel = body.vel;
    view.vel_z = body.vel_z;
    view.external = body.external;
    view.external_z = body.external_z;
    view.angle = body.angle;
    view.spin = body.spin;
    view.facing = body.facing;
    view.grounded = body.stands();
    view.inverted = body.inverted;
    if parts.surface {
        let surface = body.surface.filter(|_| body.stands());
        replace(&mut view.surface, surface.map(|s| stage.level.surface_name(s)));
    }
    if parts.solid {
        replace(&mut view.solid, solid_under(stage, population, body));
    }
    if parts.zones {
        observe_zones(view, entity, stage);
    }
    view.quarantined = entity.quarantined();
    let time = OwnTime::of_level(changes, tick).of(lanes, entity, stage);
    view.age = (time.now.0 - entity.born.0) / f64::from(stage.hz);
    view.rate = time.rate;
    view.now = time.now;
    (intent, before)
}

fn observe_zones(view: &mut EntityView, entity: &Entity, stage: &Stage) {
    if !entity.zones.is_empty() {
        let list = stage.level.zones.list();
        let names = entity.zones.iter().map(|z| list[*z as usize].name.clone());
        view.zones = names.collect();
    } else if !view.zones.is_empty() {
        view.zones = Arc::default();
    }
}

/// Replaces a name. It is usually the same one, and then its reference count stays untouched.
fn replace(held: &mut Arc<str>, now: Option<&Arc<str>>) {
    match now {
        Some(now) if !Arc::ptr_eq(held, now) => held.clone_from(now),
        None if !held.is_empty() => *held = Arc::default(),
        _ => {}
    }
}

/// The name of the solid, or of the entity, that a body stands on.
fn solid_under<'a>(stage: &'a Stage, population: &'a Population, body: &Body) -> Option<&'a Arc<str>> {
    if let Some(id) = body.ground.and_then(|contact| contact.feature.body()) {
        return population.index_of(EntityId(id)).map(|index| &population.entities[index].name);
    }
    let terrain = &stage.level.terrain;
    let on_ground = body.ground.map(|contact| terrain.solid_of(contact.feature));
    let on_top = || Some(&terrain.solids()[body.floor?.solid? as usize]);
    on_ground.or_else(on_top).map(|solid| &solid.name)
}
