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
const CALLS: [(&[&str], &str); 12] = [
    (
        &["is_on_floor", "is_grounded", "isGrounded", "on_floor"],
        "`me.grounded`",
    ),
    (&VECS, "`vec(x, y)`"),
    (
        &["rand", "randf", "randi", "rand_range", "randf_range"],
        "`world::random()`",
    ),
    (&["println", "printf", "echo", "console_log"], "`print(…)`"),
    (
        &["sleep", "wait", "delay", "set_timeout", "setTimeout"],
        "`me.after(seconds, event)`",
    ),
    (
        &["destroy", "despawn", "queue_free", "Destroy"],
        "`me.remove()`",
    ),
    (
        &["move_and_slide", "move_and_collide"],
        "`me.vel`, which moves the entity",
    ),
    (
        &["apply_impulse", "add_force", "AddForce"],
        "`me.push(x, y)`",
    ),
    (
        &["is_action_pressed", "get_key", "GetKey", "GetButton"],
        "`me.held(action)`",
    ),
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
const CALLS_OF_TESTS: [(&[&str], &str); 10] = [
    (&VECS, "`vec(x, y)`"),
    (&["println", "printf", "echo", "console_log"], "`print(…)`"),
    (
        &["assert", "assert_eq", "assert_equal", "assert_equals"],
        "`expect(…).equals(…)`",
    ),
    (
        &[
            "toBe",
            "to_be",
            "toEqual",
            "to_equal",
            "toStrictEqual",
            "eq",
        ],
        "`.equals(…)`",
    ),
    (
        &["toBeGreaterThan", "greater_than", "is_above", "gt"],
        "`.above(…)`",
    ),
    (
        &["toBeLessThan", "less_than", "is_below", "lt"],
        "`.below(…)`",
    ),
    (
        &["toBeCloseTo", "close_to", "approx", "almost_equals"],
        "`.near(value, tolerance)`",
    ),
    (&["toContain", "to_contain", "includes"], "`.contains(…)`"),
    (&["toBeTruthy", "toBeTrue", "is_true"], "`.equals(true)`"),
    (
        &["describe", "it", "test"],
        "a function for each test, as in `fn test_it_lands() { … }`",
    ),
];

/// What other engines call a vec.
const VECS: [&str; 8] = [
    "Vector2", "Vector3", "Vec2", "Vec3", "vec2", "vec3", "vector", "Point",
];

/// Values that other languages have for nothing.
const NOTHING: [&str; 4] = ["None", "undefined", "NULL", "Nil"];

fn found(name: &str, of: &[(&[&'static str], &'static str)]) -> Option<&'static str> {
    let row = of.iter().find(|(names, _)| names.contains(&name));
    row.map(|(_, right)| *right)
}

/// What to use instead of a property that `me` or another entity does not have.
pub(in crate::script::rhai) fn property(name: &str, of_me: bool) -> Option<&'static str> {
    match name {
        "vars" | "variables" if of_me => Some("`this`, which holds this script's variables"),
        "vars" | "variables" => Some("events: scripts do not see each other's variables"),
        _ => found(name, &PROPERTIES),
    }
}

/// The call that replaces one of another engine, in backquotes.
pub(in crate::script::rhai) fn call(name: &str, api_set: ApiSet) -> Option<&'static str> {
    match api_set {
        ApiSet::Test => found(name, &CALLS_OF_TESTS),
        _ => found(name, &CALLS),
    }
}

/// What to use instead of a variable of another engine or language, in backquotes. `member` is the name after the dot
/// that follows it, if there is one; `known` tells whether a function of a name exists.
pub(in crate::script::rhai) fn variable(
    name: &str,
    member: &str,
    api_set: ApiSet,
    known: impl Fn(&str) -> bool,
) -> Option<String> {
    let in_behavior = api_set != ApiSet::Test;
    let right = match name {
        "dt" | "delta" | "delta_time" | "Time" if in_behavior => "`world::dt()`",
        "Input" if in_behavior => "`me.held(action)` or `me.pressed(action)`",
        "console" => "`print(…)`",
        "Math" | "math" | "Mathf" => return Some(math(member, in_behavior, known)),
        "True" | "TRUE" => "`true`",
        "False" | "FALSE" => "`false`",
        _ if NOTHING.contains(&name) => "`()` for no value",
        _ if VECS.contains(&name) && matches!(member, "ZERO" | "zero") => "`vec(0, 0)`",
        _ if VECS.contains(&name) => "`vec(x, y)`",
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
