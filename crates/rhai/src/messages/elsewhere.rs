//! Names from other engines and languages, and what to use in Rhai instead.

use super::*;
pub(crate) use hangtime_script::elsewhere::{LENGTHS, property};
use hangtime_script::elsewhere::{VECS, found};

/// Functions that other languages have.
const CALLS: &[(&str, &str)] = &[
    ("rad radians deg_to_rad deg2rad to_radians", "`degrees * PI() / 180`"),
    ("deg degrees rad_to_deg rad2deg to_degrees", "`angle * 180 / PI()`"),
    ("str String toString tostring tostr", "`${…}` in backquotes, or `.to_string()`"),
    ("int Int parseInt toInt", "`to_int(…)`"),
    ("float Float parseFloat toFloat", "`to_float(…)`"),
];

/// Values that other languages have for nothing.
const NOTHING: &str = "None undefined NULL Nil";

/// What to use instead of a call of another engine. `on` is the type of the value that it is called on, by the name that
/// Rhai has for it; empty for none, or if it is not known.
pub(crate) fn call(name: &str, on: &str, api_set: ApiSet) -> Option<String> {
    let counted = matches!(on, "array" | "map" | "") || on.contains("tring");
    let counted = counted && is_among(name, LENGTHS);
    if counted {
        return Some("`.len()`".into());
    }
    let of_rhai = || found(name, CALLS).filter(|_| api_set != ApiSet::Test).map(String::from);
    hangtime_script::elsewhere::call(name, on, api_set).or_else(of_rhai)
}

/// What to use instead of a variable of another engine or language, in backquotes. `member` is the name after the dot
/// that follows it, if there is one; `known` tells whether a function of a name exists.
pub(crate) fn variable(name: &str, member: &str, api_set: ApiSet, known: impl Fn(&str) -> bool) -> Option<String> {
    let in_behavior = api_set != ApiSet::Test;
    let right = match name {
        "dt" | "delta" | "delta_time" | "Time" if in_behavior => "`world::dt()`",
        "Input" if in_behavior => "`me.held(action)` or `me.pressed(action)`",
        "self" if in_behavior => "`this` for variables and `me` for the entity",
        "vars" if in_behavior => "`this`, which holds this script's variables",
        "workspace" | "love" if in_behavior => "`world::`, `hud::` and `me`, which is the entity",
        "task" if in_behavior => "`wait(seconds)`, or `me.after(seconds, event)`",
        "console" => "`print(…)`",
        "Math" | "math" | "Mathf" => return Some(math(member, in_behavior, known)),
        "True" | "TRUE" => "`true`",
        "False" | "FALSE" => "`false`",
        _ if is_among(name, NOTHING) => "`()` for no value",
        _ if is_among(name, VECS) && matches!(member, "ZERO" | "zero") => "`vec(0, 0)`",
        _ if is_among(name, VECS) => "`vec(x, y)`",
        _ => return None,
    };
    Some(right.into())
}

/// What to use instead of a member of `Math`.
fn math(member: &str, in_behavior: bool, known: impl Fn(&str) -> bool) -> String {
    let plain = member.to_lowercase();
    match plain.as_str() {
        "random" if in_behavior => "`world::random()`".into(),
        "pi" => "`PI()`".into(),
        "ceil" => "`ceiling(…)`".into(),
        _ if known(&plain) => format!("`{plain}(…)`"),
        _ => "math functions without a prefix, as in `sin(x)`".into(),
    }
}
