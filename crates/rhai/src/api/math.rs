//! Math for scripts.
//!
//! Rhai's own package calls the sine of the platform, whose last bits differ between machines. These functions
//! call `libm`, or operations that are exact everywhere. All of them also accept whole numbers.

use super::*;

const ONE: Param = param("x", Type::Number, "");
const X: &[Param] = &[ONE];
const ANGLE: &[Param] = &[param("angle", Type::Number, "rad")];
const Y_X: &[Param] = &[param("y", Type::Number, ""), param("x", Type::Number, "")];
const X_Y: &[Param] = &[param("x", Type::Number, ""), param("y", Type::Number, "")];

/// A function of one number: name, doc, example, parameter, unit of the result.
type Unary = (&'static str, &'static str, &'static str, &'static [Param], &'static str, fn(FLOAT) -> FLOAT);

#[rustfmt::skip]
const UNARY: [Unary; 12] = [
    ("sin", "Sine.", "let sway = sin(0.5) * 30;", ANGLE, "", libm::sin),
    ("cos", "Cosine.", "let ahead = cos(0.5) * 100;", ANGLE, "", libm::cos),
    ("tan", "Tangent.", "let slope = tan(0.5);", ANGLE, "", libm::tan),
    ("asin", "Inverse sine.", "let angle = asin(0.5);", X, "rad", libm::asin),
    ("acos", "Inverse cosine.", "let angle = acos(0.5);", X, "rad", libm::acos),
    ("atan", "Inverse tangent.", "let angle = atan(1.0);", X, "rad", libm::atan),
    ("exp", "Euler's number to the power of `x`.", "let kept = exp(-4.0 * 0.1);", X, "", libm::exp),
    ("ln", "Natural logarithm.", "let time = ln(2.0) / 4.0;", X, "", libm::log),
    ("sqrt", "Square root.", "let speed = sqrt(2.0 * 900 * 50);", X, "", FLOAT::sqrt),
    ("floor", "Rounds down.", "let cell = floor(130.5 / 32);", X, "", FLOAT::floor),
    ("ceiling", "Rounds up.", "let cells = ceiling(130.5 / 32);", X, "", FLOAT::ceil),
    ("round", prose! {
        /// Rounds to the nearest whole number; halves away from 0.
    }, "let near = round(2.5);", X, "",
        FLOAT::round),
];

/// A function of two numbers, with the same fields.
type Binary = (&'static str, &'static str, &'static str, &'static [Param], &'static str, fn(FLOAT, FLOAT) -> FLOAT);

#[rustfmt::skip]
const BINARY: [Binary; 3] = [
    ("atan2", prose! {
        /// Angle of the direction (x, y), counterclockwise from +x, -π to π.
    },
        "let angle = atan2(30.0, 40.0);", Y_X, "rad", libm::atan2),
    ("pow", "`x` to the power of `y`.", "let eight = pow(2, 3);", X_Y, "", libm::pow),
    ("hypot", "Length of (x, y).", "let far = hypot(30, 40);", X_Y, "", |x, y| (x * x + y * y).sqrt()),
];

/// Registers the topic.
pub(super) fn register(registry: &mut Registry<'_>) {
    registry.topic(Topic::Math);
    for (name, doc, example, takes, unit, f) in UNARY {
        let entry = free(name, doc, example).takes(takes);
        registry.add(entry.returns(Type::Number, unit), f);
        registry.overload(move |x: INT| f(x as FLOAT));
    }
    for (name, doc, example, takes, unit, f) in BINARY {
        let entry = free(name, doc, example).takes(takes);
        registry.add(entry.returns(Type::Number, unit), f);
        registry.overload(move |x: INT, y: FLOAT| f(x as FLOAT, y));
        registry.overload(move |x: FLOAT, y: INT| f(x, y as FLOAT));
        registry.overload(move |x: INT, y: INT| f(x as FLOAT, y as FLOAT));
    }
    add_calls! { registry;
        /// The constant π, half a turn.
        free PI() -> Type::Number, "rad";
        "let quarter = PI() / 2;";
        || std::f64::consts::PI;

        /// `x` limited to the range from `low` to `high`.
        free clamp(ONE, param("low", Type::Number, ""), param("high", Type::Number, "")) -> Type::Number;
        "let fair = clamp(1.5, 0, 1);";
        clamp;
    }
    register_conversions(registry);
}

fn clamp(x: Dynamic, low: Dynamic, high: Dynamic) -> Fallible<FLOAT> {
    match (number(&x), number(&low), number(&high)) {
        (Some(x), Some(low), Some(high)) if low <= high => Ok(x.max(low).min(high)),
        _ => arithmetic("`clamp(x, low, high)` needs three numbers, and `low` must not exceed `high`".into()),
    }
}

fn arithmetic<T>(why: String) -> Fallible<T> {
    Err(EvalAltResult::ErrorArithmetic(why, Position::NONE).into())
}

fn register_conversions(registry: &mut Registry<'_>) {
    add_calls! { registry;
        /// The number as floating point, so that division keeps the fraction. For text use `parse_float`.
        free to_float(ONE) -> Type::Number;
        "let half = to_float(5) / 2;";
        |x: INT| x as FLOAT;
    }
    registry.overload(|x: FLOAT| x);
    add_calls! { registry;
        /// The number without its fraction, as a whole number. For text use `parse_int`.
        free to_int(ONE) -> Type::Whole;
        "let two = to_int(2.9);";
        |x: INT| x;
    }
    registry.overload(|x: FLOAT| -> Fallible<INT> {
        if x.is_finite() && x.abs() < 9e18 {
            return Ok(x.trunc() as INT);
        }
        arithmetic(format!("{x:e} does not fit into a whole number"))
    });
}

/// The place of a function of one number in the table.
pub(crate) fn unary(name: &str) -> Option<u8> {
    let place = UNARY.iter().position(|row| row.0 == name)?;
    u8::try_from(place).ok()
}

/// The function of one number at this place.
#[inline]
pub(crate) fn unary_at(place: u8) -> fn(FLOAT) -> FLOAT {
    UNARY[usize::from(place)].5
}

/// The place of a function of two numbers in the table.
pub(crate) fn binary(name: &str) -> Option<u8> {
    let place = BINARY.iter().position(|row| row.0 == name)?;
    u8::try_from(place).ok()
}

/// The function of two numbers at this place.
#[inline]
pub(crate) fn binary_at(place: u8) -> fn(FLOAT, FLOAT) -> FLOAT {
    BINARY[usize::from(place)].5
}
