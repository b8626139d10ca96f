//! `check_game`.

use super::*;
use hangtime_script::count_mistakes;

/// Arguments of `check_game`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckGameParams {
    /// Files, or folders with their subfolders. Without any, the whole game.
    #[serde(default)]
    paths: Vec<String>,
}

pub fn check_game(game: &McpGame, params: CheckGameParams, _: &CallEnd) -> ToolResult {
    let paths = paths_inside(&game.game, &params.paths)?;
    let report = check_paths(game.folder().clone(), paths)?;
    let errors = count_mistakes(report.diagnostics.iter().filter(|found| found.is_error()));
    let warnings = count_mistakes(&report.diagnostics) - errors;
    let counts = format!("files checked: {}, errors: {errors}, warnings: {warnings}\n", report.files);
    text_answer(format!("{counts}{}", shown_messages(&report.diagnostics)))
}
