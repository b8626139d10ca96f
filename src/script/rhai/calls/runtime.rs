//! Calling functions of compiled scripts.

use super::compile::{Script, Scripts};
use crate::script::rhai::api::handles::{Me, WorldHandle};
use crate::script::rhai::engine::budget::{call_budget, is_spent};
use crate::script::rhai::engine::halt::{stop, too_long};
use rhai::{Caches, Dynamic, EvalAltResult, EvalContext, GlobalRuntimeState, Map, Scope};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The arguments of a hook: `me`, and for some hooks an event or a question.
pub(super) struct HookArguments {
    all: [Dynamic; 2],
    count: usize,
}

impl HookArguments {
    /// `me` alone.
    pub fn one(me: &Me) -> Self {
        Self {
            all: [Dynamic::from(me.clone()), Dynamic::UNIT],
            count: 1,
        }
    }

    /// `me` and a second argument.
    pub fn two(me: &Me, about: Dynamic) -> Self {
        Self {
            all: [Dynamic::from(me.clone()), about],
            count: 2,
        }
    }

    /// `me` and, if the hook has a second parameter, an event.
    pub fn with_event(me: &Me, parameters: usize, event: impl FnOnce() -> Map) -> Self {
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

/// What the calls of one script share: constants, imports and resolved functions.
pub(super) struct Runtime {
    global: GlobalRuntimeState,
    caches: Caches,
    /// The arguments and variables of the current call.
    scope: Scope<'static>,
    /// The initial global state.
    initial: GlobalRuntimeState,
}

impl Runtime {
    /// A runtime for a script that accesses the world through `world_handle`.
    pub fn new(script: &Script, world_handle: &WorldHandle) -> Self {
        let mut global = script.global.clone();
        global.tag = Dynamic::from(world_handle.clone());
        Self {
            initial: global.clone(),
            global,
            caches: Caches::new(),
            scope: Scope::new(),
        }
    }

    /// Calls a function with `this` bound, limited to the operations of one call.
    pub fn call(
        &mut self,
        scripts: &Scripts,
        name: &str,
        this: &mut Dynamic,
        arguments: &mut [Dynamic],
    ) -> Result<Dynamic, Box<EvalAltResult>> {
        let count = call_budget(&scripts.limits);
        // A panic is a bug in Rhai or hangtime. Other scripts should still run.
        let result = catch_unwind(AssertUnwindSafe(|| {
            self.call_function(scripts, name, this, arguments)
        }));
        count.charge_to_tick();
        self.scope.clear();
        let Ok(result) = result else {
            self.caches = Caches::new();
            self.global = self.initial.clone();
            return Err(stop(
                "internal error in hangtime; please report this bug".into(),
            ));
        };
        // Some native functions discard the errors of their callbacks.
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
