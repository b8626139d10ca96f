//! Calls with `base` of the layers below a running script: with their variables, timers and random streams, and whatever
//! their languages.

use super::*;
use crate::{Accepted, calls::with_moment, refuse};
use hangtime_core::sim::{Value, Vars};
use std::{cell::RefCell, mem::take};

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
    /// The script that runs, and all others.
    scripts: Option<(ScriptId, Arc<dyn LayerPrograms>)>,
}

impl LayersOfCall {
    const NONE: Self = Self { layers: Vec::new(), entered: 0, scripts: None };

    /// What a layer below the entered one has.
    fn below(&mut self, layer: usize) -> Option<&mut LayerState> {
        let place = if layer == 0 { self.entered } else { layer };
        self.layers.get_mut(place.checked_sub(1)?)
    }
}

/// Lends the layers of an entity to the functions of a language until it is dropped, even if the call panics.
pub struct LentLayers<'d> {
    layers: &'d mut Vec<LayerState>,
    /// What was lent before: a test script plays a level from within its own call.
    outside: Option<LayersOfCall>,
}

impl<'d> LentLayers<'d> {
    /// Lends what is below the layer of a call. Nothing is below the lowest one.
    pub fn below(call: &HookCall<'_>, layers: &'d mut Vec<LayerState>) -> Self {
        let entered = call.layer;
        let scripts = || Some((call.script, call.shared.scripts.clone()));
        let lent = (entered > 0).then(|| LayersOfCall { layers: take(layers), entered, scripts: scripts() });
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

/// Calls a function of a layer below the running one in that layer's language.
///
/// # Errors
/// Why it is refused or has failed.
pub fn call_below(layer: usize, function: &str, arguments: &[BaseArgument]) -> Accepted<Value> {
    let found = BELOW.with_borrow(|below| {
        let (running, scripts) = below.scripts.as_ref()?;
        scripts.program_of_layer(*running, layer)
    });
    let called = found.and_then(|(script, program)| {
        within_layer((layer, |_: &mut Vars| ()), |vars| program.call_function((script, function), arguments, vars))
    });
    called.unwrap_or_else(|| refuse(format!("there is no layer below that has `{function}`")))
}

/// Runs something with the variables of a layer below the running one; none if there is no such layer. `me` belongs to that
/// layer meanwhile. `restore` makes variables plain after a panic.
pub fn within_layer<R>((layer, restore): (usize, impl Fn(&mut Vars)), run: impl FnOnce(&mut Vars) -> R) -> Option<R> {
    let taken = BELOW.with_borrow_mut(|below| {
        let above = layer.checked_sub(1);
        let name = above.map(|above| below.layers.get(above).map(|state| state.name.clone()));
        let state = below.below(layer)?;
        Some((take(&mut state.vars), state.random, name.flatten()))
    });
    let (vars, random, name) = taken?;
    let mut entered = EnteredLayer { layer, restore, vars, random, name, has_returned: false };
    entered.exchange();
    let result = run(&mut entered.vars);
    entered.has_returned = true;
    Some(result)
}

/// A layer whose script runs for one above it. Its state returns to its place at the end, even if the call panics.
struct EnteredLayer<F: Fn(&mut Vars)> {
    layer: usize,
    restore: F,
    vars: Vars,
    /// The place in the random stream of the script that does not run, and the name of its layer.
    random: u64,
    name: Option<Arc<str>>,
    /// Whether the call has returned; false while it runs, and after a panic.
    has_returned: bool,
}

impl<F: Fn(&mut Vars)> EnteredLayer<F> {
    /// Exchanges the random stream and the name of the layer with those of `me`.
    fn exchange(&mut self) {
        with_moment(|moment| moment.me.exchange_layer(&mut self.name, &mut self.random));
    }
}

impl<F: Fn(&mut Vars)> Drop for EnteredLayer<F> {
    fn drop(&mut self) {
        self.exchange();
        let mut vars = take(&mut self.vars);
        if !self.has_returned {
            (self.restore)(&mut vars);
        }
        BELOW.with_borrow_mut(|below| {
            if let Some(state) = below.below(self.layer) {
                state.vars = vars;
                state.random = self.random;
            }
        });
    }
}
