//! What a script language needs from hangtime, and what programs need from one. It knows no language.
//!
//! * [`message`]: diagnostics with places, names and suggestions. It knows nothing of scripts; everything above uses it.
//! * [`calls`]: the one table of what scripts can read and do, with its documentation and prices ([`api`], [`budget`]).
//! * `calling`: which hooks of an entity's scripts are called, when and in which order.
//! * [`Language`]: the trait that a language implements, and around it what is plain data: compiled
//!   [`Scripts`], the [`ScriptRules`] that play them, test functions, expressions and the reference.
//!
//! To add a language, implement [`Language`] in its own crate: start with `compile`, and call the table with
//! [`Call::answer`](calls::Call::answer). `crates/game/tests/suite/second_language.rs` has a very small one.
//!
//! ```
//! use hangtime_script::{Diagnostic, Place, SourceFile, names::suggestion};
//! use std::sync::Arc;
//!
//! let text = "fn on_land(me) { me.jmup(); }".to_string();
//! let file = Arc::new(SourceFile { name: "scripts/hero.rhai".into(), text });
//! let message = format!("`me` has no `jmup`{}", suggestion("jmup", ["jump", "push"]));
//! let wrong = Diagnostic::error(Place::new(&file, 20..24), message);
//! let expected = "scripts/hero.rhai:1:21: error: `me` has no `jmup`; did you mean `jump`?";
//! assert_eq!(wrong.headline(), expected);
//! ```

pub mod api;
pub mod budget;
mod calling;
pub mod calls;
mod checks;
pub mod elsewhere;
mod event_fields;
mod execution;
mod expectation;
mod fault;
mod function_checks;
mod hooks;
mod known;
mod language;
mod listed;
pub mod message;
mod moved;
mod probe;
mod progress;
mod refusal;
mod shapes;
mod spent;
mod test_cases;
mod variable_checks;
mod vector;
pub mod waits;
mod why;

pub use calling::{
    About, BaseArgument, CallCounts, HookAnswer, HookCall, LanguageRules, LayerPrograms, LentLayers, Probing, Program,
    SharedCalls, TickRow, Unanswered, Wanted, call_below, read_windows, within_layer,
};
pub use calls::check_call_setting;
pub use checks::{check_compared, check_named, check_setting_value, check_share, check_unit, unknown_name};
pub use event_fields::{fields_of_event, value_of_field, vec_of_field};
pub use execution::{CallDifference, CallPath, Execution, FunctionCode, ListedFunction};
pub use expectation::{COMPARISONS, Compared, Comparison, FailedExpectation, MissedNumber};
pub use fault::{Fault, FaultQueue, Tally};
pub use function_checks::{check_functions, check_hooks};
pub use hooks::{EVENTS, HookKind, RULES, ScriptHook, event_shape, find_hook, hooks};
pub use known::{GameNames, LEVEL_ENDINGS, PLAIN_SURFACE};
pub use language::*;
pub use listed::{AnsweredTunable, DeclaredFunction, ListedHook, ListedScript, ListedStep};
pub use message::*;
pub use moved::check_moved;
pub use probe::{CallProbe, ProbedCall};
pub use progress::BuildProgress;
pub use refusal::{Accepted, Allowed, BehaviorFailed, CallRefusal, refuse};
pub use shapes::{EVENT, SIGNAL_EVENT, TIMER_EVENT, WINDOWS};
pub use spent::{LineCosts, about_spent, too_long};
pub use test_cases::TestLister;
pub use variable_checks::switch_labels;
pub use vector::Vector;
pub use why::Reason;

use hangtime_core::tuning::ScriptTuning;
use std::sync::Arc;

/// Settings as `--set` takes them: dotted keys, and values as text.
pub type Settings = Vec<(String, String)>;

/// Whether some script of a game may emit a custom event with a name.
pub type MayEmit = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// The largest number of bytes of one script file.
pub const MOST_SOURCE: usize = 64 * 1024;

/// Deepest nesting of arrays and maps.
pub const MOST_NESTING: usize = 32;

/// The limits of scripts: of one call, unless a field says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest number of operations. Rhai counts evaluation in these steps.
    pub operations: u64,
    /// The largest number of bytes of a text.
    pub string: usize,
    /// The largest number of elements of an array.
    pub array: usize,
    /// The largest number of entries of a map.
    pub map: usize,
    /// The largest number of operations of all calls of one tick together.
    pub tick_operations: u64,
    /// Deepest nesting of calls. Together with the depth of expressions this bounds the stack; see [`STACK`].
    pub calls: usize,
    /// The largest number of values that an entity's variables hold.
    pub kept_values: usize,
    /// The largest number of bytes of text that an entity's variables hold.
    pub kept_text: usize,
    /// Whether `[scripts]` sets these limits, so that messages can say where to raise them.
    pub tuned: bool,
}

/// The stack, in bytes, of a thread that runs scripts. On a smaller one a deep recursion overflows the stack, which
/// ends the process, before the limit on calls stops it.
pub const STACK: usize = 16 * 1024 * 1024;

impl Limits {
    /// The limits that `[scripts]` sets for behaviors.
    pub fn of(tuning: &ScriptTuning) -> Self {
        Self {
            operations: u64::from(tuning.operations),
            string: tuning.string_length as usize,
            array: tuning.array_length as usize,
            map: tuning.map_entries as usize,
            tick_operations: u64::from(tuning.tick_operations),
            calls: tuning.call_depth as usize,
            kept_values: tuning.kept_values as usize,
            // Rhai counts all text in `this` as one, and allows it twice the length of a single text.
            kept_text: tuning.kept_text.min(tuning.string_length * 2) as usize,
            tuned: true,
        }
    }

    /// The limits of test scripts, which play whole levels and keep what they observe.
    pub const fn of_tests() -> Self {
        Self {
            operations: 20_000_000,
            string: 1 << 20,
            array: 1 << 20,
            map: 1 << 16,
            tick_operations: u64::MAX,
            calls: 32,
            kept_values: 1 << 20,
            kept_text: 1 << 24,
            tuned: false,
        }
    }
}
