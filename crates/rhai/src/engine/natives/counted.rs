//! Functions of Rhai's packages that are charged by the size of their arguments, then run by Rhai.

use super::*;

/// Functions that need no charge: they take hardly any time, or charge for themselves or for each element.
const UNCOUNTED: &str =
    "print debug < > <= >= len is_empty push starts_with ends_with bytes max min parse_int parse_float";

/// Functions that handle text quickly. On arrays and maps, they handle every element.
const QUICK_ON_TEXT: &str = "+ += == != to_string";

/// Functions that change their first argument.
const CHANGING: &str = "append chop clear crop drain extract_tail fill_with insert make_lower make_upper mixin pad pop \
     remove replace retain reverse set shift sort sort_desc splice split_at trim truncate +=";

/// Functions of arrays and maps that handle few of the elements.
const IN_PLACE: &str = "+= append clear insert mixin pop push remove set shift truncate";

/// Functions that take a text apart into characters and put it together again.
const REBUILDING: &str = "crop pad set";

/// How many times as much it costs to search a text as to copy it, and to rebuild it.
const TO_SEARCH_TEXT: u64 = 4;
const TO_REBUILD_TEXT: u64 = 128;

/// What it costs to have the other engine run a function, in operations.
const PER_FUNCTION: u64 = 24;

/// Functions that compare the elements of an array, about n log n times.
const SORTING: &str = "sort sort_desc order order_desc";

/// Registers the counted functions over the packages' functions.
pub fn register(engine: &mut Engine, limits: &Limits, common: fn(&mut Engine)) {
    let packages = Arc::new(PackageEngine::new(limits, common));
    let mut module = Module::new();
    for (name, parameters) in packages.counted() {
        let packages = packages.clone();
        let registration = FuncRegistration::new(name.as_str()).in_global_namespace();
        let is_pure = !changes(&name, &parameters);
        let function = PackageFunction::named(name);
        let func = RhaiFunc::Method {
            func: rhai::Shared::new(move |_, arguments: &mut [&mut Dynamic]| packages.call(&function, arguments)),
            has_context: false,
            is_pure,
            is_volatile: false,
        };
        registration.set_into_module_raw(&mut module, &parameters, func);
    }
    engine.register_global_module(module.into());
}

/// Whether a function changes its first argument. `split` removes the tail of an array, but leaves a text as it is.
fn changes(name: &str, parameters: &[TypeId]) -> bool {
    is_among(name, CHANGING) || (name == "split" && parameters[0] == TypeId::of::<Array>())
}

/// A function and how it is charged.
struct PackageFunction {
    name: String,
    /// The cost for each element, in operations: the cost of calling an operator or a function.
    each: u64,
    in_place: bool,
    sorts: bool,
    rebuilds: bool,
}

impl PackageFunction {
    fn named(name: String) -> Self {
        let each = match name.as_str() {
            "==" | "!=" => 5,
            "to_string" | "to_debug" => 9,
            _ => 0,
        };
        let is = |words| is_among(&name, words);
        Self { each, in_place: is(IN_PLACE), sorts: is(SORTING), rebuilds: is(REBUILDING), name }
    }
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
        let found = |info: rhai::FuncInfo| {
            let about = info.metadata;
            let parameters: Vec<TypeId> = about.param_types.iter().copied().collect();
            let first = parameters.first()?;
            let pointers = parameters.contains(&TypeId::of::<FnPtr>());
            // Arrays also have functions that take the name of another one.
            let by_name = *first == large[0] && parameters[1..].contains(&large[2]);
            let counts = large.contains(first) && !pointers && !by_name;
            let name = about.name.as_str();
            let quick = *first == large[2] && is_among(name, QUICK_ON_TEXT);
            let known = is_among(name, UNCOUNTED) || quick || name.starts_with("get$");
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

    fn call(&self, function: &PackageFunction, arguments: &mut [&mut Dynamic]) -> Fallible<Dynamic> {
        charge(PER_FUNCTION)?;
        let name = function.name.as_str();
        let large = arguments[0].is_array() || arguments[0].is_map();
        if large && function.each > 0 {
            // Values of different sizes are not compared.
            let least = arguments.iter().map(|argument| count(argument)).min();
            charge(function.each * least.unwrap_or(0))?;
        }
        if large && name == "pad" {
            self.charge_for_padding(arguments)?;
        }
        let in_place = large && function.in_place;
        if in_place {
            charge_for_change(arguments[0])?;
        }
        let mut handled = arguments.iter().skip(usize::from(in_place));
        let before = handled.try_fold(0, |sum, argument| Fallible::Ok(sum + weight(argument)?))?;
        let rounds = if function.sorts {
            u64::from(before.max(1).ilog2())
        } else if !arguments[0].is_string() {
            1
        } else if function.rebuilds {
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
    fn charge_for_padding(&self, arguments: &[&mut Dynamic]) -> Fallible<()> {
        let [list, length, item] = arguments else {
            return Ok(());
        };
        let (Ok(list), Ok(length)) = (list.as_array_ref(), length.as_int()) else {
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
