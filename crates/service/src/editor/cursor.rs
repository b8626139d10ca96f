//! What the cursor is at, from the text around it.

use super::location::line_start;
use hangtime_core::models::ModelName;
use hangtime_game::{GameCheck, LANGUAGES};
use hangtime_script::api::{ApiSet, Owner, Type};
use hangtime_script::{Language, ReferenceItem, ScriptHook, SourceFile, find_hook, find_item};
use std::path::Path;
use std::sync::Arc;

/// The file that is edited, up to where the cursor is.
#[derive(Clone, Copy)]
pub(super) struct EditedFile<'a> {
    pub path: &'a Path,
    pub text: &'a str,
    /// The byte at the cursor.
    pub offset: usize,
    pub game: &'a GameCheck<'a>,
}

/// A word of a script, with what precedes it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CursorWord<'t> {
    /// The names before the word with dots between them, such as `me.vel`; or a module, such as `world`; empty for none.
    pub before: &'t str,
    /// Whether `::` is between the two.
    pub module: bool,
    /// Whether something precedes the word, even if it is not known.
    pub is_member: bool,
    /// The word, up to the cursor.
    pub start: &'t str,
    /// The whole word.
    pub word: &'t str,
    /// Where the word begins.
    pub at: usize,
}

/// The text that the cursor is in, and the call whose argument it is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct QuotedArgument<'t> {
    /// The name of the function.
    pub call: &'t str,
    /// Which argument, from 0.
    pub number: usize,
    /// The text up to the cursor.
    pub start: &'t str,
}

/// Whether a character can be part of a name.
pub(super) fn in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The end of a text, as far back as all characters fit.
fn last_part(text: &str, fits: impl Fn(char) -> bool) -> &str {
    &text[text.trim_end_matches(fits).len()..]
}

impl<'a> EditedFile<'a> {
    /// The line up to the cursor.
    pub fn head(&self) -> &'a str {
        &self.text[line_start(self.text, self.offset)..self.offset]
    }

    /// The name of the file in the game.
    pub fn name(&self) -> String {
        self.game.name_of(self.path)
    }

    /// Whether it is a file of tuning, a kind or a level, not a script.
    pub fn is_toml(&self) -> bool {
        self.path.extension().is_some_and(|ending| ending == "toml")
    }

    /// The language of the script; the usual one for another file.
    pub fn language(&self) -> &'static dyn Language {
        self.game.language_of(self.path).unwrap_or(LANGUAGES.first())
    }

    /// What the script can call.
    pub fn api_set(&self) -> ApiSet {
        let mut functions = self.language().functions(self.text).into_iter();
        match self.game.is_in_levels(self.path) || functions.any(|function| function.is_test()) {
            true => ApiSet::Test,
            false => ApiSet::Behavior,
        }
    }

    /// The word at the cursor.
    pub fn word(&self) -> CursorWord<'a> {
        let start = last_part(self.head(), in_word);
        let at = self.offset - start.len();
        let rest = &self.text[at..];
        let word = &rest[..rest.find(|c| !in_word(c)).unwrap_or(rest.len())];
        let head = &self.text[line_start(self.text, at)..at];
        let owner = head.strip_suffix("::").or_else(|| head.strip_suffix('.'));
        CursorWord {
            before: owner.map_or("", |owner| last_part(owner, |c| in_word(c) || c == '.')),
            module: head.ends_with("::"),
            is_member: owner.is_some(),
            start,
            word,
            at,
        }
    }

    /// The text that the cursor is in, if it is in an argument of a call.
    pub fn quoted_argument(&self) -> Option<QuotedArgument<'a>> {
        let quote = self.open_quote()?;
        let (head, start) = (&self.head()[..quote], &self.head()[quote + 1..]);
        let (mut depth, mut number) = (0, 0);
        for (at, c) in head.char_indices().rev() {
            match c {
                ')' | ']' | '}' => depth += 1,
                '(' if depth == 0 => {
                    let call = last_part(&head[..at], in_word);
                    return (!call.is_empty()).then_some(QuotedArgument { call, number, start });
                }
                '(' | '[' | '{' => depth -= 1,
                ',' if depth == 0 => number += 1,
                _ => {}
            }
        }
        None
    }

    /// The whole text in quotes that the cursor is in.
    pub fn quoted(&self) -> Option<&'a str> {
        let start = line_start(self.text, self.offset) + self.open_quote()? + 1;
        let line = self.text[start..].lines().next().unwrap_or_default();
        line.split_once('"').map(|(name, _)| name)
    }

    /// The byte of the line with the quote that opens the text that the cursor is in.
    fn open_quote(&self) -> Option<usize> {
        let head = self.head();
        head.rfind('"').filter(|_| head.matches('"').count() % 2 == 1)
    }

    /// The hook that the cursor is in, and the name of its second parameter.
    pub fn hook(&self) -> Option<(&'static ScriptHook, &'a str)> {
        let functions = self.language().functions(self.text);
        let function = functions.into_iter().rfind(|function| function.at <= self.offset)?;
        let mut parameters = function.parameters.split(',').map(str::trim).filter(|p| !p.is_empty());
        Some((find_hook(function.name)?, parameters.nth(1)?))
    }

    /// The owner of a member after `path` and a dot in the script, if names tell.
    pub fn owner_of(&self, path: &str) -> Option<Owner> {
        if let Some((_, last)) = path.rsplit_once('.') {
            return self.is_vec_property(last).then_some(Owner::Vec);
        }
        let in_test = self.api_set() == ApiSet::Test;
        match path {
            "me" if !in_test => return Some(Owner::Me),
            "t" if in_test => return Some(Owner::Test),
            _ => {}
        }
        // What the script sets the variable to.
        let declaration = format!("let {path} = ");
        let at = self.text.find(&declaration)? + declaration.len();
        let value = self.text[at..].lines().next()?.trim();
        if value.contains("world::entity(") {
            return Some(Owner::Entity);
        }
        let calls = [("t.entity(", Owner::Live), ("play(", Owner::Test), ("vec(", Owner::Vec)];
        if let Some((_, owner)) = calls.into_iter().find(|(call, _)| value.starts_with(call)) {
            return Some(owner);
        }
        let (_, last) = value.trim_end_matches(';').rsplit_once('.')?;
        self.is_vec_property(last).then_some(Owner::Vec)
    }

    fn is_vec_property(&self, name: &str) -> bool {
        let mut entries = self.language().entries().iter();
        entries.any(|entry| entry.name == name && entry.returns == Type::Vec && entry.parameters.is_empty())
    }

    /// The file that the script imports as a module.
    pub fn imported(&self, module: &str) -> Option<&'a Arc<SourceFile>> {
        let path = self.text.lines().rev().find_map(|line| {
            let (path, rest) = line.trim().strip_prefix("import \"")?.split_once('"')?;
            let name = rest.trim().strip_prefix("as ")?.trim_end_matches(';');
            (name.trim() == module).then_some(path)
        });
        self.game.imported(&self.name(), path?)
    }

    /// The model whose table of a TOML file the cursor is in.
    pub fn model(&self) -> Option<ModelName> {
        let before = &self.text[..line_start(self.text, self.offset)];
        // A line of an array may begin with a bracket, too.
        let header = before.lines().rev().find_map(header_of)?;
        ModelName::parse(header.rsplit('.').next()?.trim())
    }
}

/// The name in the header of a table, if a line is one.
fn header_of(line: &str) -> Option<&str> {
    let line = line.split('#').next()?.trim();
    let name = line.trim_start_matches('[').trim_end_matches(']').trim();
    let plain = |c: char| c.is_alphanumeric() || "_-. \"".contains(c);
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '"');
    (line.starts_with('[') && line.ends_with(']') && is_name && name.chars().all(plain)).then_some(name)
}

/// The text of a language's reference about a name, as Markdown.
pub(super) fn described(language: &dyn Language, name: &str) -> Option<String> {
    let found = find_item(language.reference(), name).ok()?;
    let texts: Vec<String> = found.into_iter().map(ReferenceItem::markdown).collect();
    Some(texts.join("\n\n---\n\n"))
}
