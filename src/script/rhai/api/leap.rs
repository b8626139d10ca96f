//! `me.plan_jump` and `me.jump_to`: jumps to a destination.

use super::me::{Fallible, Me, finite, finite_vector, wrong};
use super::outlook::Outlook;
use super::vector::Vector;
use crate::models::ballistic::{Aim, Plan, Refusal};
use crate::sim::{Command, Leap};
use glam::DVec2;
use rhai::{Dynamic, Engine, Map, NativeCallContext};

/// What can be called on `me`.
pub(in crate::script::rhai) const CALLABLE: [&str; 2] = ["plan_jump", "jump_to"];

/// Registers both, with and without a velocity of the destination.
pub(in crate::script::rhai) fn register(engine: &mut Engine) {
    for (name, jumps) in [("plan_jump", false), ("jump_to", true)] {
        engine.register_fn(
            name,
            move |context: NativeCallContext<'_>,
                  me: &mut Me,
                  x: Dynamic,
                  y: Dynamic,
                  clearance: Dynamic| {
                let aim = aim(name, [&x, &y, &clearance], None)?;
                leap(&context, me, name, jumps, aim)
            },
        );
        engine.register_fn(
            name,
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
    let at = DVec2::new(
        finite(&format!("{name}'s x"), x)?,
        finite(&format!("{name}'s y"), y)?,
    );
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

fn leap(
    context: &NativeCallContext<'_>,
    me: &mut Me,
    name: &str,
    jumps: bool,
    aim: Aim,
) -> Fallible<Map> {
    let outlook = Outlook::of(context)?;
    let sight = outlook.lock();
    if jumps && !sight.deciding {
        return wrong(format!(
            "`{name}` cannot be called while a tick asks a rule; call it in an event"
        ));
    }
    let mut moment = me.lock();
    let (now, standing) = (sight.tick, &sight.standing);
    let plan = sight
        .stage()?
        .plan_jump(now, standing, moment.profile, &moment.view, &aim);
    if let (true, Ok(plan)) = (jumps, &plan) {
        let flight = plan.flight;
        let leap = Leap { aim, flight };
        moment.commands.push(Command::JumpTo(Box::new(leap)));
    }
    Ok(answer(&plan))
}

/// A plan as scripts see it, or why there is none.
fn answer(plan: &Result<Plan, Refusal>) -> Map {
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
