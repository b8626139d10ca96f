//! Hover: what the word at the cursor is, with its units.

use super::*;
use lsp_types::{MarkupContent, MarkupKind};

/// What the reference says about the word at the cursor, as Markdown.
pub fn hover(file: &EditedFile<'_>) -> Option<String> {
    let cursor = file.word();
    if file.is_toml() {
        return described(file.language(), &format!("{}.{}", file.model()?.as_str(), cursor.word));
    }
    if cursor.word.is_empty() {
        return None;
    }
    if let Some((hook, parameter)) = file.hook()
        && cursor.before == parameter
    {
        let field = hook.about?.field(cursor.word)?;
        return Some(format!("`{parameter}.{}`: {}", field.name, field.described()));
    }
    let owner = file.owner(&cursor);
    // A member of something unknown has the texts of all entries with its name.
    described(file.language(), &format!("{}{}", owner.map_or("", Owner::prefix), cursor.word))
}

/// A text that an editor shows as Markdown.
pub fn markdown(value: String) -> MarkupContent {
    MarkupContent { kind: MarkupKind::Markdown, value }
}
