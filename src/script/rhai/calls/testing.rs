//! Test scripts: `fn test_…()` functions that play levels and say what they expect.

use super::compile::{compile_ast, evaluate_top_level};
use crate::script::host::api::Room;
use crate::script::host::{Diagnostic, Diagnostics, Fault, Limits, Place, Playtest, SourceFile};
use crate::script::rhai::api::{self, expect, new_engine, play};
use crate::script::rhai::check::{Tells, check_closures, check_top_level, written_functions};
use crate::script::rhai::engine::budget::{grant, grant_top_level};
use crate::script::rhai::engine::printed::Printed;
use crate::script::rhai::engine::resolver::{SourceResolver, Sources};
use crate::script::rhai::messages::errors::{Explainer, place};
use crate::script::rhai::messages::thrown::{BehaviorFailed, Missed};
use rhai::{Caches, Dynamic, Engine, EvalAltResult, EvalContext, GlobalRuntimeState, Scope};
use std::sync::{Arc, OnceLock};

/// That a test failed, and is known to.
#[derive(Clone, Debug)]
pub struct KnownFailure {
    /// Why, in the test's own words.
    pub why: String,
    /// How it failed.
    pub failure: Box<Failure>,
}

/// A compiled test script.
pub struct TestScript {
    engine: Engine,
    global: GlobalRuntimeState,
    file: Arc<SourceFile>,
    sources: Arc<Sources>,
    seen: play::Seen,
    printed: Printed,
    /// Its tests, in the order of the file.
    pub tests: Vec<TestFunction>,
}

/// A `fn test_…()`.
#[derive(Clone, Debug)]
pub struct TestFunction {
    /// Its name.
    pub name: String,
    /// Where its name stands.
    pub place: Place,
}

/// Why a test failed.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What and where.
    pub diagnostic: Diagnostic,
    /// What was expected, if this was an expectation.
    pub expected: Option<String>,
    /// What was found instead.
    pub got: Option<String>,
    /// The tick of the level played last, if one was.
    pub tick: Option<u64>,
    /// What went wrong in a behavior of that level, if it was that.
    pub fault: Option<Arc<Fault>>,
}

impl TestScript {
    /// Compiles a test script, which may import from `sources`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn compile(
        file: &Arc<SourceFile>,
        sources: Arc<Sources>,
        playtest: Arc<dyn Playtest>,
    ) -> Result<Self, Diagnostics> {
        let limits = Limits::of_tests();
        let mut engine = new_engine(&limits);
        engine.set_module_resolver(SourceResolver::new(sources.clone(), check_top_level));
        let seen = play::Seen::default();
        api::register_tests(&mut engine, playtest, seen.clone(), told(sources.clone()));
        let printed = Printed::default();
        printed.listen_to(&mut engine);
        let _count = grant_top_level(&limits);
        let ast = compile_ast(&engine, file).map_err(Diagnostics)?;
        let mut tests: Vec<TestFunction> = Vec::new();
        let mut wrong = check_closures(&ast, file);
        for function in written_functions(&ast, file) {
            if !function.name.starts_with("test_") {
                continue;
            }
            if function.parameters > 0 {
                let why = format!("`{}` is a test and takes no parameters", function.name);
                wrong.push(Diagnostic::error(function.place, why));
            } else {
                tests.push(TestFunction {
                    name: function.name,
                    place: function.place,
                });
            }
        }
        if !wrong.is_empty() {
            return Err(Diagnostics(wrong));
        }
        let global = evaluate_top_level(&engine, &ast).map_err(|e| {
            let explainer = Explainer {
                file,
                sources: &sources,
                limits: &limits,
                room: Room::Test,
                catalog: api::catalog,
            };
            Diagnostics(vec![explainer.explain(&e, Place::new(file, 0..0))])
        })?;
        Ok(Self {
            engine,
            global,
            file: file.clone(),
            sources,
            seen,
            printed,
            tests,
        })
    }

    /// Runs a test. One that says that it is known to fail has to, and is told of when it does.
    ///
    /// # Errors
    /// Why it failed, or that it does no longer.
    pub fn run(&mut self, test: &TestFunction) -> Result<Option<KnownFailure>, Box<Failure>> {
        self.seen.forget();
        let failed = self.call(test).err();
        // Only now has the call let go of everything, so that what was never compared is known.
        let failure = match failed {
            Some(e) => Some(self.failure(&e, test)),
            None => self.seen.idle().map(|idle| self.idle(&idle, test)),
        };
        match (self.seen.known(), failure.map(Box::new)) {
            (None, None) => Ok(None),
            (None, Some(failure)) => Err(failure),
            (Some(why), Some(failure)) => Ok(Some(KnownFailure { why, failure })),
            (Some(why), None) => Err(Box::new(self.mended(&why, test))),
        }
    }

    /// Calls the function of a test. What it answers is nobody's.
    fn call(&mut self, test: &TestFunction) -> Result<(), Box<EvalAltResult>> {
        let limits = Limits::of_tests();
        let _count = grant(&limits);
        let mut scope = Scope::new();
        let mut caches = Caches::new();
        EvalContext::new(
            &self.engine,
            &mut self.global,
            &mut caches,
            &mut scope,
            None,
        )
        .call_fn_raw(&test.name, false, false, &mut [])
        .map(drop)
    }

    /// What the test has printed.
    #[must_use]
    pub fn printed(&self) -> Vec<String> {
        self.printed.take()
    }

    /// What a test that is known to fail is told when it does not.
    fn mended(&self, why: &str, test: &TestFunction) -> Failure {
        let message = format!(
            "`{}` no longer fails; it was known to: {why}. Take its `known_failure` away",
            test.name
        );
        Failure {
            diagnostic: Diagnostic::error(test.place.clone(), message),
            expected: None,
            got: None,
            tick: self.seen.tick(),
            fault: None,
        }
    }

    /// What is told of an expectation that was compared with nothing.
    fn idle(&self, idle: &expect::Idle, test: &TestFunction) -> Failure {
        let named = |file: &&Arc<SourceFile>| Some(&file.name) == idle.file.as_ref();
        let file = self.sources.values().find(named).unwrap_or(&self.file);
        let place = if idle.at.is_none() {
            test.place.clone()
        } else {
            place(file, idle.at)
        };
        let message = "this expects nothing of its value: say what, as in `expect(x).equals(y)`";
        Failure {
            diagnostic: Diagnostic::error(place, message),
            expected: None,
            got: None,
            tick: self.seen.tick(),
            fault: None,
        }
    }

    fn explainer<'a>(&'a self, limits: &'a Limits) -> Explainer<'a> {
        Explainer {
            file: &self.file,
            sources: &self.sources,
            limits,
            room: Room::Test,
            catalog: api::catalog,
        }
    }

    fn failure(&self, error: &EvalAltResult, test: &TestFunction) -> Failure {
        let limits = Limits::of_tests();
        let explainer = self.explainer(&limits);
        let diagnostic = explainer.explain(error, test.place.clone());
        let missed = innermost(error).and_then(|value| value.clone().try_cast::<Missed>());
        let fault = innermost(error)
            .and_then(|value| value.clone().try_cast::<BehaviorFailed>())
            .map(|failed| failed.0);
        let (expected, got) = missed.map_or((None, None), |m| (Some(m.expected), Some(m.got)));
        Failure {
            diagnostic,
            expected,
            got,
            tick: self.seen.tick(),
            fault,
        }
    }
}

/// Whether some script tells of an event. The scripts are read when somebody asks.
fn told(sources: Arc<Sources>) -> play::Told {
    let tells = OnceLock::new();
    Arc::new(move |name| {
        let engine = || new_engine(&Limits::of_tests());
        let tells = tells.get_or_init(|| Tells::of(&engine(), &sources));
        tells.may_tell(name)
    })
}

/// The value that was thrown.
fn innermost(error: &EvalAltResult) -> Option<&Dynamic> {
    match error {
        EvalAltResult::ErrorInFunctionCall(_, _, inner, _)
        | EvalAltResult::ErrorInModule(_, inner, _) => innermost(inner),
        EvalAltResult::ErrorRuntime(value, _) => Some(value),
        _ => None,
    }
}
