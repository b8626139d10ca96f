//! What a call costs by its entry alone, in operations.

use super::*;

/// Operations charged for a call of a module, in addition to the price of any call.
const PER_MODULE_CALL: u64 = 10;

/// Operations charged for each use of an entry, in addition to what its work and the language's own steps cost: a call
/// by what it makes and for each argument, a property by its type.
pub const fn price_of(entry: &ApiEntry) -> u64 {
    let shared = price_in(entry.api_set);
    match entry.kind {
        EntryKind::Property(_) => price_of_type(entry.returns) + shared,
        EntryKind::Function | EntryKind::Operator => {
            let made = match entry.returns {
                Type::Vec => 3,
                returned => price_of_type(returned),
            };
            let module = match entry.owner {
                owner if owner.is_module() => PER_MODULE_CALL,
                _ => 0,
            };
            made + entry.parameters.len() as u64 + shared + module
        }
    }
}

const fn price_of_type(holds: Type) -> u64 {
    match holds {
        Type::Number | Type::Whole | Type::Flag | Type::Nothing => 2,
        Type::Array(_) | Type::Map(_) | Type::Data => 12,
        _ => 8,
    }
}

/// Operations charged for a use of a test's own API, which locks the level.
const fn price_in(set: ApiSet) -> u64 {
    match set {
        ApiSet::Test => 30,
        _ => 0,
    }
}
