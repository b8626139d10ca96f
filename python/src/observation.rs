//! What an agent sees: numbers about its body, its surroundings and other entities.

use crate::reading::no_entity;
use glam::DVec2;
use hangtime::geometry::grid::Bounds;
use hangtime::level::Level;
use hangtime::models::{HookState, Mode};
use hangtime::project::Live;
use hangtime::service::check_variable;
use hangtime::sim::{Entity, EntityId, Value};
use std::f64::consts::TAU;
use std::sync::Arc;

/// Numbers beyond this are observed as this. Nothing in a level gets there.
pub const MOST: f64 = 1e8;

/// A number of an observation: its name, its unit, and its bounds.
pub type NamedNumber = (String, &'static str, f64, f64);

/// What is observed for a player.
#[derive(Clone, Debug)]
pub struct ObservationLayout {
    /// Whether the view is from above, so that bodies have a height.
    above: bool,
    /// Whether one of the models turns.
    turns: bool,
    /// Whether one of the models has a hook.
    hooks: bool,
    /// The modes that its models can be in.
    modes: Vec<Mode>,
    /// The directions of rays.
    rays: Vec<DVec2>,
    /// How far rays reach, px.
    reach: f64,
    /// The variables of its script.
    variables: Vec<String>,
    /// Other entities, by id and name.
    others: Vec<(EntityId, Arc<str>)>,
    /// How each number is normalized; empty if they keep their units.
    scales: Vec<Scale>,
}

/// What a number is measured from, and what it is divided by.
#[derive(Clone, Copy, Debug)]
struct Scale {
    origin: f64,
    unit: f64,
}

impl Scale {
    const NONE: Self = Self { origin: 0.0, unit: 1.0 };

    fn of(self, number: f64) -> f64 {
        (number - self.origin) / self.unit
    }
}

/// What the user can choose about it.
#[derive(Clone, Debug)]
pub struct ObservationChoice {
    /// How many rays.
    pub rays: usize,
    /// How far they reach, px.
    pub reach: f64,
    /// Variables of the script.
    pub variables: Vec<String>,
    /// The names of other entities; `None` for all of the level.
    pub entities: Option<Vec<String>>,
    /// Whether numbers are scaled to about −1 to 1.
    pub normalize: bool,
}

impl ObservationLayout {
    /// What is observed for the entity `me`, which can be moved by these models.
    ///
    /// # Errors
    /// The entity or the variable that does not exist.
    pub fn new(live: &Live, me: &Entity, choice: &ObservationChoice) -> Result<Self, String> {
        let models = crate::action::models_of(live, live.world().profile_of(me));
        let stage = &live.revision().stage;
        let entities = live.world().entities();
        let id_of = |name: &str| entities.iter().find(|e| *e.name == *name).map(|e| (e.id, e.name.clone()));
        let mut others: Vec<_> = match &choice.entities {
            None => entities.iter().map(|e| (e.id, e.name.clone())).collect(),
            Some(names) => {
                let found = |name: &String| id_of(name).ok_or_else(|| format!("entities: {}", no_entity(live, name)));
                names.iter().map(found).collect::<Result<_, _>>()?
            }
        };
        others.retain(|(id, _)| *id != me.id);
        let profile = live.world().profile_of(me);
        for name in &choice.variables {
            let checked = match name.strip_prefix("vars.") {
                Some(short) => Err(format!("leave out `vars.`: `{short}`")),
                None => check_variable(live, Some(profile), name),
            };
            checked.map_err(|wrong| format!("variables: {wrong}"))?;
        }
        let modes = Mode::ALL.iter().copied();
        let mut layout = Self {
            above: stage.level.view == hangtime::level::View::Top,
            turns: models.iter().any(|model| model.turns()),
            hooks: models.iter().any(|model| model.hooks()),
            modes: modes.filter(|mode| models.iter().any(|model| model.modes().contains(mode))).collect(),
            rays: directions(choice.rays),
            reach: choice.reach,
            variables: choice.variables.clone(),
            others,
            scales: Vec::new(),
        };
        if choice.normalize {
            let ground = ground_of(&stage.level);
            layout.scales = layout.numbers().iter().map(|number| layout.scale_of(number, ground)).collect();
        }
        Ok(layout)
    }

    /// The numbers, in their order.
    pub fn names(&self) -> Vec<NamedNumber> {
        let mut names = self.numbers();
        for ((_, unit, low, high), scale) in names.iter_mut().zip(&self.scales) {
            (*unit, *low, *high) = ("", scale.of(*low), scale.of(*high));
        }
        names
    }

    /// How a number is normalized: positions over the terrain, everything else by how far rays reach.
    fn scale_of(&self, (name, unit, ..): &NamedNumber, ground: Option<Bounds>) -> Scale {
        let along = |axis: fn(DVec2) -> f64| {
            let (low, high) = ground.map(|ground| (axis(ground.min), axis(ground.max)))?;
            (high > low).then_some(Scale { origin: (low + high) / 2.0, unit: (high - low) / 2.0 })
        };
        let over_terrain = match name.as_str() {
            "pos.x" => along(|at| at.x),
            "pos.y" => along(|at| at.y),
            _ => None,
        };
        over_terrain.unwrap_or(match *unit {
            "px" | "px/s" => Scale { origin: 0.0, unit: self.reach },
            "rad/s" => Scale { origin: 0.0, unit: TAU },
            _ => Scale::NONE,
        })
    }

    /// The numbers as they are before they are normalized.
    fn numbers(&self) -> Vec<NamedNumber> {
        let mut names: Vec<NamedNumber> = Vec::new();
        let mut any = |name: &str, unit| names.push((name.to_string(), unit, -MOST, MOST));
        let both = |name: &str| [format!("{name}.x"), format!("{name}.y")];
        both("pos").iter().for_each(|name| any(name, "px"));
        both("vel").iter().for_each(|name| any(name, "px/s"));
        both("external").iter().for_each(|name| any(name, "px/s"));
        if self.above {
            any("pos.z", "px");
            any("vel.z", "px/s");
            any("external.z", "px/s");
        }
        if self.turns {
            any("spin", "rad/s");
            names.push(("angle.cos".into(), "", -1.0, 1.0));
            names.push(("angle.sin".into(), "", -1.0, 1.0));
        }
        names.push(("grounded".into(), "", 0.0, 1.0));
        names.push(("facing".into(), "", -1.0, 1.0));
        for mode in &self.modes {
            names.push((format!("mode.{}", mode.as_str()), "", 0.0, 1.0));
        }
        if self.hooks {
            for state in ["firing", "attached", "returning"] {
                names.push((format!("hook.{state}"), "", 0.0, 1.0));
            }
            names.extend(both("hook.tip").map(|name| (name, "px", -MOST, MOST)));
            names.push(("hook.length".into(), "px", 0.0, MOST));
        }
        for ray in 0..self.rays.len() {
            names.push((format!("ray.{ray}"), "px", 0.0, self.reach));
        }
        for name in &self.variables {
            names.push((format!("vars.{name}"), "", -MOST, MOST));
        }
        for (_, name) in &self.others {
            names.push((format!("{name}.there"), "", 0.0, 1.0));
            names.extend(both(&format!("{name}.pos")).map(|name| (name, "px", -MOST, MOST)));
            names.extend(both(&format!("{name}.vel")).map(|name| (name, "px/s", -MOST, MOST)));
        }
        names
    }

    /// Writes the numbers of now. `out` must have one place for each name.
    pub fn write(&self, live: &Live, me: &Entity, out: &mut [f32]) {
        let world = live.world();
        let body = world.body(me);
        let mut places = out.iter_mut();
        let mut scales = self.scales.iter();
        let mut put = |number: f64| {
            if let Some(place) = places.next() {
                // A number that is none would spoil whatever learns from it.
                let number = if number.is_nan() { 0.0 } else { number };
                let scale = scales.next().copied().unwrap_or(Scale::NONE);
                *place = scale.of(number.clamp(-MOST, MOST)) as f32;
            }
        };
        let mut vector = |v: DVec2| [v.x, v.y].into_iter().for_each(&mut put);
        vector(body.pos);
        vector(body.vel);
        vector(body.external);
        if self.above {
            vector(DVec2::new(body.z, body.vel_z));
            put(body.external_z);
        }
        if self.turns {
            put(body.spin);
            put(libm::cos(body.angle));
            put(libm::sin(body.angle));
        }
        put(flag(body.stands()));
        put(body.facing);
        let mode = world.mode(me);
        self.modes.iter().for_each(|known| put(flag(*known == mode)));
        if self.hooks {
            let hook = world.hook(me);
            let out = [HookState::Firing, HookState::Attached, HookState::Returning];
            out.into_iter().for_each(|state| put(flag(hook.state == state)));
            let idle = hook.state == HookState::Idle;
            let tip = if idle { DVec2::ZERO } else { hook.tip - body.pos };
            put(tip.x);
            put(tip.y);
            put(if idle { 0.0 } else { hook.length });
        }
        if !self.rays.is_empty() {
            let stage = &live.revision().stage;
            let standing = world.standing(stage);
            let scenery = stage.level.terrain_at(body.z).moved(&standing);
            for direction in &self.rays {
                let hit = scenery.cast(body.pos, *direction * self.reach);
                put(hit.map_or(1.0, |hit| hit.time) * self.reach);
            }
        }
        if !self.variables.is_empty() {
            let vars = me.vars.0.to_plain();
            self.variables.iter().for_each(|name| put(number(vars.get(name))));
        }
        for (id, name) in &self.others {
            let other = find(live, *id, name);
            let other = other.map(|other| world.body(other));
            put(flag(other.is_some()));
            let [pos, vel] = match other {
                Some(other) => [other.pos - body.pos, other.vel + other.external - body.vel - body.external],
                None => [DVec2::ZERO; 2],
            };
            [pos.x, pos.y, vel.x, vel.y].into_iter().for_each(&mut put);
        }
    }
}

/// The box around the terrain of a level, within the level's bounds; `None` without terrain.
fn ground_of(level: &Level) -> Option<Bounds> {
    let edges = level.terrain.edges().iter();
    let boxes = edges.map(|edge| Bounds::of(edge.face.start, edge.end));
    let all = boxes.reduce(|all, edge| all.joined(&edge))?;
    Some(Bounds { min: all.min.max(level.bounds.min), max: all.max.min(level.bounds.max) })
}

fn flag(on: bool) -> f64 {
    f64::from(u8::from(on))
}

/// A variable as a number; 0 if it is none.
fn number(value: Option<&Value>) -> f64 {
    match value {
        Some(Value::Float(x)) => *x,
        Some(Value::Int(x)) => *x as f64,
        Some(Value::Bool(x)) => flag(*x),
        _ => 0.0,
    }
}

/// Directions from +x counterclockwise, evenly spaced.
fn directions(count: usize) -> Vec<DVec2> {
    let direction = |place: usize| {
        let angle = TAU * place as f64 / count as f64;
        DVec2::new(libm::cos(angle), libm::sin(angle))
    };
    (0..count).map(direction).collect()
}

/// The entity with this name, which has had this id when the level began. Another level may give ids otherwise.
pub fn find<'a>(live: &'a Live, id: EntityId, name: &Arc<str>) -> Option<&'a Entity> {
    let entities = live.world().entities();
    let place = entities.binary_search_by_key(&id, |e| e.id).ok();
    // The worlds of a level share the names of its entities.
    let same = place
        .map(|place| &entities[place])
        .filter(|e| Arc::ptr_eq(&e.name, name) || e.name == *name);
    same.or_else(|| entities.iter().find(|e| e.name == *name))
}
