//! Helpers for the functions that hangtime reimplements.

use super::*;

/// How many times as much it costs to make a value as to copy it.
pub const TO_MAKE: u64 = 6;

/// Registers a function that changes its first argument, so that Rhai refuses to call it on a constant.
pub fn changing<A: 'static, const N: usize, const X: bool, R, const F: bool>(
    engine: &mut Engine,
    name: &str,
    f: impl RhaiNativeFunc<A, N, X, R, F> + Send + Sync + 'static,
) where
    R: Clone + Send + Sync + 'static,
{
    FuncRegistration::new(name).with_purity(false).register_into_engine(engine, f);
}
