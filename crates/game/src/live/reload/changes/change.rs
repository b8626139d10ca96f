//! One difference between two revisions, and several on one line.

use hangtime_script::text::cut;
use std::fmt;

/// The longest value that is shown, in characters.
const MOST_VALUE: usize = 40;

/// One difference between two revisions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// A number or another value in `config/`.
    Value {
        /// The key as in a setting: `platformer.jump_speed`, `entities.hero.platformer.run_accel`.
        key: String,
        /// The old value as text; none if the file did not have the key.
        old: Option<String>,
        /// The new value; none if the file no longer has the key.
        new: Option<String>,
    },
    /// Something in a file: `fn jump_windows changed`, `2 solids changed`.
    Part {
        /// The path below the game folder, or for scripts below `scripts/`.
        file: String,
        /// What happened.
        what: String,
    },
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |value: &Option<String>| match value {
            Some(value) => cut(value, MOST_VALUE).into_owned(),
            None => "default".into(),
        };
        match self {
            Self::Value { key, old, new } => write!(f, "{key} {} → {}", text(old), text(new)),
            Self::Part { file, what } => write!(f, "{file}: {what}"),
        }
    }
}

/// Up to `most` changes on one line, and how many others there are: `… and 12 more`.
pub fn summary(changes: &[Change], most: usize) -> String {
    if changes.is_empty() {
        return "only comments or spaces changed".into();
    }
    let shown: Vec<String> = changes.iter().take(most).map(Change::to_string).collect();
    let shown = shown.join(", ");
    match changes.len().saturating_sub(most) {
        0 => shown,
        more if shown.is_empty() => format!("{more} changes"),
        more => format!("{shown} and {more} more"),
    }
}
