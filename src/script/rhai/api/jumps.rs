//! `me.plan_jump` and `me.jump_to`: jumps that land on a target.

use super::arguments::{Fallible, any_number, fail, finite, finite_vector, parameter, point};
use super::entries::of_me;
use super::me::Me;
use super::registry::Registry;
use super::world_view::WorldHandle;
use crate::models::ballistic::{Aim, CLEARANCE, Plan, PlanError, PlanWork};
use crate::script::host::api::{Param, Shape, Topic, Type, field, param};
use crate::script::rhai::engine::budget::{charge, charge_tick};
use crate::script::rhai::engine::vector::Vector;
use crate::sim::{Command, PlannedJump};
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

/// The map that both calls return.
const JUMP: Shape = Shape {
    name: "jump",
    common: &[],
    own: &[
        field("ok", Type::Flag, "", "whether such a jump exists"),
        field("velocity", Type::Vec, "px/s", "launch velocity").sometimes(),
        field("time", Type::Number, "s", "flight time").sometimes(),
        field(
            "apex",
            Type::Number,
            "px",
            "highest y of the body's lowest point",
        )
        .sometimes(),
        field(
            "clearance",
            Type::Number,
            "px",
            "clearance that the jump keeps",
        )
        .sometimes(),
        field("why", Type::Text, "", "why there is no such jump").sometimes(),
    ],
};

/// One of the two calls; docs and examples are for a still and a moving target.
struct JumpCall {
    name: &'static str,
    topic: Topic,
    docs: [&'static str; 2],
    examples: [&'static str; 2],
}

const CALLS: [JumpCall; 2] = [
    JumpCall {
        name: "plan_jump",
        topic: Topic::Queries,
        docs: [
            "Plans a jump but does not start it. The jump lands the body's lowest point at (x, y) and clears \
             the higher end of the path by `clearance` px (0 to 1000000). In a top view the jump lands on the highest floor at \
             (x, y). [models.md](models.md#ballistic) explains how jumps are found.",
            "For a target that moves at a constant velocity.",
        ],
        examples: [
            "let plan = me.plan_jump(me.x + 120, me.y - 19, 30);\nif plan.ok { me.vel = plan.velocity; }",
            "let lift = vec(0, 60);\nlet plan = me.plan_jump(me.x + 120, me.y - 19, 30, lift);",
        ],
    },
    JumpCall {
        name: "jump_to",
        topic: Topic::Actions,
        docs: [
            "Plans the same jump as `me.plan_jump` and starts it. The model is `ballistic` until the jump ends.",
            "For a target that moves at a constant velocity.",
        ],
        examples: [
            "let jump = me.jump_to(me.x + 120, me.y - 19, 30);\nif !jump.ok { print(jump.why); }",
            "let hero = world::entity(\"hero\");\nme.jump_to(hero.x, hero.y - 19, 30, hero.vel);",
        ],
    },
];

/// Registers both calls, with and without a velocity of the target.
pub(super) fn register(registry: &mut Registry<'_>) {
    for call in &CALLS {
        let name = call.name;
        registry.topic(call.topic);
        registry.add(
            of_me(name, call.docs[0], call.examples[0])
                .takes(TARGET)
                .returns(Type::Map(&JUMP), ""),
            move |context: NativeCallContext<'_>,
                  me: &mut Me,
                  x: Dynamic,
                  y: Dynamic,
                  clearance: Dynamic| {
                let aim = aim(name, [&x, &y, &clearance], None)?;
                plan_or_jump(&context, me, name, aim)
            },
        );
        registry.add(
            of_me(name, call.docs[1], call.examples[1])
                .takes(MOVING_TARGET)
                .returns(Type::Map(&JUMP), ""),
            move |context: NativeCallContext<'_>,
                  me: &mut Me,
                  x: Dynamic,
                  y: Dynamic,
                  clearance: Dynamic,
                  velocity: Dynamic| {
                let aim = aim(name, [&x, &y, &clearance], Some(velocity))?;
                plan_or_jump(&context, me, name, aim)
            },
        );
    }
}

fn aim(call: &str, [x, y, clearance]: [&Dynamic; 3], velocity: Option<Dynamic>) -> Fallible<Aim> {
    let at = point(call, x, y)?;
    let what = parameter(call, "clearance");
    let clearance = any_number(&what, clearance)?;
    if clearance.is_finite() && !CLEARANCE.contains(&clearance) {
        let (least, most) = (CLEARANCE.start(), CLEARANCE.end());
        return fail(format!(
            "{what} is {clearance}; it must be between {least} and {most}"
        ));
    }
    let clearance = finite(&what, &clearance.into())?;
    let velocity = velocity
        .map(|v| finite_vector("velocity", Some(call), v))
        .transpose()?;
    Ok(Aim {
        at,
        clearance,
        velocity: velocity.map(|(plane, _)| plane),
    })
}

/// Operations charged for planning a jump, in addition to the work of finding it.
const PLANNING: u64 = 16;

/// The most work that planning a jump may take, in operations.
const MOST_WORK: u64 = 8_000;

/// Plans a jump; `jump_to` also starts it.
fn plan_or_jump(
    context: &NativeCallContext<'_>,
    me: &mut Me,
    call: &str,
    aim: Aim,
) -> Fallible<Map> {
    charge(PLANNING)?;
    let jumps = call == "jump_to";
    let world = WorldHandle::of(context)?;
    let world = world.lock();
    if jumps {
        world.require_event(call)?;
    }
    let mut state = me.with_body(call)?;
    let (now, standing) = (world.tick, &world.standing);
    let mut work = PlanWork::up_to(MOST_WORK);
    let to = (&aim, &mut work);
    let plan = world
        .stage()?
        .plan_jump(now, standing, state.profile, &state.view, to);
    charge(work.done)?;
    if let (true, Ok(plan)) = (jumps, &plan) {
        // A body that has moved by the time it starts is planned for again, with up to twice the work.
        charge_tick(2 * work.done);
        let flight = plan.flight;
        let leap = PlannedJump {
            aim,
            flight,
            work: work.done,
        };
        state.queue(Command::JumpTo(Box::new(leap)))?;
    }
    Ok(jump_map(&plan))
}

/// A plan as scripts read it, or why there is none.
fn jump_map(plan: &Result<Plan, PlanError>) -> Map {
    let mut map = Map::new();
    map.insert("ok".into(), plan.is_ok().into());
    match plan {
        Ok(plan) => {
            let v = plan.flight.velocity;
            let velocity = Vector::new(v.x, v.y, v.z);
            map.insert("velocity".into(), Dynamic::from(velocity));
            map.insert("time".into(), plan.flight.time.into());
            map.insert("apex".into(), plan.apex.into());
            map.insert("clearance".into(), plan.clearance.into());
        }
        Err(error) => {
            map.insert("why".into(), error.to_string().into());
        }
    }
    map
}
