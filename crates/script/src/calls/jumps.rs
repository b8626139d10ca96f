//! `me.plan_jump` and `me.jump_to`: jumps that land on a target.

use super::*;
use hangtime_core::{
    models::ballistic::{Aim, CLEARANCE, Plan, PlanError},
    sim::PlannedJump,
};

const CLEARANCE_KEPT: Param = param("clearance", Type::Number, "px");
const VELOCITY: Param = param("velocity", Type::Vec, "px/s");

/// The map that these calls return.
pub const JUMP: Shape = Shape {
    name: "jump",
    common: &[],
    own: fields! {
        /// whether such a jump exists
        ok: Type::Flag;
        /// launch velocity
        velocity sometimes: Type::Vec, "px/s";
        /// flight time
        time sometimes: Type::Number, "s";
        /// highest y of the body's lowest point
        apex sometimes: Type::Number, "px";
        /// clearance that the jump keeps
        clearance sometimes: Type::Number, "px";
        /// why there is no such jump
        why sometimes: Type::Text;
    },
};

/// Adds both calls, with and without a velocity of the target.
pub fn add(table: &mut CallTable) {
    table.topic(Topic::Queries);
    add_calls! { table;
        /// Plans a jump but does not start it. The jump lands the body's lowest point at (x, y) and clears the higher
        /// end of the path by `clearance` px (0 to 1000000). In a top view the jump lands on the highest floor at (x, y).
        /// [models.md](models.md#ballistic) explains how jumps are found.
        of_me plan_jump(X, Y, CLEARANCE_KEPT) -> Type::Map(&JUMP);
        "let plan = me.plan_jump(me.x + 120, me.y - 19, 30);\nif plan.ok { me.vel = plan.velocity; }";
        plan_or_jump;

        /// For a target that moves at a constant velocity.
        of_me plan_jump(X, Y, CLEARANCE_KEPT, VELOCITY) -> Type::Map(&JUMP);
        "let lift = vec(0, 60);\nlet plan = me.plan_jump(me.x + 120, me.y - 19, 30, lift);";
        plan_or_jump;
    }
    table.topic(Topic::Actions);
    add_calls! { table;
        /// Plans the same jump as `me.plan_jump` and starts it. The model is `ballistic` until the jump ends.
        of_me jump_to(X, Y, CLEARANCE_KEPT) -> Type::Map(&JUMP);
        "let jump = me.jump_to(me.x + 120, me.y - 19, 30);\nif !jump.ok { print(jump.why); }";
        plan_or_jump;

        /// For a target that moves at a constant velocity.
        of_me jump_to(X, Y, CLEARANCE_KEPT, VELOCITY) -> Type::Map(&JUMP);
        "let hero = world::entity(\"hero\");\nme.jump_to(hero.x, hero.y - 19, 30, hero.vel);";
        plan_or_jump;
    }
}

fn aim(args: Args<'_>) -> Accepted<Aim> {
    let at = args.point(0)?;
    let clearance = clearance_of(args.get(2), args.parameter(2))?;
    let moves = args.count() > 3;
    let velocity = moves.then(|| args.get(3).finite_vector("velocity", Some(args.call()))).transpose()?;
    Ok(Aim { at, clearance, velocity: velocity.map(|(plane, _)| plane) })
}

/// A clearance; `what` names it in the refusal.
pub fn clearance_of(value: Arg<'_>, what: NamedParameter<'_>) -> Accepted<f64> {
    value.within(what, CLEARANCE)
}

/// Operations charged for planning a jump, in addition to the work of finding it.
pub const PLANNING: u64 = 16;

/// The most work that planning a jump may take, in operations.
pub const MOST_WORK: u64 = 8_000;

/// Plans a jump; `jump_to` also starts it.
fn plan_or_jump<'a>(moment: &'a mut CallMoment, args: Args<'a>) -> Answered<'a> {
    let aim = aim(args)?;
    let call = args.call();
    charge(PLANNING)?;
    let jumps = call == "jump_to";
    let (me, world) = moment.both()?;
    if jumps {
        world.require_event(call)?;
    }
    let me = me.with_body(call)?;
    let (now, standing) = (world.tick, &world.standing);
    let mut work = PlanWork::up_to(MOST_WORK);
    let plan = world.stage()?.plan_jump(now, standing, me.profile, me.view(), &aim, &mut work);
    charge(work.done)?;
    if let (true, Ok(plan)) = (jumps, &plan) {
        // A body that has moved by the time it starts is planned for again, with up to twice the work.
        charge_tick(2 * work.done);
        let flight = plan.flight;
        let leap = PlannedJump { aim, flight, work: work.done };
        me.queue(Command::JumpTo(Box::new(leap)))?;
    }
    Ok(CallAnswer::Fields(jump_fields(&plan)))
}

/// A plan as scripts read it, or why there is none.
pub fn jump_fields<'a>(plan: &Result<Plan, PlanError>) -> Vec<(&'static str, CallAnswer<'a>)> {
    let ok = ("ok", CallAnswer::Flag(plan.is_ok()));
    match plan {
        Ok(plan) => {
            let v = plan.flight.velocity;
            let velocity = Vector::new(v.x, v.y, v.z);
            vec![
                ok,
                ("velocity", CallAnswer::Vec(velocity)),
                ("time", CallAnswer::Number(plan.flight.time)),
                ("apex", CallAnswer::Number(plan.apex)),
                ("clearance", CallAnswer::Number(plan.clearance)),
            ]
        }
        Err(error) => vec![ok, ("why", CallAnswer::made(error.to_string()))],
    }
}
