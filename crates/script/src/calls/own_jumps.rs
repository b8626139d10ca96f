//! `me.plan_own_jump`: jumps with the keys of the entity's own model.

use super::*;
use hangtime_core::sim::{OwnAim, OwnJump, OwnJumpError, RunUp};

/// The most work that planning a jump may take, in operations.
const MOST_WORK: u64 = 16_000;

/// The run before a jump.
pub const RUN_UP: Shape = Shape {
    name: "run_up",
    common: &[],
    own: fields! {
        /// the direction key: 1 for `right`, -1 for `left`
        side: Type::Whole;
        /// how long to hold it before the jump
        seconds: Type::Number, "s";
        /// how far the body runs
        distance: Type::Number, "px";
    },
};

/// The last parameter of the call.
const SETTINGS: Shape = Shape {
    name: "own_jump_settings",
    common: &[],
    own: fields! {
        /// whether the body may run before it jumps; false if it is left out
        run_up sometimes: Type::Flag;
    },
};

/// The map that the call returns.
const OWN_JUMP: Shape = Shape {
    name: "own_jump",
    common: &[],
    own: fields! {
        /// whether such a jump was found
        ok: Type::Flag;
        /// the direction key: 1 for `right`, -1 for `left`, 0 for none
        side sometimes: Type::Whole;
        /// how long to hold it
        steer sometimes: Type::Number, "s";
        /// how long to hold `jump`
        hold sometimes: Type::Number, "s";
        /// how long the jump takes
        time sometimes: Type::Number, "s";
        /// x of the point where it lands
        x sometimes: Type::Number, "px";
        /// y of the point where it lands
        y sometimes: Type::Number, "px";
        /// the run before the jump, if there is one; both keys are held from its end on
        run_up sometimes: Type::Map(&RUN_UP);
        /// why there is no such jump
        why sometimes: Type::Text;
    },
};

/// Adds the call, with and without settings.
pub fn add(table: &mut CallTable) {
    table.topic(Topic::Queries);
    add_calls! { table;
        /// Plans a jump of the entity's own model that lands its lowest point at (x, y), give or take half of its
        /// width: how long to hold a direction and `jump`, both from this tick on. The model is played ahead, so
        /// tuning, zones, platforms and obstacles count; other entities and scripts do not. Side views only.
        of_me plan_own_jump(X, Y) -> Type::Map(&OWN_JUMP);
        "let plan = me.plan_own_jump(me.x + 80, me.y - 19);\nif plan.ok { me.hold(\"jump\"); }";
        plan_own_jump;

        /// With settings. If no jump from here leads there, `run_up: true` also looks for a run on the ground before
        /// it.
        of_me plan_own_jump(X, Y, param("settings", Type::Map(&SETTINGS), "")) -> Type::Map(&OWN_JUMP);
        "let plan = me.plan_own_jump(me.x + 300, me.y - 19, #{ run_up: true });\n\
         if plan.ok && plan.contains(\"run_up\") { print(plan.run_up.seconds); }";
        plan_own_jump;
    }
}

fn plan_own_jump<'a>(moment: &'a mut CallMoment, args: Args<'a>) -> Answered<'a> {
    let at = args.point(0)?;
    let mut run_up = false;
    args.settings(2, "a map, such as `#{ run_up: true }`", &mut |key, value| {
        run_up = value.flag(parameter(args.call(), key))?;
        Ok(())
    })?;
    let (me, world) = moment.both()?;
    let me = me.with_body(args.call())?;
    let mut work = PlanWork::up_to(MOST_WORK);
    let stage = world.stage()?;
    let aim = OwnAim { at, run_up };
    let plan = stage.plan_own_jump(world.tick, &world.changes, me.profile, me.view(), aim, &mut work);
    charge(work.done)?;
    Ok(CallAnswer::Fields(fields_of(&plan)))
}

fn fields_of<'a>(plan: &Result<OwnJump, OwnJumpError>) -> Vec<(&'static str, CallAnswer<'a>)> {
    let ok = ("ok", CallAnswer::Flag(plan.is_ok()));
    match plan {
        Ok(plan) => {
            let mut fields = vec![
                ok,
                ("side", CallAnswer::Whole(plan.side as i64)),
                ("steer", CallAnswer::Number(plan.steer)),
                ("hold", CallAnswer::Number(plan.hold)),
                ("time", CallAnswer::Number(plan.time)),
                ("x", CallAnswer::Number(plan.at.x)),
                ("y", CallAnswer::Number(plan.at.y)),
            ];
            fields.extend(plan.run_up.map(run_field));
            fields
        }
        Err(error) => vec![ok, ("why", CallAnswer::made(error.to_string()))],
    }
}

/// The field with the run before a jump.
pub fn run_field<'a>(run: RunUp) -> (&'static str, CallAnswer<'a>) {
    let run = vec![
        ("side", CallAnswer::Whole(run.side as i64)),
        ("seconds", CallAnswer::Number(run.seconds)),
        ("distance", CallAnswer::Number(run.distance)),
    ];
    ("run_up", CallAnswer::Fields(run))
}
