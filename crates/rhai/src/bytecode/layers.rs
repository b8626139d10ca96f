//! Steps that run as the script of a layer below, with its variables and its random stream.

use super::*;
use std::mem::swap;

/// A layer below whose functions a call may call. While they run, it holds what the caller has.
pub struct LayerBelow<'a> {
    layer: usize,
    vars: SlotsOfCall<'a>,
    undo: Undo,
    random: &'a mut u64,
    random_before: u64,
    name: Option<Arc<str>>,
}

impl<'a> LayerBelow<'a> {
    /// A layer with its variables, its random stream and its name, if it is not the lowest one.
    pub fn new(layer: usize, vars: SlotsOfCall<'a>, random: &'a mut u64, name: Option<Arc<str>>) -> Self {
        let mut undo = Undo::default();
        undo.begin(&vars);
        Self { layer, vars, undo, random_before: *random, random, name }
    }

    /// Undoes what the call has done with the layer, or with that which has entered it.
    pub fn restore(&mut self) {
        self.undo.restore(&mut self.vars);
        *self.random = self.random_before;
    }
}

impl CodeRun<'_, '_> {
    /// Lets the script of a layer below run, or that again which has called it.
    pub fn exchange_layer(&mut self, layer: u8) -> Option<()> {
        self.mark();
        let below = self.inputs.below.iter_mut().flatten().find(|below| below.layer == usize::from(layer))?;
        swap(&mut below.vars, &mut self.inputs.vars);
        swap(&mut below.undo, self.undo);
        self.inputs.moment.me.exchange_layer(&mut below.name, below.random);
        Some(())
    }
}
