//! `--filter`: which tests run.

use super::*;
use hangtime_game::files::name_of_existing;
use regex_lite::Regex;

/// Selects tests by name or file.
#[derive(Clone, Debug)]
pub enum TestFilter {
    /// Tests with this text in their names, and those in this file or below this folder.
    Text {
        /// The text.
        text: String,
        /// The path of the file or folder below the game folder, if there is one.
        path: Option<String>,
    },
    /// The test with this name; all cases of a table if it is the name of their function.
    Exact(String),
    /// Tests whose names match.
    Pattern(Box<Regex>),
}

impl TestFilter {
    /// Reads a filter: `=NAME` is a whole name, `/PATTERN/` a regular expression, anything else a part of a
    /// name or a path.
    ///
    /// # Errors
    /// What is wrong with it, as a sentence about the filter.
    pub fn parse(root: &Path, text: &str) -> Result<Self, String> {
        if let Some(name) = text.strip_prefix('=') {
            return match name.trim() {
                "" => Err("a name must follow the `=`, as in `=test_gap`".into()),
                name => Ok(Self::Exact(name.into())),
            };
        }
        let inside = text.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
        if let Some(pattern) = inside.filter(|pattern| !pattern.is_empty()) {
            let wrong = |error| {
                let (shown, error) = (cut_name(text), format!("{error}"));
                format!("`{shown}` is not a regular expression: {error}")
            };
            let pattern = Regex::new(pattern).map_err(wrong)?;
            return Ok(Self::Pattern(Box::new(pattern)));
        }
        Ok(Self::Text { text: text.into(), path: name_of_existing(root, text) })
    }

    /// Whether it selects this test. A file that cannot be read is selected along with the tests that it
    /// seems to have.
    pub fn matches(&self, case: &TestCase) -> bool {
        let file = case.file_name();
        let names = || case.lost_names().map(|name| format!("{file}::{name}"));
        match self {
            Self::Pattern(pattern) => pattern.is_match(&case.name) || names().any(|name| pattern.is_match(&name)),
            Self::Exact(exact) => {
                let function = without_case(exact);
                is_named(case, exact)
                    || case
                        .lost_names()
                        .any(|name| function == name || function.strip_prefix(file) == Some(&format!("::{name}")))
            }
            Self::Text { text, path } => {
                let function = without_case(text);
                case.name.contains(text.as_str())
                    || names().any(|name| name.contains(function))
                    || path.as_ref().is_some_and(|path| is_in(file, path))
            }
        }
    }
}

/// Whether a test has this name, with or without its file, the arguments of its case, or the place of the
/// case in its table.
fn is_named(case: &TestCase, exact: &str) -> bool {
    let test = case.test_name();
    let in_file = exact.strip_prefix(case.file_name());
    let bare = in_file.and_then(|rest| rest.strip_prefix("::"));
    let bare = bare.unwrap_or(exact);
    case.name == exact
        || (!test.is_empty() && (bare == test || bare == short_name(test)))
        || (!case.function().is_empty() && bare == case.function())
}

/// The name of a test without the arguments of its case: `test_gap[0]`. It is the only one in its file.
pub fn short_name(test: &str) -> Cow<'_, str> {
    match test.split_once(": ") {
        Some((case, _)) if case.contains('[') => format!("{case}]").into(),
        _ => test.into(),
    }
}

/// A name up to the place in a table.
fn without_case(name: &str) -> &str {
    match name.split_once('[') {
        Some((function, _)) if !function.is_empty() => function,
        _ => name,
    }
}

/// Whether a file is this one, or in this folder.
fn is_in(file: &str, path: &str) -> bool {
    let path = path.trim_end_matches('/');
    match file.strip_prefix(path) {
        Some(rest) => path.is_empty() || rest.is_empty() || rest.starts_with('/'),
        None => false,
    }
}
