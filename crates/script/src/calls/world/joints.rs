//! Joints: ropes and springs.

use super::super::world_view::WorldView;
use crate::calls::*;
use hangtime_core::{
    geometry::Collider,
    sim::{Anchor, EntityId, Joint, JointEnd, MOST_DAMPING, MOST_HERTZ, MOST_JOINTS, Reel, Spring},
    tuning::MOST,
};
use std::sync::Arc;

const END: Type = Type::Either(&[Type::Name(Names::Entity), Type::Vec]);
const A: Param = param("a", END, "");
const B: Param = param("b", END, "");
const LENGTH: Param = param("length", Type::Number, "px");
const ID: Param = param("id", Type::Whole, "");
const OF_ROPE: Param = param("settings", Type::Map(&ROPE_SETTINGS), "");
const OF_SPRING: Param = param("settings", Type::Map(&SPRING_SETTINGS), "");

const STRENGTH: &[Field] = fields! {
    /// the tension at which it snaps, mass · px/s²: a hanging body pulls with its mass times gravity; it never snaps if
    /// this is left out
    strength sometimes: Type::Number;
};

const ROPE_SETTINGS: Shape = Shape { name: "rope_settings", common: STRENGTH, own: &[] };

const SPRING_SETTINGS: Shape = Shape {
    name: "spring_settings",
    common: STRENGTH,
    own: fields! {
        /// how often it swings in a second, whatever the masses: up to 60; 2 if it is left out
        hertz sometimes: Type::Number, "1/s";
        /// its damping ratio: 0 swings forever, 1 comes to rest without swinging; 0.2 if it is left out
        damping sometimes: Type::Number;
    },
};

/// The map that `joint` returns.
const JOINT: Shape = Shape {
    name: "joint",
    common: &[],
    own: fields! {
        /// `rope` or `spring`
        kind: Type::Text;
        /// its length, which `world::reel` changes
        length: Type::Number, "px";
        /// the force with which it pulled its ends together in the last tick, mass · px/s²: 0 for a slack rope, below 0
        /// for a spring that pushes
        tension: Type::Number;
    },
};

/// Operations charged for adding a joint, and for finding one.
const PER_JOINT: u64 = 60;
const PER_LOOK: u64 = 8;

/// The area around a point in which it looks for a platform.
const GRIP: Collider = Collider::ellipse(1.0, 1.0);

/// Adds the calls.
pub fn add(table: &mut CallTable) {
    table.topic(Topic::Joints);
    add_calls! { table;
        /// Ties two entities, or an entity and a point, with a rope of this length, and returns its id. An end is the name
        /// of an entity or a vec. A point on a moving platform moves with it. The ends never get farther apart; the
        /// lighter body yields more, by the `mass` of the kinds.
        of_world rope(A, B, LENGTH) -> Type::Whole;
        "this.rope = world::rope(me.name, vec(me.x, me.y + 80), 80);";
        add_rope;

        /// With settings: a map with `strength`, the tension at which the rope snaps.
        of_world rope(A, B, LENGTH, OF_ROPE) -> Type::Whole;
        "world::rope(me.name, vec(me.x, me.y + 80), 80, #{ strength: 20000 });";
        add_rope;

        /// Ties two entities, or an entity and a point, with a spring that rests at this length, and returns its id. It
        /// pulls its ends together or pushes them apart, on the line between them.
        of_world spring(A, B, LENGTH) -> Type::Whole;
        "world::spring(me.name, vec(me.x, me.y + 40), 30);";
        add_spring;

        /// With settings: a map with any of `hertz`, `damping` and `strength`.
        of_world spring(A, B, LENGTH, OF_SPRING) -> Type::Whole;
        "world::spring(me.name, vec(me.x, me.y + 40), 30, #{ hertz: 4, damping: 0.5 });";
        add_spring;

        /// The rope or spring with this id, as it was at the start of the tick; `()` if there is none any more.
        of_world joint(ID) -> Type::Either(&[Type::Map(&JOINT), Type::Nothing]);
        "let joint = world::joint(1);\nif joint != () && joint.tension > 0 { print(\"taut\"); }";
        |moment, args| {
            let id = args.whole(0)?;
            charge(PER_LOOK)?;
            let joints = &moment.world()?.joints;
            let found = u32::try_from(id).ok().and_then(|id| joints.get(id));
            Ok(found.map_or(CallAnswer::Nothing, |joint: &Joint| CallAnswer::Fields(vec![
                ("kind", CallAnswer::Text(if joint.spring.is_some() { "spring" } else { "rope" })),
                ("length", CallAnswer::Number(joint.length)),
                ("tension", CallAnswer::Number(joint.tension)),
            ])))
        };

        /// Changes the length of a rope or spring to `length` at a speed, once all scripts have run: reels in or pays
        /// out. Does nothing if the joint is gone.
        of_world reel(ID, LENGTH, param("speed", Type::Number, "px/s"));
        "let rope = world::rope(me.name, vec(me.x, me.y + 80), 80);\nworld::reel(rope, 20, 100);";
        |moment, args| {
            let to = length_of(args, 1)?;
            let speed = args.get(2).within(args.parameter(2), 0.0..=MOST)?;
            let id = made_id(moment, args)?;
            moment.me.order(Command::Reel(id, Reel { to, speed }))
        };

        /// Removes a rope or spring, once all scripts have run. Does nothing if it is gone.
        of_world cut(ID);
        "let rope = world::rope(me.name, vec(me.x, me.y + 80), 80);\nworld::cut(rope);";
        |moment, args| {
            let id = made_id(moment, args)?;
            moment.me.order(Command::Cut(id))
        };
    }
}

fn length_of(args: Args<'_>, place: usize) -> Accepted<f64> {
    let length = args.number(place)?;
    if length <= 0.0 {
        return refuse(format!("{} is {length}; it must be above 0", args.parameter(place)));
    }
    Ok(length)
}

/// The id of a joint that exists or has existed.
fn made_id(moment: &CallMoment, args: Args<'_>) -> Accepted<u32> {
    let id = args.whole(0)?;
    let world = moment.world()?;
    world.require_event(args.call())?;
    charge(PER_LOOK)?;
    let known = u32::try_from(id).ok().filter(|id| (1..world.next_joint).contains(id));
    known.map_or_else(
        || {
            refuse(format!(
                "{} is {id}, but no joint has had this id; `rope` and `spring` return it",
                args.parameter(0)
            ))
        },
        Ok,
    )
}

/// What the settings of a joint say.
#[derive(Default)]
pub(in crate::calls) struct JointSettings {
    hertz: Option<f64>,
    damping: Option<f64>,
    strength: Option<f64>,
}

impl JointSettings {
    pub(in crate::calls) fn set(&mut self, call: &str, key: &str, value: Arg<'_>) -> Allowed {
        let (setting, most) = match key {
            "hertz" => (&mut self.hertz, MOST_HERTZ),
            "damping" => (&mut self.damping, MOST_DAMPING),
            _ => (&mut self.strength, f64::MAX),
        };
        *setting = Some(value.within(parameter(call, key), 0.0..=most)?);
        Ok(())
    }
}

fn add_rope<'a>(moment: &'a mut CallMoment, args: Args<'a>) -> Answered<'a> {
    add_joint(moment, args, |_| None)
}

fn add_spring<'a>(moment: &'a mut CallMoment, args: Args<'a>) -> Answered<'a> {
    add_joint(moment, args, |settings| {
        Some(Spring { hertz: settings.hertz.unwrap_or(2.0), damping: settings.damping.unwrap_or(0.2) })
    })
}

fn add_joint<'a>(
    moment: &'a mut CallMoment,
    args: Args<'a>,
    spring: impl FnOnce(&JointSettings) -> Option<Spring>,
) -> Answered<'a> {
    let length = length_of(args, 2)?;
    let mut settings = JointSettings::default();
    args.settings(3, "a map, such as `#{ strength: 20000 }`", &mut |key, value| settings.set(args.call(), key, value))?;
    let (me, world) = moment.both()?;
    world.require_event(args.call())?;
    charge(PER_JOINT + world.entities.len() as u64 / 8)?;
    let ends = [end(world, args, 0)?, end(world, args, 1)?];
    let bodies = ends.iter().filter(|end| matches!(end.on, Anchor::Entity(_))).count();
    if bodies == 0 {
        return refuse(format!("`{}` needs an entity at one of its ends", args.call()));
    }
    if bodies == 2 && ends[0].name == ends[1].name {
        return refuse(format!("`{}` cannot tie `{}` to itself", args.call(), ends[0].name));
    }
    let count = world.joints.len() + (world.next_joint - world.joints.next_id()) as usize;
    if count >= MOST_JOINTS {
        return refuse(format!(
            "a level can have at most {MOST_JOINTS} ropes and springs; remove some with `world::cut`"
        ));
    }
    let id = world.next_joint;
    world.next_joint += 1;
    let spring = spring(&settings);
    let joint = Joint { id, ends, length, spring, strength: settings.strength, reel: None, tension: 0.0, hook: false };
    me.queue(Command::Join(Box::new(joint)))?;
    Ok(CallAnswer::Whole(id.into()))
}

/// What an end is on: the entity with a name, or a point, which is of the level or of a platform.
fn end(world: &WorldView, args: Args<'_>, place: usize) -> Accepted<JointEnd> {
    let what = args.parameter(place);
    match args.get(place) {
        Arg::Text(name) => {
            let alive = world.entities.iter().find(|view| &*view.name == name).map(|view| &view.name);
            let name = alive.or_else(|| world.spawned.iter().find(|spawned| &***spawned == name));
            match name {
                // Its id may not be known yet.
                Some(name) => Ok(JointEnd { on: Anchor::Entity(EntityId::LEVEL), name: name.clone(), at: DVec2::ZERO }),
                None => {
                    let hint = suggestion(args.text(place)?, world.entities.iter().map(|view| &*view.name));
                    refuse(format!("{what}: there is no entity `{}`{hint}", args.text(place)?))
                }
            }
        }
        point @ Arg::Vec(_) => {
            let (at, _) = point.finite_vector(if place == 0 { "a" } else { "b" }, Some(args.call()))?;
            let terrain = &world.stage()?.level.terrain;
            let Some(platform) = terrain.moved(&world.standing).platform_at(GRIP, at) else {
                return Ok(JointEnd { on: Anchor::Level, name: Arc::default(), at });
            };
            let solid = terrain.platforms()[usize::from(platform)].solid;
            let name = terrain.solids()[solid as usize].name.clone();
            Ok(JointEnd { on: Anchor::Solid(solid), name, at: world.standing.drawn_at(platform, at) })
        }
        other => other.is_not(what, "the name of an entity or a vec"),
    }
}
