//! Calls in compiled code, and comparing what they do with the interpreter.

use super::*;
use crate::engine::budget::within_tick;
use hangtime_script::{CallDifference, calls::MomentMark, record_line, recording_prints};

/// Where a call begins.
pub struct CallStart {
    mark: MomentMark,
    commands: usize,
    left: u64,
}

impl CallStart {
    pub fn of(moment: &CallMoment) -> Self {
        Self { mark: moment.mark(), commands: moment.me.commands.len(), left: left_in_tick() }
    }

    /// Changes that a call left behind although it could not be completed.
    pub fn changes(&self, moment: &CallMoment, (before, now): (&Decision, &Decision)) -> Option<String> {
        let same_state = format!("{:?}", moment.mark()) == format!("{:?}", self.mark);
        let same_vars = variables(before) == variables(now);
        let what = match (same_state, same_vars) {
            (true, true) => return None,
            (false, _) => "orders or state",
            (_, false) => "variables",
        };
        Some(format!("it could not be completed, but left {what} changed"))
    }

    /// What a call has done since.
    pub fn outcome(&self, moment: &CallMoment, decision: &Decision, answer: String, lines: &[String]) -> CallOutcome {
        CallOutcome {
            parts: [
                ("answer", answer),
                ("variables", variables(decision)),
                ("orders", format!("{:?}", &moment.me.commands[self.commands..])),
                ("state", format!("{:?}", moment.mark())),
                ("printed lines", format!("{lines:?}")),
                ("operations", format!("{}", self.left - left_in_tick())),
            ],
        }
    }
}

/// The variables of all layers, and the random streams of those above the lowest one.
fn variables(decision: &Decision) -> String {
    let mut all = format!("{:?}", decision.vars.0.to_plain());
    for layer in &decision.layers {
        all += &format!(" {} {:?}", layer.random, layer.vars.0.to_plain());
    }
    all
}

/// What a call has done.
pub struct CallOutcome {
    parts: [(&'static str, String); 6],
}

impl CallOutcome {
    /// What another way of making the call did otherwise.
    pub fn difference(&self, interpreted: &Self) -> Option<String> {
        let mut pairs = self.parts.iter().zip(&interpreted.parts);
        let (compiled, right) = pairs.find(|(a, b)| a.1 != b.1)?;
        Some(format!("{} are {} compiled, but {} interpreted", compiled.0, compiled.1, right.1))
    }
}

impl RhaiCall<'_, '_> {
    /// Makes the call in compiled code, or says why the interpreter has to make it.
    #[inline(always)]
    pub(super) fn call_compiled(
        &mut self,
        decision: &mut Decision,
        read: impl FnOnce(&CompiledAnswer<'_>) -> bool,
    ) -> Result<(), CallPath> {
        let script = self.script();
        let hook = &script.hooks[self.call.hook];
        let compiled = &mut self.runtimes[self.call.script.0 as usize].compiled;
        let of = (self.scripts, script);
        compiled.call(of, hook, (decision, self.call.layer), (&mut self.call.shared.moment, self.call.about), read)?;
        if self.scripts.execution == Execution::Compiled {
            compiled.printed().for_each(record_line);
        }
        Ok(())
    }

    /// Makes the call in compiled code, undoes it, and makes it in the interpreter, whose results count.
    pub(super) fn call_both_ways(&mut self, decision: &mut Decision) -> Option<Dynamic> {
        self.call.observe_me();
        let start = CallStart::of(&self.call.shared.moment);
        let (vars, layers) = (decision.vars.clone(), decision.layers.clone());
        let before = Decision { vars, layers, ..Decision::default() };
        let mut left = left_in_tick();
        let mut compiled = None;
        within_tick(&mut left, || {
            let mut answer = None;
            let read = |compiled: &CompiledAnswer<'_>| {
                answer = compiled.to_rhai();
                answer.is_some()
            };
            if let (Ok(()), Some(answer)) = (self.call_compiled(decision, read), answer) {
                let lines: Vec<_> = self.runtime().compiled.printed().map(str::to_string).collect();
                let answer = format!("{answer:?}");
                compiled = Some(start.outcome(&self.call.shared.moment, decision, answer, &lines));
            }
        });
        if compiled.is_none()
            && let Some(changed) = start.changes(&self.call.shared.moment, (&before, &*decision))
        {
            self.differs(changed);
        }
        (decision.vars, decision.layers) = (before.vars, before.layers);
        self.call.shared.moment.return_to(&start.mark);
        let (result, printed) = recording_prints(|| self.interpret(decision));
        printed.lines.iter().for_each(|line| record_line(line));
        if let Some(compiled) = compiled {
            let answer = match &result {
                Ok((answer, Ok(()))) => format!("{answer:?}"),
                _ => "a fault".to_string(),
            };
            let interpreted = start.outcome(&self.call.shared.moment, decision, answer, &printed.lines);
            if let Some(difference) = compiled.difference(&interpreted) {
                self.differs(difference);
            }
        }
        self.conclude(decision, result)
    }

    /// Records that compiled code does something else than the interpreter.
    fn differs(&mut self, problem: String) {
        let difference = CallDifference {
            tick: self.call.scene.tick,
            script: self.call.listed.name().to_string(),
            hook: self.call.hook().name.to_string(),
            entity: self.call.entity().to_string(),
            problem,
        };
        self.call.shared.call_difference.get_or_insert(difference);
    }
}
