//! Hover: what the word at the cursor is, with its units.

use super::cursor::{CursorWord, hook_around, owner_of};
use super::names::model_around;
use hangtime_rhai::reference::{self, ReferenceItem};
use hangtime_script::api::{ApiSet, Owner};

/// What the reference says about the word at a byte of a script, as Markdown.
pub(super) fn in_script(text: &str, offset: usize, api_set: ApiSet) -> Option<String> {
    let cursor = CursorWord::at(text, offset);
    if cursor.word.is_empty() {
        return None;
    }
    if let Some((hook, parameter)) = hook_around(text, offset)
        && cursor.before == parameter
    {
        let field = hook.about?.field(cursor.word)?;
        return Some(format!("`{parameter}.{}`: {}", field.name, field.described()));
    }
    let owner = match (cursor.module, cursor.before) {
        (true, "world") => Some(Owner::World),
        (true, _) => None,
        (false, "") if cursor.is_member(text) => None,
        (false, "") => Some(Owner::Free),
        (false, path) => owner_of(path, text, api_set),
    };
    let name = match owner {
        Some(owner) => format!("{}{}", owner.prefix(), cursor.word),
        // A member of something unknown: all that have its name.
        None => cursor.word.into(),
    };
    described(&name)
}

/// What the reference says about the tunable at a byte of a TOML file.
pub(super) fn in_toml(text: &str, offset: usize) -> Option<String> {
    let cursor = CursorWord::at(text, offset);
    let model = model_around(text, offset)?;
    described(&format!("{}.{}", model.as_str(), cursor.word))
}

fn described(name: &str) -> Option<String> {
    let found = reference::find(name).ok()?;
    let texts: Vec<String> = found.into_iter().map(ReferenceItem::markdown).collect();
    Some(texts.join("\n\n---\n\n"))
}
