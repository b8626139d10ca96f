//! Calls of compiled code.

use super::*;
use crate::bytecode::{CallInputs, LayerBelow, Machine};
use hangtime_script::{
    LineCosts,
    budget::{Allowance, begin_call, used_of},
    record_line,
};

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
        let Some(number) = self.number_of(hook, scripts.execution) else {
            self.counts.interpreted += 1;
            return Err(CallPath::Interpreted);
        };
        let of = ((scripts, script), (number, script.code.code(number)));
        if self.run(of, (decision, entered), (moment, about), read) {
            self.bails[number] = 0;
            return Ok(());
        }
        self.bail((scripts, script), number, (decision, entered), (moment, about));
        Err(CallPath::Bailed)
    }

    /// Makes a call of a row in compiled code. False if it has to be made as if alone: nothing has changed then.
    #[inline(always)]
    pub fn call_in_row(
        &mut self,
        (scripts, script): (&RhaiProgram, &Script),
        hook: &HookFn,
        (call, decision): (&mut HookCall<'_>, &mut Decision),
    ) -> bool {
        let number = self.number_of(hook, scripts.execution);
        let Some(number) = number.filter(|_| scripts.execution == Execution::Compiled) else {
            return false;
        };
        if hook.observes_me {
            call.observe_me();
        }
        let of = ((scripts, script), (number, script.code.code(number)));
        let done = self.run(of, (decision, 0), (&mut call.shared.moment, &About::Nothing), |_| true);
        if done {
            self.bails[number] = 0;
            self.printed().for_each(record_line);
        }
        done
    }

    /// The number of the code of a hook, unless it has none, or is not to be tried any more.
    #[inline]
    fn number_of(&mut self, hook: &HookFn, execution: Execution) -> Option<usize> {
        let number = hook.code?;
        if self.bails.len() <= number {
            self.bails.resize(number + 1, 0);
        }
        // Comparing both ways means comparing every call.
        let given_up = self.bails[number] > MOST_BAILS && execution == Execution::Compiled;
        (!given_up).then_some(number)
    }

    /// Runs the code of a hook; false if it was not completed.
    #[inline(always)]
    fn run(
        &mut self,
        ((scripts, script), (number, code)): ((&RhaiProgram, &Script), (usize, &Code)),
        (decision, entered): (&mut Decision, usize),
        (moment, about): (&mut CallMoment, &About<'_>),
        read: impl FnOnce(&CompiledAnswer<'_>) -> bool,
    ) -> bool {
        let own = match RhaiVars::converted(&mut decision.vars) {
            Some(own) => own,
            None => RhaiVars::of(&mut decision.vars),
        };
        // Compiled code makes no closures, whose variables the budget of an interpreted call frees.
        let granted = begin_call(&scripts.limits);
        // In place: they are too large to be moved in each call.
        let vars = (&mut *own, &mut decision.layers, entered);
        let done = match &mut inputs((scripts, script, code), vars, (&mut *moment, about)) {
            Some(inputs) => self.machine.run((number, code), inputs, read),
            None => false,
        };
        if done {
            self.counts.compiled += 1;
            charge_tick(used_of(granted));
        }
        done
    }

    /// Notes a call that was not completed. If it was stopped, it is made again, to count what its lines use.
    #[cold]
    fn bail(
        &mut self,
        (scripts, script): (&RhaiProgram, &Script),
        number: usize,
        (decision, entered): (&mut Decision, usize),
        (moment, about): (&mut CallMoment, &About<'_>),
    ) {
        self.bails[number] = self.bails[number].saturating_add(1);
        self.counts.bailed += 1;
        if !self.machine.is_spent {
            return;
        }
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
