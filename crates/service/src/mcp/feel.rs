//! `measure_feel`.

use super::*;
use hangtime_play::feel::{FeelPlace, feel_sheet, spell_sheet};

/// Arguments of `measure_feel`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FeelParams {
    /// The kind: the name of a file in config/entities, without `.toml`.
    kind: String,
    /// Settings that override the files, such as `{"platformer.jump_speed": 600}`.
    #[serde(default)]
    settings: BTreeMap<String, Json>,
}

pub fn measure_feel(game: &McpGame, params: FeelParams, _: &CallEnd) -> ToolResult {
    let settings = settings(params.settings)?;
    let kind = game.project().kind(&params.kind)?;
    let mut parts = Vec::new();
    for model in &kind.models {
        let (sheet, fault) = feel_sheet(game.project(), &kind, *model, &settings, None, &FeelPlace::default())?;
        parts.push(spell_sheet(&kind, *model, &sheet, &FeelPlace::default()));
        parts.extend(fault.map(|fault| fault.render(false)));
    }
    text_answer(BoundedLines::of(parts).end("the kind has too many models"))
}
