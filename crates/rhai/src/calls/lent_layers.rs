//! The variables of the layers below a running script, for calls with `base::`.

use super::*;
use crate::api::handles::with_moment;
use crate::engine::weight::charge_for;
use rhai::{FuncRegistration, NativeCallContext, RhaiFunc, Shared};
use std::any::TypeId;
use std::cell::RefCell;
use std::mem::take;

thread_local! {
    /// The layers of the entity whose script runs on this thread, if its script can call functions of one below.
    static BELOW: RefCell<LayersOfCall> = const { RefCell::new(LayersOfCall::NONE) };
}

/// The layers of an entity while the script of one runs.
#[derive(Debug)]
struct LayersOfCall {
    /// The layers above the lowest one. That which was entered holds the variables of the lowest one.
    layers: Vec<LayerState>,
    /// The layer that was entered.
    entered: usize,
}

impl LayersOfCall {
    const NONE: Self = Self { layers: Vec::new(), entered: 0 };

    /// What a layer below the entered one has.
    fn below(&mut self, layer: usize) -> Option<&mut LayerState> {
        let place = if layer == 0 { self.entered } else { layer };
        self.layers.get_mut(place.checked_sub(1)?)
    }
}

/// Lends the layers of an entity to Rhai's functions until it is dropped, even if the call panics.
pub(super) struct LentLayers<'d> {
    layers: &'d mut Vec<LayerState>,
    /// What was lent before: a test script plays a level from within its own call.
    outside: Option<LayersOfCall>,
}

impl<'d> LentLayers<'d> {
    /// Lends what is below the layer that was entered. Nothing is below the lowest one.
    pub fn below(entered: usize, layers: &'d mut Vec<LayerState>) -> Self {
        let lent = (entered > 0).then(|| LayersOfCall { layers: take(layers), entered });
        let outside = lent.map(|lent| BELOW.replace(lent));
        Self { layers, outside }
    }
}

impl Drop for LentLayers<'_> {
    fn drop(&mut self) {
        if let Some(outside) = self.outside.take() {
            *self.layers = BELOW.replace(outside).layers;
        }
    }
}

/// A function of a script, for the scripts above it.
#[derive(Clone, Debug)]
pub(super) struct BaseFunction {
    /// Its name.
    pub name: String,
    /// The number of its parameters.
    pub parameters: usize,
    /// The layer of its script.
    pub layer: usize,
}

/// The module `base` of a script: the functions of the scripts below it, each with the constants, imports and functions
/// of the script that declares it.
pub(super) fn base_module<'f>(
    functions: impl Iterator<Item = (&'f BaseFunction, &'f GlobalRuntimeState)>,
    limits: &Limits,
) -> Module {
    let mut module = Module::new();
    for (function, global) in functions {
        let types = vec![TypeId::of::<Dynamic>(); function.parameters];
        let (function, limits) = (function.clone(), *limits);
        let mut global = global.clone();
        global.tag = Dynamic::from(WorldHandle);
        let name = function.name.clone();
        let run = move |context: Option<NativeCallContext<'_>>, arguments: &mut [&mut Dynamic]| {
            let context = context.expect("the function is registered with a context");
            call(&context, &function, &global, (arguments, &limits))
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
) -> Result<Dynamic, Box<EvalAltResult>> {
    // Rhai has copied the first one if it is a variable of the caller.
    if let Some(first) = arguments.first() {
        charge_for(first)?;
    }
    let mut values: Vec<Dynamic> = arguments.iter_mut().map(|value| take(*value)).collect();
    let mut global = global.clone();
    global.level = context.call_level() + 1;
    within_layer((function.layer, limits), |vars| {
        let vars = RhaiVars::of(vars);
        let mut scope = Scope::new();
        let mut caches = Caches::new();
        let mut context = EvalContext::new(context.engine(), &mut global, &mut caches, &mut scope, None);
        let mut all: Vec<&mut Dynamic> = vec![vars.bind()];
        all.extend(&mut values);
        let result = context.call_fn_raw(&function.name, true, true, &mut all);
        match vars.enforce_plain(limits, false) {
            Err(rejected) if result.is_ok() => Err(stop(rejected.message())),
            _ => result,
        }
    })
    .unwrap_or_else(|| Err(stop(format!("`base::{}` has no layer below", function.name))))
}

/// Runs something with the variables of a layer below the running one. `me` belongs to that layer meanwhile.
fn within_layer<R>((layer, limits): (usize, &Limits), run: impl FnOnce(&mut Vars) -> R) -> Option<R> {
    let taken = BELOW.with_borrow_mut(|below| {
        let above = layer.checked_sub(1);
        let name = above.map(|above| below.layers.get(above).map(|state| state.name.clone()));
        let state = below.below(layer)?;
        Some((take(&mut state.vars), state.random, name.flatten()))
    });
    let (vars, random, name) = taken?;
    let mut entered = EnteredLayer { layer, limits: *limits, vars, random, name, has_returned: false };
    entered.exchange();
    let result = run(&mut entered.vars);
    entered.has_returned = true;
    Some(result)
}

/// A layer whose script runs for one above it. Its state returns to its place at the end, even if the call panics.
struct EnteredLayer {
    layer: usize,
    limits: Limits,
    vars: Vars,
    /// The place in the random stream of the script that does not run, and the name of its layer.
    random: u64,
    name: Option<Arc<str>>,
    /// Whether the call has returned; false while it runs, and after a panic.
    has_returned: bool,
}

impl EnteredLayer {
    /// Swaps the random stream and the name of the layer with `me`'s.
    fn exchange(&mut self) {
        with_moment(|moment| {
            let outside = moment.me.layer().cloned();
            moment.me.set_layer(take(&mut self.name));
            self.name = outside;
            swap(&mut moment.me.random, &mut self.random);
        });
    }
}

impl Drop for EnteredLayer {
    fn drop(&mut self) {
        self.exchange();
        let mut vars = take(&mut self.vars);
        if !self.has_returned {
            // The panic is reported; what is not plain is restored.
            let vars = RhaiVars::of(&mut vars);
            vars.bind();
            let _ = vars.enforce_plain(&self.limits, false);
        }
        BELOW.with_borrow_mut(|below| {
            if let Some(state) = below.below(self.layer) {
                state.vars = vars;
                state.random = self.random;
            }
        });
    }
}
