//! Calling the scripts of an entity that has several: mods' scripts above the game's script.
//!
//! A call enters a layer by taking over the layer's script: its variables, its random stream and its failures take
//! the place of the lowest script's. So the same code calls one script or several.

use super::*;
use crate::budget::share_call;

/// What a rule of a layer answers, with the layer that does.
pub type OfLayer<T> = Option<(T, Option<Arc<str>>)>;

impl Caller<'_> {
    /// Runs calls in each layer, the lowest one first. Together they have the operations of one call. The
    /// operations of a layer that fails are not counted. Disabled layers are left out.
    #[inline]
    pub(super) fn in_layers(&mut self, decision: &mut Decision, run: impl Fn(&mut Self, &mut Decision)) {
        match self.place.is_stacked() {
            true => self.in_each_layer(decision, run),
            false => run(self, decision),
        }
    }

    fn in_each_layer(&mut self, decision: &mut Decision, run: impl Fn(&mut Self, &mut Decision)) {
        let mut used = 0;
        self.place.begun = !tick_is_spent();
        for layer in 0..self.layers_of(decision) {
            let ran = self.within(layer, decision, &mut used, |caller, decision| run(caller, decision));
            if ran.is_some() && decision.skipped {
                break;
            }
        }
        self.place.begun = false;
    }

    /// Runs something in a layer, unless the layer is disabled. `used` counts the operations of what has not failed.
    fn within<T>(
        &mut self,
        layer: usize,
        decision: &mut Decision,
        used: &mut u64,
        run: impl FnOnce(&mut Self, &mut Decision) -> T,
    ) -> Option<T> {
        if !self.enter(layer, decision) {
            return None;
        }
        let before = left_in_tick();
        let failed = std::mem::take(&mut decision.failed);
        share_call(*used);
        let result = run(self, decision);
        let more = self.count_used(before);
        *used += if decision.failed { 0 } else { more };
        decision.failed |= failed;
        self.exit(decision);
        Some(result)
    }

    /// The number of layers of the entity that is called.
    fn layers_of(&self, decision: &Decision) -> usize {
        self.place.layers.len().min(decision.layers.len() + 1)
    }

    /// Enters a layer; false if it is disabled. The lowest one is 0.
    fn enter(&mut self, layer: usize, decision: &mut Decision) -> bool {
        let above = layer.checked_sub(1);
        let disabled = match above {
            None => decision.lowest_disabled,
            Some(above) => decision.layers[above].is_disabled(),
        };
        if disabled {
            return false;
        }
        let name = above.map(|above| decision.layers[above].name.clone());
        self.place.entered = Some(layer);
        self.choose(self.place.layers[layer]);
        self.exchange(decision);
        self.shared.moment.me.set_layer(name);
        true
    }

    /// Leaves the layer that was entered.
    pub(super) fn exit(&mut self, decision: &mut Decision) {
        if self.place.entered.is_none() {
            return;
        }
        share_call(0);
        self.exchange(decision);
        self.place.entered = None;
        self.choose(self.place.layers.last().copied().unwrap_or(self.script));
    }

    /// Swaps the state of the entered layer with the lowest layer's.
    fn exchange(&mut self, decision: &mut Decision) {
        let Some(above) = self.place.layer().checked_sub(1) else {
            return;
        };
        let LayerState { vars, random, outcome, .. } = &mut decision.layers[above];
        swap(vars, &mut decision.vars);
        swap(random, &mut self.shared.moment.me.random);
        swap(&mut outcome.called, &mut decision.called);
        swap(&mut outcome.failed, &mut decision.failed);
    }

    /// Whether any layer has this rule.
    pub(super) fn has_rule(&self, rule: &str) -> bool {
        let top = [self.script];
        let layers = if self.place.is_stacked() { self.place.layers } else { &top };
        layers.iter().any(|id| self.scripts.get(*id).has_hook(rule))
    }

    /// Asks a rule in each layer that has it, the topmost one first, until one answers. Together they have the operations
    /// of one call.
    pub(super) fn ask_topmost<T>(
        &mut self,
        rule: &str,
        decision: &mut Decision,
        mut ask: impl FnMut(&mut Self, &mut Decision, usize) -> Option<T>,
    ) -> OfLayer<T> {
        if !self.place.is_stacked() {
            let hook = self.listed.hook(rule)?;
            return ask(self, decision, hook).map(|answer| (answer, None));
        }
        let mut used = 0;
        self.place.begun = !tick_is_spent();
        let mut answered = None;
        for layer in (0..self.layers_of(decision)).rev() {
            let script = self.scripts.get(self.place.layers[layer]);
            let Some(hook) = script.hook(rule) else {
                continue;
            };
            let answer = self.within(layer, decision, &mut used, |caller, decision| {
                let answer = ask(caller, decision, hook)?;
                Some((answer, caller.shared.moment.me.layer().cloned()))
            });
            answered = answer.flatten();
            if answered.is_some() {
                break;
            }
        }
        self.place.begun = false;
        answered
    }
}
