//! What is known of the functions of a game.

use super::*;

/// The functions of a game's scripts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpeedReport {
    /// The scripts, sorted by their paths.
    pub scripts: Vec<ScriptSpeeds>,
    /// The number of levels that were played.
    pub levels: usize,
    /// The levels that cannot be played, by their paths below the game folder.
    pub unplayable: Vec<String>,
}

/// The functions of a script.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptSpeeds {
    /// The script's path below the game folder.
    pub file: String,
    /// Its functions, in the order in which they are written. None if it has errors.
    pub functions: Option<Vec<FunctionSpeed>>,
}

/// A function, and what its calls take.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionSpeed {
    /// The function.
    pub function: ListedFunction,
    /// What its calls take.
    pub calls: MeasuredCalls,
}

/// What the calls of a function take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MeasuredCalls {
    /// A level calls it.
    InLevel {
        /// The level with the most calls, by its path below the game folder.
        level: String,
        /// The times of its calls.
        times: HookTimes,
    },
    /// It is not a hook: its time is part of the hooks that call it.
    InCallers,
    /// Levels use the script, but do not call the hook while they are played. Holds one of these levels.
    NotCalled(String),
    /// No level uses the script.
    NoLevel,
}
