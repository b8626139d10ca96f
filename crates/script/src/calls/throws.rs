//! `me.plan_throw`: projectiles that land on a target.

use super::{
    jumps::{JUMP, MOST_WORK, PLANNING, clearance_of, jump_fields},
    world::find_kind,
    *,
};
use glam::DVec3;
use hangtime_core::models::ballistic::Aim;

/// The last parameter of `plan_throw`.
const THROW: Shape = Shape {
    name: "throw",
    common: &[],
    own: fields! {
        /// 0 to 1000000; 10 if it is left out
        clearance sometimes: Type::Number, "px";
        /// the target's velocity, if it moves
        velocity sometimes: Type::Vec, "px/s";
        /// from the entity's center to where the projectile spawns
        offset sometimes: Type::Vec, "px";
    },
};

/// The clearance of a throw that names none, px.
const CLEARANCE: f64 = 10.0;

/// How a projectile is thrown.
pub struct ThrowSettings {
    clearance: f64,
    velocity: Option<DVec2>,
    offset: DVec3,
}

impl ThrowSettings {
    pub(super) const fn none() -> Self {
        Self { clearance: CLEARANCE, velocity: None, offset: DVec3::ZERO }
    }

    pub(super) fn set(&mut self, key: &str, value: Arg<'_>) -> Allowed {
        let call = "plan_throw";
        match key {
            "clearance" => self.clearance = clearance_of(value, parameter(call, key))?,
            "velocity" => self.velocity = Some(value.finite_vector(key, Some(call))?.0),
            _ => {
                let (plane, height) = value.finite_vector(key, Some(call))?;
                self.offset = plane.extend(height);
            }
        }
        Ok(())
    }
}

/// Adds the call, with and without settings.
pub fn add(table: &mut CallTable) {
    table.topic(Topic::Queries);
    add_calls! { table;
        /// Plans a throw. The projectile can be any kind whose model is `ballistic`; create it in the same call, at
        /// this entity's center and with the planned velocity. Its lowest point then lands at (x, y), or in a top view
        /// on the highest floor there. Returns a map as `me.plan_jump` does. Zones that the projectile flies through
        /// are not considered.
        of_me plan_throw(KIND, X, Y) -> Type::Map(&JUMP);
        "let plan = me.plan_throw(\"ball\", me.x + 150, me.y);\n\
         if plan.ok { world::create(\"ball\", me.x, me.y, #{ vel: plan.velocity }); }";
        plan_throw;

        /// With settings: a map with any of `clearance`, `velocity` and `offset`.
        of_me plan_throw(KIND, X, Y, param("settings", Type::Map(&THROW), "")) -> Type::Map(&JUMP);
        "let hand = vec(0, 12);\n\
         let plan = me.plan_throw(\"ball\", me.x + 150, me.y, #{ clearance: 40, offset: hand });\n\
         if plan.ok { world::create(\"ball\", me.x, me.y + 12, #{ vel: plan.velocity }); }";
        plan_throw;
    }
}

fn plan_throw<'a>(moment: &'a mut CallMoment, args: Args<'a>) -> Answered<'a> {
    let (kind, at) = (args.text(0)?, args.point(1)?);
    let mut settings = ThrowSettings::none();
    args.settings(3, "a map, such as `#{ clearance: 40 }`", &mut |key, value| settings.set(key, value))?;
    charge(PLANNING)?;
    let (me, world) = moment.both()?;
    let me = me.with_body(args.call())?;
    let stage = world.stage()?;
    if settings.offset.z != 0.0 && stage.level.view == View::Side {
        return refuse("`offset.z` of `plan_throw` is always 0 in a side view");
    }
    let (_, profile) = find_kind(kind, stage)?;
    let model = stage.profiles[profile].model;
    if !model.flies() {
        return refuse(format!("`{kind}` cannot be thrown: its model is `{model}`, not `ballistic`"));
    }
    let view = me.view();
    let from = view.pos.extend(view.z) + settings.offset;
    let aim = Aim { at, clearance: settings.clearance, velocity: settings.velocity };
    let mut work = PlanWork::up_to(MOST_WORK);
    let plan = stage.plan_throw(world.tick, &world.standing, profile, from, &aim, &mut work);
    charge(work.done)?;
    Ok(CallAnswer::Fields(jump_fields(&plan)))
}
