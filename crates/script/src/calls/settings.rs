//! The maps of settings and options at the end of calls.

use super::{
    drawing::DrawOptions,
    sounds::SoundSettings,
    throws::ThrowSettings,
    world::{JointSettings, SolidSettings, SpawnSettings},
    *,
};
use crate::elsewhere::is_among;

/// The names of the settings of a call; none if it takes no map of settings.
const fn settings_of(call: &str) -> &'static str {
    match call.as_bytes() {
        b"create" => "vel facing vars z",
        b"create_solid" => "points box surface one_way top speed",
        b"plan_throw" => "clearance velocity offset",
        b"plan_own_jump" => "run_up",
        b"rope" => "strength",
        b"spring" => "hertz damping strength",
        b"sound" => "volume pitch x y",
        b"music" => "volume pitch",
        b"text" => "color size align",
        b"bar" => "color width height align",
        b"line" | b"circle" | b"polygon" => "color width",
        b"rect" => "color width align",
        b"sprite" => "frame width height size flip color align",
        _ => "",
    }
}

/// Checks that a call has a setting.
fn check_name(call: &str, key: &str) -> Allowed {
    let known = settings_of(call);
    if is_among(key, known) {
        return Ok(());
    }
    let near = suggestion(key, known.split(' '));
    let (what, more) = match call {
        "create" if !near.contains("did you mean") => ("setting", "; a script variable belongs in the map `vars`"),
        "create" | "create_solid" | "plan_throw" | "plan_own_jump" | "rope" | "spring" | "sound" | "music" => {
            ("setting", "")
        }
        _ => ("option", ""),
    };
    refuse(format!("`{call}` has no {what} `{key}`{near}{more}"))
}

/// Checks a key in the map of settings that is the last argument of a call, and its value if that is known.
///
/// # Errors
/// Why the call refuses the key or the value.
pub fn check_call_setting(call: &str, key: &str, value: Option<Arg<'_>>) -> Allowed {
    if settings_of(call).is_empty() {
        return Ok(());
    }
    check_name(call, key)?;
    match (call, value) {
        (_, None) => Ok(()),
        ("create", Some(value)) => SpawnSettings::none().set(key, value),
        ("create_solid", Some(value)) => SolidSettings::default().set(key, value),
        ("plan_throw", Some(value)) => ThrowSettings::none().set(key, value),
        ("sound" | "music", Some(value)) => SoundSettings::none().set(key, value),
        ("rope" | "spring", Some(value)) => JointSettings::default().set(call, key, value),
        ("plan_own_jump", Some(value)) => value.flag(parameter(call, key)).map(drop),
        (_, Some(value)) => DrawOptions::default().set(call, key, value),
    }
}

impl Args<'_> {
    /// Reads the settings of the call, a map at this place if it has any. `right` is what else messages ask for: `a map,
    /// such as …`.
    ///
    /// # Errors
    /// If it is no map, for a setting that the call does not have, and the first refusal of `set`.
    pub(super) fn settings(&self, place: usize, right: &str, set: &mut dyn FnMut(&str, Arg<'_>) -> Allowed) -> Allowed {
        if self.count() <= place {
            return Ok(());
        }
        let given = self.get(place);
        let Some(map) = given.as_map() else {
            return given.is_not(self.parameter(place), right);
        };
        map.each_entry(&mut |key, value| {
            check_name(self.call(), key)?;
            set(key, value)
        })
    }
}
