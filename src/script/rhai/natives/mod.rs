//! The functions of Rhai's packages that take long, or much memory, for one operation.
//!
//! Those that only handle what they are given are counted by its size and then done by Rhai, in an
//! engine beside that knows nothing else. Those that could run on without a bound, or forget the
//! errors of the functions they call, are written anew here. The rest is left as it is: it calls an
//! operator or a function for each element, and each of these calls counts.

mod list;
mod sort;
mod text;

use super::api::register_common;
use super::engine::{data_too_large, load_packages, stop};
use super::weight::{charge_weight, weight};
use crate::script::host::Limits;
use rhai::{Array, Dynamic, Engine, EvalAltResult, FnPtr, FuncRegistration, ImmutableString, Map};
use rhai::{GlobalRuntimeState, Module, NativeCallContext, Position, RhaiFunc, RhaiNativeFunc};
use std::any::TypeId;
use std::sync::Arc;

type Fallible<T> = Result<T, Box<EvalAltResult>>;

/// What is not counted here: it is done in no time, or counts for itself or for each element.
const UNCOUNTED: [&str; 29] = [
    "==",
    "!=",
    "+",
    "+=",
    "-",
    "-=",
    "<",
    ">",
    "<=",
    ">=",
    "len",
    "is_empty",
    "push",
    "pop",
    "set",
    "contains",
    "index_of",
    "print",
    "debug",
    "to_string",
    "to_debug",
    "starts_with",
    "ends_with",
    "bytes",
    "max",
    "min",
    "dedup",
    "parse_int",
    "parse_float",
];

/// What changes the first thing it is given.
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

/// How much more it takes to make something than to copy it.
const TO_MAKE: u64 = 4;

/// What is done to an array by comparing its elements.
const SORTING: [&str; 4] = ["sort", "sort_desc", "order", "order_desc"];

/// Registers them over those of the packages.
pub(super) fn register(engine: &mut Engine, limits: &Limits) {
    let beside = Arc::new(Beside::new(limits));
    let mut module = Module::new();
    for (name, parameters) in beside.counted() {
        let (work, called) = (beside.clone(), name.clone());
        let func = RhaiFunc::Method {
            func: rhai::Shared::new(move |_, arguments: &mut [&mut Dynamic]| {
                work.call(&called, arguments)
            }),
            has_context: false,
            is_pure: !changes(&name, &parameters),
            is_volatile: false,
        };
        let registration = FuncRegistration::new(name.as_str()).in_global_namespace();
        registration.set_into_module_raw(&mut module, &parameters, func);
    }
    engine.register_global_module(module.into());
    list::register(engine);
    sort::register(engine);
    text::register(engine, limits);
}

/// Registers a function that changes the first thing it is given, so that none is called on a constant.
fn changing<A: 'static, const N: usize, const X: bool, R, const F: bool>(
    engine: &mut Engine,
    name: &str,
    f: impl RhaiNativeFunc<A, N, X, R, F> + Send + Sync + 'static,
) where
    R: Clone + Send + Sync + 'static,
{
    FuncRegistration::new(name)
        .with_purity(false)
        .register_into_engine(engine, f);
}

/// `split` takes the tail of an array away, and the parts of a text out of it.
fn changes(name: &str, parameters: &[TypeId]) -> bool {
    CHANGING.contains(&name) || (name == "split" && parameters[0] == TypeId::of::<Array>())
}

/// Rhai's own functions, in an engine that has nothing else.
struct Beside {
    engine: Engine,
    global: GlobalRuntimeState,
    limits: Limits,
}

impl Beside {
    fn new(limits: &Limits) -> Self {
        let mut engine = Engine::new_raw();
        load_packages(&mut engine);
        let _ = register_common(&mut engine);
        engine.set_max_string_size(limits.string);
        engine.set_max_array_size(limits.array);
        engine.set_max_map_size(limits.map);
        let global = engine.new_global_runtime_state();
        Self {
            engine,
            global,
            limits: *limits,
        }
    }

    /// The functions that handle arrays, maps or text and are counted by their size.
    fn counted(&self) -> Vec<(String, Vec<TypeId>)> {
        let large = [
            TypeId::of::<Array>(),
            TypeId::of::<Map>(),
            TypeId::of::<ImmutableString>(),
        ];
        let found = |info: rhai::FuncInfo<'_>| {
            let about = info.metadata;
            let parameters: Vec<TypeId> = about.param_types.iter().copied().collect();
            let first = parameters.first()?;
            let pointers = parameters.contains(&TypeId::of::<FnPtr>());
            // Arrays also have functions that take the name of another one.
            let by_name = *first == large[0] && parameters[1..].contains(&large[2]);
            let counts = large.contains(first) && !pointers && !by_name;
            let name = about.name.as_str();
            let known = UNCOUNTED.contains(&name) || name.starts_with("get$");
            (counts && !known).then(|| (name.to_string(), parameters))
        };
        self.engine.collect_fn_metadata(None, found, true)
    }

    /// On its way out of a function Rhai takes the place from the error that something is too large.
    fn with_a_place(&self, error: EvalAltResult) -> Box<EvalAltResult> {
        match error {
            EvalAltResult::ErrorDataTooLarge(what, _) => stop(data_too_large(&what, &self.limits)),
            other => other.into(),
        }
    }

    fn call(&self, name: &str, arguments: &mut [&mut Dynamic]) -> Fallible<Dynamic> {
        let before = arguments.iter().try_fold(0, |sum, argument| {
            Ok::<_, Box<EvalAltResult>>(sum + weight(argument)?)
        })?;
        let rounds = if SORTING.contains(&name) {
            u64::from(before.max(1).ilog2())
        } else {
            1
        };
        charge_weight(before * rounds)?;
        let context = NativeCallContext::new_with_all_fields(
            &self.engine,
            name,
            None,
            &self.global,
            Position::NONE,
        );
        let result = context.call_native_fn_raw(name, true, arguments);
        let result = result.map_err(|error| self.with_a_place(*error))?;
        charge_weight(weight(&result)? * TO_MAKE)?;
        Ok(result)
    }
}
