//! The values that compiled code computes with.

use super::*;

/// A value. What owns memory is in the [`Arena`](super::arena::Arena) of the call, so that copying and dropping a value
/// costs nothing.
#[derive(Clone, Copy, Debug)]
pub enum Datum {
    /// `()`.
    Nothing,
    Flag(bool),
    Whole(i64),
    Number(f64),
    Vec(Vector),
    Text(TextRef),
    /// The entity whose script runs.
    Me,
    /// Another entity.
    Entity(u32),
    /// The event or the question that the hook received.
    About,
    /// An array that the call has made.
    List(ArenaPart),
    /// A map that the call has made.
    Record(ArenaPart),
    /// Any other value of Rhai.
    Data(DataRef),
}

/// Where a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextRef {
    /// Among the texts of the code.
    Const(u16),
    /// A property of the entity, by its place in the table. Scripts cannot write those that are text.
    OfMe(u16),
    /// Among the texts of the call.
    Made(u32),
}

/// Where a value of Rhai is.
#[derive(Clone, Copy, Debug)]
pub enum DataRef {
    /// Among the values of the code.
    Const(u16),
    /// Among the values of the call.
    Made(u32),
}

/// A part of a list of the arena.
#[derive(Clone, Copy, Debug)]
pub struct ArenaPart {
    pub start: u32,
    pub count: u32,
}

impl ArenaPart {
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.count) as usize
    }
}

impl Datum {
    /// A value of Rhai that owns nothing; none for others.
    pub fn plain(value: &Dynamic) -> Option<Self> {
        if let Ok(x) = value.as_float() {
            Some(Self::Number(x))
        } else if let Ok(x) = value.as_int() {
            Some(Self::Whole(x))
        } else if let Ok(x) = value.as_bool() {
            Some(Self::Flag(x))
        } else if value.is_unit() {
            Some(Self::Nothing)
        } else {
            value.read_lock::<Vector>().map(|v| Self::Vec(*v))
        }
    }

    /// A value that owns nothing as one of Rhai; none for others.
    pub fn to_plain(self) -> Option<Dynamic> {
        Some(match self {
            Self::Nothing => Dynamic::UNIT,
            Self::Flag(x) => x.into(),
            Self::Whole(x) => x.into(),
            Self::Number(x) => x.into(),
            Self::Vec(v) => Dynamic::from(v),
            _ => return None,
        })
    }

    /// Whether it is the same plain value or constant text, bit for bit.
    pub fn equals(self, other: Self) -> bool {
        match (self, other) {
            (Self::Nothing, Self::Nothing) => true,
            (Self::Flag(a), Self::Flag(b)) => a == b,
            (Self::Whole(a), Self::Whole(b)) => a == b,
            (Self::Number(a), Self::Number(b)) => a.to_bits() == b.to_bits(),
            (Self::Vec(a), Self::Vec(b)) => [a.x, a.y, a.z].map(f64::to_bits) == [b.x, b.y, b.z].map(f64::to_bits),
            (Self::Text(a), Self::Text(b)) => a == b,
            _ => false,
        }
    }

    /// Whether it is a value that owns nothing.
    pub fn is_plain(self) -> bool {
        matches!(self, Self::Nothing | Self::Flag(_) | Self::Whole(_) | Self::Number(_) | Self::Vec(_))
    }

    /// Whether it is a value that variables can hold, and that has the weight of one number.
    #[inline]
    pub fn is_single(self) -> bool {
        match self {
            Self::Number(x) => x.is_finite(),
            Self::Nothing | Self::Flag(_) | Self::Whole(_) => true,
            _ => false,
        }
    }

    /// It as an argument of a call; none if it owns something.
    #[inline]
    pub fn arg(self) -> Option<Arg<'static>> {
        Some(match self {
            Self::Nothing => Arg::Nothing,
            Self::Flag(x) => Arg::Flag(x),
            Self::Whole(x) => Arg::Whole(x),
            Self::Number(x) => Arg::Number(x),
            Self::Vec(v) => Arg::Vec(v),
            _ => return None,
        })
    }

    /// The value of a whole or floating-point number.
    #[inline]
    pub fn number(self) -> Option<f64> {
        match self {
            Self::Number(x) => Some(x),
            Self::Whole(x) => Some(x as f64),
            _ => None,
        }
    }

    /// Whether Rhai keeps it in a type of its embedder, which its built-in operators do not know.
    pub fn is_embedded(self) -> bool {
        matches!(self, Self::Vec(_) | Self::Me | Self::Entity(_))
    }

    /// Whether handling it can cost operations.
    #[inline]
    pub fn is_heavy(self) -> bool {
        matches!(self, Self::Text(_) | Self::List(_) | Self::Record(_) | Self::Data(_) | Self::About)
    }
}
