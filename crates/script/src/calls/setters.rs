//! Setters of `me`. Reading a property back returns the written value.

use super::arg::Arg;
use super::arguments::{finite, finite_vector};
use super::me::MeState;
use super::moment::CallMoment;
use super::table::WriteFn;
use crate::{CallRefusal, refuse};
use hangtime_core::level::View;
use hangtime_core::models::ModelName;
use hangtime_core::sim::Command;

/// The setter of a property, if it can be written.
pub(super) fn setter(property: &str) -> Option<WriteFn> {
    match property {
        "vel" => Some(set_velocity),
        "external" => Some(set_external),
        "angle" => Some(set_angle),
        "spin" => Some(set_spin),
        "facing" => Some(set_facing),
        _ => None,
    }
}

/// An example that writes the property, if it can be written.
pub(super) fn example(property: &str) -> Option<&'static str> {
    match property {
        "vel" => Some("me.vel.y = 300;\nif me.vel.x < 0 { me.vel = vec(0, 300); }"),
        "external" => Some("me.external = vec(0, 0);"),
        "angle" => Some("me.angle = 0.5;"),
        "spin" => Some("me.spin = me.spin * 0.9;"),
        "facing" => Some("me.facing = -me.facing;"),
        _ => None,
    }
}

fn set_velocity(moment: &mut CallMoment, value: Arg<'_>) -> Result<(), CallRefusal> {
    let (v, z) = finite_vector("me.vel", None, value)?;
    let state = moment.me.with_body("vel")?;
    if z != 0.0 && state.level_view == View::Side {
        return refuse("`me.vel.z` is always 0 in a side view");
    }
    // A method call on the property, as in `me.vel.length()`, writes the unchanged value back.
    if v != state.view().vel || z != state.view().vel_z {
        let view = state.view_mut();
        view.vel = v;
        view.vel_z = z;
        state.queue(Command::SetVelocity(v, z))?;
    }
    Ok(())
}

fn set_external(moment: &mut CallMoment, value: Arg<'_>) -> Result<(), CallRefusal> {
    let (v, z) = finite_vector("me.external", None, value)?;
    if z != 0.0 {
        return refuse("`me.external.z` is always 0: external velocity has no z");
    }
    let state = moment.me.with_body("external")?;
    if v != state.view().external {
        state.view_mut().external = v;
        state.queue(Command::SetExternal(v))?;
    }
    Ok(())
}

fn set_angle(moment: &mut CallMoment, value: Arg<'_>) -> Result<(), CallRefusal> {
    let angle = finite("`me.angle`", value)?;
    let state = moment.me.with_body("angle")?;
    if angle != state.view().angle {
        check_rotates(state)?;
        state.view_mut().angle = angle;
        state.queue(Command::Turn(angle))?;
    }
    Ok(())
}

fn set_spin(moment: &mut CallMoment, value: Arg<'_>) -> Result<(), CallRefusal> {
    let spin = finite("`me.spin`", value)?;
    let state = moment.me.with_body("spin")?;
    if spin != state.view().spin {
        check_rotates(state)?;
        state.view_mut().spin = spin;
        state.queue(Command::Spin(spin))?;
    }
    Ok(())
}

fn set_facing(moment: &mut CallMoment, value: Arg<'_>) -> Result<(), CallRefusal> {
    let side = finite("`me.facing`", value)?;
    if side == 0.0 {
        return refuse("`me.facing` must be 1 or -1, not 0");
    }
    let state = moment.me.with_body("facing")?;
    state.view_mut().facing = side.signum();
    state.queue(Command::Face(side.signum()))
}

/// Fails for bodies that always stay upright.
fn check_rotates(state: &MeState) -> Result<(), CallRefusal> {
    if state.view().model.is_some_and(ModelName::turns) {
        return Ok(());
    }
    refuse(format!("a body moved by `{}` does not rotate", state.view().model_name()))
}
