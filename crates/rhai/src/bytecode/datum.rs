//! The values that compiled code computes with.

use hangtime_script::Vector;

/// A value. What owns memory is in the [`Arena`](super::arena::Arena) of the call, so that copying and dropping a value
/// costs nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Datum {
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
pub(crate) enum TextRef {
    /// Among the texts of the code.
    Const(u16),
    /// A property of the entity, by its place in the table. Scripts cannot write those that are text.
    OfMe(u16),
    /// Among the texts of the call.
    Made(u32),
}

/// Where a value of Rhai is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DataRef {
    /// Among the values of the code.
    Const(u16),
    /// Among the values of the call.
    Made(u32),
}

/// A part of a list of the arena.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArenaPart {
    pub start: u32,
    pub count: u32,
}

impl ArenaPart {
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.count) as usize
    }
}

impl Datum {
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
