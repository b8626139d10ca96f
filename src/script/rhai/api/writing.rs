//! What a script writes of its own entity. What it reads afterwards is what it wrote.

use super::arguments::{Fallible, finite, finite_vector, wrong};
use super::me::{Me, Moment};
use crate::level::View;
use crate::sim::Command;
use rhai::Dynamic;

/// How a property is written; none for those that are not.
pub(in crate::script::rhai) fn setter(
    property: &str,
) -> Option<fn(&mut Me, Dynamic) -> Fallible<()>> {
    match property {
        "vel" => Some(set_velocity),
        "external" => Some(set_external),
        "angle" => Some(set_angle),
        "spin" => Some(set_spin),
        "facing" => Some(set_facing),
        _ => None,
    }
}

/// How writing it looks.
pub(in crate::script::rhai) fn example(property: &str) -> Option<&'static str> {
    match property {
        "vel" => Some("me.vel.y = 300;\nif me.vel.x < 0 { me.vel = vec(0, 300); }"),
        "external" => Some("me.external = vec(0, 0);"),
        "angle" => Some("me.angle = 0.5;"),
        "spin" => Some("me.spin = me.spin * 0.9;"),
        "facing" => Some("me.facing = -me.facing;"),
        _ => None,
    }
}

fn set_velocity(me: &mut Me, value: Dynamic) -> Fallible<()> {
    let (v, z) = finite_vector("me.vel", value)?;
    let mut moment = me.with_body("vel")?;
    if z != 0.0 && moment.seen_from == View::Side {
        return wrong("me.vel.z is always 0 in a side view".into());
    }
    // A method of what was read, as in `me.vel.length()`, writes it back as it was.
    if v != moment.view.vel || z != moment.view.vel_z {
        moment.view.vel = v;
        moment.view.vel_z = z;
        moment.order(Command::SetVelocity(v, z))?;
    }
    Ok(())
}

fn set_external(me: &mut Me, value: Dynamic) -> Fallible<()> {
    let (v, z) = finite_vector("me.external", value)?;
    if z != 0.0 {
        return wrong(
            "me.external.z is always 0: what comes from outside lies in the plane".into(),
        );
    }
    let mut moment = me.with_body("external")?;
    if v != moment.view.external {
        moment.view.external = v;
        moment.order(Command::SetExternal(v))?;
    }
    Ok(())
}

fn set_angle(me: &mut Me, value: Dynamic) -> Fallible<()> {
    let angle = finite("me.angle", &value)?;
    let mut moment = me.with_body("angle")?;
    if angle != moment.view.angle {
        turns(&moment)?;
        moment.view.angle = angle;
        moment.order(Command::Turn(angle))?;
    }
    Ok(())
}

fn set_spin(me: &mut Me, value: Dynamic) -> Fallible<()> {
    let spin = finite("me.spin", &value)?;
    let mut moment = me.with_body("spin")?;
    if spin != moment.view.spin {
        turns(&moment)?;
        moment.view.spin = spin;
        moment.order(Command::Spin(spin))?;
    }
    Ok(())
}

fn set_facing(me: &mut Me, value: Dynamic) -> Fallible<()> {
    let side = finite("me.facing", &value)?;
    if side == 0.0 {
        return wrong("`me.facing` is 1 or -1, not 0".into());
    }
    let mut moment = me.with_body("facing")?;
    moment.view.facing = side.signum();
    moment.order(Command::Face(side.signum()))
}

/// An error for who stays upright.
fn turns(moment: &Moment) -> Fallible<()> {
    let model = moment.view.model;
    if model.turns() {
        return Ok(());
    }
    wrong(format!(
        "a body that `{}` moves does not turn",
        model.as_str()
    ))
}
