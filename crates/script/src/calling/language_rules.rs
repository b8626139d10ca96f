//! What a language does for the calls of a game.

use super::*;
use crate::Accepted;
use hangtime_core::sim::{Value, Vars};
use std::fmt;

/// The compiled scripts of one language. Immutable; games share them.
pub trait Program: Send + Sync {
    /// What calls them in one game.
    fn rules(self: Arc<Self>) -> Box<dyn LanguageRules>;

    /// Calls a function of a script within the call of a script above it, with the variables of that layer.
    ///
    /// # Errors
    /// Why it has failed, with the place.
    fn call_function(&self, function: (ScriptId, &str), arguments: &[BaseArgument], vars: &mut Vars)
    -> Accepted<Value>;
}

/// An argument of a call between languages.
#[derive(Clone, Debug)]
pub enum BaseArgument {
    /// `me`.
    Me,
    /// Plain data.
    Data(Value),
}

/// What has the functions of the scripts below one.
pub trait LayerPrograms: fmt::Debug + Send + Sync {
    /// The script of a layer of the entity whose script this is, and its program. The lowest layer is 0.
    fn program_of_layer(&self, script: ScriptId, layer: usize) -> Option<(ScriptId, Arc<dyn Program>)>;
}

/// Calls the hooks of one language's scripts in one game.
pub trait LanguageRules: Send + Sync {
    /// Calls a hook with the variables of a decision, and reads what it returns.
    ///
    /// # Errors
    /// If it fails, which [`HookCall::fail`] has recorded, or returns something else than what is wanted.
    fn call(&mut self, call: &mut HookCall<'_>, decision: &mut Decision) -> Result<HookAnswer, Unanswered>;

    /// Calls `on_tick` for the entities of a row.
    fn call_row(&mut self, row: &mut TickRow<'_>) {
        while let Some((call, decision)) = row.advance() {
            // An event hook answers nothing, and a failure has been recorded.
            _ = self.call(call, decision);
        }
    }

    /// Ends a call of a script that has panicked: makes its variables plain, and what the language keeps as new.
    fn abandon(&mut self, script: ScriptId, vars: &mut Vars);

    /// Converts variables to how the language keeps them, if they are not yet.
    fn adopt(&self, vars: &mut Vars);

    /// How many calls were made in which way.
    fn call_counts(&self) -> CallCounts;
}
