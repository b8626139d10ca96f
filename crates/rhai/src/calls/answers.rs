//! Data passed to hooks, and reading the answers of rules.

use super::*;
use crate::api::{number, read_windows, set_window};
use crate::engine::values::event_map;
use hangtime_core::sim::Scene;
use hangtime_script::calls::any_model;

/// What the rule that answers a question receives.
pub(super) fn about<'a>(question: &'a Question, scene: &'a Scene<'_>) -> About<'a> {
    match question {
        Question::Snaps(strain) => About::Strain(strain),
        Question::Grabs(grasp) => {
            let level = &scene.stage.level;
            let solid = level.terrain.solid_of(grasp.feature);
            About::Grasp {
                solid: &solid.name,
                surface: level.surface_name(solid.surface),
                normal: grasp.normal,
                roof: grasp.roof,
            }
        }
    }
}

/// What a hook receives in addition to `me`, as scripts see it; none for a hook with one parameter.
pub(super) fn map_of(about: &About<'_>) -> Option<rhai::Map> {
    let mut map = rhai::Map::new();
    match about {
        About::Nothing => return None,
        About::Event(event) => return Some(event_map(event)),
        About::Strain(strain) => {
            map.insert("pull_away".into(), strain.pull_away.into());
            map.insert("length".into(), strain.length.into());
            map.insert("tip".into(), Dynamic::from(Vector::from(strain.tip)));
            map.insert("away_held".into(), strain.away_held.into());
            map.insert("snaps".into(), strain.snaps.into());
        }
        About::Grasp { solid, surface, normal, roof } => {
            map.insert("solid".into(), (*solid).into());
            map.insert("surface".into(), (*surface).into());
            map.insert("normal".into(), Dynamic::from(Vector::from(*normal)));
            map.insert("roof".into(), (*roof).into());
        }
        About::Call { name, entity, tick } => {
            map.insert("event".into(), (*name).into());
            map.insert("entity".into(), (*entity).into());
            map.insert("tick".into(), (*tick as i64).into());
        }
    }
    Some(map)
}

/// What a hook is called for.
pub(super) trait Wanted {
    /// What its answer means.
    type Answer;

    /// Reads the answer of an interpreted call.
    ///
    /// # Errors
    /// Why it is invalid.
    fn of_rhai(&self, value: &Dynamic) -> Result<Self::Answer, String>;

    /// Reads the answer of a compiled call.
    ///
    /// # Errors
    /// If it is invalid or unusual: then the interpreter makes the call.
    fn of_compiled(&self, answer: &CompiledAnswer<'_>) -> Result<Self::Answer, Unusual>;
}

/// Why a call has no answer.
pub(super) enum Unanswered {
    /// It failed or was skipped.
    Failed,
    /// What it returned is not what is wanted.
    Invalid,
}

/// An answer that the interpreter has to give.
pub(super) struct Unusual;

/// Event hooks answer nothing: what they return is dropped.
pub(super) struct NoAnswer;

impl Wanted for NoAnswer {
    type Answer = ();

    fn of_rhai(&self, _: &Dynamic) -> Result<(), String> {
        Ok(())
    }

    fn of_compiled(&self, _: &CompiledAnswer<'_>) -> Result<(), Unusual> {
        Ok(())
    }
}

/// The answer of the rule with this name, which answers true or false; none for `()`.
pub(super) struct FlagOf(pub &'static str);

impl Wanted for FlagOf {
    type Answer = Option<bool>;

    fn of_rhai(&self, value: &Dynamic) -> Result<Option<bool>, String> {
        match value.as_bool() {
            Ok(answer) => Ok(Some(answer)),
            Err(_) if value.is_unit() => Ok(None),
            Err(_) => Err(format!("`{}` must return true or false, not {}", self.0, type_name(value))),
        }
    }

    fn of_compiled(&self, answer: &CompiledAnswer<'_>) -> Result<Option<bool>, Unusual> {
        match answer.flag() {
            None if !answer.is_nothing() => Err(Unusual),
            flag => Ok(flag),
        }
    }
}

/// The answer of the rule with this name, which answers a finite number; none for `()`.
pub(super) struct NumberOf(pub &'static str);

impl Wanted for NumberOf {
    type Answer = Option<f64>;

    fn of_rhai(&self, value: &Dynamic) -> Result<Option<f64>, String> {
        let rule = self.0;
        match number(value) {
            Some(answer) if answer.is_finite() => Ok(Some(answer)),
            Some(answer) => Err(format!("`{rule}` must return a finite number, not {answer}")),
            None if value.is_unit() => Ok(None),
            None => {
                let what = type_name(value);
                Err(format!("`{rule}` must return a number, not {what}"))
            }
        }
    }

    fn of_compiled(&self, answer: &CompiledAnswer<'_>) -> Result<Option<f64>, Unusual> {
        match answer.number() {
            Some(number) if number.is_finite() => Ok(Some(number)),
            None if answer.is_nothing() => Ok(None),
            _ => Err(Unusual),
        }
    }
}

/// The answer of the rule `model`.
pub(super) struct ModelWanted;

impl Wanted for ModelWanted {
    type Answer = ModelAnswer;

    fn of_rhai(&self, value: &Dynamic) -> Result<ModelAnswer, String> {
        if value.is_unit() {
            return Ok(ModelAnswer::Default);
        }
        let name = value
            .as_immutable_string_ref()
            .map_err(|_| format!("`model` must return the name of a model, not {}", type_name(value)))?;
        any_model(&name).map(ModelAnswer::Model)
    }

    fn of_compiled(&self, answer: &CompiledAnswer<'_>) -> Result<ModelAnswer, Unusual> {
        if answer.is_nothing() {
            return Ok(ModelAnswer::Default);
        }
        let model = any_model(answer.text().ok_or(Unusual)?);
        model.map(ModelAnswer::Model).map_err(|_| Unusual)
    }
}

/// The answer of the rule `jump_windows`.
pub(super) struct WindowsWanted;

impl Wanted for WindowsWanted {
    type Answer = Windows;

    fn of_rhai(&self, value: &Dynamic) -> Result<Windows, String> {
        read_windows(value)
    }

    fn of_compiled(&self, answer: &CompiledAnswer<'_>) -> Result<Windows, Unusual> {
        let mut windows = Windows::default();
        if answer.is_nothing() {
            return Ok(windows);
        }
        match answer.numbers(|key, seconds| set_window(&mut windows, key, seconds).ok()) {
            Some(()) => Ok(windows),
            // A map may also be a constant.
            None => {
                let map = answer.to_rhai().ok_or(Unusual)?;
                read_windows(&map).map_err(|_| Unusual)
            }
        }
    }
}

/// The answer of the rule `model`, for the why log.
pub(super) fn logged_model(answer: ModelAnswer) -> RuleAnswer {
    match answer {
        ModelAnswer::Model(model) => RuleAnswer::Model(Some(model)),
        ModelAnswer::Unchanged | ModelAnswer::Default => RuleAnswer::Model(None),
    }
}
