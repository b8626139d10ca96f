//! Calling a function of a compiled script.

use super::compile::{Script, Scripts};
use crate::script::rhai::api::me::Me;
use crate::script::rhai::api::outlook::Outlook;
use crate::script::rhai::engine::budget::{grant, is_spent};
use crate::script::rhai::engine::halt::{stop, too_long};
use rhai::{Caches, Dynamic, EvalAltResult, EvalContext, GlobalRuntimeState, Map, Scope};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a hook is called with: `me`, and perhaps what it is about.
pub(super) struct Arguments {
    all: [Dynamic; 2],
    count: usize,
}

impl Arguments {
    /// `me` alone.
    pub fn one(me: &Me) -> Self {
        Self {
            all: [Dynamic::from(me.clone()), Dynamic::UNIT],
            count: 1,
        }
    }

    /// `me` and something.
    pub fn two(me: &Me, about: Dynamic) -> Self {
        Self {
            all: [Dynamic::from(me.clone()), about],
            count: 2,
        }
    }

    /// `me` and, for hooks that take it, an event.
    pub fn told(me: &Me, parameters: usize, event: impl FnOnce() -> Map) -> Self {
        if parameters == 2 {
            Self::two(me, event().into())
        } else {
            Self::one(me)
        }
    }

    pub fn as_mut(&mut self) -> &mut [Dynamic] {
        &mut self.all[..self.count]
    }
}

/// What the calls of one script reuse: constants, imports and the resolved functions.
pub(super) struct Runtime {
    global: GlobalRuntimeState,
    caches: Caches,
    /// The arguments and variables of the call that is being made.
    scope: Scope<'static>,
    /// The global state as it was at first.
    fresh: GlobalRuntimeState,
}

impl Runtime {
    /// For a script whose calls see the world through `outlook`.
    pub fn new(script: &Script, outlook: &Outlook) -> Self {
        let mut global = script.global.clone();
        global.tag = Dynamic::from(outlook.clone());
        Self {
            fresh: global.clone(),
            global,
            caches: Caches::new(),
            scope: Scope::new(),
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
        // A panic would be a mistake of the language or of ours; the others should still play.
        let result = catch_unwind(AssertUnwindSafe(|| {
            self.call_function(scripts, name, this, arguments)
        }));
        count.of_tick();
        self.scope.clear();
        let Ok(result) = result else {
            self.caches = Caches::new();
            self.global = self.fresh.clone();
            return Err(stop(
                "hangtime itself failed here; this is a bug worth reporting".into(),
            ));
        };
        // Some native functions swallow the errors of their callbacks.
        if result.is_ok() && is_spent() {
            return Err(stop(too_long(
                scripts.limits.operations,
                scripts.limits.tuned,
            )));
        }
        result
    }

    fn call_function(
        &mut self,
        scripts: &Scripts,
        name: &str,
        this: &mut Dynamic,
        arguments: &mut [Dynamic],
    ) -> Result<Dynamic, Box<EvalAltResult>> {
        let mut context = EvalContext::new(
            &scripts.engine,
            &mut self.global,
            &mut self.caches,
            &mut self.scope,
            None,
        );
        match arguments {
            [me] => context.call_fn_raw(name, true, true, &mut [this, me]),
            [me, about] => context.call_fn_raw(name, true, true, &mut [this, me, about]),
            _ => context.call_fn_raw(name, true, true, &mut [this]),
        }
    }
}
