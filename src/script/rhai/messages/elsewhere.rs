//! Names from other engines, and what to use here instead.

use crate::script::host::api::ApiSet;

/// Properties of bodies.
const PROPERTIES: [(&[&str], &str); 6] = [
    (&["velocity", "speed", "linear_velocity", "linvel"], "`vel`"),
    (&["pos", "position", "location"], "`x` and `y`"),
    (
        &[
            "on_ground",
            "onGround",
            "on_floor",
            "is_on_floor",
            "is_grounded",
        ],
        "`grounded`",
    ),
    (&["rotation", "heading"], "`angle`"),
    (&["vx", "vel_x", "velocity_x"], "`vel.x`"),
    (&["vy", "vel_y", "velocity_y"], "`vel.y`"),
];

/// Functions of behaviors.
const CALLS: [(&[&str], &str); 7] = [
    (
        &["rand", "randf", "randi", "rand_range", "randf_range"],
        "`world::random()`",
    ),
    (&["println", "printf", "echo", "console_log"], "`print(…)`"),
    (
        &["sleep", "wait", "delay", "set_timeout"],
        "`me.after(seconds, event)`",
    ),
    (&["destroy", "despawn", "queue_free"], "`me.remove()`"),
    (
        &["rad", "radians", "deg_to_rad", "deg2rad", "to_radians"],
        "`degrees * PI() / 180`",
    ),
    (
        &["deg", "degrees", "rad_to_deg", "rad2deg", "to_degrees"],
        "`angle * 180 / PI()`",
    ),
    (&["instantiate"], "`world::create(kind, x, y)`"),
];

/// Functions of tests.
const CALLS_OF_TESTS: [(&[&str], &str); 2] = [
    (&["println", "printf", "echo", "console_log"], "`print(…)`"),
    (
        &["assert", "assert_eq", "assert_equal", "assert_equals"],
        "`expect(…).equals(…)`",
    ),
];

fn found(name: &str, of: &[(&[&'static str], &'static str)]) -> Option<&'static str> {
    let row = of.iter().find(|(names, _)| names.contains(&name));
    row.map(|(_, right)| *right)
}

/// The property that replaces one of another engine, in backquotes.
pub(in crate::script::rhai) fn property(name: &str) -> Option<&'static str> {
    found(name, &PROPERTIES)
}

/// The call that replaces one of another engine, in backquotes.
pub(in crate::script::rhai) fn call(name: &str, api_set: ApiSet) -> Option<&'static str> {
    match api_set {
        ApiSet::Test => found(name, &CALLS_OF_TESTS),
        _ => found(name, &CALLS),
    }
}

/// The call that replaces a variable of another engine, in backquotes.
pub(in crate::script::rhai) fn variable(name: &str, api_set: ApiSet) -> Option<&'static str> {
    match name {
        "dt" | "delta" | "delta_time" if api_set != ApiSet::Test => Some("`world::dt()`"),
        "Input" if api_set != ApiSet::Test => Some("`me.held(action)` or `me.pressed(action)`"),
        "console" => Some("`print(…)`"),
        "Math" | "math" | "Mathf" => Some("math functions without a prefix, as in `sin(x)`"),
        _ => None,
    }
}
