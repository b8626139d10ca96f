//! Test scripts: `fn test_…()` functions that play levels and check expectations.

use super::{
    compile::{compile_ast, evaluate_priced},
    *,
};
use crate::{api::UncheckedExpectation, check::declared_functions, engine::pricing::start_of};
use hangtime_script::{
    BehaviorFailed, DeclaredFunction, FailedExpectation, Failure, MayEmit, TestLister, TestScript, reading_tables,
};
use std::sync::OnceLock;

/// A compiled test script.
pub(crate) struct RhaiTests {
    engine: Engine,
    /// The syntax tree, with prices.
    ast: AST,
    file: Arc<SourceFile>,
    sources: Arc<Sources>,
    foreign: ForeignCalls,
    unchecked: Unchecked,
    /// The operations that the last test has used.
    operations: u64,
    /// Its tests, in the order of the file; the tests of a table in the table's order.
    tests: Vec<TestFunction>,
}

impl RhaiTests {
    /// Compiles a test script, which may import from `sources`.
    ///
    /// # Errors
    /// The errors in the script.
    pub fn compile(file: &Arc<SourceFile>, sources: Arc<Sources>, foreign: &ForeignCalls) -> Result<Self, Diagnostics> {
        let limits = Limits::of_tests();
        let mut engine = new_engine(&limits);
        let unchecked = Unchecked::default();
        register_tests(&mut engine, foreign, &unchecked);
        record_prints(&mut engine);
        let _count = top_level_budget(&limits);
        let ast = compile_ast(&engine, file).map_err(Diagnostics)?;
        let wrong = check_closures(&ast, file);
        if !wrong.is_empty() {
            return Err(Diagnostics(wrong));
        }
        let mut script = Self {
            ast: priced(&ast),
            engine,
            file: file.clone(),
            sources,
            foreign: foreign.clone(),
            unchecked,
            operations: 0,
            tests: Vec::new(),
        };
        script.tests = script.list(&declared_functions(&ast, file))?;
        Ok(script)
    }

    /// Finds the tests. Calls the functions that return tables of cases.
    fn list(&mut self, functions: &[DeclaredFunction]) -> Result<Vec<TestFunction>, Diagnostics> {
        let place = Place::new(&self.file, 0..0);
        let global = self.evaluate().map_err(|e| {
            let limits = Limits::of_tests();
            Diagnostics(vec![self.explainer(&limits).explain(&e, place)])
        })?;
        let tests = TestLister::new(functions, spell_table).list(|table, read| {
            let rows = reading_tables(|| self.call_function(&global, &table.name, &mut []));
            let limits = Limits::of_tests();
            let rows = rows.map_err(|e| self.explainer(&limits).explain(&e, table.place.clone()))?;
            read(&HeldArg::of(&rows).arg());
            Ok(())
        });
        drop(self.unchecked.take());
        tests.map_err(Diagnostics)
    }

    /// Evaluates the top level of the file, with modules that no other test has seen.
    fn evaluate(&mut self) -> Fallible<GlobalRuntimeState> {
        let resolver = SourceResolver::new(self.sources.clone(), check_top_level);
        self.engine.set_module_resolver(resolver);
        let _count = top_level_budget(&Limits::of_tests());
        evaluate_priced(&self.engine, &self.ast)
    }

    /// Calls the function of a test and ignores its return value.
    fn call(&mut self, test: &TestFunction) -> Fallible<()> {
        let global = self.evaluate()?;
        let mut arguments: Vec<Dynamic> = test.arguments.iter().map(to_dynamic).collect();
        self.call_function(&global, &test.function, &mut arguments).map(drop)
    }

    fn call_function(
        &mut self,
        global: &GlobalRuntimeState,
        name: &str,
        arguments: &mut [Dynamic],
    ) -> Fallible<Dynamic> {
        let limits = Limits::of_tests();
        let count = call_budget(&limits);
        let (mut global, mut caches, mut scope) = (global.clone(), Caches::new(), Scope::new());
        let mut arguments: Vec<&mut Dynamic> = arguments.iter_mut().collect();
        let result = EvalContext::new(&self.engine, &mut global, &mut caches, &mut scope, None).call_fn_raw(
            name,
            false,
            false,
            &mut arguments,
        );
        self.operations = count.used();
        result
    }

    /// The failure of a test with an expectation that compares nothing.
    fn idle(&self, idle: &UncheckedExpectation, test: &TestFunction) -> Failure {
        let named = |file: &&Arc<SourceFile>| Some(&file.name) == idle.file.as_ref();
        let file = self.sources.values().find(named).unwrap_or(&self.file);
        let place = match idle.at.line() {
            Some(line) => Place::at(file, line, idle.at.position().unwrap_or(1)),
            None => test.place.clone(),
        };
        let message = "this expectation compares nothing; add a comparison, as in `expect(x).equals(y)`";
        Failure::new(Diagnostic::error(place, message), None)
    }

    /// Gives the error of a condition that did not hold in time its place, if that is on another line than the call. The
    /// call knows only the name of the condition.
    fn place_condition(&self, error: &mut EvalAltResult) {
        match error {
            EvalAltResult::ErrorInFunctionCall(name, _, inner, call) => match &mut **inner {
                EvalAltResult::ErrorRuntime(_, at) if at.is_none() => {
                    let start = start_of(&self.ast, name).filter(|start| start.line() != call.line());
                    *at = start.unwrap_or(*at);
                }
                inner => self.place_condition(inner),
            },
            EvalAltResult::ErrorInModule(_, inner, _) => self.place_condition(inner),
            _ => {}
        }
    }

    fn explainer<'a>(&'a self, limits: &'a Limits) -> Explainer<'a> {
        let catalog = Box::new(|| test_catalog(&self.foreign));
        Explainer { file: &self.file, sources: &self.sources, limits, api_set: ApiSet::Test, catalog }
    }

    fn failure(&self, error: &EvalAltResult, test: &TestFunction) -> Failure {
        let limits = Limits::of_tests();
        let explainer = self.explainer(&limits);
        let diagnostic = explainer.explain(error, test.place.clone());
        let thrown = match error.unwrap_inner() {
            EvalAltResult::ErrorRuntime(value, _) => value.clone(),
            _ => Dynamic::UNIT,
        };
        let fault = thrown.clone().try_cast::<BehaviorFailed>().map(|failed| failed.0);
        let failed = thrown.try_cast::<FailedExpectation>();
        let missed = failed.as_ref().and_then(|failed| failed.missed);
        let (expected, got) = failed.map_or((None, None), |m| (Some(m.expected), Some(m.got)));
        Failure { diagnostic, expected, got, missed, tick: None, fault }
    }
}

impl TestScript for RhaiTests {
    fn tests(&self) -> &[TestFunction] {
        &self.tests
    }

    fn run(&mut self, test: &TestFunction) -> Result<(), Box<Failure>> {
        drop(self.unchecked.take());
        let called = self.call(test);
        // Expectations that compared nothing are only known after the call has dropped all of its values.
        let failure = match called {
            Err(mut error) => {
                self.place_condition(&mut error);
                Some(self.failure(&error, test))
            }
            Ok(()) => self.unchecked.take().map(|idle| self.idle(&idle, test)),
        };
        failure.map_or(Ok(()), |failure| Err(Box::new(failure)))
    }

    fn operations(&self) -> u64 {
        self.operations
    }
}

/// A function that returns a table with one case.
fn spell_table(name: &str, parameters: &[String]) -> String {
    let each: Vec<String> = parameters.iter().map(|p| format!("{p}: …")).collect();
    format!("fn {name}() {{ [#{{ {} }}] }}", each.join(", "))
}

/// Returns whether some script emits an event. The scripts are parsed on first use.
pub(crate) fn may_emit(sources: Arc<Sources>) -> MayEmit {
    let tells = OnceLock::new();
    Arc::new(move |name| {
        let engine = || new_engine(&Limits::of_tests());
        let tells = tells.get_or_init(|| NamesInCalls::emitted_by(&engine(), &sources));
        tells.may_include(name)
    })
}
