//! Calling scripts: compiled files, their hooks and test functions, and their variables.

mod answers;
mod asking;
mod base_functions;
mod both_ways;
mod caller;
pub(super) mod compile;
pub(super) mod compiled;
pub(super) mod expressions;
mod functions;
mod hook_body;
mod judging;
mod layer_place;
mod layers;
mod lent_layers;
mod plain_vars;
pub(super) mod rules;
mod runtime;
mod slice;
mod slot_cache;
pub(super) mod test_cases;
pub(super) mod testing;
mod units;
mod vars;
