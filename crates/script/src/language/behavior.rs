//! Which scripts a revision compiles, and what is below each.

use hangtime_core::sim::ScriptId;

/// A script of a kind or level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Behavior {
    /// Its key among the sources.
    pub key: String,
    /// What is below it.
    pub below: BelowScript,
}

/// What is below a script of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BelowScript {
    /// Nothing.
    Nothing,
    /// Another script, which comes before it in the list of behaviors.
    Script(ScriptId),
    /// That is not known, because it is checked alone.
    Unknown,
}

impl Behavior {
    /// A script whose place among others is not known.
    pub fn alone(key: impl Into<String>) -> Self {
        Self { key: key.into(), below: BelowScript::Unknown }
    }
}
