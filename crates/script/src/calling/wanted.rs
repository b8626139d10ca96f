//! Reading the answers of hooks.

use super::*;
use crate::calls::any_model;
use hangtime_core::models::ModelName;

/// What a hook is called for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Nothing: what an event hook returns is dropped.
    Nothing,
    /// The answer of the rule with this name, which answers true or false.
    Flag(&'static str),
    /// The answer of the rule with this name, which answers a finite number.
    Number(&'static str),
    /// The answer of the rule `model`.
    Model,
    /// The answer of the rule `jump_windows`.
    Windows,
}

/// The answer of a hook.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HookAnswer {
    /// Nothing: the tuning decides.
    Nothing,
    /// True or false.
    Flag(bool),
    /// A finite number.
    Number(f64),
    /// A model.
    Model(ModelName),
    /// Jump windows.
    Windows(Windows),
}

impl HookAnswer {
    /// The answer, if it is true or false.
    pub(super) fn flag(self) -> Option<bool> {
        match self {
            Self::Flag(flag) => Some(flag),
            _ => None,
        }
    }

    /// The answer, if it is a number.
    pub(super) fn number(self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(number),
            _ => None,
        }
    }
}

impl Wanted {
    /// Reads what a hook has returned.
    ///
    /// # Errors
    /// Why it is not what is wanted.
    pub fn read(self, value: &Arg<'_>) -> Result<HookAnswer, String> {
        let wrong = |rule: &str, wanted: &str| Err(format!("`{rule}` must return {wanted}, not {}", value.type_name()));
        match (self, value) {
            (Self::Nothing, _) | (_, Arg::Nothing) => Ok(HookAnswer::Nothing),
            (Self::Flag(_), Arg::Flag(flag)) => Ok(HookAnswer::Flag(*flag)),
            (Self::Flag(rule), _) => wrong(rule, "true or false"),
            (Self::Number(rule), _) => match value.number() {
                Some(number) if number.is_finite() => Ok(HookAnswer::Number(number)),
                Some(number) => Err(format!("`{rule}` must return a finite number, not {number}")),
                None => wrong(rule, "a number"),
            },
            (Self::Model, Arg::Text(name)) => any_model(name).map(HookAnswer::Model),
            (Self::Model, _) => wrong("model", "the name of a model"),
            (Self::Windows, _) => read_windows(value).map(HookAnswer::Windows),
        }
    }
}
