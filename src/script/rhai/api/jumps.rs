//! `me.plan_jump` and `me.jump_to`: jumps to a destination.

use super::arguments::{Fallible, finite, finite_vector, point, wrong};
use super::me::Me;
use super::outlook::Outlook;
use super::registry::Registry;
use crate::models::ballistic::{Aim, Plan, PlanError};
use crate::script::host::api::{Entry, Owner, Param, Shape, Topic, Type, field, param};
use crate::script::rhai::engine::budget::charge;
use crate::script::rhai::engine::vector::Vector;
use crate::sim::{Command, Leap};
use rhai::{Dynamic, Map, NativeCallContext};

const TARGET: &[Param] = &[
    param("x", Type::Number, "px"),
    param("y", Type::Number, "px"),
    param("clearance", Type::Number, "px"),
];
const MOVING_TARGET: &[Param] = &[
    param("x", Type::Number, "px"),
    param("y", Type::Number, "px"),
    param("clearance", Type::Number, "px"),
    param("velocity", Type::Vec, "px/s"),
];

/// What both answer.
const JUMP: Shape = Shape {
    name: "jump",
    common: &[],
    own: &[
        field("ok", Type::Flag, "", "whether there is such a jump"),
        field("velocity", Type::Vec, "px/s", "that of the launch").sometimes(),
        field("time", Type::Number, "s", "how long it takes").sometimes(),
        field("apex", Type::Number, "px", "how high its lowest point gets").sometimes(),
        field(
            "clearance",
            Type::Number,
            "px",
            "the clearance that it keeps",
        )
        .sometimes(),
        field("why", Type::Text, "", "why there is none").sometimes(),
    ],
};

/// A call with the names of what it is in Rust.
struct Call {
    name: &'static str,
    jumps: bool,
    docs: [&'static str; 2],
    examples: [&'static str; 2],
}

const CALLS: [Call; 2] = [
    Call {
        name: "plan_jump",
        jumps: false,
        docs: [
            "The jump that brings its lowest point down at (x, y), by way of a place `clearance` px \
             above the higher end, without jumping. In a top view (x, y) is a place in the plane, and \
             the jump ends on the highest floor there.",
            "The same, to a destination that moves at a velocity.",
        ],
        examples: [
            "let plan = me.plan_jump(me.x + 120, me.y - 19, 30);\nif plan.ok { me.vel = plan.velocity; }",
            "let lift = vec(0, 60);\nlet plan = me.plan_jump(me.x + 120, me.y - 19, 30, lift);",
        ],
    },
    Call {
        name: "jump_to",
        jumps: true,
        docs: [
            "Jumps so that its lowest point comes down at (x, y), if it can: the model is `ballistic` \
             until it is over.",
            "The same, to a destination that moves at a velocity.",
        ],
        examples: [
            "let jump = me.jump_to(me.x + 120, me.y - 19, 30);\nif !jump.ok { print(jump.why); }",
            "let hero = world::entity(\"hero\");\nme.jump_to(hero.x, hero.y - 19, 30, hero.vel);",
        ],
    },
];

/// Registers both, with and without a velocity of the destination.
pub(in crate::script::rhai) fn register(registry: &mut Registry<'_>) {
    registry.topic(Topic::Jumps);
    for Call {
        name,
        jumps,
        docs,
        examples,
    } in CALLS
    {
        registry.add(
            Entry::call(Owner::Me, name, docs[0], examples[0])
                .takes(TARGET)
                .answers(Type::Map(&JUMP), ""),
            move |context: NativeCallContext<'_>,
                  me: &mut Me,
                  x: Dynamic,
                  y: Dynamic,
                  clearance: Dynamic| {
                let aim = aim(name, [&x, &y, &clearance], None)?;
                leap(&context, me, name, jumps, aim)
            },
        );
        registry.add(
            Entry::call(Owner::Me, name, docs[1], examples[1])
                .takes(MOVING_TARGET)
                .answers(Type::Map(&JUMP), ""),
            move |context: NativeCallContext<'_>,
                  me: &mut Me,
                  x: Dynamic,
                  y: Dynamic,
                  clearance: Dynamic,
                  velocity: Dynamic| {
                let aim = aim(name, [&x, &y, &clearance], Some(velocity))?;
                leap(&context, me, name, jumps, aim)
            },
        );
    }
}

fn aim(name: &str, [x, y, clearance]: [&Dynamic; 3], velocity: Option<Dynamic>) -> Fallible<Aim> {
    let at = point(name, x, y)?;
    let clearance = finite(&format!("{name}'s clearance"), clearance)?;
    if clearance < 0.0 {
        return wrong(format!(
            "{name}'s clearance is {clearance}; it must be 0 or more"
        ));
    }
    let velocity = velocity
        .map(|v| finite_vector(&format!("{name}'s velocity"), v))
        .transpose()?;
    Ok(Aim {
        at,
        clearance,
        velocity: velocity.map(|(plane, _)| plane),
    })
}

/// What planning a jump counts as: it sweeps the body along several ways.
const PLANNING: u64 = 50;

fn leap(
    context: &NativeCallContext<'_>,
    me: &mut Me,
    name: &str,
    jumps: bool,
    aim: Aim,
) -> Fallible<Map> {
    charge(PLANNING)?;
    let outlook = Outlook::of(context)?;
    let sight = outlook.lock();
    if jumps {
        sight.in_event(name)?;
    }
    let mut moment = me.with_body(name)?;
    let (now, standing) = (sight.tick, &sight.standing);
    let plan = sight
        .stage()?
        .plan_jump(now, standing, moment.profile, &moment.view, &aim);
    if let (true, Ok(plan)) = (jumps, &plan) {
        let flight = plan.flight;
        let leap = Leap { aim, flight };
        moment.order(Command::JumpTo(Box::new(leap)))?;
    }
    Ok(answer(&plan))
}

/// A plan as scripts see it, or why there is none.
fn answer(plan: &Result<Plan, PlanError>) -> Map {
    let mut map = Map::new();
    map.insert("ok".into(), plan.is_ok().into());
    match plan {
        Ok(plan) => {
            let v = plan.flight.velocity;
            let velocity = Vector {
                x: v.x,
                y: v.y,
                z: v.z,
            };
            map.insert("velocity".into(), Dynamic::from(velocity));
            map.insert("time".into(), plan.flight.time.into());
            map.insert("apex".into(), plan.apex.into());
            map.insert("clearance".into(), plan.clearance.into());
        }
        Err(refusal) => {
            map.insert("why".into(), refusal.to_string().into());
        }
    }
    map
}
