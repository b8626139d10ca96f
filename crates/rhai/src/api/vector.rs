//! The script type `vec`, as in `me.vel` and `vec(x, y)`.

use super::{
    arguments::{any_number, parameter},
    *,
};

/// Registers the type and its topic.
pub fn register(registry: &mut Registry<'_>) {
    registry.value::<Vector>(Owner::Vec);
    registry.topic(Topic::Vectors);
    add_calls! { registry;
        /// A vec in the plane; z is 0.
        free vec(X, Y) -> Type::Vec;
        "let up = vec(0, 100);";
        |x: Dynamic, y: Dynamic| -> Fallible<Vector> {
            let (x, y) = (component("vec", "x", &x)?, component("vec", "y", &y)?);
            Ok(Vector::new(x, y, 0.0))
        };

        /// A vec with z, for top views.
        free vec(X, Y, Z) -> Type::Vec;
        "let leap = vec(40, 0, 200);";
        |x: Dynamic, y: Dynamic, z: Dynamic| -> Fallible<Vector> {
            let (x, y) = (component("vec", "x", &x)?, component("vec", "y", &y)?);
            Ok(Vector::new(x, y, component("vec", "z", &z)?))
        };
    }
    register_components(registry);
    add_calls! { registry;
        /// Length.
        measure length();
        "let five = vec(3, 4).length();";
        |v: &mut Vector| v.length();

        /// Square of the length; cheaper for comparisons.
        measure length_squared();
        "let near = vec(3, 4).length_squared() < 100;";
        |v: &mut Vector| v.dot(*v);

        /// Dot product: positive if both point roughly the same way.
        measure dot(OTHER);
        "let forwards = vec(3, 4).dot(vec(1, 0)) > 0;";
        |v: &mut Vector, other: Vector| v.dot(other);

        /// Distance between two points.
        measure distance(OTHER);
        "let far = vec(0, 0).distance(vec(3, 4)) > 4;";
        |v: &mut Vector, other: Vector| v.minus(other).length();

        /// Direction in the plane, counterclockwise from +x, -π to π.
        of_vec angle() -> Type::Number, "rad";
        "let up = vec(0, 1).angle();";
        |v: &mut Vector| libm::atan2(v.y, v.x);

        /// Same direction with length 1; the zero vec stays zero.
        new_vec normalized();
        "let way = vec(3, 4).normalized();";
        |v: &mut Vector| v.normalized();

        /// Rotated counterclockwise in the plane.
        new_vec rotated(param("angle", Type::Number, "rad"));
        "let left = vec(1, 0).rotated(PI() / 2);";
        |v: &mut Vector, angle: Dynamic| -> Fallible<Vector> { Ok(v.rotated(component("rotated", "angle", &angle)?)) };

        /// Linear interpolation: this vec at `share` 0, the other at 1.
        new_vec lerp(OTHER, param("share", Type::Number, ""));
        "let half_way = vec(0, 0).lerp(vec(10, 20), 0.5);";
        |v: &mut Vector, other: Vector, share: Dynamic| -> Fallible<Vector> {
            let share = component("lerp", "share", &share)?;
            Ok(v.plus(other.minus(*v).scaled(share)))
        };

        /// Shortened to `length` if it is longer.
        new_vec clamped(param("length", Type::Number, ""));
        "let slow = vec(300, 400).clamped(100);";
        |v: &mut Vector, length: Dynamic| -> Fallible<Vector> {
            let what = parameter("clamped", "length");
            let most = any_number(what, &length)?;
            if most.is_nan() || most < 0.0 {
                return fail(format!("{what} is {most}; it must be 0 or more"));
            }
            let long = v.length() > most;
            Ok(if long { v.normalized().scaled(most) } else { *v })
        };

        /// Its text form: `(3, 4)`.
        of_vec to_string() -> Type::Text;
        "print(\"at \" + vec(3, 4).to_string());";
        |v: &mut Vector| v.show();

        /// Its text form in `debug`: `(3, 4)`.
        of_vec to_debug() -> Type::Text;
        "let text = vec(3, 4).to_debug();";
        |v: &mut Vector| v.show();
    }
    register_sums(registry);
    register_products(registry);
}

fn component(call: &str, name: &str, value: &Dynamic) -> Fallible<FLOAT> {
    any_number(parameter(call, name), value)
}

const X: Param = param("x", Type::Number, "");
const Y: Param = param("y", Type::Number, "");
const Z: Param = param("z", Type::Number, "");

/// A component of a vec, which can be read and written.
macro_rules! component {
    ($registry:ident, $name:ident, $doc:literal, $example:literal) => {
        $registry.property(
            ApiEntry::property(Owner::Vec, stringify!($name), Access::Write, $doc, $example).returns(Type::Number, ""),
            |v: &mut Vector| Ok(v.$name.into()),
            |v: &mut Vector, value: Dynamic| {
                v.$name = any_number(concat!("`", stringify!($name), "`"), &value)?;
                Ok(())
            },
        );
    };
}

fn register_components(registry: &mut Registry<'_>) {
    component!(registry, x, "Horizontal component, positive to the right.", "let v = vec(3, 4);\nv.x = 5;");
    component!(registry, y, "Component up, or north in a top view.", "let v = vec(3, 4);\nlet rises = v.y > 0;");
    component!(registry, z, "Height in a top view; 0 in a side view.", "let v = vec(3, 4, 5);\nlet high = v.z > 4;");
}

fn of_vec(name: &'static str, doc: &'static str, example: &'static str) -> ApiEntry {
    ApiEntry::call(Owner::Vec, name, doc, example)
}

/// A method of a vec that returns another vec.
fn new_vec(name: &'static str, doc: &'static str, example: &'static str) -> ApiEntry {
    of_vec(name, doc, example).returns(Type::Vec, "")
}

/// A method of a vec that returns a number.
fn measure(name: &'static str, doc: &'static str, example: &'static str) -> ApiEntry {
    of_vec(name, doc, example).returns(Type::Number, "")
}

const OTHER: Param = param("other", Type::Vec, "");

const TWO: &[Param] = &[param("a", Type::Vec, ""), param("b", Type::Vec, "")];
const SCALED: &[Param] = &[param("v", Type::Vec, ""), param("k", Type::Number, "")];
const SCALING: &[Param] = &[param("k", Type::Number, ""), param("v", Type::Vec, "")];
const ONE: &[Param] = &[param("v", Type::Vec, "")];

fn operator(sign: &'static str, doc: &'static str, example: &'static str, takes: &'static [Param]) -> ApiEntry {
    ApiEntry::operator(sign, doc, example).takes(takes).returns(Type::Vec, "")
}

fn register_sums(registry: &mut Registry<'_>) {
    registry.add(operator("+", "Sum.", "let sum = vec(1, 2) + vec(3, 4);", TWO), Vector::plus);
    registry.add(
        operator("-", "Difference: the vec from `b` to `a`.", "let way = vec(3, 4) - vec(1, 2);", TWO),
        Vector::minus,
    );
    registry.add(operator("-", "Opposite vec.", "let back = -vec(3, 4);", ONE), |v: Vector| v.scaled(-1.0));
    registry.add(
        operator("==", "True if all components are exactly equal.", "let same = vec(1, 2) == vec(1.0, 2.0);", TWO)
            .returns(Type::Flag, ""),
        |a: Vector, b: Vector| a == b,
    );
    registry.add(
        operator("!=", "True if any component differs.", "let moves = vec(1, 2) != vec(0, 0);", TWO)
            .returns(Type::Flag, ""),
        |a: Vector, b: Vector| a != b,
    );
}

fn register_products(registry: &mut Registry<'_>) {
    registry.add(operator("*", "Scales the vec.", "let twice = vec(1, 2) * 2;", SCALED), Vector::scaled);
    registry.overload(|v: Vector, k: INT| v.scaled(k as FLOAT));
    registry.add(operator("*", "Scales the vec.", "let half = 0.5 * vec(1, 2);", SCALING), |k: FLOAT, v: Vector| {
        v.scaled(k)
    });
    registry.overload(|k: INT, v: Vector| v.scaled(k as FLOAT));
    registry.add(
        operator(
            "/",
            prose! {
                /// Divides each component. Dividing by 0 gives infinities, which no property or call accepts.
            },
            "let half = vec(1, 2) / 2;",
            SCALED,
        ),
        |v: Vector, k: FLOAT| v.scaled(1.0 / k),
    );
    registry.overload(|v: Vector, k: INT| v.scaled(1.0 / k as FLOAT));
}
