//! Making one call of a hook: in compiled code, or else in the interpreter.

use super::*;
use crate::engine::{budget::charge_sleep, halt::IN_USE};

/// The value of an interpreted call, and whether it has left its variables plain.
pub type Interpreted = Fallible<(Dynamic, Result<(), RejectedVar>)>;

/// What it costs that an error is handed through a call, in operations.
const PER_FRAME: u64 = 16;

/// One call of a hook, and what makes it.
pub struct RhaiCall<'c, 'r> {
    pub call: &'r mut HookCall<'c>,
    pub scripts: &'r RhaiProgram,
    pub runtimes: &'r mut [Runtime],
}

impl<'r> RhaiCall<'_, 'r> {
    /// The script.
    pub fn script(&self) -> &'r Script {
        self.scripts.get(self.call.script)
    }

    /// The hook.
    pub fn hook(&self) -> &'r HookFn {
        &self.script().hooks[self.call.hook]
    }

    /// The script's runtime.
    pub fn runtime(&mut self) -> &mut Runtime {
        &mut self.runtimes[self.call.script.0 as usize]
    }

    /// Makes the call, with the variables of a decision.
    #[inline(always)]
    pub fn make(&mut self, decision: &mut Decision) -> Result<HookAnswer, Unanswered> {
        if self.scripts.execution != Execution::Compiled {
            return self.make_otherwise(decision, CallPath::Interpreted);
        }
        if self.hook().observes_me {
            self.call.observe_me();
        }
        let (wanted, mut answer) = (self.call.wanted, HookAnswer::Nothing);
        let made = self.call_compiled(decision, |compiled| {
            wanted == Wanted::Nothing || {
                let read = read_compiled(wanted, compiled);
                read.inspect(|read| answer = *read).is_some()
            }
        });
        match made {
            Ok(()) => {
                self.call.end(CallPath::Compiled);
                Ok(answer)
            }
            Err(path) => self.make_otherwise(decision, path),
        }
    }

    /// Makes the call in the interpreter, or both ways. Apart, so that a compiled call needs little of the stack.
    #[inline(never)]
    fn make_otherwise(&mut self, decision: &mut Decision, path: CallPath) -> Result<HookAnswer, Unanswered> {
        if self.scripts.execution == Execution::BothWays {
            let answer = self.call_both_ways(decision);
            self.call.end(CallPath::Compiled);
            return self.accept(decision, answer);
        }
        let result = self.interpret(decision);
        self.call.end(path);
        let answer = self.conclude(decision, result);
        self.accept(decision, answer)
    }

    /// What the value of an interpreted call means; a fault if it is invalid.
    fn accept(&mut self, decision: &mut Decision, value: Option<Dynamic>) -> Result<HookAnswer, Unanswered> {
        let value = value.ok_or(Unanswered::Failed)?;
        self.call.accept(decision, &HeldArg::of(&value).arg())
    }

    /// Makes the call in the interpreter. The inner error reports a variable that is not plain.
    pub fn interpret(&mut self, decision: &mut Decision) -> Interpreted {
        self.call.observe_me();
        let hook = self.hook();
        let about = map_of(self.call.about).map(Dynamic::from_map);
        let runtime = &mut self.runtimes[self.call.script.0 as usize];
        let _lent = LentLayers::below(self.call, &mut decision.layers);
        let this = RhaiVars::of(&mut decision.vars);
        let result = runtime.call(self.scripts, hook, &mut self.call.shared.moment, this.bind(), about);
        let plain = this.enforce_plain(&self.scripts.limits, hook.only_reads());
        result.map(|value| (value, plain))
    }

    /// Reports what is wrong with an interpreted call. The commands of a call that has failed are dropped.
    pub fn conclude(&mut self, decision: &mut Decision, result: Interpreted) -> Option<Dynamic> {
        match result {
            Ok((value, plain)) => {
                if let Err(rejected) = plain {
                    self.call.reject(decision, rejected.message());
                }
                Some(value)
            }
            Err(error) => {
                charge_tick(PER_FRAME * frames(&error));
                if is_in_use(&error) {
                    charge_sleep();
                }
                let explainer = self.scripts.explainer(&self.script().listed.file);
                let lines = &self.runtimes[self.call.script.0 as usize].compiled.lines;
                self.call.fail(decision, |place| lines.explain(explainer.explain(&error, place)));
                None
            }
        }
    }
}

/// Whether the message of an error is [`IN_USE`].
fn is_in_use(error: &EvalAltResult) -> bool {
    match error.unwrap_inner() {
        EvalAltResult::ErrorDataRace(..) => true,
        EvalAltResult::ErrorRuntime(why, _) => why.as_immutable_string_ref().is_ok_and(|why| *why == IN_USE),
        _ => false,
    }
}

/// The number of calls that an error was handed through. Each has noted its name and place in it.
fn frames(error: &EvalAltResult) -> u64 {
    match error {
        EvalAltResult::ErrorInFunctionCall(_, _, inner, _) | EvalAltResult::ErrorInModule(_, inner, _) => {
            1 + frames(inner)
        }
        _ => 0,
    }
}
