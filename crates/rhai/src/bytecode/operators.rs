//! The operators of Rhai on numbers, truth values and vecs, with what each costs beyond its operands.
//!
//! None means that Rhai refuses the operation or computes it in another way: the call then runs in the interpreter.

use super::*;

/// An operator that makes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    And,
    Or,
    Xor,
}

/// An operator that compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparedBy {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

const OPERANDS: [Param; 5] = [param("", Type::Any, ""); 5];

/// What a function of Rhai's own part of the API costs: the call itself and its price.
pub const fn native_cost(parameters: usize, returns: Type) -> u32 {
    let all: &'static [Param] = &OPERANDS;
    let takes = all.split_at(parameters).0;
    let entry = ApiEntry::call(Owner::Free, "", "", "").takes(takes);
    1 + price_of(&entry.returns(returns, "")) as u32
}

const VEC_RESULT: u32 = native_cost(2, Type::Vec);
const VEC_COMPARED: u32 = native_cost(2, Type::Flag);
const VEC_NEGATED: u32 = native_cost(1, Type::Vec);

/// Rhai looks for an operator among registered functions before it tries its own.
const LOOKED_UP: u32 = 1;

impl Arithmetic {
    pub fn named(sign: &str) -> Option<Self> {
        Some(match sign {
            "+" => Self::Add,
            "-" => Self::Subtract,
            "*" => Self::Multiply,
            "/" => Self::Divide,
            "%" => Self::Remainder,
            "&" => Self::And,
            "|" => Self::Or,
            "^" => Self::Xor,
            _ => return None,
        })
    }

    /// The value of two operands that are not both floating point, and what it costs.
    pub fn of(self, a: Datum, b: Datum) -> Option<(Datum, u32)> {
        let value = match (a, b) {
            (Datum::Whole(a), Datum::Whole(b)) => Datum::Whole(self.whole(a, b)?),
            (Datum::Flag(a), Datum::Flag(b)) => Datum::Flag(match self {
                Self::And => a & b,
                Self::Or => a | b,
                Self::Xor => a ^ b,
                _ => return None,
            }),
            (Datum::Vec(_), _) | (_, Datum::Vec(_)) => {
                return Some((Datum::Vec(self.vec(a, b)?), VEC_RESULT));
            }
            _ => Datum::Number(self.number(a.number()?, b.number()?)?),
        };
        Some((value, 0))
    }

    /// The same for the operator that assigns, as in `x += 1`. Rhai has fewer of them, and then looks for both.
    pub fn assigned(self, a: Datum, b: Datum) -> Option<(Datum, u32)> {
        let (value, cost) = self.of(a, b)?;
        let extra = match (a, b) {
            (Datum::Whole(_), Datum::Number(_)) => 2 * LOOKED_UP,
            (Datum::Vec(_), _) | (_, Datum::Vec(_)) => LOOKED_UP,
            _ => 0,
        };
        Some((value, cost + extra))
    }

    #[inline]
    pub fn number(self, a: f64, b: f64) -> Option<f64> {
        Some(match self {
            Self::Add => a + b,
            Self::Subtract => a - b,
            Self::Multiply => a * b,
            Self::Divide => a / b,
            Self::Remainder => a % b,
            _ => return None,
        })
    }

    pub fn whole(self, a: i64, b: i64) -> Option<i64> {
        match self {
            Self::Add => a.checked_add(b),
            Self::Subtract => a.checked_sub(b),
            Self::Multiply => a.checked_mul(b),
            Self::Divide => a.checked_div(b),
            Self::Remainder => a.checked_rem(b),
            Self::And => Some(a & b),
            Self::Or => Some(a | b),
            Self::Xor => Some(a ^ b),
        }
    }

    fn vec(self, a: Datum, b: Datum) -> Option<Vector> {
        match (self, a, b) {
            (Self::Add, Datum::Vec(a), Datum::Vec(b)) => Some(a.plus(b)),
            (Self::Subtract, Datum::Vec(a), Datum::Vec(b)) => Some(a.minus(b)),
            (Self::Multiply, Datum::Vec(v), k) | (Self::Multiply, k, Datum::Vec(v)) => Some(v.scaled(k.number()?)),
            (Self::Divide, Datum::Vec(v), k) => Some(v.scaled(1.0 / k.number()?)),
            _ => None,
        }
    }
}

/// The value with the other sign, and what it costs.
pub fn negated(value: Datum) -> Option<(Datum, u32)> {
    match value {
        Datum::Number(x) => Some((Datum::Number(-x), 0)),
        Datum::Whole(x) => Some((Datum::Whole(x.checked_neg()?), 0)),
        Datum::Vec(v) => Some((Datum::Vec(v.scaled(-1.0)), VEC_NEGATED)),
        _ => None,
    }
}

impl ComparedBy {
    pub fn named(sign: &str) -> Option<Self> {
        Some(match sign {
            "==" => Self::Equal,
            "!=" => Self::Unequal,
            "<" => Self::Less,
            "<=" => Self::LessOrEqual,
            ">" => Self::Greater,
            ">=" => Self::GreaterOrEqual,
            _ => return None,
        })
    }

    /// Compares floating-point numbers as Rhai does: those that differ by no more than their last bits are equal.
    #[inline]
    pub fn numbers(self, x: f64, y: f64) -> bool {
        let max = if x * y == 0.0 { 1.0 } else { x.abs().max(y.abs()) };
        if max == 0.0 {
            // Of 0 and NaN.
            return matches!(self, Self::Equal | Self::GreaterOrEqual | Self::LessOrEqual);
        }
        match self {
            Self::Equal => (x - y).abs() / max <= f64::EPSILON,
            Self::Unequal => (x - y).abs() / max > f64::EPSILON,
            Self::Greater => (x - y) / max > f64::EPSILON,
            Self::GreaterOrEqual => (x - y) / max > -f64::EPSILON,
            Self::Less => (y - x) / max > f64::EPSILON,
            Self::LessOrEqual => (y - x) / max > -f64::EPSILON,
        }
    }

    /// Whether an order fulfills it.
    pub fn holds(self, order: Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::Unequal => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::LessOrEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterOrEqual => order.is_ge(),
        }
    }

    /// Compares two values that are not both text, and says what that costs.
    pub fn of(self, a: Datum, b: Datum) -> Option<(bool, u32)> {
        let result = match (a, b) {
            (Datum::Whole(a), Datum::Whole(b)) => self.holds(a.cmp(&b)),
            (Datum::Flag(a), Datum::Flag(b)) => self.holds(a.cmp(&b)),
            (Datum::Nothing, Datum::Nothing) => self == Self::Equal,
            (Datum::Vec(a), Datum::Vec(b)) => match self {
                Self::Equal => return Some((a == b, VEC_COMPARED)),
                Self::Unequal => return Some((a != b, VEC_COMPARED)),
                _ => return None,
            },
            _ => match (a.number(), b.number()) {
                (Some(a), Some(b)) => self.numbers(a, b),
                _ => return self.of_different_types(a, b),
            },
        };
        Some((result, 0))
    }

    /// Values of different types are never equal, and none is greater.
    fn of_different_types(self, a: Datum, b: Datum) -> Option<(bool, u32)> {
        if a.type_rank()? == b.type_rank()? {
            return None;
        }
        let cost = if a.is_embedded() || b.is_embedded() { LOOKED_UP } else { 0 };
        Some((self == Self::Unequal, cost))
    }
}

impl Datum {
    /// A number for each type of Rhai; none if the type is not known.
    fn type_rank(self) -> Option<u8> {
        Some(match self {
            Self::Nothing => 0,
            Self::Flag(_) => 1,
            Self::Whole(_) => 2,
            Self::Number(_) => 3,
            Self::Vec(_) => 4,
            Self::Text(_) => 5,
            Self::Me => 6,
            Self::Entity(_) => 7,
            Self::List(_) => 8,
            Self::Record(_) | Self::About => 9,
            Self::Data(_) => return None,
        })
    }
}
