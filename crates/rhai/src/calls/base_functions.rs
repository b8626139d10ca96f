//! The functions of the scripts below a script, which it can call with `base::`.

use super::lent_layers::{BaseFunction, base_module};
use super::*;
use crate::engine::resolver::is_script;

/// A script below another one.
pub(super) struct BelowLayer<'s> {
    pub script: &'s ListedScript,
    /// What its functions can use.
    pub global: &'s GlobalRuntimeState,
}

impl BelowLayer<'_> {
    /// Whether a function is called with events. Rules are not.
    fn is_hook(&self, name: &str) -> bool {
        name.strip_prefix("on_").is_some_and(|event| self.script.handles(event))
    }
}

/// The functions that a script can call in the scripts below it.
pub(super) struct BaseFunctions<'s> {
    below: BelowScript,
    layers: Vec<BelowLayer<'s>>,
    /// The functions of all scripts below it, the next script's first.
    functions: Vec<BaseFunction>,
}

impl<'s> BaseFunctions<'s> {
    /// What is below a script: `layers`, the lowest one first. If several functions have one name and number of
    /// parameters, it calls the topmost one.
    pub fn of(below: BelowScript, layers: Vec<BelowLayer<'s>>) -> Self {
        let mut functions: Vec<BaseFunction> = Vec::new();
        for (layer, script) in layers.iter().enumerate().rev() {
            for function in &script.script.functions {
                let (name, parameters) = (&function.name, function.parameters);
                let same = |known: &BaseFunction| known.name == *name && known.parameters == parameters;
                if !functions.iter().any(same) {
                    functions.push(BaseFunction { name: name.clone(), parameters, layer });
                }
            }
        }
        Self { below, layers, functions }
    }

    /// The functions that can be called, each with its script.
    fn callable(&self) -> impl Iterator<Item = (&BaseFunction, &BelowLayer<'s>)> {
        let functions = self.functions.iter();
        let functions = functions.map(|function| (function, &self.layers[function.layer]));
        functions.filter(|(function, script)| !script.is_hook(&function.name))
    }

    /// Adds the module `base` to what the functions of a script can use, if it `uses` that. An import of this name by the
    /// script itself comes first.
    pub fn import_into(&self, mut global: GlobalRuntimeState, uses: bool, limits: &Limits) -> GlobalRuntimeState {
        if !self.functions.is_empty() && uses {
            let functions = self.callable();
            let functions = functions.map(|(function, script)| (function, script.global));
            global.push_import("base", base_module(functions, limits));
        }
        global
    }

    /// Calls with `base::` of functions that are not there.
    pub fn wrong_calls(&self, ast: &AST, file: &Arc<SourceFile>) -> Vec<Diagnostic> {
        let calls = base_calls(ast, file).into_iter();
        let wrong = calls.filter_map(|call| {
            let why = self.objection(&call.name, call.arguments)?;
            Some(Diagnostic::error(call.place, why))
        });
        wrong.collect()
    }

    /// Why a function cannot be called with this number of arguments.
    fn objection(&self, name: &str, arguments: usize) -> Option<String> {
        match self.below {
            BelowScript::Unknown => return None,
            BelowScript::Nothing => {
                return Some(format!(
                    "there is no layer below for `base::{name}`; only the `scripts` of a mod have one"
                ));
            }
            BelowScript::Script(_) => {}
        }
        let mut named = self.functions.iter().filter(|known| known.name == name);
        let Some(first) = named.clone().next() else {
            let names = self.callable().map(|(known, _)| known.name.as_str());
            let hint = suggestion(name, names.collect::<Vec<_>>());
            let mut others = self.layers.iter().map(|layer| layer.script.name()).filter(|name| !is_script(name));
            return Some(match others.next() {
                Some(other) => format!(
                    "no layer below in Rhai has a function `{name}`{hint}; {other} is in another language, whose \
                     functions `base::` does not reach"
                ),
                None => format!("no layer below has a function `{name}`{hint}"),
            });
        };
        let script = &self.layers[first.layer];
        if script.is_hook(name) {
            return Some(format!("`base::{name}` cannot be called: hooks run in every layer by themselves"));
        }
        if named.any(|known| known.parameters == arguments) {
            return None;
        }
        let s = if first.parameters == 1 { "" } else { "s" };
        Some(format!("`{name}` in {} takes {} argument{s}, not {arguments}", script.script.name(), first.parameters))
    }
}
