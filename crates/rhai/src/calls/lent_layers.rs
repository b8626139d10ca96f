//! The functions of the layers below a running script, for calls with `base::`.

use super::*;
use crate::{
    api::handles::Me,
    engine::{halt::refused, weight::charge_for},
};
use hangtime_script::{BaseArgument, BaseFunction, call_below, within_layer};
use rhai::{FuncRegistration, NativeCallContext, RhaiFunc, Shared};
use std::{any::TypeId, mem::take};

/// The module `base` of a script: the functions of the scripts below it, each with the constants, imports and functions
/// of the script that declares it. One without these is in another language.
pub fn base_module<'f>(
    functions: impl Iterator<Item = (&'f BaseFunction, Option<&'f GlobalRuntimeState>)>,
    limits: &Limits,
) -> Module {
    let mut module = Module::new();
    for (function, global) in functions {
        let types = vec![TypeId::of::<Dynamic>(); function.parameters];
        let (function, limits) = (function.clone(), *limits);
        let global = global.cloned();
        let name = function.name.clone();
        let run = move |context: Option<NativeCallContext<'_>>, arguments: &mut [&mut Dynamic]| {
            let context = context.expect("the function is registered with a context");
            match &global {
                Some(global) => call(&context, &function, global, (arguments, &limits)),
                None => call_other(&function, arguments),
            }
        };
        let native = RhaiFunc::Pure { func: Shared::new(run), has_context: true, is_pure: true, is_volatile: false };
        FuncRegistration::new(name).set_into_module_raw(&mut module, types, native);
    }
    module.build_index();
    module
}

/// Calls a function of a layer below with that layer's variables, timers and random stream.
fn call(
    context: &NativeCallContext<'_>,
    function: &BaseFunction,
    global: &GlobalRuntimeState,
    (arguments, limits): (&mut [&mut Dynamic], &Limits),
) -> Fallible<Dynamic> {
    // Rhai has copied the first one if it is a variable of the caller.
    if let Some(first) = arguments.first() {
        charge_for(first)?;
    }
    let values: Vec<Dynamic> = arguments.iter_mut().map(|value| take(*value)).collect();
    let restore = |vars: &mut Vars| {
        // The panic is reported; what is not plain is restored.
        let vars = RhaiVars::of(vars);
        vars.bind();
        let _ = vars.enforce_plain(limits, false);
    };
    let (engine, level) = (context.engine(), context.call_level() + 1);
    within_layer((function.layer, restore), |vars| {
        call_with_vars(engine, (global, level), (&function.name, values), (vars, limits))
    })
    .unwrap_or_else(|| Err(stop(format!("`base::{}` has no layer below", function.name))))
}

/// Calls a function of a script at a call level, with these variables as `this`.
pub fn call_with_vars(
    engine: &Engine,
    (global, level): (&GlobalRuntimeState, usize),
    (name, mut values): (&str, Vec<Dynamic>),
    (vars, limits): (&mut Vars, &Limits),
) -> Fallible<Dynamic> {
    let mut global = global.clone();
    global.tag = Dynamic::from(WorldHandle);
    global.level = level;
    let vars = RhaiVars::of(vars);
    let (mut scope, mut caches) = (Scope::new(), Caches::new());
    let mut context = EvalContext::new(engine, &mut global, &mut caches, &mut scope, None);
    let mut all: Vec<&mut Dynamic> = vec![vars.bind()];
    all.extend(&mut values);
    let result = context.call_fn_raw(name, true, true, &mut all);
    match vars.enforce_plain(limits, false) {
        Err(rejected) if result.is_ok() => Err(stop(rejected.message())),
        _ => result,
    }
}

/// Calls a function of a layer below in another language.
fn call_other(function: &BaseFunction, arguments: &[&mut Dynamic]) -> Fallible<Dynamic> {
    let mut neutral = Vec::new();
    for (place, value) in arguments.iter().enumerate() {
        charge_for(value)?;
        neutral.push(match to_plain(value) {
            Ok(data) => BaseArgument::Data(data),
            Err(_) if value.is::<Me>() => BaseArgument::Me,
            Err(NotPlain { what, .. }) => {
                let (name, place) = (&function.name, place + 1);
                return Err(stop(format!(
                    "argument {place} of `base::{name}` is {what}; another language takes `me` and plain data"
                )));
            }
        });
    }
    let answer = call_below(function.layer, &function.name, &neutral);
    answer.map(|data| to_dynamic(&data)).map_err(refused)
}
