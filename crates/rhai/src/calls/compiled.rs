//! Calls of compiled code.

use super::*;
use crate::bytecode::{CallInputs, LayerBelow, Machine};
use hangtime_script::budget::Allowance;

/// How often a function may fail to be completed in a row until it is always interpreted.
const MOST_BAILS: u16 = 32;

/// What the compiled calls of one script share.
#[derive(Debug, Default)]
pub(super) struct CompiledCalls {
    machine: Machine,
    /// How often each function has not been completed in a row, by its number.
    bails: Vec<u16>,
    pub counts: CallCounts,
}

impl CompiledCalls {
    /// Makes a call of a hook in compiled code. An error says that there is none, or that it was not completed: then
    /// nothing has changed, and the interpreter has to make the call.
    pub fn call<T>(
        &mut self,
        (scripts, script): (&RhaiProgram, &Script),
        hook: &HookFn,
        (decision, entered): (&mut Decision, usize),
        (moment, about): (&mut CallMoment, About<'_>),
        read: impl FnOnce(&CompiledAnswer<'_>) -> Option<T>,
    ) -> Result<T, CallPath> {
        let Some(number) = hook.code else {
            self.counts.interpreted += 1;
            return Err(CallPath::Interpreted);
        };
        if self.bails.len() <= number {
            self.bails.resize(number + 1, 0);
        }
        // Comparing both ways means comparing every call.
        let given_up = self.bails[number] > MOST_BAILS;
        if given_up && scripts.execution == Execution::Compiled {
            self.counts.interpreted += 1;
            return Err(CallPath::Interpreted);
        }
        // Compiled code makes no closures, whose variables the budget of an interpreted call frees.
        let allowance = Allowance::begin(&scripts.limits);
        let code = script.code.code(number);
        let slots = RhaiVars::of(&mut decision.vars).slots(&script.code.unit.slots, &scripts.limits);
        let below = decision.layers.iter_mut().zip(1..).filter_map(|(state, place)| {
            // The layer that was entered holds the variables of the lowest one.
            let layer = if place == entered { 0 } else { place };
            let names = code.below.get(&layer)?;
            let slots = RhaiVars::of(&mut state.vars).slots(names, &scripts.limits)?;
            let name = (layer > 0).then(|| state.name.clone());
            Some(LayerBelow::new(layer, slots, &mut state.random, name))
        });
        let answer = slots.and_then(|vars| {
            let inputs = CallInputs { moment, vars, about, limits: &scripts.limits, below: below.collect() };
            self.machine.run((number, code), inputs, read)
        });
        let Some(answer) = answer else {
            self.bails[number] = self.bails[number].saturating_add(1);
            self.counts.bailed += 1;
            return Err(CallPath::Bailed);
        };
        self.bails[number] = 0;
        self.counts.compiled += 1;
        allowance.charge_to_tick();
        Ok(answer)
    }

    /// What the last call has printed, line by line.
    pub fn printed(&self) -> impl Iterator<Item = &str> {
        self.machine.printed()
    }
}
