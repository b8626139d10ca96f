//! `me.plan_own_jump`: jumps with the keys of the entity's own model.

use super::*;
use hangtime_core::sim::{OwnJump, OwnJumpError};

/// The most work that planning a jump may take, in operations.
const MOST_WORK: u64 = 16_000;

/// The map that the call returns.
const OWN_JUMP: Shape = Shape {
    name: "own_jump",
    common: &[],
    own: &[
        field("ok", Type::Flag, "", "whether such a jump was found"),
        field("side", Type::Whole, "", "the direction key: 1 for `right`, -1 for `left`, 0 for none").sometimes(),
        field("steer", Type::Number, "s", "how long to hold it").sometimes(),
        field("hold", Type::Number, "s", "how long to hold `jump`").sometimes(),
        field("time", Type::Number, "s", "how long the jump takes").sometimes(),
        field("x", Type::Number, "px", "x of the point where it lands").sometimes(),
        field("y", Type::Number, "px", "y of the point where it lands").sometimes(),
        field("why", Type::Text, "", "why there is no such jump").sometimes(),
    ],
};

/// Adds the call.
pub(super) fn add(table: &mut CallTable) {
    table.topic(Topic::Queries);
    table.add(
        of_me(
            "plan_own_jump",
            "Plans a jump of the entity's own model that lands its lowest point at (x, y), give or take half of its width: \
             how long to hold a direction and `jump`, both from this tick on. The model is played ahead, so tuning, zones, \
             platforms and obstacles count; other entities and scripts do not. Side views only.",
            "let plan = me.plan_own_jump(me.x + 80, me.y - 19);\nif plan.ok { me.hold(\"jump\"); }",
        )
        .takes(&[X, Y])
        .returns(Type::Map(&OWN_JUMP), ""),
        |moment, args| {
            let at = args.point(0)?;
            let (me, world) = moment.both()?;
            let me = me.with_body(args.call())?;
            let mut work = PlanWork::up_to(MOST_WORK);
            let stage = world.stage()?;
            let plan = stage.plan_own_jump(world.tick, &world.changes, me.profile, me.view(), at, &mut work);
            charge(work.done)?;
            Ok(CallAnswer::Fields(fields_of(&plan)))
        },
    );
}

fn fields_of<'a>(plan: &Result<OwnJump, OwnJumpError>) -> Vec<(&'static str, CallAnswer<'a>)> {
    let ok = ("ok", CallAnswer::Flag(plan.is_ok()));
    match plan {
        Ok(plan) => vec![
            ok,
            ("side", CallAnswer::Whole(plan.side as i64)),
            ("steer", CallAnswer::Number(plan.steer)),
            ("hold", CallAnswer::Number(plan.hold)),
            ("time", CallAnswer::Number(plan.time)),
            ("x", CallAnswer::Number(plan.at.x)),
            ("y", CallAnswer::Number(plan.at.y)),
        ],
        Err(error) => vec![ok, ("why", CallAnswer::made(error.to_string()))],
    }
}
