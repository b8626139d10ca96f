//! Functions of Rhai's packages that are charged by the size of their arguments, then run by Rhai.

use super::changing::TO_MAKE;
use crate::engine::budget::charge;
use crate::engine::halt::{Fallible, data_too_large, stop};
use crate::engine::packages::load_packages;
use crate::engine::weight::{charge_for_change, charge_weight, parts, weight};
use hangtime_script::Limits;
use rhai::{Array, Dynamic, Engine, EvalAltResult, FnPtr, FuncRegistration, ImmutableString, Map};
use rhai::{GlobalRuntimeState, Module, NativeCallContext, Position, RhaiFunc};
use std::any::TypeId;
use std::sync::Arc;

/// Functions that need no charge: they take hardly any time, or charge for themselves or for each element.
const UNCOUNTED: [&str; 16] = [
    "print",
    "debug",
    "<",
    ">",
    "<=",
    ">=",
    "len",
    "is_empty",
    "push",
    "starts_with",
    "ends_with",
    "bytes",
    "max",
    "min",
    "parse_int",
    "parse_float",
];

/// Functions that handle text quickly. Those of arrays and maps handle every element.
const QUICK_ON_TEXT: [&str; 5] = ["+", "+=", "==", "!=", "to_string"];

/// Functions that change their first argument.
const CHANGING: [&str; 26] = [
    "append",
    "chop",
    "clear",
    "crop",
    "drain",
    "extract_tail",
    "fill_with",
    "insert",
    "make_lower",
    "make_upper",
    "mixin",
    "pad",
    "pop",
    "remove",
    "replace",
    "retain",
    "reverse",
    "set",
    "shift",
    "sort",
    "sort_desc",
    "splice",
    "split_at",
    "trim",
    "truncate",
    "+=",
];

/// Functions of arrays and maps that handle few of the elements.
const IN_PLACE: [&str; 11] =
    ["+=", "append", "clear", "insert", "mixin", "pop", "push", "remove", "set", "shift", "truncate"];

/// Functions that take a text apart into characters and put it together again.
const REBUILDING: [&str; 3] = ["crop", "pad", "set"];

/// How many times as much it costs to search a text as to copy it, and to rebuild it.
const TO_SEARCH_TEXT: u64 = 4;
const TO_REBUILD_TEXT: u64 = 128;

/// Functions that call an operator or a function for each element, and what they cost for each, in operations.
const FOR_EACH: [(&str, u64); 4] = [("==", 5), ("!=", 5), ("to_string", 9), ("to_debug", 9)];

/// What it costs to have the other engine run a function, in operations.
const PER_FUNCTION: u64 = 24;

/// Functions that compare the elements of an array, about n log n times.
const SORTING: [&str; 4] = ["sort", "sort_desc", "order", "order_desc"];

/// Registers the counted functions over those of the packages.
pub(super) fn register(engine: &mut Engine, limits: &Limits, common: fn(&mut Engine)) {
    let packages = Arc::new(PackageEngine::new(limits, common));
    let mut module = Module::new();
    for (name, parameters) in packages.counted() {
        let (packages, called) = (packages.clone(), name.clone());
        let func = RhaiFunc::Method {
            func: rhai::Shared::new(move |_, arguments: &mut [&mut Dynamic]| packages.call(&called, arguments)),
            has_context: false,
            is_pure: !changes(&name, &parameters),
            is_volatile: false,
        };
        let registration = FuncRegistration::new(name.as_str()).in_global_namespace();
        registration.set_into_module_raw(&mut module, &parameters, func);
    }
    engine.register_global_module(module.into());
}

/// Whether a function changes its first argument. `split` removes the tail of an array, but leaves a text as it is.
fn changes(name: &str, parameters: &[TypeId]) -> bool {
    CHANGING.contains(&name) || (name == "split" && parameters[0] == TypeId::of::<Array>())
}

/// An engine that has Rhai's packages and little else; it runs the functions once they are charged for.
struct PackageEngine {
    engine: Engine,
    global: GlobalRuntimeState,
    limits: Limits,
}

impl PackageEngine {
    fn new(limits: &Limits, common: fn(&mut Engine)) -> Self {
        let mut engine = Engine::new_raw();
        load_packages(&mut engine);
        common(&mut engine);
        engine.set_max_string_size(limits.string);
        engine.set_max_array_size(limits.array);
        engine.set_max_map_size(limits.map);
        let global = engine.new_global_runtime_state();
        Self { engine, global, limits: *limits }
    }

    /// The functions that handle arrays, maps or text and are charged by their size.
    fn counted(&self) -> Vec<(String, Vec<TypeId>)> {
        let large = [TypeId::of::<Array>(), TypeId::of::<Map>(), TypeId::of::<ImmutableString>()];
        let found = |info: rhai::FuncInfo<'_>| {
            let about = info.metadata;
            let parameters: Vec<TypeId> = about.param_types.iter().copied().collect();
            let first = parameters.first()?;
            let pointers = parameters.contains(&TypeId::of::<FnPtr>());
            // Arrays also have functions that take the name of another one.
            let by_name = *first == large[0] && parameters[1..].contains(&large[2]);
            let counts = large.contains(first) && !pointers && !by_name;
            let name = about.name.as_str();
            let quick = *first == large[2] && QUICK_ON_TEXT.contains(&name);
            let known = UNCOUNTED.contains(&name) || quick || name.starts_with("get$");
            (counts && !known).then(|| (name.to_string(), parameters))
        };
        self.engine.collect_fn_metadata(None, found, true)
    }

    /// Replaces "too large" errors, whose position Rhai drops on the way out of a function.
    fn explained(&self, error: EvalAltResult) -> Box<EvalAltResult> {
        match error {
            EvalAltResult::ErrorDataTooLarge(what, _) => stop(data_too_large(&what, &self.limits)),
            other => other.into(),
        }
    }

    fn call(&self, name: &str, arguments: &mut [&mut Dynamic]) -> Fallible<Dynamic> {
        charge(PER_FUNCTION)?;
        let large = arguments[0].is_array() || arguments[0].is_map();
        if large {
            charge_for_each(name, arguments)?;
            self.charge_for_padding(name, arguments)?;
        }
        let in_place = usize::from(large && IN_PLACE.contains(&name));
        if in_place > 0 {
            charge_for_change(arguments[0])?;
        }
        let mut handled = arguments.iter().skip(in_place);
        let before = handled.try_fold(0, |sum, argument| Ok::<_, Box<EvalAltResult>>(sum + weight(argument)?))?;
        let rounds = if SORTING.contains(&name) {
            u64::from(before.max(1).ilog2())
        } else if !arguments[0].is_string() {
            1
        } else if REBUILDING.contains(&name) {
            TO_REBUILD_TEXT
        } else {
            TO_SEARCH_TEXT
        };
        charge_weight(before * rounds)?;
        let context = NativeCallContext::new_with_all_fields(&self.engine, name, None, &self.global, Position::NONE);
        let result = context.call_native_fn_raw(name, true, arguments);
        let result = result.map_err(|error| self.explained(*error))?;
        charge_weight(weight(&result)? * TO_MAKE)?;
        Ok(result)
    }

    /// Charges for the elements that `pad` adds to an array. One that would be too large is refused.
    fn charge_for_padding(&self, name: &str, arguments: &[&mut Dynamic]) -> Fallible<()> {
        let [list, length, item] = arguments else {
            return Ok(());
        };
        let (Ok(list), Ok(length), true) = (list.as_array_ref(), length.as_int(), name == "pad") else {
            return Ok(());
        };
        let length = usize::try_from(length).unwrap_or(0);
        if length > self.limits.array {
            return Ok(());
        }
        let added = length.saturating_sub(list.len()) as u64;
        charge_weight(added.saturating_mul(weight(item)?))
    }
}

/// Charges for a function that calls another one for each element.
fn charge_for_each(name: &str, arguments: &[&mut Dynamic]) -> Fallible<()> {
    let Some((_, price)) = FOR_EACH.iter().find(|(each, _)| *each == name) else {
        return Ok(());
    };
    // Values of different sizes are not compared.
    let least = arguments.iter().map(|argument| parts(argument)).min();
    charge(price * least.unwrap_or(0))
}
