//! The tests of a file: functions `test_…`, and for those with parameters the tables of their cases.

use super::*;
use crate::engine::values::take_size;
use hangtime_script::names::{nearest, suggestion};
use hangtime_script::text::cut;

/// The largest number of cases in all tables of a file.
const MOST_CASES: usize = 10_000;

/// The largest number of values in all tables of a file.
const MOST_VALUES: usize = 200_000;

/// The largest number of bytes of text in all tables of a file.
const MOST_TEXT: usize = 4 << 20;

/// The largest number of characters of an argument, and of all arguments, in the name of a case.
const MOST_ARGUMENT: usize = 40;
const MOST_ARGUMENTS: usize = 160;

/// Reads the tests of a file.
pub(super) struct TestLister<'a> {
    functions: &'a [DeclaredFunction],
    /// What the tables may still hold.
    cases: usize,
    values: usize,
    text: usize,
    wrong: Vec<Diagnostic>,
}

impl<'a> TestLister<'a> {
    pub fn new(functions: &'a [DeclaredFunction]) -> Self {
        Self { functions, cases: MOST_CASES, values: MOST_VALUES, text: MOST_TEXT, wrong: Vec::new() }
    }

    /// All tests, in the order of the file. `call` calls a function without parameters.
    ///
    /// # Errors
    /// The mistakes in tests and tables.
    pub fn list(
        mut self,
        mut call: impl FnMut(&DeclaredFunction) -> Result<Dynamic, Diagnostic>,
    ) -> Result<Vec<TestFunction>, Vec<Diagnostic>> {
        let mut tests = Vec::new();
        for function in self.functions {
            if !function.name.starts_with("test_") {
                continue;
            }
            if function.parameters == 0 {
                tests.push(TestFunction {
                    name: function.name.clone(),
                    function: function.name.clone(),
                    arguments: Vec::new(),
                    place: function.place.clone(),
                });
            } else {
                let table = self.table_of(function);
                let cases = table.and_then(|table| {
                    let rows = call(table)?;
                    self.cases_of(function, table, &rows)
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
            Some(table) if table.parameters == 0 => Ok(table),
            Some(table) => fail(&table.place, format!("`{name}` cannot have parameters")),
            None => {
                let tables = self.functions.iter().map(|f| f.name.as_str());
                let tables = tables.filter(|f| f.starts_with("cases_"));
                let hint = match nearest(&name, tables) {
                    Some(near) => format!("rename `{near}` to `{name}`"),
                    None => {
                        let each = test.parameter_names.iter().map(|p| format!("{p}: …"));
                        let row = each.collect::<Vec<_>>().join(", ");
                        format!("add `fn {name}() {{ [#{{ {row} }}] }}`")
                    }
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
            } else if tests.all(|test| test.parameters == 0) {
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
        rows: &Dynamic,
    ) -> Result<Vec<TestFunction>, Diagnostic> {
        let name = &table.name;
        let fail = |why: String| Diagnostic::error(table.place.clone(), why);
        let Ok(rows) = rows.as_array_ref() else {
            return Err(fail(format!("`{name}` must return an array of cases, not {}", type_name(rows))));
        };
        if rows.is_empty() {
            return Err(fail(format!("`{name}` has no cases, so `{}` never runs", test.name)));
        }
        let (cases, values, text) = (self.cases, self.values, self.text);
        let fits = rows.iter().try_for_each(|row| {
            self.cases = self.cases.checked_sub(1)?;
            take_size(row, &mut self.values, &mut self.text)
        });
        if fits.is_none() {
            return Err(fail(format!(
                "`{name}` is too large: the tables of a file can have {cases} more cases with {values} values \
                 and {text} bytes of text"
            )));
        }
        let mut tests = Vec::with_capacity(rows.len());
        for (index, row) in rows.iter().enumerate() {
            let arguments = arguments_of(test, row);
            let arguments = arguments.map_err(|why| fail(format!("case {index} of `{name}` {why}")))?;
            tests.push(TestFunction {
                name: case_name(test, index, &arguments),
                function: test.name.clone(),
                arguments,
                place: test.place.clone(),
            });
        }
        Ok(tests)
    }
}

/// The name of the function with the cases of a test.
fn table_name(test: &str) -> String {
    format!("cases_{}", test.trim_start_matches("test_"))
}

/// The arguments that a row of a table has for a test: a map by names, an array in order, or a single
/// value.
fn arguments_of(test: &DeclaredFunction, row: &Dynamic) -> Result<Vec<Value>, String> {
    let names = &test.parameter_names;
    if let Ok(map) = row.as_map_ref()
        && (names.len() > 1 || map.contains_key(names[0].as_str()))
    {
        let unknown = map.keys().find(|key| !names.iter().any(|n| n == key.as_str()));
        if let Some(key) = unknown {
            let hint = suggestion(key, names.iter().map(String::as_str));
            let test = &test.name;
            return Err(format!("has `{key}`, which is not a parameter of `{test}`{hint}"));
        }
        let value = |name: &String| match map.get(name.as_str()) {
            Some(value) => plain(name, value),
            None => Err(format!("has no `{name}`")),
        };
        return names.iter().map(value).collect();
    }
    if let [only] = names.as_slice() {
        return Ok(vec![plain(only, row)?]);
    }
    let count = names.len();
    let row = match row.as_array_ref() {
        Ok(row) if row.len() == count => row,
        Ok(row) => {
            let test = &test.name;
            return Err(format!("has {} values; `{test}` has {count} parameters", row.len()));
        }
        Err(_) => {
            return Err(format!(
                "is {}; write a map with the names of the parameters, or an array of {count} values",
                type_name(row)
            ));
        }
    };
    let pairs = names.iter().zip(row.iter());
    pairs.map(|(name, value)| plain(name, value)).collect()
}

fn plain(name: &str, value: &Dynamic) -> Result<Value, String> {
    to_plain(value).map_err(|NotPlain { path, what }| format!("has {what} for `{name}{path}`; cases are plain data"))
}

/// The name of a case. The index makes it unique.
fn case_name(test: &DeclaredFunction, index: usize, arguments: &[Value]) -> String {
    let pairs = test.parameter_names.iter().zip(arguments);
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
