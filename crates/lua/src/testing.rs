//! Test scripts: functions `test_…` that play levels and check expectations.

use crate::{
    expectations::IdleExpectations,
    machine::{LoadedScript, LuaMachine},
    messages::{cause, explain, failed_behavior, place_in_line, refused},
    syntax,
    values::LuaArg,
};
use hangtime_core::sim::Value as Data;
use hangtime_script::{
    Diagnostic, Diagnostics, FailedExpectation, Failure, Limits, Place, SourceFile, Sources, TestFunction, TestLister,
    TestScript,
    budget::Allowance,
    calls::{Arg, ForeignCalls},
    reading_tables,
};
use mlua::Error;
use std::{cell::Cell, sync::Arc};

/// A compiled test script.
pub(crate) struct LuaTests {
    file: Arc<SourceFile>,
    /// What it may require, and the file itself.
    sources: Arc<Sources>,
    foreign: ForeignCalls,
    tests: Vec<TestFunction>,
    /// The operations that the last call has used.
    operations: Cell<u64>,
}

impl LuaTests {
    /// Compiles a test script, which may require from `sources`.
    ///
    /// # Errors
    /// The errors in the script.
    pub fn compile(
        file: &Arc<SourceFile>,
        sources: &Arc<Sources>,
        foreign: &ForeignCalls,
    ) -> Result<Self, Diagnostics> {
        let mut all = Sources::clone(sources);
        all.insert(file.name.clone(), file.clone());
        let mut script = Self {
            file: file.clone(),
            sources: Arc::new(all),
            foreign: foreign.clone(),
            tests: Vec::new(),
            operations: Cell::new(0),
        };
        let functions = syntax::declared(file);
        let tests = TestLister::new(&functions, spell_table).list(|table, read| {
            let called = reading_tables(|| script.call(&table.name, &[], |rows| read(rows)));
            called.map(drop).map_err(|error| explain(&error, &script.sources, table.place.clone()))
        });
        let tests = tests.map_err(Diagnostics)?;
        // A file without tables has not been loaded yet.
        let wrong = |error: Error| Diagnostics(vec![explain(&error, &script.sources, Place::new(file, 0..0))]);
        script.load().map_err(wrong)?;
        script.tests = tests;
        Ok(script)
    }

    /// A machine for each test, so that tests share nothing.
    fn load(&self) -> Result<(LuaMachine, LoadedScript, IdleExpectations), Error> {
        let unchecked = IdleExpectations::default();
        let mut machine = LuaMachine::for_tests(&self.foreign, &unchecked)?;
        let _count = Allowance::begin(&Limits::of_tests());
        let script = machine.load((&self.file, &self.sources), false)?;
        Ok((machine, script, unchecked))
    }

    /// Calls a function, and passes on what it returns. Returns the first expectation that has compared nothing.
    fn call(
        &self,
        name: &str,
        arguments: &[Data],
        read: impl FnOnce(&Arg<'_>),
    ) -> Result<Option<(String, usize)>, Error> {
        let (machine, script, unchecked) = self.load()?;
        let count = Allowance::begin(&Limits::of_tests());
        let called = machine.call_function((&script, name), arguments);
        self.operations.set(count.used());
        let value = called?;
        let held = LuaArg::of(&value, &machine.bound.kinds).map_err(refused)?;
        read(&held.arg());
        Ok(unchecked.first())
    }

    fn failure(&self, error: &Error, test: &TestFunction) -> Failure {
        let failed = cause::<FailedExpectation>(error);
        let missed = failed.and_then(|failed| failed.missed);
        let (expected, got) = failed.map(|failed| (failed.expected.clone(), failed.got.clone())).unzip();
        let diagnostic = explain(error, &self.sources, test.place.clone());
        Failure { diagnostic, expected, got, missed, tick: None, fault: failed_behavior(error) }
    }
}

impl TestScript for LuaTests {
    fn tests(&self) -> &[TestFunction] {
        &self.tests
    }

    fn run(&mut self, test: &TestFunction) -> Result<(), Box<Failure>> {
        match self.call(&test.function, &test.arguments, |_| ()) {
            Ok(None) => Ok(()),
            Ok(Some((file, line))) => {
                let file = self.sources.values().find(|known| known.name == file).unwrap_or(&self.file);
                let message = "this expectation compares nothing; add a comparison, as in `expect(x):equals(y)`";
                let place = place_in_line(file, line, (Some("expect"), ""));
                Err(Box::new(Failure::new(Diagnostic::error(place, message), None)))
            }
            Err(error) => Err(Box::new(self.failure(&error, test))),
        }
    }

    fn operations(&self) -> u64 {
        self.operations.get()
    }
}

/// A function that returns a table with one case.
fn spell_table(name: &str, parameters: &[String]) -> String {
    let each: Vec<String> = parameters.iter().map(|name| format!("{name} = …")).collect();
    format!("function {name}() return {{ {{ {} }} }} end", each.join(", "))
}
