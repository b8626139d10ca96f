//! What rules are asked and told, and how their answers are read.

use crate::level::View;
use crate::models::{ModelName, ROOF, Windows};
use crate::script::host::names::suggestion;
use crate::script::rhai::api::math::number;
use crate::script::rhai::api::me;
use crate::script::rhai::engine::values::type_name;
use crate::script::rhai::engine::vector::Vector;
use crate::sim::{Question, Scene, Turn, why};
use crate::tuning::TIME;
use rhai::Dynamic;

/// What was to be answered, or why it was not.
pub(in crate::script::rhai) type Answer<T> = Result<T, String>;

/// The rule that a question is put to.
pub(super) fn hook_for(question: &Question) -> &'static str {
    match question {
        Question::Snaps(_) => "grapple_snaps",
        Question::Grabs(_) => "can_grab",
    }
}

/// What a question is about, as scripts see it.
pub(super) fn about(question: &Question, scene: &Scene<'_>) -> rhai::Map {
    let mut map = rhai::Map::new();
    match question {
        Question::Snaps(strain) => {
            map.insert("pull_away".into(), strain.pull_away.into());
            map.insert("length".into(), strain.length.into());
            map.insert("tip".into(), Dynamic::from(Vector::from(strain.tip)));
            map.insert("away_held".into(), strain.away_held.into());
            map.insert("snaps".into(), strain.snaps.into());
        }
        Question::Grabs(grasp) => {
            let level = &scene.stage.level;
            let solid = level.terrain.solid_of(grasp.feature);
            let surface = level.surface_name(solid.surface);
            map.insert("solid".into(), solid.name.to_string().into());
            map.insert("surface".into(), surface.to_string().into());
            map.insert("normal".into(), Dynamic::from(Vector::from(grasp.normal)));
            map.insert("roof".into(), (grasp.normal.y < -ROOF).into());
        }
    }
    map
}

/// The event of `on_tick` and `on_death`, which come from no trace.
pub(super) fn own_event(scene: &Scene<'_>, turn: &Turn, name: &str) -> rhai::Map {
    let mut map = rhai::Map::new();
    map.insert("event".into(), name.into());
    map.insert("entity".into(), turn.view.name.to_string().into());
    map.insert("tick".into(), (scene.tick as i64).into());
    map
}

/// The answer of a rule that says yes or no.
pub(super) fn read_flag(rule: &str, value: &Dynamic) -> Answer<Option<bool>> {
    match value.as_bool() {
        Ok(answer) => Ok(Some(answer)),
        Err(_) if value.is_unit() => Ok(None),
        Err(_) => Err(format!(
            "`{rule}` answers true or false, not {}",
            type_name(value)
        )),
    }
}

/// The answer of `model`.
pub(super) fn read_model(value: &Dynamic, view: View) -> Answer<Option<ModelName>> {
    if value.is_unit() {
        return Ok(None);
    }
    let name = value
        .as_immutable_string_ref()
        .map_err(|_| format!("`model` answers a model's name, not {}", type_name(value)))?;
    me::model(&name, view).map(Some)
}

/// The answer of `jump_windows`.
pub(in crate::script::rhai) fn read_windows(value: &Dynamic) -> Answer<Windows> {
    let mut windows = Windows::default();
    if value.is_unit() {
        return Ok(windows);
    }
    let map = value
        .as_map_ref()
        .map_err(|_| format!("`jump_windows` answers a map, not {}", type_name(value)))?;
    for (key, value) in map.iter() {
        let seconds = number(value)
            .ok_or_else(|| format!("`{key}` takes seconds, not {}", type_name(value)))?;
        if !(TIME.min..=TIME.max).contains(&seconds) {
            return Err(format!(
                "`{key}` is {seconds}; it must be {} to {} s",
                TIME.min, TIME.max
            ));
        }
        let known = ["coyote_time", "jump_buffer", "jump_hold_time"];
        match key.as_str() {
            "coyote_time" => windows.coyote_time = Some(seconds),
            "jump_buffer" => windows.jump_buffer = Some(seconds),
            "jump_hold_time" => windows.jump_hold_time = Some(seconds),
            other => {
                return Err(format!(
                    "`jump_windows` knows no `{other}`{}",
                    suggestion(other, known)
                ));
            }
        }
    }
    Ok(windows)
}

/// Keeps what `model` has answered, for those who ask why.
pub(super) fn write_model(turn: &mut Turn) {
    if turn.watched {
        let named = |model: ModelName| format!("\"{}\"", model.as_str());
        let text = turn.model.flatten().map_or_else(|| "()".into(), named);
        turn.answers.push(why::Answer {
            rule: "model",
            text,
        });
    }
}

/// Keeps what `jump_windows` has answered, for those who ask why.
pub(super) fn write_windows(turn: &mut Turn) {
    if turn.watched {
        let text = why::spelled_windows(&turn.windows.unwrap_or_default());
        turn.answers.push(why::Answer {
            rule: "jump_windows",
            text,
        });
    }
}
