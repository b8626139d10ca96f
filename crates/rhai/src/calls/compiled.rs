//! Calls of compiled code.

use super::*;
use crate::bytecode::{CallInputs, LayerBelow, Machine};
use hangtime_script::{LineCosts, budget::Allowance};

/// How often a function may fail to be completed in a row until it is always interpreted.
const MOST_BAILS: u16 = 32;

/// What the compiled calls of one script share.
#[derive(Debug, Default)]
pub(super) struct CompiledCalls {
    machine: Machine,
    /// How often each function has not been completed in a row, by its number.
    bails: Vec<u16>,
    /// What the lines of the last call have used, if it was stopped.
    pub lines: LineCosts,
    pub counts: CallCounts,
}

impl CompiledCalls {
    /// Makes a call of a hook in compiled code. An error says that there is none, or that it was not completed: then
    /// nothing has changed, and the interpreter has to make the call.
    #[inline(always)]
    pub fn call(
        &mut self,
        (scripts, script): (&RhaiProgram, &Script),
        hook: &HookFn,
        (decision, entered): (&mut Decision, usize),
        (moment, about): (&mut CallMoment, &About<'_>),
        read: impl FnOnce(&CompiledAnswer<'_>) -> bool,
    ) -> Result<(), CallPath> {
        if std::mem::take(&mut self.machine.is_spent) {
            self.lines = LineCosts::default();
        }
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
        let own = match RhaiVars::converted(&mut decision.vars) {
            Some(own) => own,
            None => RhaiVars::of(&mut decision.vars),
        };
        // Compiled code makes no closures, whose variables the budget of an interpreted call frees.
        let allowance = Allowance::begin(&scripts.limits);
        let code = script.code.code(number);
        // In place: they are too large to be moved in each call.
        let vars = (&mut *own, &mut decision.layers, entered);
        let done = match &mut inputs((scripts, script, code), vars, (&mut *moment, about)) {
            Some(inputs) => self.machine.run((number, code), inputs, read),
            None => false,
        };
        if !done {
            self.bails[number] = self.bails[number].saturating_add(1);
            self.counts.bailed += 1;
            if self.machine.is_spent {
                self.count_lines((scripts, script), number, (decision, entered), (moment, about));
            }
            return Err(CallPath::Bailed);
        }
        self.bails[number] = 0;
        self.counts.compiled += 1;
        allowance.charge_to_tick();
        Ok(())
    }

    /// Makes a call that was stopped again, to count what its lines use.
    #[cold]
    fn count_lines(
        &mut self,
        (scripts, script): (&RhaiProgram, &Script),
        number: usize,
        (decision, entered): (&mut Decision, usize),
        (moment, about): (&mut CallMoment, &About<'_>),
    ) {
        let _count = Allowance::begin(&scripts.limits);
        let mut machine = Machine::default();
        if let Some(code) = script.code.by_line(number, &scripts.limits)
            && let vars = (RhaiVars::of(&mut decision.vars), &mut decision.layers, entered)
            && let Some(mut inputs) = inputs((scripts, script, &code), vars, (moment, about))
        {
            machine.run((0, &code), &mut inputs, |_| false);
        }
        self.lines = machine.lines;
    }

    /// What the last call has printed, line by line.
    pub fn printed(&self) -> impl Iterator<Item = &str> {
        self.machine.printed()
    }
}

/// What a call works on; none if the variables are not as compiled code needs them.
#[inline(always)]
fn inputs<'i>(
    (scripts, script, code): (&'i RhaiProgram, &Script, &Code),
    (vars, layers, entered): (&'i mut RhaiVars, &'i mut Vec<LayerState>, usize),
    (moment, about): (&'i mut CallMoment, &'i About<'i>),
) -> Option<CallInputs<'i>> {
    let vars = vars.slots(&script.code.unit.slots, &scripts.limits)?;
    let limits = &scripts.limits;
    if code.below.is_empty() {
        return Some(CallInputs { moment, vars, about, limits, below: None });
    }
    let below = layers.iter_mut().zip(1..).filter_map(|(state, place)| {
        // The layer that was entered holds the variables of the lowest one.
        let layer = if place == entered { 0 } else { place };
        let names = code.below.get(&layer)?;
        let slots = RhaiVars::of(&mut state.vars).slots(names, limits)?;
        let name = (layer > 0).then(|| state.name.clone());
        Some(LayerBelow::new(layer, slots, &mut state.random, name))
    });
    Some(CallInputs { moment, vars, about, limits, below: Some(below.collect()) })
}
