//! Expressions about a finished run: what a sweep measures.

use crate::{Diagnostic, calls::Object};

/// Expressions, compiled once for all runs. Threads can evaluate them at the same time.
pub trait Expressions: Send + Sync {
    /// Makes the variables of a finished run. They have these names; only the values of those that are mentioned are
    /// asked for.
    fn finished<'e>(&'e self, names: Vec<String>, value: &dyn Fn(&str) -> Object) -> Box<dyn FinishedRun + 'e>;
}

/// A finished run, about which expressions are evaluated.
pub trait FinishedRun {
    /// The value of an expression, by its index. `passed` is the variable of this name, if there is one.
    ///
    /// # Errors
    /// Why it has none.
    fn evaluate(&self, index: usize, passed: Option<bool>) -> Result<ExpressionValue, Box<ExpressionError>>;
}

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExpressionValue {
    /// No value.
    Nothing,
    /// True or false.
    Flag(bool),
    /// A whole number.
    Whole(i64),
    /// A floating-point number.
    Number(f64),
    /// Text.
    Text(String),
    /// Anything else: how messages name its type.
    Other(&'static str),
}

/// Why an expression has no value for a run.
#[derive(Clone, Debug)]
pub struct ExpressionError {
    /// The message and its place in the expression.
    pub diagnostic: Diagnostic,
    /// Whether it depends on the run, as an index that is too large does. A wrong name does not.
    pub of_run: bool,
}
