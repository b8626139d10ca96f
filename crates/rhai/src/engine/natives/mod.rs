//! Functions of Rhai's packages that can take long, or much memory, for a single operation.
//!
//! Rhai counts a call of a native function as one operation, however much it handles. Most of these functions are
//! charged by the size of their arguments and then run by Rhai ([`counted`]). Those that could run without a bound, or
//! that drop the errors of the functions they call, are reimplemented here ([`list`], [`sort`], [`text`]). All others
//! stay as they are: they call an operator or a function for each element, and each of these calls counts.

mod changing;
mod counted;
mod list;
mod sort;
mod text;

use hangtime_script::Limits;
use rhai::Engine;

/// Replaces functions of the packages. `common` registers the types that arrays can hold besides the language's own.
pub(super) fn register(engine: &mut Engine, limits: &Limits, common: fn(&mut Engine)) {
    counted::register(engine, limits, common);
    list::register(engine);
    sort::register(engine);
    text::register(engine, limits);
}
