//! `--filter`: which tests run.

use crate::playtest::suite::TestCase;
use crate::project::files::name_of_existing;
use regex_lite::Regex;
use std::path::Path;

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
    /// Tests whose names match.
    Pattern(Box<Regex>),
}

impl TestFilter {
    /// Reads a filter: `/PATTERN/` is a regular expression, anything else a part of a name or a path.
    ///
    /// # Errors
    /// What is wrong with the regular expression.
    pub fn parse(root: &Path, text: &str) -> Result<Self, String> {
        let inside = text
            .strip_prefix('/')
            .and_then(|rest| rest.strip_suffix('/'));
        if let Some(pattern) = inside.filter(|pattern| !pattern.is_empty()) {
            let pattern = Regex::new(pattern).map_err(|error| error.to_string())?;
            return Ok(Self::Pattern(Box::new(pattern)));
        }
        Ok(Self::Text {
            text: text.into(),
            path: name_of_existing(root, text),
        })
    }

    /// Whether it selects this test.
    #[must_use]
    pub fn matches(&self, case: &TestCase) -> bool {
        match self {
            Self::Pattern(pattern) => pattern.is_match(&case.name),
            Self::Text { text, path } => {
                case.name.contains(text.as_str())
                    || path
                        .as_ref()
                        .is_some_and(|path| is_in(case.file_name(), path))
            }
        }
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
