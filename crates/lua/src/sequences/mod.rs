//! Sequences: functions that wait, changed so that they can continue where they waited.
//!
//! A function that waits stays one function. It gets the number of the wait at which it continues and what was remembered
//! there, skips what comes before that wait, and goes into the blocks around it. A wait remembers the local variables that
//! are needed later, and returns. All that is inserted keeps the lines of the text.
//!
//! * `normal`: waits become statements in blocks, `if`, `while` and `repeat`, which is all that the rest has to know.
//! * `needed`: the local variables that each wait remembers.
//! * `rewrite`: the text that is compiled.

mod needed;
mod normal;
mod rewrite;

use crate::{
    Lua,
    scopes::{FileVariables, OWN_NAMES},
    statements::{Reader, Statement, StatementKind},
    syntax::{FunctionScope, LuaWord, after, after_type, each_function, name_list, split, words},
};
use hangtime_script::{
    Diagnostic, Language as _, ListedStep, Place, SourceFile,
    calls::WAITS,
    waits::{
        FoundWait, IMPORTED_WAIT, MOST_WAITS, UNNAMED_EVENT, WaitLocals, called_sequence, check_awaited,
        check_wait_count, hidden_local, steps_of, too_many_waits, wait_objection,
    },
};
use mlua::chunk::Compiler;
use normal::NormalText;
use rewrite::WaitingFunction;
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    sync::Arc,
};

/// What is left of waits calls these functions.
pub(crate) const WAIT_CALLS: [&str; 3] = ["__wait__", "__wait_ticks__", "__wait_for__"];

/// A file whose functions wait.
#[derive(Default)]
pub(crate) struct CutText {
    /// The changed text; none if nothing waits.
    pub text: Option<String>,
    pub steps: Vec<ListedStep>,
}

/// A text that is changed. No line of it moves.
struct TextEdits<'t> {
    text: &'t str,
    words: &'t [LuaWord<'t>],
    all: Vec<(Range<usize>, String)>,
}

impl<'t> TextEdits<'t> {
    fn of(text: &'t str, words: &'t [LuaWord<'t>]) -> Self {
        Self { text, words, all: Vec::new() }
    }

    /// Puts a text in the place of some words.
    fn put(&mut self, words: Range<usize>, new: &str) {
        let span = bytes(&self.words[words]);
        let lines = self.text[span.clone()].matches('\n').count();
        self.all.push((span, format!(" {new} {}", "\n".repeat(lines))));
    }

    /// Inserts a text before a word.
    fn before(&mut self, word: usize, new: &str) {
        let at = self.words[word].at;
        self.all.push((at..at, format!(" {new} ")));
    }

    /// Inserts a text after the word before a place.
    fn after(&mut self, place: usize, new: &str) {
        let at = bytes(&self.words[place - 1..place]).end;
        self.all.push((at..at, format!(" {new} ")));
    }

    fn changed(mut self) -> String {
        self.all.sort_by_key(|(span, _)| span.start);
        let mut changed = String::with_capacity(self.text.len() * 2);
        let mut from = 0;
        for (span, new) in self.all {
            changed.push_str(self.text.get(from..span.start).unwrap_or_default());
            changed.push_str(&new);
            from = span.end;
        }
        changed + &self.text[from..]
    }
}

/// The bytes of some words.
fn bytes(words: &[LuaWord<'_>]) -> Range<usize> {
    words[0].at..words.last().map_or(0, |last| last.at + last.text.len())
}

/// The places of words that wait: functions of these names that the file declares do not.
fn waiting_words(words: &[LuaWord<'_>], variables: &FileVariables) -> BTreeSet<usize> {
    let free = variables.free.iter().filter(|(_, name)| {
        WAITS.contains(&name.as_str()) && !variables.global.contains(name) && !variables.own.contains(name)
    });
    free.filter_map(|(span, _)| words.binary_search_by_key(&span.start, |word| word.at).ok())
        .collect()
}

/// A wait in a file that is required: its functions do not know whose script they run for.
pub(crate) fn imported_wait(file: &Arc<SourceFile>, words: &[LuaWord<'_>], of: &FileVariables) -> Option<Diagnostic> {
    let word = *waiting_words(words, of).first()?;
    Some(Diagnostic::error(Place::new(file, bytes(&words[word..=word])), IMPORTED_WAIT))
}

/// The places of a function's words: its `)`, those of its body, and its `end`.
struct FunctionPlaces {
    close: usize,
    body: usize,
    end: usize,
}

impl FunctionPlaces {
    /// Those of a global function.
    fn of(words: &[LuaWord<'_>], function: usize) -> Self {
        let close = after(words, function + 2) - 1;
        let is_typed = words[close + 1].is_sign(":");
        let body = if is_typed { after_type(words, close + 2) } else { close + 1 };
        Self { close, body, end: after(words, function) - 1 }
    }

    fn statements(&self, words: &[LuaWord<'_>]) -> Vec<Statement> {
        Reader { words: &words[..self.end], at: self.body }.block()
    }
}

/// Changes the functions of a file that wait.
///
/// # Errors
/// Waits where a function cannot wait.
pub(crate) fn cut(file: &Arc<SourceFile>) -> Result<CutText, Vec<Diagnostic>> {
    if !file.text.contains("wait") {
        return Ok(CutText::default());
    }
    let words = words(&file.text);
    let variables = FileVariables::of(&words);
    let waits = waiting_words(&words, &variables);
    // Loading reports what does not parse, and names that no script has.
    let is_wrong = words.iter().any(|word| OWN_NAMES.contains(&word.text));
    if waits.is_empty() || is_wrong || Compiler::new().compile(&file.text).is_err() {
        return Ok(CutText::default());
    }
    let edits = TextEdits::of(&file.text, &words);
    let mut normal = NormalText { file, words: &words, waits, found: Vec::new(), edits, wrong: Vec::new(), loops: 0 };
    let mut waiting = BTreeMap::new();
    for (place, name, _) in each_function(&words, FunctionScope::Global) {
        let end = after(&words, place);
        if normal.waits.range(place..end).next().is_none() {
            continue;
        }
        let parameters = name_list(&words, place + 3).0;
        let varies = parameters.iter().any(|(name, _)| words[*name].is_sign("..."));
        let why = wait_objection(name.text, if varies { 0 } else { parameters.len() }, Lua.spelling()).or_else(|| {
            let same = each_function(&words, FunctionScope::Global).filter(|(_, other, _)| other.text == name.text);
            (same.count() > 1).then(|| format!("this file has two functions `{}`", name.text))
        });
        if let Some(why) = why {
            normal.misplaced(place..end, &why);
            continue;
        }
        let places = FunctionPlaces::of(&words, place);
        normal.block(&places.statements(&words));
        normal.misplaced(place..end, "");
        let found = std::mem::take(&mut normal.found);
        if found.len() > MOST_WAITS {
            normal.error(found[0].span.clone(), too_many_waits(name.text));
        }
        let begin = Place::new(file, bytes(&words[place + 1..place + 2]));
        waiting.insert(name.text, (found, (begin, words[places.end].at)));
    }
    normal.misplaced(0..words.len(), "");
    for (span, name) in variables.free.iter().filter(|(_, name)| waiting.contains_key(name.as_str())) {
        normal.error(span.clone(), called_sequence(name, Lua.spelling()));
    }
    let NormalText { mut wrong, edits, .. } = normal;
    let text = edits.changed();
    let words = self::words(&text);
    let (mut steps, mut edits) = (Vec::new(), TextEdits::of(&text, &words));
    let functions = wrong.is_empty().then(|| each_function(&words, FunctionScope::Global));
    for (place, name, _) in functions.into_iter().flatten() {
        let Some((found, place_in_file)) = waiting.remove(name.text) else { continue };
        let function = WaitingFunction::new(&words, place);
        for (hidden, wait) in function.locals.hidden() {
            wrong.push(Diagnostic::error(Place::new(file, found[wait].span.clone()), hidden_local(&hidden)));
        }
        function.rewrite(&mut edits, steps.len() + usize::from(!name.text.starts_with("on_")));
        steps.extend(steps_of(file, (name.text, 0), place_in_file, &found, &function.locals));
    }
    wrong.sort_by_key(|wrong| wrong.place.as_ref().map(|place| place.span.start));
    if wrong.is_empty() {
        Ok(CutText { text: Some(edits.changed()), steps })
    } else {
        Err(wrong)
    }
}
