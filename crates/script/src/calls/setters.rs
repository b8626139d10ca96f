//! Setters of `me`. Reading a property back returns the written value.

use super::{table::WriteFn, *};
use hangtime_core::level::MOST_SCALE;

/// The setter of a property and an example that writes it, if it can be written.
pub fn setter(property: &str) -> Option<(WriteFn, &'static str)> {
    Some(match property {
        "vel" => (set_velocity, "me.vel.y = 300;\nif me.vel.x < 0 { me.vel = vec(0, 300); }"),
        "external" => (set_external, "me.external = vec(0, 0);"),
        "angle" => (set_angle, "me.angle = 0.5;"),
        "spin" => (set_spin, "me.spin = me.spin * 0.9;"),
        "time_scale" => (set_time_scale, "me.time_scale = 0.3;"),
        "facing" => (set_facing, "me.facing = -me.facing;"),
        _ => return None,
    })
}

fn set_velocity(moment: &mut CallMoment, value: Arg<'_>) -> Allowed {
    let (v, z) = value.finite_vector("me.vel", None)?;
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

fn set_external(moment: &mut CallMoment, value: Arg<'_>) -> Allowed {
    let (v, z) = value.finite_vector("me.external", None)?;
    let state = moment.me.with_body("external")?;
    if z != 0.0 && state.level_view == View::Side {
        return refuse("`me.external.z` is always 0 in a side view");
    }
    if v != state.view().external || z != state.view().external_z {
        let view = state.view_mut();
        (view.external, view.external_z) = (v, z);
        state.queue(Command::SetExternal(v, z))?;
    }
    Ok(())
}

fn set_angle(moment: &mut CallMoment, value: Arg<'_>) -> Allowed {
    let angle = value.finite("`me.angle`")?;
    let state = moment.me.with_body("angle")?;
    if angle != state.view().angle {
        check_rotates(state)?;
        state.view_mut().angle = angle;
        state.queue(Command::Turn(angle))?;
    }
    Ok(())
}

fn set_spin(moment: &mut CallMoment, value: Arg<'_>) -> Allowed {
    let spin = value.finite("`me.spin`")?;
    let state = moment.me.with_body("spin")?;
    if spin != state.view().spin {
        check_rotates(state)?;
        state.view_mut().spin = spin;
        state.queue(Command::Spin(spin))?;
    }
    Ok(())
}

fn set_facing(moment: &mut CallMoment, value: Arg<'_>) -> Allowed {
    let side = value.finite("`me.facing`")?;
    if side == 0.0 {
        return refuse("`me.facing` must be 1 or -1, not 0");
    }
    let state = moment.me.with_body("facing")?;
    state.view_mut().facing = side.signum();
    state.queue(Command::Face(side.signum()))
}

fn set_time_scale(moment: &mut CallMoment, value: Arg<'_>) -> Allowed {
    let scale = value.within("`me.time_scale`", 0.0..=MOST_SCALE)?;
    let state = moment.me.with_body("time_scale")?;
    if scale != state.view().time_scale {
        state.view_mut().time_scale = scale;
        state.queue(Command::SetTimeScale(scale))?;
    }
    Ok(())
}

/// Fails for bodies that always stay upright.
fn check_rotates(state: &MeState) -> Allowed {
    if state.view().model.is_some_and(ModelName::turns) {
        return Ok(());
    }
    refuse(format!("a body moved by `{}` does not rotate", state.view().model_name()))
}
