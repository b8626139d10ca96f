//! Quick fixes: the names that a message suggests, in the place of the wrong one.

use super::names::HINTS;
use std::ops::Range;

/// An edit that replaces a wrong name.
pub struct NameFix {
    /// The bytes to replace.
    pub span: Range<usize>,
    /// The text that takes their place.
    pub text: String,
}

/// Whether a character can be part of a name.
pub fn in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The fixes for a message about these bytes of a text.
pub fn fixes(text: &str, span: Range<usize>, message: &str) -> Vec<NameFix> {
    let hints = HINTS.into_iter().filter_map(|hint| message.split_once(hint));
    let Some((said, right)) = hints.min_by_key(|(said, _)| said.len()) else {
        return Vec::new();
    };
    let line = &text[span.start..];
    let line = &line[..line.find('\n').unwrap_or(line.len())];
    let wrong = |name: &str| {
        let name = name.split('(').next().filter(|name| !name.is_empty())?;
        let is_word =
            |(at, _): &(usize, &str)| !line[..*at].ends_with(in_word) && !line[at + name.len()..].starts_with(in_word);
        // The place of a member may be its name alone.
        let (owner, member) = name.split_at(name.rfind(['.', ':']).map_or(0, |at| at + 1));
        if !member.is_empty()
            && text[..span.start].ends_with(owner)
            && line.starts_with(member)
            && !line[member.len()..].starts_with(in_word)
        {
            return Some(span.start - owner.len()..span.start + member.len());
        }
        let (at, _) = line.match_indices(name).find(is_word)?;
        // The message is about the start of its place, or about the text there.
        (at == 0 || span.start + at + name.len() <= span.end).then_some(span.start + at..span.start + at + name.len())
    };
    // A message names what it is about first, such as a model, and the text may be elsewhere, such as in a constant.
    let in_quotes = |name: &str| {
        let quoted = format!("\"{name}\"");
        let mut found = text.match_indices(&quoted).map(|(at, _)| at + 1..at + 1 + name.len());
        found.next().filter(|_| found.next().is_none())
    };
    let here = || {
        let inside = line.strip_prefix('"')?.split('"').next()?;
        Some(span.start + 1..span.start + 1 + inside.len())
    };
    let found = quoted_names(said).filter_map(wrong).last();
    let Some(wrong) = found.or_else(here).or_else(|| quoted_names(said).find_map(in_quotes)) else {
        return Vec::new();
    };
    let right = right.split(['?', ';']).next().unwrap_or_default();
    let all = quoted_names(right).filter_map(|name| fix(text, wrong.clone(), name));
    all.take(MOST_FIXES).collect()
}

/// The most names that are offered for one.
const MOST_FIXES: usize = 8;

/// The names in backticks.
fn quoted_names(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Replaces a name by the one that a message has, which may be a whole call.
fn fix(text: &str, mut span: Range<usize>, right: &str) -> Option<NameFix> {
    let (name, arguments) = right.split_at(right.find('(').unwrap_or(right.len()));
    let last = name.rfind(['.', ':']).map_or(0, |at| at + 1);
    let (before, after) = (&text[..span.start], &text[span.end..]);
    let is_member = before.ends_with(['.', ':']) && !text[span.clone()].contains(['.', ':']);
    let mut new = name[if is_member { last } else { 0 }..].to_string();
    if arguments.is_empty() && name[last..] == text[span.clone()] && after.starts_with("()") {
        // It is a property, not a call.
        span.end += 2;
    } else if arguments == "()" && !after.starts_with('(') {
        new += arguments;
    }
    (new != text[span.clone()]).then_some(NameFix { span, text: new })
}
