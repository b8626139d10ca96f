//! Functions that only Rhai has, on plain values: mathematics and vecs.

use super::*;

/// A function that scripts call by its bare name.
#[derive(Clone, Copy, Debug)]
pub enum Native {
    /// By its place in the table of the API.
    Unary(u8),
    Binary(u8),
    Clamp,
    Pi,
    Max,
    Min,
    Abs,
    Sign,
    ToFloat,
    ToInt,
    Plane,
    Space,
}

/// Functions of Rhai's own packages cost only their call.
const OF_PACKAGES: u32 = 1;

impl Native {
    /// The function with this name and number of parameters, and what a call of it costs.
    pub fn named(name: &str, parameters: usize) -> Option<(Self, u32)> {
        let number = native_cost(parameters, Type::Number);
        Some(match (name, parameters) {
            ("max", 2) => (Self::Max, OF_PACKAGES),
            ("min", 2) => (Self::Min, OF_PACKAGES),
            ("abs", 1) => (Self::Abs, OF_PACKAGES),
            ("sign", 1) => (Self::Sign, OF_PACKAGES),
            ("clamp", 3) => (Self::Clamp, number),
            ("PI", 0) => (Self::Pi, number),
            ("to_float", 1) => (Self::ToFloat, number),
            ("to_int", 1) => (Self::ToInt, native_cost(1, Type::Whole)),
            ("vec", 2) => (Self::Plane, native_cost(2, Type::Vec)),
            ("vec", 3) => (Self::Space, native_cost(3, Type::Vec)),
            (_, 1) => (Self::Unary(math::unary(name)?), number),
            (_, 2) => (Self::Binary(math::binary(name)?), number),
            _ => return None,
        })
    }

    /// Whether its result can be a value other than a number or a vec: never.
    #[inline]
    pub fn of(self, args: [Datum; 3]) -> Option<Datum> {
        let [a, b, c] = args;
        Some(match self {
            Self::Plane => Datum::Vec(Vector::new(a.number()?, b.number()?, 0.0)),
            Self::Space => Datum::Vec(Vector::new(a.number()?, b.number()?, c.number()?)),
            Self::Unary(place) => Datum::Number(math::unary_at(place)(a.number()?)),
            Self::Binary(place) => Datum::Number(math::binary_at(place)(a.number()?, b.number()?)),
            Self::Pi => Datum::Number(std::f64::consts::PI),
            Self::Clamp => {
                let (x, low, high) = (a.number()?, b.number()?, c.number()?);
                if low > high || low.is_nan() || high.is_nan() {
                    return None;
                }
                Datum::Number(x.max(low).min(high))
            }
            Self::Max => chosen(a, b, ComparedBy::GreaterOrEqual)?,
            Self::Min => chosen(a, b, ComparedBy::LessOrEqual)?,
            Self::Abs => match a {
                Datum::Whole(x) => Datum::Whole(x.checked_abs()?),
                _ => Datum::Number(a.number()?.abs()),
            },
            Self::Sign => sign(a)?,
            Self::ToFloat => Datum::Number(a.number()?),
            Self::ToInt => match a {
                Datum::Number(x) if x.is_finite() && x.abs() < 9e18 => Datum::Whole(x.trunc() as i64),
                Datum::Whole(x) => Datum::Whole(x),
                _ => return None,
            },
        })
    }
}

/// The first of two numbers if it is preferred, else the second: both as floating point unless both are whole.
fn chosen(a: Datum, b: Datum, by: ComparedBy) -> Option<Datum> {
    if let (Datum::Whole(x), Datum::Whole(y)) = (a, b) {
        return Some(if by.holds(x.cmp(&y)) { a } else { b });
    }
    let (a, b) = (a.number()?, b.number()?);
    let first = a.partial_cmp(&b).is_some_and(|order| by.holds(order));
    Some(Datum::Number(if first { a } else { b }))
}

fn sign(a: Datum) -> Option<Datum> {
    Some(Datum::Whole(match a {
        Datum::Whole(x) => x.signum(),
        Datum::Number(0.0) => 0,
        Datum::Number(x) if x.is_nan() => return None,
        Datum::Number(x) => x.signum() as i64,
        _ => return None,
    }))
}

/// A method of a vec: its value, and what it costs in addition to its call.
pub fn of_vec(v: Vector, name: &str, args: &[Datum]) -> Option<(Datum, u32)> {
    let number = |x| Some((Datum::Number(x), native_cost(args.len(), Type::Number) - 1));
    let vec = |v| Some((Datum::Vec(v), native_cost(args.len(), Type::Vec) - 1));
    match (name, args) {
        ("length", []) => number(v.length()),
        ("length_squared", []) => number(v.dot(v)),
        ("angle", []) => number(libm::atan2(v.y, v.x)),
        ("dot", [Datum::Vec(other)]) => number(v.dot(*other)),
        ("distance", [Datum::Vec(other)]) => number(v.minus(*other).length()),
        ("normalized", []) => vec(v.normalized()),
        ("rotated", [angle]) => vec(v.rotated(angle.number()?)),
        ("lerp", [Datum::Vec(other), share]) => vec(v.plus(other.minus(v).scaled(share.number()?))),
        ("clamped", [length]) => {
            let most = length.number()?;
            if most.is_nan() || most < 0.0 {
                return None;
            }
            vec(if v.length() > most { v.normalized().scaled(most) } else { v })
        }
        _ => None,
    }
}
