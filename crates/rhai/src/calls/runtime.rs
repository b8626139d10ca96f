//! Calling functions of compiled scripts.

use super::{compiled::CompiledCalls, *};
use crate::{
    api::handles::Me,
    engine::{
        budget::{is_spent, spend},
        halt::too_long,
    },
};
use hangtime_script::calls::with_lent;
use rhai::Expression;

/// Rhai counts as many levels for a function that is called by its name from outside.
const BODY_LEVEL: usize = 2;

/// The operations that Rhai counts for calling a function and for the statement that is its whole body.
const TO_BODY: u64 = 2;

/// What the calls of one script share: constants, imports and resolved functions.
pub struct Runtime {
    global: GlobalRuntimeState,
    caches: Caches,
    /// The parameters of each hook that has a body, by the index of the body.
    frames: Vec<HookFrame>,
    /// The initial global state.
    initial: GlobalRuntimeState,
    /// Its compiled calls.
    pub compiled: CompiledCalls,
}

impl Runtime {
    /// A runtime for a script.
    pub fn new(script: &Script) -> Self {
        let mut global = script.global.clone();
        global.tag = Dynamic::from(WorldHandle);
        let bodies = script.bodies();
        Self {
            initial: global.clone(),
            global,
            caches: Caches::new(),
            frames: bodies.map(HookFrame::of).collect(),
            compiled: CompiledCalls::default(),
        }
    }

    /// Calls a hook with `this` bound, limited to the operations of one call. Its arguments are `me`, and `about` if it
    /// has a second parameter.
    pub fn call(
        &mut self,
        scripts: &RhaiProgram,
        hook: &HookFn,
        moment: &mut Box<CallMoment>,
        this: &mut Dynamic,
        about: Option<Dynamic>,
    ) -> Fallible<Dynamic> {
        let arguments = 1 + usize::from(about.is_some());
        let body = hook.body.as_ref();
        let body = body.filter(|body| body.parameters.len() == arguments);
        if body.is_some_and(|body| body.node.is_none()) {
            return Ok(Dynamic::UNIT);
        }
        let budget = call_budget(&scripts.limits);
        let result = with_lent(moment, || match body {
            Some(body) => self.run_body(&scripts.engine, body, this, about),
            None => self.call_by_name(&scripts.engine, &hook.name, this, about),
        });
        budget.charge_to_tick();
        // Some native functions discard the errors of their callbacks.
        if result.is_ok() && is_spent() {
            return Err(stop(too_long(scripts.limits.operations, scripts.limits.tuned)));
        }
        result
    }

    /// Makes it as new, after a panic in a call.
    pub fn reset(&mut self, script: &Script) {
        self.caches = Caches::new();
        self.global = self.initial.clone();
        self.frames = script.bodies().map(HookFrame::of).collect();
    }

    /// Evaluates the body of a hook, as Rhai does when it calls the function, but without looking it up by its name and
    /// without making variables for its parameters.
    fn run_body(
        &mut self,
        engine: &Engine,
        body: &HookBody,
        this: &mut Dynamic,
        about: Option<Dynamic>,
    ) -> Fallible<Dynamic> {
        let Some(node) = &body.node else {
            return Ok(Dynamic::UNIT);
        };
        let frame = &mut self.frames[body.index];
        frame.set_second(body, about);
        // A call never begins without operations.
        (0..TO_BODY).for_each(|_| _ = spend());
        self.global.level = BODY_LEVEL;
        let mut context = EvalContext::new(engine, &mut self.global, &mut self.caches, &mut frame.scope, Some(this));
        let result = context.eval_expression_tree(&Expression::from(node));
        let result = result.map(Dynamic::flatten);
        self.global.level = 0;
        frame.restore(body);
        result.or_else(|error| leave(error, body, &self.global))
    }

    /// Lets Rhai find the function.
    fn call_by_name(
        &mut self,
        engine: &Engine,
        name: &str,
        this: &mut Dynamic,
        about: Option<Dynamic>,
    ) -> Fallible<Dynamic> {
        let mut scope = Scope::new();
        let mut context = EvalContext::new(engine, &mut self.global, &mut self.caches, &mut scope, None);
        let mut me = Dynamic::from(Me);
        match about {
            Some(mut about) => context.call_fn_raw(name, true, true, &mut [this, &mut me, &mut about]),
            None => context.call_fn_raw(name, true, true, &mut [this, &mut me]),
        }
    }
}

/// What a function returns that has ended by `return` or an error, as Rhai reports it.
fn leave(mut error: Box<EvalAltResult>, body: &HookBody, global: &GlobalRuntimeState) -> Fallible<Dynamic> {
    if let EvalAltResult::Return(value, _) = *error {
        return Ok(value);
    }
    if matches!(*error, EvalAltResult::Exit(..)) || error.is_system_exception() {
        error.set_position(Position::NONE);
        return Err(error);
    }
    let source = global.source().unwrap_or_default().to_string();
    let name = body.name.to_string();
    Err(EvalAltResult::ErrorInFunctionCall(name, source, error, Position::NONE).into())
}

/// The parameters of a hook as variables. They stay from call to call.
struct HookFrame {
    scope: Scope<'static>,
}

impl HookFrame {
    fn of(body: &HookBody) -> Self {
        let mut scope = Scope::new();
        for (index, name) in body.parameters.iter().enumerate() {
            let value = match index {
                0 => Dynamic::from(Me),
                _ => Dynamic::UNIT,
            };
            scope.push_dynamic(&**name, value);
        }
        Self { scope }
    }

    /// Sets the second parameter, if there is one.
    fn set_second(&mut self, body: &HookBody, about: Option<Dynamic>) {
        if let Some(about) = about
            && let Some(second) = self.scope.get_mut(&body.parameters[1])
        {
            *second = about;
        }
    }

    /// Undoes what a call has done to the parameters.
    fn restore(&mut self, body: &HookBody) {
        for (index, name) in body.parameters.iter().enumerate() {
            let Some(parameter) = self.scope.get_mut(name) else {
                continue;
            };
            if index > 0 {
                *parameter = Dynamic::UNIT;
            } else if parameter.is_shared() || !parameter.is::<Me>() {
                // It was assigned to, or a closure has captured it.
                *parameter = Dynamic::from(Me);
            }
        }
    }
}
