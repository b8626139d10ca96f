//! `me`: the entity whose script runs.
//!
//! Reading shows the entity as it stood when the phase began, with what the script wrote itself.
//! Writing notes a command; commands take effect when the phase ends.

use super::math::number;
use super::vector::Vector;
use super::{leap, world};
use crate::level::View;
use crate::models::{Action, Intent, ModelName};
use crate::script::host::names::suggestion;
use crate::script::rhai::values::{same, type_name};
use crate::sim::{Command, EntityView};
use crate::tuning::MOST;
use glam::DVec2;
use rhai::{Array, Dynamic, Engine, EvalAltResult, FLOAT, INT, ImmutableString, Position};
use std::sync::{Arc, Mutex, MutexGuard};

/// What `me` shows and notes during one call.
pub(in crate::script::rhai) struct Moment {
    /// Whose moment it is: an index into the stage's profiles.
    pub profile: usize,
    /// From where one looks at the level.
    pub seen_from: View,
    pub view: EntityView,
    pub intent: Intent,
    /// How many numbers its random stream has given.
    pub random: u64,
    pub commands: Vec<Command>,
}

/// What a hook that fails has not done: orders, and what it saw of them.
#[derive(Clone)]
pub(in crate::script::rhai) struct Mark {
    orders: usize,
    view: EntityView,
    intent: Intent,
}

impl Moment {
    /// Where a hook begins.
    pub fn mark(&self) -> Mark {
        Mark {
            orders: self.commands.len(),
            view: self.view.clone(),
            intent: self.intent,
        }
    }

    /// Forgets what was ordered since.
    pub fn go_back(&mut self, mark: &Mark) {
        self.commands.truncate(mark.orders);
        self.view.clone_from(&mark.view);
        self.intent = mark.intent;
    }
}

/// The handle that scripts hold. It is the same for every entity; what it shows is exchanged
/// before each turn.
#[derive(Clone)]
pub(in crate::script::rhai) struct Me(Arc<Mutex<Moment>>);

impl Me {
    pub fn new(moment: Moment) -> Self {
        Self(Arc::new(Mutex::new(moment)))
    }

    pub fn lock(&self) -> MutexGuard<'_, Moment> {
        self.0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

pub(in crate::script::rhai) type Fallible<T> = Result<T, Box<EvalAltResult>>;

pub(in crate::script::rhai) fn wrong<T>(message: String) -> Fallible<T> {
    Err(EvalAltResult::ErrorRuntime(message.into(), Position::NONE).into())
}

/// A number for `what` that is finite, and no larger than any length or speed may be.
pub(in crate::script::rhai) fn finite(what: &str, value: &Dynamic) -> Fallible<FLOAT> {
    match number(value) {
        Some(x) if x.abs() <= MOST => Ok(x),
        Some(x) if x.is_finite() => wrong(format!("{what} is {x}; it must be -{MOST} to {MOST}")),
        Some(x) => wrong(format!("{what} cannot be {x}")),
        None => wrong(format!("{what} takes a number, not {}", type_name(value))),
    }
}

/// A finite vector for `what`: its part in the plane, and its height.
pub(in crate::script::rhai) fn finite_vector(
    what: &str,
    value: Dynamic,
) -> Fallible<(DVec2, FLOAT)> {
    let kind = type_name(&value);
    let Some(v) = value.try_cast::<Vector>() else {
        return wrong(format!(
            "{what} takes a vec, such as vec(0, 100), not {kind}"
        ));
    };
    let plane = DVec2::new(
        finite(&format!("{what}.x"), &v.x.into())?,
        finite(&format!("{what}.y"), &v.y.into())?,
    );
    Ok((plane, finite(&format!("{what}.z"), &v.z.into())?))
}

fn action(name: &str) -> Fallible<Action> {
    Action::parse(name).map_or_else(
        || {
            let hint = suggestion(name, Action::ALL.map(Action::name));
            wrong(format!("there is no action `{name}`{hint}"))
        },
        Ok,
    )
}

pub(in crate::script::rhai) fn model(name: &str, view: View) -> Result<ModelName, String> {
    let model = ModelName::parse(name).ok_or_else(|| {
        let names: Vec<&str> = ModelName::ALL.iter().map(|m| m.as_str()).collect();
        format!("there is no model `{name}`{}", suggestion(name, names))
    })?;
    if model.views().contains(&view) {
        Ok(model)
    } else {
        let view = view.name();
        Err(format!("`{name}` does not work in a {view} view"))
    }
}

/// What can be read from an entity, here and in test scripts.
pub(in crate::script::rhai) const READABLE: [&str; 19] = [
    "id", "name", "kind", "player", "model", "mode", "x", "y", "z", "vel", "external", "angle",
    "spin", "facing", "grounded", "surface", "zones", "feet", "hook",
];

/// What can be called on `me`, and what else can be read from it.
const CALLABLE: [&str; 19] = [
    "fire_hook",
    "release_hook",
    "age",
    "held",
    "pressed",
    "released",
    "axis",
    "hold",
    "release",
    "steer",
    "aim",
    "jump",
    "push",
    "place",
    "place_feet",
    "set_model",
    "clear_model",
    "length",
    "vec",
];

/// Every name that `me` knows, for typing errors.
pub(in crate::script::rhai) fn names() -> Vec<&'static str> {
    let more = leap::CALLABLE.into_iter().chain(world::CALLABLE);
    READABLE.into_iter().chain(CALLABLE).chain(more).collect()
}

/// What a readable property shows.
pub(in crate::script::rhai) fn show(view: &EntityView, property: &str) -> Dynamic {
    let text = |s: &str| Dynamic::from(ImmutableString::from(s));
    match property {
        "id" => INT::from(view.id.0).into(),
        "name" => text(&view.name),
        "kind" => text(&view.kind),
        "player" => INT::from(view.player).into(),
        "model" => text(view.model),
        "mode" => text(view.mode),
        "x" => view.pos.x.into(),
        "y" => view.pos.y.into(),
        "z" => view.z.into(),
        "vel" => Dynamic::from(Vector {
            z: view.vel_z,
            ..Vector::from(view.vel)
        }),
        "angle" => view.angle.into(),
        "spin" => view.spin.into(),
        "external" => Dynamic::from(Vector::from(view.external)),
        "facing" => (view.facing as INT).into(),
        "grounded" => view.grounded.into(),
        "surface" => text(&view.surface),
        "age" => view.age.into(),
        "zones" => view.zones.iter().map(|z| text(z)).collect::<Array>().into(),
        "feet" => view
            .feet
            .iter()
            .map(|x| Dynamic::from(*x))
            .collect::<Array>()
            .into(),
        _ => hook_map(view).into(),
    }
}

fn hook_map(view: &EntityView) -> rhai::Map {
    let mut map = rhai::Map::new();
    map.insert("state".into(), view.hook.state.into());
    map.insert("tip".into(), Dynamic::from(Vector::from(view.hook.tip)));
    map.insert("length".into(), view.hook.length.into());
    map
}

/// Registers the type.
pub(in crate::script::rhai) fn register(engine: &mut Engine) {
    engine.register_type_with_name::<Me>("me");
    for property in READABLE.into_iter().chain(["age"]) {
        engine.register_get(property, move |me: &mut Me| show(&me.lock().view, property));
    }
    register_writes(engine);
    register_input(engine);
    register_deeds(engine);
    leap::register(engine);
    for (property, instead) in [
        ("x", "use `me.place(x, y)`"),
        ("y", "use `me.place(x, y)`"),
        ("z", "use `me.place(x, y, z)` in a top view"),
        ("model", "use `me.set_model(name)`"),
        ("id", "it never changes"),
        ("name", "it never changes"),
        ("kind", "it never changes"),
        ("player", "the level says who plays"),
        ("mode", "it follows from what the entity does"),
        ("grounded", "it follows from what the entity does"),
        ("surface", "it follows from what the entity does"),
        ("age", "it follows from what the entity does"),
        ("zones", "it follows from where the entity is"),
        ("feet", "they follow from what the entity stands on"),
        ("hook", "use `me.fire_hook(x, y)` and `me.release_hook()`"),
    ] {
        engine.register_set(property, move |me: &mut Me, value: Dynamic| {
            // A method of what was read, as in `me.x.abs()`, writes it back as it was.
            if same(&value, &show(&me.lock().view, property)) {
                return Ok(());
            }
            wrong(format!("`me.{property}` cannot be written: {instead}"))
        });
    }
}

fn register_writes(engine: &mut Engine) {
    engine.register_set("vel", |me: &mut Me, value: Dynamic| -> Fallible<()> {
        let (v, z) = finite_vector("me.vel", value)?;
        let mut moment = me.lock();
        if z != 0.0 && moment.seen_from == View::Side {
            return wrong("me.vel.z is always 0 in a side view".into());
        }
        // A method of what was read, as in `me.vel.length()`, writes it back as it was.
        if v != moment.view.vel || z != moment.view.vel_z {
            moment.view.vel = v;
            moment.view.vel_z = z;
            moment.commands.push(Command::SetVelocity(v, z));
        }
        Ok(())
    });
    engine.register_set("external", |me: &mut Me, value: Dynamic| -> Fallible<()> {
        let (v, z) = finite_vector("me.external", value)?;
        if z != 0.0 {
            return wrong(
                "me.external.z is always 0: what comes from outside lies in the plane".into(),
            );
        }
        let mut moment = me.lock();
        if v != moment.view.external {
            moment.view.external = v;
            moment.commands.push(Command::SetExternal(v));
        }
        Ok(())
    });
    engine.register_set("angle", |me: &mut Me, value: Dynamic| -> Fallible<()> {
        let angle = finite("me.angle", &value)?;
        let mut moment = me.lock();
        if angle != moment.view.angle {
            turns(&moment)?;
            moment.view.angle = angle;
            moment.commands.push(Command::Turn(angle));
        }
        Ok(())
    });
    engine.register_set("spin", |me: &mut Me, value: Dynamic| -> Fallible<()> {
        let spin = finite("me.spin", &value)?;
        let mut moment = me.lock();
        if spin != moment.view.spin {
            turns(&moment)?;
            moment.view.spin = spin;
            moment.commands.push(Command::Spin(spin));
        }
        Ok(())
    });
    engine.register_set("facing", |me: &mut Me, value: Dynamic| -> Fallible<()> {
        let side = finite("me.facing", &value)?;
        if side == 0.0 {
            return wrong("`me.facing` is 1 or -1, not 0".into());
        }
        let mut moment = me.lock();
        moment.view.facing = side.signum();
        moment.commands.push(Command::Face(side.signum()));
        Ok(())
    });
}

/// An error for who stays upright.
fn turns(moment: &Moment) -> Fallible<()> {
    match ModelName::parse(moment.view.model) {
        Some(model) if model.turns() => Ok(()),
        _ => wrong(format!(
            "a body that `{}` moves does not turn",
            moment.view.model
        )),
    }
}

fn register_input(engine: &mut Engine) {
    engine.register_fn("held", |me: &mut Me, name: &str| -> Fallible<bool> {
        Ok(me.lock().intent.held.has(action(name)?))
    });
    engine.register_fn("pressed", |me: &mut Me, name: &str| -> Fallible<bool> {
        Ok(me.lock().intent.pressed.has(action(name)?))
    });
    engine.register_fn("released", |me: &mut Me, name: &str| -> Fallible<bool> {
        Ok(me.lock().intent.released.has(action(name)?))
    });
    engine.register_fn("axis", |me: &mut Me, name: &str| -> Fallible<Dynamic> {
        let moment = me.lock();
        match name {
            "move" => Ok(Dynamic::from(Vector::from(moment.intent.stick))),
            "aim" => Ok(moment
                .intent
                .aim
                .map_or(Dynamic::UNIT, |at| Dynamic::from(Vector::from(at)))),
            _ => wrong(format!(
                "there is no axis `{name}`; it can be `move` or `aim`"
            )),
        }
    });
    engine.register_fn("hold", |me: &mut Me, name: &str| -> Fallible<()> {
        let action = action(name)?;
        let mut moment = me.lock();
        moment.intent.held.insert(action);
        moment.commands.push(Command::Hold(action));
        Ok(())
    });
    engine.register_fn("release", |me: &mut Me, name: &str| -> Fallible<()> {
        let action = action(name)?;
        let mut moment = me.lock();
        moment.intent.held.remove(action);
        moment.commands.push(Command::Release(action));
        Ok(())
    });
    engine.register_fn(
        "steer",
        |me: &mut Me, axis: &str, x: Dynamic, y: Dynamic| -> Fallible<()> {
            let at = DVec2::new(finite("steer's x", &x)?, finite("steer's y", &y)?);
            match axis {
                "move" => note(me, Command::Steer(at.clamp(DVec2::NEG_ONE, DVec2::ONE))),
                "aim" => note(me, Command::Aim(at)),
                _ => {
                    return wrong(format!(
                        "there is no axis `{axis}`; it can be `move` or `aim`"
                    ));
                }
            }
            Ok(())
        },
    );
    engine.register_fn(
        "aim",
        |me: &mut Me, x: Dynamic, y: Dynamic| -> Fallible<()> {
            note(
                me,
                Command::Aim(DVec2::new(finite("aim's x", &x)?, finite("aim's y", &y)?)),
            );
            Ok(())
        },
    );
}

fn register_places(engine: &mut Engine) {
    engine.register_fn(
        "place",
        |me: &mut Me, x: Dynamic, y: Dynamic| -> Fallible<()> {
            let at = DVec2::new(finite("place's x", &x)?, finite("place's y", &y)?);
            me.lock().view.pos = at;
            note(me, Command::Place(at, None));
            Ok(())
        },
    );
    engine.register_fn(
        "place",
        |me: &mut Me, x: Dynamic, y: Dynamic, z: Dynamic| -> Fallible<()> {
            let at = DVec2::new(finite("place's x", &x)?, finite("place's y", &y)?);
            let z = finite("place's z", &z)?;
            if z < 0.0 {
                return wrong("place's z counts up from the ground plane, 0".into());
            }
            let mut moment = me.lock();
            if z != 0.0 && moment.seen_from == View::Side {
                return wrong("z is always 0 in a side view".into());
            }
            moment.view.pos = at;
            moment.view.z = z;
            drop(moment);
            note(me, Command::Place(at, Some(z)));
            Ok(())
        },
    );
    engine.register_fn(
        "place_feet",
        |me: &mut Me, x: Dynamic, y: Dynamic| -> Fallible<()> {
            let feet = DVec2::new(finite("place_feet's x", &x)?, finite("place_feet's y", &y)?);
            let mut moment = me.lock();
            // From above the lowest point is under the middle.
            let depth = match moment.seen_from {
                View::Side => moment.view.depth,
                View::Top => 0.0,
            };
            let at = feet + DVec2::new(0.0, depth);
            moment.view.pos = at;
            drop(moment);
            note(me, Command::Place(at, None));
            Ok(())
        },
    );
}

fn register_deeds(engine: &mut Engine) {
    register_places(engine);
    engine.register_fn("jump", |me: &mut Me| note(me, Command::Jump));
    engine.register_fn(
        "push",
        |me: &mut Me, x: Dynamic, y: Dynamic| -> Fallible<()> {
            let by = DVec2::new(finite("push's x", &x)?, finite("push's y", &y)?);
            me.lock().view.external += by;
            note(me, Command::Push(by));
            Ok(())
        },
    );
    engine.register_fn(
        "fire_hook",
        |me: &mut Me, x: Dynamic, y: Dynamic| -> Fallible<()> {
            let at = DVec2::new(finite("fire_hook's x", &x)?, finite("fire_hook's y", &y)?);
            note(me, Command::FireHook(at));
            Ok(())
        },
    );
    engine.register_fn("release_hook", |me: &mut Me| note(me, Command::ReleaseHook));
    engine.register_fn("set_model", |me: &mut Me, name: &str| -> Fallible<()> {
        let view = me.lock().seen_from;
        match model(name, view) {
            Ok(model) => note(me, Command::SetModel(model)),
            Err(why) => return wrong(why),
        }
        Ok(())
    });
    engine.register_fn("clear_model", |me: &mut Me| note(me, Command::ClearModel));
}

fn note(me: &mut Me, command: Command) {
    me.lock().commands.push(command);
}
