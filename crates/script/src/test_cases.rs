//! The tests of a file: functions `test_…`, and for those with parameters the tables of their cases.

use super::{
    DeclaredFunction, Diagnostic, Place, TestFunction,
    calls::{Arg, NotPlain},
    names::{nearest, suggestion},
    refuse,
    text::cut,
};
use hangtime_core::sim::Value;
use std::collections::BTreeSet;

/// The largest number of cases in all tables of a file.
const MOST_CASES: usize = 10_000;

/// The largest number of values in all tables of a file.
const MOST_VALUES: usize = 200_000;

/// The largest number of bytes of text in all tables of a file.
const MOST_TEXT: usize = 4 << 20;

/// The largest number of characters of an argument, and of all arguments, in the name of a case.
const MOST_ARGUMENT: usize = 40;
const MOST_ARGUMENTS: usize = 160;

/// Reads the tests of a file in any language.
pub struct TestLister<'a> {
    functions: &'a [DeclaredFunction],
    /// How the language writes a function with this name that returns a table with one case of these parameters.
    spell: fn(&str, &[String]) -> String,
    /// What the tables may still hold.
    cases: usize,
    values: usize,
    text: usize,
    wrong: Vec<Diagnostic>,
}

impl<'a> TestLister<'a> {
    /// A lister of these functions. `spell` says how the language writes a function with this name that returns a table
    /// with one case of these parameters.
    pub fn new(functions: &'a [DeclaredFunction], spell: fn(&str, &[String]) -> String) -> Self {
        Self { functions, spell, cases: MOST_CASES, values: MOST_VALUES, text: MOST_TEXT, wrong: Vec::new() }
    }

    /// All tests, in the order of the file. `call` calls a function without parameters and passes on what it returns.
    ///
    /// # Errors
    /// The mistakes in tests and tables.
    pub fn list(
        mut self,
        mut call: impl FnMut(&DeclaredFunction, &mut dyn FnMut(&Arg<'_>)) -> Result<(), Diagnostic>,
    ) -> Result<Vec<TestFunction>, Vec<Diagnostic>> {
        let mut tests = Vec::new();
        let mut seen = BTreeSet::new();
        for function in self.functions {
            if !function.name.starts_with("test_") {
                continue;
            }
            if !seen.insert((&function.name, function.parameters.len())) {
                let why = format!("there is a test `{}` already, which would never run", function.name);
                self.wrong.push(Diagnostic::error(function.place.clone(), why));
                continue;
            }
            if function.parameters.is_empty() {
                tests.push(TestFunction {
                    name: function.name.clone(),
                    function: function.name.clone(),
                    arguments: Vec::new(),
                    place: function.place.clone(),
                });
            } else {
                let table = self.table_of(function);
                let cases = table.and_then(|table| {
                    let mut cases = Ok(Vec::new());
                    call(table, &mut |rows| cases = self.cases_of(function, table, rows))?;
                    cases
                });
                match cases {
                    Ok(mut cases) => tests.append(&mut cases),
                    Err(wrong) => self.wrong.push(wrong),
                }
            }
        }
        self.find_unused();
        if self.wrong.is_empty() { Ok(tests) } else { Err(self.wrong) }
    }

    /// The function that returns the cases of a test.
    fn table_of(&self, test: &DeclaredFunction) -> Result<&'a DeclaredFunction, Diagnostic> {
        let name = table_name(&test.name);
        let fail = |place: &Place, why: String| Err(Diagnostic::error(place.clone(), why));
        match self.functions.iter().find(|f| f.name == name) {
            Some(table) if table.parameters.is_empty() => Ok(table),
            Some(table) => fail(&table.place, format!("`{name}` cannot have parameters")),
            None => {
                let tables = self.functions.iter().map(|f| f.name.as_str());
                let tables = tables.filter(|f| f.starts_with("cases_"));
                let hint = match nearest(&name, tables) {
                    Some(near) => format!("rename `{near}` to `{name}`"),
                    None => format!("add `{}`", (self.spell)(&name, &test.parameters)),
                };
                let why = format!("`{}` has parameters, but there is no table of its cases; {hint}", test.name);
                fail(&test.place, why)
            }
        }
    }

    /// Reports tables of tests without parameters, and of no test at all unless another function calls them.
    fn find_unused(&mut self) {
        for table in self.functions {
            let Some(rest) = table.name.strip_prefix("cases_") else {
                continue;
            };
            let test = format!("test_{rest}");
            let mut tests = self.functions.iter().filter(|f| f.name == test).peekable();
            let why = if tests.peek().is_none() {
                let named = table.place.file.text.matches(&format!("{}(", table.name)).count();
                // A wrong table of a test is reported with that test.
                if named > 1 || !self.wrong.is_empty() {
                    continue;
                }
                let tests = self.functions.iter().map(|f| f.name.as_str());
                let hint = suggestion(&test, tests.filter(|f| f.starts_with("test_")).collect::<Vec<_>>());
                format!("there is no `{test}`, whose cases these are{hint}")
            } else if tests.all(|test| test.parameters.is_empty()) {
                format!("`{test}` has no parameters, so `{}` has no effect", table.name)
            } else {
                continue;
            };
            self.wrong.push(Diagnostic::error(table.place.clone(), why));
        }
    }

    /// The tests that a table makes of a function.
    fn cases_of(
        &mut self,
        test: &DeclaredFunction,
        table: &DeclaredFunction,
        rows: &Arg<'_>,
    ) -> Result<Vec<TestFunction>, Diagnostic> {
        let name = &table.name;
        let fail = |why: String| Diagnostic::error(table.place.clone(), why);
        let Some(list) = rows.as_list() else {
            return Err(fail(format!("`{name}` must return an array of cases, not {}", rows.type_name())));
        };
        let (cases, values, text) = (self.cases, self.values, self.text);
        let (mut count, mut fits) = (0, Some(()));
        let counted = list.each_item(&mut |row| {
            count += 1;
            fits = fits.and_then(|()| {
                self.cases = self.cases.checked_sub(1)?;
                row.take_size(&mut self.values, &mut self.text)
            });
            Ok(())
        });
        counted.map_err(|refusal| fail(refusal.to_string()))?;
        if count == 0 {
            return Err(fail(format!("`{name}` has no cases, so `{}` never runs", test.name)));
        }
        if fits.is_none() {
            return Err(fail(format!(
                "`{name}` is too large: the tables of a file can have {cases} more cases with {values} values \
                 and {text} bytes of text"
            )));
        }
        let mut tests = Vec::with_capacity(count);
        let read = list.each_item(&mut |row| {
            let index = tests.len();
            let arguments = match arguments_of(test, &row) {
                Ok(arguments) => arguments,
                Err(why) => return refuse(format!("case {index} of `{name}` {why}")),
            };
            tests.push(TestFunction {
                name: case_name(test, index, &arguments),
                function: test.name.clone(),
                arguments,
                place: test.place.clone(),
            });
            Ok(())
        });
        read.map_err(|refusal| fail(refusal.to_string()))?;
        Ok(tests)
    }
}

/// The name of the function with the cases of a test.
fn table_name(test: &str) -> String {
    format!("cases_{}", test.trim_start_matches("test_"))
}

/// The arguments that a row of a table has for a test: a map by names, an array in order, or a single
/// value.
fn arguments_of(test: &DeclaredFunction, row: &Arg<'_>) -> Result<Vec<Value>, String> {
    let names = &test.parameters;
    if let Some(map) = row.as_map() {
        let mut found: Vec<Option<Value>> = vec![None; names.len()];
        let (mut wrong, mut is_named) = (None, names.len() > 1);
        let read = map.each_entry(&mut |key, value| {
            is_named |= names[0] == key;
            match names.iter().position(|name| name == key) {
                Some(place) => match plain(key, &value) {
                    Ok(value) => found[place] = Some(value),
                    Err(why) => _ = wrong.get_or_insert(why),
                },
                None => {
                    let hint = suggestion(key, names.iter().map(String::as_str));
                    let test = &test.name;
                    wrong.get_or_insert(format!("has `{key}`, which is not a parameter of `{test}`{hint}"));
                }
            }
            Ok(())
        });
        // A single parameter may be a map itself.
        if is_named {
            if let Some(why) = wrong.or_else(|| read.err().map(|refusal| refusal.to_string())) {
                return Err(why);
            }
            let value = |(name, value): (&String, Option<Value>)| value.ok_or_else(|| format!("has no `{name}`"));
            return names.iter().zip(found).map(value).collect();
        }
    }
    if let [only] = names.as_slice() {
        return Ok(vec![plain(only, row)?]);
    }
    let count = names.len();
    let Some(list) = row.as_list() else {
        return Err(format!(
            "is {}; write a map with the names of the parameters, or an array of {count} values",
            row.type_name()
        ));
    };
    let mut values = Vec::new();
    let read = list.each_item(&mut |value| {
        values.push(names.get(values.len()).map(|name| plain(name, &value)));
        Ok(())
    });
    if let Err(refusal) = read {
        return Err(refusal.to_string());
    }
    if values.len() != count {
        return Err(format!("has {} values; `{}` has {count} parameters", values.len(), test.name));
    }
    values.into_iter().flatten().collect()
}

fn plain(name: &str, value: &Arg<'_>) -> Result<Value, String> {
    let wrong = |NotPlain { path, what }| format!("has {what} for `{name}{path}`; cases are plain data");
    value.to_plain().map_err(wrong)
}

/// The name of a case. The index makes it unique.
fn case_name(test: &DeclaredFunction, index: usize, arguments: &[Value]) -> String {
    let pairs = test.parameters.iter().zip(arguments);
    let shown = pairs.map(|(name, value)| {
        let value = written(value);
        format!("{name}={}", cut(&value, MOST_ARGUMENT))
    });
    let shown: Vec<String> = shown.collect();
    let shown = shown.join(", ");
    format!("{}[{index}: {}]", test.name, cut(&shown, MOST_ARGUMENTS))
}

/// A value as a script writes it.
fn written(value: &Value) -> String {
    let list = |parts: Vec<String>| parts.join(", ");
    match value {
        Value::Unit => "()".into(),
        Value::Bool(x) => x.to_string(),
        Value::Int(x) => x.to_string(),
        Value::Float(x) => format!("{x:?}"),
        Value::Text(x) => format!("{x:?}"),
        Value::List(parts) => format!("[{}]", list(parts.iter().map(written).collect())),
        Value::Map(map) => {
            let part = |(key, value): (&String, &Value)| format!("{key}: {}", written(value));
            format!("#{{{}}}", list(map.iter().map(part).collect()))
        }
        Value::Vector([x, y, z]) => format!("vec({x:?}, {y:?}, {z:?})"),
    }
}
