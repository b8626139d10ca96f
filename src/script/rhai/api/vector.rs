//! The type `vec` of scripts: `me.vel`, `me.external`, and what `vec(x, y)` makes.

use super::math::number;
use glam::DVec2;
use rhai::{Dynamic, Engine, EvalAltResult, FLOAT, INT, Position};

/// A vector as scripts see it. In a side view z is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::script::rhai) struct Vector {
    pub x: FLOAT,
    pub y: FLOAT,
    pub z: FLOAT,
}

impl From<DVec2> for Vector {
    fn from(v: DVec2) -> Self {
        Self {
            x: v.x,
            y: v.y,
            z: 0.0,
        }
    }
}

type Fallible<T> = Result<T, Box<EvalAltResult>>;

fn scaled(v: Vector, k: FLOAT) -> Vector {
    Vector {
        x: v.x * k,
        y: v.y * k,
        z: v.z * k,
    }
}

fn wrong_type(what: &str, value: &Dynamic) -> Box<EvalAltResult> {
    let why = format!(
        "{what} takes a number, not {}",
        crate::script::rhai::values::type_name(value)
    );
    EvalAltResult::ErrorRuntime(why.into(), Position::NONE).into()
}

macro_rules! register_part {
    ($engine:ident, $name:literal, $part:ident) => {
        $engine.register_get($name, |v: &mut Vector| v.$part);
        $engine.register_set($name, |v: &mut Vector, value: Dynamic| -> Fallible<()> {
            v.$part = number(&value).ok_or_else(|| wrong_type($name, &value))?;
            Ok(())
        });
    };
}

/// Registers the type.
pub(in crate::script::rhai) fn register(engine: &mut Engine) {
    engine.register_type_with_name::<Vector>("vec");
    register_part!(engine, "x", x);
    register_part!(engine, "y", y);
    register_part!(engine, "z", z);
    engine.register_fn("vec", |x: Dynamic, y: Dynamic| -> Fallible<Vector> {
        let x = number(&x).ok_or_else(|| wrong_type("vec(x, y)", &x))?;
        let y = number(&y).ok_or_else(|| wrong_type("vec(x, y)", &y))?;
        Ok(Vector { x, y, z: 0.0 })
    });
    engine.register_fn("length", |v: &mut Vector| {
        (v.x * v.x + v.y * v.y + v.z * v.z).sqrt()
    });
    engine.register_fn("+", |a: Vector, b: Vector| Vector {
        x: a.x + b.x,
        y: a.y + b.y,
        z: a.z + b.z,
    });
    engine.register_fn("-", |a: Vector, b: Vector| Vector {
        x: a.x - b.x,
        y: a.y - b.y,
        z: a.z - b.z,
    });
    engine.register_fn("*", |v: Vector, k: FLOAT| scaled(v, k));
    engine.register_fn("*", |v: Vector, k: INT| scaled(v, k as FLOAT));
    engine.register_fn("*", |k: FLOAT, v: Vector| scaled(v, k));
    engine.register_fn("*", |k: INT, v: Vector| scaled(v, k as FLOAT));
    engine.register_fn("/", |v: Vector, k: FLOAT| scaled(v, 1.0 / k));
    engine.register_fn("/", |v: Vector, k: INT| scaled(v, 1.0 / k as FLOAT));
    engine.register_fn("-", |v: Vector| scaled(v, -1.0));
    engine.register_fn("==", |a: Vector, b: Vector| a == b);
    engine.register_fn("!=", |a: Vector, b: Vector| a != b);
    engine.register_fn("to_string", |v: &mut Vector| show(*v));
    engine.register_fn("to_debug", |v: &mut Vector| show(*v));
}

fn show(v: Vector) -> String {
    if v.z == 0.0 {
        format!("({}, {})", v.x, v.y)
    } else {
        format!("({}, {}, {})", v.x, v.y, v.z)
    }
}
