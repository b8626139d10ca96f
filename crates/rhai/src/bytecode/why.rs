//! Why a function is not compiled.

use super::*;

/// Why a function is not compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyNot {
    /// A closure or a function pointer.
    Closure,
    /// `try`, or a `throw` that is caught.
    Try,
    /// `for` without a body, over `a..=b`, or over a range with a counter.
    ForRange,
    /// `this` as a whole, or with an index.
    WholeThis,
    /// `this` in a function that is called without it.
    UnboundThis,
    /// A call of a function that is not known when it is compiled, or that Rhai alone has.
    UnknownFunction,
    /// A variable that is not known when it is compiled.
    UnknownVariable,
    /// A method that changes what it is called on, or that Rhai alone has.
    UnknownMethod,
    /// A function that calls itself.
    Recursion,
    /// Calls that are nested too deep.
    DeepCalls,
    /// Too many steps or values.
    TooLarge,
    /// A constant that is not plain data.
    Constant,
    /// An assignment to an element, or to a part of something that is not a vec.
    Assignment,
    /// An assignment inside the arguments of a call.
    AssignmentInside,
    /// An operator that numbers and texts do not have.
    Operator,
    /// An index into something that is computed, or into text.
    Index,
    /// `?.` and `?[`.
    Optional,
    /// `import` inside a function, `export`, `let` that shadows, and other rare statements.
    RareStatement,
}

impl fmt::Display for WhyNot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Closure => "a closure",
            Self::Try => "`try`",
            Self::ForRange => "`for` over `a..=b`, or over a range with a counter",
            Self::WholeThis => "`this` as a whole",
            Self::UnboundThis => "`this` in a function that is called without it",
            Self::UnknownFunction => "a function of Rhai alone",
            Self::UnknownVariable => "a variable from outside",
            Self::UnknownMethod => "a method of Rhai alone",
            Self::Recursion => "a function that calls itself",
            Self::DeepCalls => "deeply nested calls",
            Self::TooLarge => "too many steps",
            Self::Constant => "a constant that is not plain data",
            Self::Assignment => "an assignment to an element",
            Self::AssignmentInside => "an assignment inside arguments",
            Self::Operator => "an operator for other values",
            Self::Index => "an index",
            Self::Optional => "`?.` or `?[`",
            Self::RareStatement => "a rare statement",
        })
    }
}
