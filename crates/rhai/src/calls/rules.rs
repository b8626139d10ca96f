//! Calling compiled scripts in a game.

use super::{lent_layers::call_with_vars, *};
use crate::api::handles::Me;
use hangtime_script::{BaseArgument, CallRefusal, LanguageRules, Program, TickRow, refuse};

/// Calls compiled scripts. Each running game has one.
struct RhaiRules {
    scripts: Arc<RhaiProgram>,
    runtimes: Vec<Runtime>,
}

impl Program for RhaiProgram {
    fn rules(self: Arc<Self>) -> Box<dyn LanguageRules> {
        let runtimes = self.scripts.iter().map(Runtime::new).collect();
        Box::new(RhaiRules { scripts: self, runtimes })
    }

    fn call_function(
        &self,
        (script, name): (ScriptId, &str),
        arguments: &[BaseArgument],
        vars: &mut Vars,
    ) -> Result<Value, CallRefusal> {
        let script = self.get(script);
        let value = |argument: &BaseArgument| match argument {
            BaseArgument::Me => Dynamic::from(Me),
            BaseArgument::Data(data) => to_dynamic(data),
        };
        let arguments = arguments.iter().map(value).collect();
        let value = call_with_vars(&self.engine, (&script.global, 0), (name, arguments), (vars, &self.limits));
        let value = value.or_else(|error| {
            let explainer = self.explainer(&script.listed.file);
            refuse(explainer.explain(&error, Place::new(&script.listed.file, 0..0)).cited())
        })?;
        to_plain(&value).or_else(|NotPlain { what, .. }| {
            refuse(format!("`{name}` in {} returns {what}, not plain data", script.listed.name()))
        })
    }
}

impl LanguageRules for RhaiRules {
    fn call(&mut self, call: &mut HookCall<'_>, decision: &mut Decision) -> Result<HookAnswer, Unanswered> {
        RhaiCall { call, scripts: &self.scripts, runtimes: &mut self.runtimes }.make(decision)
    }

    fn call_row(&mut self, row: &mut TickRow<'_>) {
        let scripts = self.scripts.clone();
        let script = row.call.script;
        let of = (&*scripts, scripts.get(script));
        let hook = &of.1.hooks[row.call.hook];
        while let Some((call, decision)) = row.advance() {
            let compiled = &mut self.runtimes[script.0 as usize].compiled;
            if !compiled.call_in_row(of, hook, (&mut *call, &mut *decision)) {
                _ = self.call(call, decision);
            }
        }
    }

    fn abandon(&mut self, script: ScriptId, vars: &mut Vars) {
        self.runtimes[script.0 as usize].reset(self.scripts.get(script));
        // The failure is reported; what is not plain is restored.
        let vars = RhaiVars::of(vars);
        vars.bind();
        let _ = vars.enforce_plain(&self.scripts.limits, false);
    }

    fn adopt(&self, vars: &mut Vars) {
        RhaiVars::adopt(vars);
    }

    fn call_counts(&self) -> CallCounts {
        let mut all = CallCounts::default();
        self.runtimes.iter().for_each(|runtime| all.add(runtime.compiled.counts));
        all
    }
}

#[cfg(test)]
#[path = "../../tests/unit/calls/rules.rs"]
mod tests;
