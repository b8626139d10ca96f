//! The type `vec` of scripts: `me.vel`, `me.external`, and what `vec(x, y)` makes.

use super::arguments::{Fallible, any_number, wrong};
use super::registry::Registry;
use crate::script::host::api::{Access, Entry, Owner, Param, Topic, Type, param};
use crate::script::rhai::engine::vector::Vector;
use rhai::{Dynamic, FLOAT, INT};

/// Registers the type.
pub(in crate::script::rhai) fn register(registry: &mut Registry<'_>) {
    registry.value::<Vector>(Owner::Vec);
    registry.topic(Topic::Vectors);
    register_making(registry);
    register_parts(registry);
    register_measures(registry);
    register_changes(registry);
    register_sums(registry);
    register_products(registry);
}

fn number_of(call: &str, part: &str, value: &Dynamic) -> Fallible<FLOAT> {
    any_number(&format!("{call}'s {part}"), value)
}

fn register_making(registry: &mut Registry<'_>) {
    registry.add(
        Entry::call(
            Owner::Free,
            "vec",
            "A vec in the plane.",
            "let up = vec(0, 100);",
        )
        .takes(const { &[param("x", Type::Number, ""), param("y", Type::Number, "")] })
        .answers(Type::Vec, ""),
        |x: Dynamic, y: Dynamic| -> Fallible<Vector> {
            let (x, y) = (number_of("vec", "x", &x)?, number_of("vec", "y", &y)?);
            Ok(Vector::new(x, y, 0.0))
        },
    );
    registry.add(
        Entry::call(
            Owner::Free,
            "vec",
            "A vec with a height, for top views.",
            "let leap = vec(40, 0, 200);",
        )
        .takes(
            const {
                &[
                    param("x", Type::Number, ""),
                    param("y", Type::Number, ""),
                    param("z", Type::Number, ""),
                ]
            },
        )
        .answers(Type::Vec, ""),
        |x: Dynamic, y: Dynamic, z: Dynamic| -> Fallible<Vector> {
            let (x, y) = (number_of("vec", "x", &x)?, number_of("vec", "y", &y)?);
            Ok(Vector::new(x, y, number_of("vec", "z", &z)?))
        },
    );
}

/// A part of a vec, which is read and written.
macro_rules! part {
    ($registry:ident, $part:ident, $doc:literal, $example:literal) => {
        $registry.property(
            Entry::property(Owner::Vec, stringify!($part), Access::Write, $doc, $example)
                .answers(Type::Number, ""),
            |v: &mut Vector| Ok(v.$part.into()),
            |v: &mut Vector, value: Dynamic| {
                v.$part = any_number(stringify!($part), &value)?;
                Ok(())
            },
        );
    };
}

fn register_parts(registry: &mut Registry<'_>) {
    part!(
        registry,
        x,
        "Its part to the right.",
        "let v = vec(3, 4);\nv.x = 5;"
    );
    part!(
        registry,
        y,
        "Its part up; in a top view to the north.",
        "let v = vec(3, 4);\nlet rises = v.y > 0;"
    );
    part!(
        registry,
        z,
        "Its height in a top view; else 0.",
        "let v = vec(3, 4, 5);\nlet high = v.z > 4;"
    );
}

fn of_vec(name: &'static str, doc: &'static str, example: &'static str) -> Entry {
    Entry::call(Owner::Vec, name, doc, example)
}

const OTHER: &[Param] = &[param("other", Type::Vec, "")];

fn register_measures(registry: &mut Registry<'_>) {
    let number = |entry: Entry| entry.answers(Type::Number, "");
    registry.add(
        number(of_vec(
            "length",
            "How long it is.",
            "let five = vec(3, 4).length();",
        )),
        |v: &mut Vector| v.length(),
    );
    registry.add(
        number(of_vec(
            "length_squared",
            "The square of its length, which is quicker to compare.",
            "let near = vec(3, 4).length_squared() < 100;",
        )),
        |v: &mut Vector| v.dot(*v),
    );
    registry.add(
        number(of_vec(
            "dot",
            "The sum of the products of their parts: how far one points along the other.",
            "let forwards = vec(3, 4).dot(vec(1, 0)) > 0;",
        ))
        .takes(OTHER),
        |v: &mut Vector, other: Vector| v.dot(other),
    );
    registry.add(
        number(of_vec(
            "distance",
            "How far it is from the other, as places.",
            "let far = vec(0, 0).distance(vec(3, 4)) > 4;",
        ))
        .takes(OTHER),
        |v: &mut Vector, other: Vector| v.minus(other).length(),
    );
    registry.add(
        of_vec(
            "angle",
            "Where it points in the plane: counter-clockwise from +x, -π to π.",
            "let up = vec(0, 1).angle();",
        )
        .answers(Type::Number, "rad"),
        |v: &mut Vector| libm::atan2(v.y, v.x),
    );
}

fn register_changes(registry: &mut Registry<'_>) {
    let vec = |entry: Entry| entry.answers(Type::Vec, "");
    registry.add(
        vec(of_vec(
            "normalized",
            "The same direction, 1 long; of a vec without length that vec.",
            "let way = vec(3, 4).normalized();",
        )),
        |v: &mut Vector| v.normalized(),
    );
    registry.add(
        vec(of_vec(
            "rotated",
            "Turned counter-clockwise in the plane.",
            "let left = vec(1, 0).rotated(PI() / 2);",
        ))
        .takes(const { &[param("angle", Type::Number, "rad")] }),
        |v: &mut Vector, angle: Dynamic| -> Fallible<Vector> {
            Ok(v.rotated(any_number("rotated's angle", &angle)?))
        },
    );
    register_ways(registry);
}

fn register_ways(registry: &mut Registry<'_>) {
    let vec = |entry: Entry| entry.answers(Type::Vec, "");
    registry.add(
        vec(of_vec(
            "lerp",
            "A share of the way to the other: itself at 0, the other at 1.",
            "let half_way = vec(0, 0).lerp(vec(10, 20), 0.5);",
        ))
        .takes(
            const {
                &[
                    param("other", Type::Vec, ""),
                    param("share", Type::Number, ""),
                ]
            },
        ),
        |v: &mut Vector, other: Vector, share: Dynamic| -> Fallible<Vector> {
            let share = any_number("lerp's share", &share)?;
            Ok(v.plus(other.minus(*v).scaled(share)))
        },
    );
    registry.add(
        vec(of_vec(
            "clamped",
            "The same direction, at most so long.",
            "let slow = vec(300, 400).clamped(100);",
        ))
        .takes(const { &[param("length", Type::Number, "")] }),
        |v: &mut Vector, length: Dynamic| -> Fallible<Vector> {
            let most = any_number("clamped's length", &length)?;
            if most.is_nan() || most < 0.0 {
                return wrong(format!("clamped's length is {most}; it must be 0 or more"));
            }
            let long = v.length() > most;
            Ok(if long {
                v.normalized().scaled(most)
            } else {
                *v
            })
        },
    );
    registry.add(
        of_vec(
            "to_string",
            "How it is shown: `(3, 4)`.",
            "print(\"at \" + vec(3, 4).to_string());",
        )
        .answers(Type::Text, ""),
        |v: &mut Vector| v.show(),
    );
    registry.add(
        of_vec(
            "to_debug",
            "How `debug` shows it: `(3, 4)`.",
            "let text = vec(3, 4).to_debug();",
        )
        .answers(Type::Text, ""),
        |v: &mut Vector| v.show(),
    );
}

const TWO: &[Param] = &[param("a", Type::Vec, ""), param("b", Type::Vec, "")];
const SCALED: &[Param] = &[param("v", Type::Vec, ""), param("k", Type::Number, "")];
const SCALING: &[Param] = &[param("k", Type::Number, ""), param("v", Type::Vec, "")];
const ONE: &[Param] = &[param("v", Type::Vec, "")];

fn operator(
    sign: &'static str,
    doc: &'static str,
    example: &'static str,
    takes: &'static [Param],
) -> Entry {
    Entry::operator(sign, doc, example)
        .takes(takes)
        .answers(Type::Vec, "")
}

fn register_sums(registry: &mut Registry<'_>) {
    registry.add(
        operator(
            "+",
            "The sum of two vecs.",
            "let sum = vec(1, 2) + vec(3, 4);",
            TWO,
        ),
        Vector::plus,
    );
    registry.add(
        operator(
            "-",
            "The way from `b` to `a`.",
            "let way = vec(3, 4) - vec(1, 2);",
            TWO,
        ),
        Vector::minus,
    );
    registry.add(
        operator(
            "-",
            "The same, the other way.",
            "let back = -vec(3, 4);",
            ONE,
        ),
        |v: Vector| v.scaled(-1.0),
    );
    registry.add(
        operator(
            "==",
            "Whether all parts are equal, exactly.",
            "let same = vec(1, 2) == vec(1.0, 2.0);",
            TWO,
        )
        .answers(Type::Flag, ""),
        |a: Vector, b: Vector| a == b,
    );
    registry.add(
        operator(
            "!=",
            "Whether a part differs.",
            "let moves = vec(1, 2) != vec(0, 0);",
            TWO,
        )
        .answers(Type::Flag, ""),
        |a: Vector, b: Vector| a != b,
    );
}

fn register_products(registry: &mut Registry<'_>) {
    registry.add(
        operator(
            "*",
            "`k` times as long.",
            "let twice = vec(1, 2) * 2;",
            SCALED,
        ),
        Vector::scaled,
    );
    registry.again(|v: Vector, k: INT| v.scaled(k as FLOAT));
    registry.add(
        operator(
            "*",
            "`k` times as long.",
            "let half = 0.5 * vec(1, 2);",
            SCALING,
        ),
        |k: FLOAT, v: Vector| v.scaled(k),
    );
    registry.again(|k: INT, v: Vector| v.scaled(k as FLOAT));
    registry.add(
        operator(
            "/",
            "The `k`th part of it. By 0 it is no place and no speed, and nothing takes it.",
            "let half = vec(1, 2) / 2;",
            SCALED,
        ),
        |v: Vector, k: FLOAT| v.scaled(1.0 / k),
    );
    registry.again(|v: Vector, k: INT| v.scaled(1.0 / k as FLOAT));
}
