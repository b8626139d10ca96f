//! Names from other engines, and what to use here instead, as Rhai spells it: in Lua, `::` is a dot and `this` is `vars`.

use crate::api::{ApiSet, Owner};

/// Properties of bodies.
const PROPERTIES: &[(&str, &str)] = &[
    ("velocity speed linear_velocity linvel", "`vel`"),
    ("pos position location transform", "`x` and `y`"),
    ("on_ground onGround on_floor is_on_floor is_grounded isGrounded", "`grounded`"),
    ("rotation heading", "`angle`"),
    ("vx vel_x velocity_x", "`vel.x`"),
    ("vy vel_y velocity_y", "`vel.y`"),
    (
        "gravity gravity_scale gravityScale",
        "`me.tune(\"platformer.gravity_scale\", 0.5)` to change it, `world::gravity()` to read it",
    ),
    ("scale size", "`me.resize(width, height)` to change the size of a body, `me.sprite` to draw it larger"),
];

/// What other engines call the removal of an entity.
const REMOVES: &str = "kill die delete free dispose destroy despawn queue_free Destroy";

/// What other languages call the number of elements or letters.
pub const LENGTHS: &str = "length size count Length Count getLength size_of";

/// What other engines call the distance to an entity or a point.
const DISTANCES: &str = "distance_to distanceTo distance dist distance_squared_to direction_to";

/// Functions of behaviors.
const CALLS: &[(&str, &str)] = &[
    ("is_on_floor is_grounded isGrounded on_floor", "`me.grounded`"),
    (VECS, "`vec(x, y)`"),
    ("rand randf randi rand_range randf_range", "`world::random()`"),
    ("println printf echo console_log", "`print(…)`"),
    (
        "sleep wait delay set_timeout setTimeout wait_seconds wait_frames WaitForSeconds StartCoroutine start_coroutine",
        "`wait(seconds)`, or `me.after(seconds, event)`",
    ),
    ("move_and_slide move_and_collide", "`me.vel`, which moves the entity"),
    ("apply_impulse add_force AddForce", "`me.push(x, y)`"),
    ("is_held isHeld is_action_pressed get_key GetKey GetButton", "`me.held(action)`"),
    ("just_pressed is_action_just_pressed key_pressed GetKeyDown GetButtonDown keypressed", "`me.pressed(action)`"),
    ("walk walk_to move move_to moveTo go_to run_to", "`me.hold(\"right\")` in each tick, until `me.x` is there"),
    ("instantiate spawn Instantiate", "`world::create(kind, x, y)`"),
    ("emit_signal emitSignal FireServer trigger dispatch", "`world::emit(name, data)`"),
    ("timestamp now clock get_ticks", "`world::time()`"),
    ("timescale timeScale slow_motion slowmo set_paused", "`world::set_time_scale(0.3)`; 0 is a pause"),
    ("format sprintf", "`${…}` in backquotes"),
    ("gravity set_gravity set_gravity_scale gravity_scale", "`me.tune(\"platformer.gravity_scale\", 0.5)`"),
    (
        "find find_all entities get_entities all_entities each_entity",
        "`world::all(kind)`, or `world::entity(name)` for one",
    ),
    ("toBe to_be toEqual to_equal equals", "`==`; only tests have `expect(…).equals(…)`"),
];

/// Functions of tests.
const CALLS_OF_TESTS: &[(&str, &str)] = &[
    (VECS, "`vec(x, y)`"),
    ("println printf echo console_log", "`print(…)`"),
    ("assert assert_eq assert_equal assert_equals", "`expect(…).equals(…)`"),
    ("toBe to_be toEqual to_equal toStrictEqual eq", "`.equals(…)`"),
    ("toBeGreaterThan greater_than is_above gt", "`.above(…)`"),
    ("toBeLessThan less_than is_below lt", "`.below(…)`"),
    ("toBeCloseTo close_to approx almost_equals", "`.near(value, tolerance)`"),
    ("toContain to_contain includes", "`.contains(…)`"),
    ("toBeTruthy toBeTrue is_true", "`.equals(true)`"),
    (
        "wait sleep delay advance simulate step steps frames run_ticks run_for run_seconds",
        "`t.run(seconds)` or `t.ticks(count)`",
    ),
    ("describe it test", "a function for each test, as in `fn test_it_lands() { … }`"),
];

/// What other engines call a vec.
pub const VECS: &str = "Vector2 Vector3 Vec2 Vec3 vec2 vec3 vector Point";

/// What is next to a name in such a list.
pub fn found(name: &str, of: &[(&str, &'static str)]) -> Option<&'static str> {
    of.iter().find(|(names, _)| is_among(name, names)).map(|(_, right)| *right)
}

/// What to use instead of a property that `me`, another entity or an entity in a test does not have; `near` if the name of
/// another property is meant.
pub fn property(name: &str, of: Owner, near: bool) -> Option<String> {
    let right = match (name, of) {
        ("vars" | "variables", Owner::Me) => "`this`, which holds this script's variables",
        ("vars" | "variables", Owner::Entity) => "events: scripts do not see each other's variables",
        ("gravity" | "gravity_scale" | "gravityScale" | "scale" | "size", Owner::Entity | Owner::Live) if !near => {
            return variable_of(name, of);
        }
        (_, Owner::Test) => {
            return (!near).then(|| format!("`t.entity(\"{name}\")` for an entity of this name"));
        }
        (_, Owner::Me) if is_among(name, REMOVES) => "`me.remove()`",
        (_, owner) if !matches!(owner, Owner::Me | Owner::Entity | Owner::Live) => return None,
        _ => match found(name, PROPERTIES) {
            Some(right) => right,
            None if near => return None,
            None => return variable_of(name, of),
        },
    };
    Some(right.into())
}

/// Where a variable is that a script reads from a body.
fn variable_of(name: &str, of: Owner) -> Option<String> {
    match of {
        Owner::Me => Some(format!("`this.{name}`: a script's own variables are in `this`")),
        Owner::Live => Some(format!("`vars.{name}` for a variable of its script")),
        _ => None,
    }
}

/// What to use instead of a call of another engine. `on` is the type of the value that it is called on, by the name of
/// its owner; empty for none, or if it is not known.
pub fn call(name: &str, on: &str, api_set: ApiSet) -> Option<String> {
    if api_set == ApiSet::Test {
        return found(name, CALLS_OF_TESTS).map(String::from);
    }
    let of_body = on == Owner::Me.name() || on == Owner::Entity.name();
    if is_among(name, REMOVES) {
        let right = match on == Owner::Entity.name() {
            true => "an event: a script removes only its own entity, with `me.remove()`",
            false => "`me.remove()`",
        };
        return Some(right.into());
    }
    if (of_body || on.is_empty()) && is_among(name, DISTANCES) {
        let right = match name {
            "direction_to" => "(vec(other.x, other.y) - vec(me.x, me.y)).normalized()",
            _ => "vec(me.x, me.y).distance(vec(other.x, other.y))",
        };
        return Some(format!("`{right}`"));
    }
    found(name, CALLS).map(String::from)
}

/// Whether a name is one of some words.
pub fn is_among(name: &str, words: &str) -> bool {
    words.split(' ').any(|word| word == name)
}
