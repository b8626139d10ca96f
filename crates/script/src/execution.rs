//! How the calls of scripts are executed.

use super::message::Place;
use std::fmt;

/// How the calls of scripts are executed. What a script does, what it costs in operations and what it says when it
/// fails do not depend on this; only its speed does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Execution {
    /// Functions that can be compiled are; the others are interpreted.
    #[default]
    Compiled,
    /// Every call is interpreted.
    Interpreted,
    /// Every call that can be compiled is made both ways and compared, which takes more than twice as long. The
    /// interpreter's results count, and [`CallDifference`] says what the compiled code did otherwise.
    BothWays,
}

impl Execution {
    /// How scripts are executed that the user wants executed like this, under a game's setting `[scripts] compile`: a
    /// game can turn the compiler off, except where the user wants both ways compared.
    pub fn under(self, compile: bool) -> Self {
        match self {
            Self::Compiled if !compile => Self::Interpreted,
            other => other,
        }
    }

    /// The option of the command line for it, after a space; empty for the default.
    pub fn option(self) -> &'static str {
        match self {
            Self::Compiled => "",
            Self::Interpreted => " --interpret",
            Self::BothWays => " --both-ways",
        }
    }
}

/// A call whose compiled code did something else than the interpreter. This is a bug of hangtime.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallDifference {
    /// The tick in which it was called.
    pub tick: u64,
    /// The path of the script below the game folder.
    pub script: String,
    /// The hook that was called.
    pub hook: String,
    /// The name of the entity that it was called for, or `level`.
    pub entity: String,
    /// What differs, with both values.
    pub problem: String,
}

impl fmt::Display for CallDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tick, script, hook, entity, problem } = self;
        write!(f, "tick {tick}: `{hook}` of {script} for `{entity}` does something else when it is compiled: {problem}")
    }
}

/// The way in which one call was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallPath {
    /// Its compiled code ran to the end.
    Compiled,
    /// Its compiled code met something that it does not do, and the interpreter made the whole call.
    Bailed,
    /// It was interpreted: its function is not compiled, or scripts are not to be.
    Interpreted,
}

/// Whether a function is compiled.
#[derive(Clone, Debug, PartialEq)]
pub enum FunctionCode {
    /// It is. The most operations that it can take, if it has no loop whose end is only known when it runs.
    Compiled(Option<u64>),
    /// It is interpreted.
    Interpreted {
        /// The construct that is not compiled, as the end of a sentence, such as ``a closure``. Empty if scripts are
        /// not to be compiled.
        why: String,
        /// Where the construct is.
        place: Option<Place>,
    },
}

/// A function of a script.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedFunction {
    /// Its name.
    pub name: String,
    /// The number of its parameters.
    pub parameters: usize,
    /// Where its name is.
    pub place: Place,
    /// Whether it is compiled.
    pub code: FunctionCode,
}
