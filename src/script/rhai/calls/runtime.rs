//! Calling a function of a compiled script.

use super::compile::{Script, Scripts};
use crate::script::rhai::api::outlook::Outlook;
use crate::script::rhai::budget::{grant, is_spent};
use crate::script::rhai::engine::{stop, too_long};
use rhai::{Caches, Dynamic, EvalAltResult, EvalContext, GlobalRuntimeState, Scope};

/// What the calls of one script reuse: constants, imports and the resolved functions.
pub(in crate::script::rhai) struct Runtime {
    global: GlobalRuntimeState,
    caches: Caches,
}

impl Runtime {
    /// For a script whose calls see the world through `outlook`.
    pub fn new(script: &Script, outlook: &Outlook) -> Self {
        let mut global = script.global.clone();
        global.tag = Dynamic::from(outlook.clone());
        Self {
            global,
            caches: Caches::new(),
        }
    }

    /// Calls a function with `this` bound, under the budget of one call.
    pub fn call(
        &mut self,
        scripts: &Scripts,
        name: &str,
        this: &mut Dynamic,
        arguments: &mut [Dynamic],
    ) -> Result<Dynamic, Box<EvalAltResult>> {
        let count = grant(&scripts.limits);
        let mut scope = Scope::new();
        let mut all: Vec<&mut Dynamic> = Vec::with_capacity(1 + arguments.len());
        all.push(this);
        all.extend(arguments);
        let result = EvalContext::new(
            &scripts.engine,
            &mut self.global,
            &mut self.caches,
            &mut scope,
            None,
        )
        .call_fn_raw(name, true, true, &mut all);
        count.of_tick();
        // Some native functions swallow the errors of their callbacks.
        if result.is_ok() && is_spent() {
            return Err(stop(too_long(&scripts.limits)));
        }
        result
    }
}
