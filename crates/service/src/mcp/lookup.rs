//! `search_reference`.

use super::*;
use hangtime_game::LANGUAGES;
use hangtime_script::{ReferenceItem, find_item, search_items};

/// Arguments of `search_reference`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchParams {
    /// A name, such as `me.jump`, `on_land` or `platformer.jump_speed`, or words, such as `jump higher`.
    query: String,
}

pub fn search_reference(_: &McpGame, params: SearchParams, _: &CallEnd) -> ToolResult {
    let items = LANGUAGES.first().reference(&calls_of_tests());
    // The search looks at each word in each item.
    let query = cut_name(&params.query);
    let near = match find_item(items, &query) {
        Ok(found) => {
            return text_answer(BoundedLines::of(found.iter().map(|item| item.text())).end("use its whole name"));
        }
        Err(near) => near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default(),
    };
    let found = search_items(items, &[query.to_string()]);
    if found.is_empty() {
        return Err(ToolError::about(&query, &format!("nothing in the reference is about this{near}")));
    }
    text_answer(BoundedLines::of(found.into_iter().map(ReferenceItem::summary)).end("use more words"))
}
