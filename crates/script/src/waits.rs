//! Where functions wait, for the languages that cut them there.

use crate::{ListedStep, Place, RULES, SourceFile, Spelling, calls::check_event_filter};
use hangtime_core::sim::{Digest, WaitPoint};
use std::{collections::BTreeMap, ops::Range, sync::Arc};

/// The most waits of a function.
pub const MOST_WAITS: usize = 64;

/// Why a function with this name and number of parameters cannot wait.
pub fn wait_objection(name: &str, parameters: usize, spelling: Spelling) -> Option<String> {
    let Spelling { method, variables, .. } = spelling;
    if RULES.iter().any(|rule| rule.name == name) {
        return Some(format!("`{name}` is a rule, which answers at once; wait in an event hook"));
    }
    match name {
        "on_tick" => Some(format!(
            "`on_tick` runs in every tick and cannot wait; start a function that waits with `me{method}start(\"attack\")`, \
             unless `me{method}running(\"attack\")`"
        )),
        "on_death" => Some("after `on_death` the entity is gone, so it cannot wait".into()),
        _ if parameters == 1 || parameters == 2 && name.starts_with("on_") => None,
        _ => Some(format!(
            "`{name}` cannot wait, because it does not have `me` as its only parameter; keep what it needs in \
             `{variables}`, and start it with `me{method}start`"
        )),
    }
}

/// The message about a call of a function that waits: it returns before it is done.
pub fn called_sequence(name: &str, Spelling { method, .. }: Spelling) -> String {
    format!("`{name}` waits, so it cannot be called; start it with `me{method}start(\"{name}\")`")
}

/// The message about two variables of one name where a function waits.
pub fn hidden_local(name: &str) -> String {
    format!("two variables are called `{name}` where the function waits; rename one of them")
}

/// The message about a function with too many waits.
pub fn too_many_waits(name: &str) -> String {
    format!("`{name}` has too many waits for its length; start a second sequence in it")
}

/// The message about a wait in a file that is imported.
pub const IMPORTED_WAIT: &str = "a function of an imported file cannot wait; wait in the script that imports it";

/// Checks how many arguments a word that waits is given.
///
/// # Errors
/// What to write instead.
pub fn check_wait_count(word: &str, given: usize) -> Result<(), String> {
    let (right, most) = match word {
        "wait" => ("wait(seconds)", 1),
        "wait_ticks" => ("wait_ticks(count)", 1),
        _ => ("wait_for(\"event\")` or `wait_for(\"event\", seconds)", 2),
    };
    if (1..=most).contains(&given) {
        Ok(())
    } else {
        Err(format!("write `{right}`"))
    }
}

/// The message about an event to wait for that is not written as text.
pub const UNNAMED_EVENT: &str = "`wait_for` needs the name of an event in quotes, as in `wait_for(\"land\")`";

/// Checks the event that a function waits for.
///
/// # Errors
/// Why it cannot.
pub fn check_awaited(event: &str) -> Result<(), String> {
    match event {
        "tick" => Err("every tick is a `tick`; write `wait_ticks(1)`".into()),
        "death" => Err("after `death` the entity is gone, so it cannot wait for it".into()),
        event => check_event_filter(event, |_| true),
    }
}

/// A wait in the text of a function.
pub struct FoundWait {
    /// The whole call.
    pub span: Range<usize>,
    /// The event that it waits for.
    pub awaits: Option<Arc<str>>,
}

/// The steps of a function whose text has these waits and ends at `end`: its beginning, if it can be started, and each wait.
/// Their functions are counted from `first`.
pub fn steps_of(
    file: &Arc<SourceFile>,
    (name, first): (&str, usize),
    (begin, end): (Place, usize),
    waits: &[FoundWait],
    locals: &WaitLocals,
) -> Vec<ListedStep> {
    let sequence: Arc<str> = name.into();
    let beginning = WaitPoint { sequence: sequence.clone(), step: 0, label: "".into(), text: 0, names: Vec::new() };
    let beginning = ListedStep { point: beginning.into(), hook: first, awaits: None, place: begin };
    let mut steps: Vec<_> = (!name.starts_with("on_")).then_some(beginning).into_iter().collect();
    for (wait, FoundWait { span, awaits }) in waits.iter().enumerate() {
        let next = waits.iter().map(|other| other.span.start).filter(|at| *at > span.start).min();
        let rest = file.text.get(span.end..next.unwrap_or(end).max(span.end)).unwrap_or_default();
        let label = file.text[span.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
        let mut text = Digest::new();
        rest.split_whitespace().for_each(|word| text.text(word));
        let (text, label, names) = (text.finish(), label.into(), locals.needed[wait].clone());
        let point = WaitPoint { sequence: sequence.clone(), step: wait as u32 + 1, label, text, names };
        let place = Place::new(file, span.clone());
        steps.push(ListedStep { point: point.into(), hook: first + wait + 1, awaits: awaits.clone(), place });
    }
    steps
}

/// A local variable where a function waits.
#[derive(Clone)]
pub struct WaitLocal {
    /// Its name.
    pub name: Arc<str>,
    /// How many blocks it is in.
    pub level: usize,
    /// Whether nothing can be assigned to it.
    pub constant: bool,
}

/// The local variables of a function at its waits, found while it is read from top to bottom.
#[derive(Default)]
pub struct WaitLocals {
    open: Vec<WaitLocal>,
    /// Those at each wait.
    pub at: Vec<Vec<WaitLocal>>,
    /// The names of those that are remembered at each wait.
    pub needed: Vec<Vec<Arc<str>>>,
}

impl WaitLocals {
    /// Sees a declaration in a block of this level.
    pub fn declare(&mut self, name: &str, level: usize, constant: bool) {
        self.open.retain(|other| (&*other.name, other.level) != (name, level));
        self.open.push(WaitLocal { name: name.into(), level, constant });
    }

    /// Sees the next wait.
    pub fn wait(&mut self) {
        self.at.push(self.open.clone());
        self.needed.push(Vec::new());
    }

    /// Sees the end of a block of this level.
    pub fn leave(&mut self, level: usize) {
        self.open.retain(|local| local.level < level);
    }

    /// Variables that hide others where the function waits, and the number of the wait.
    pub fn hidden(&self) -> BTreeMap<Arc<str>, usize> {
        let mut hidden = BTreeMap::new();
        for (wait, locals) in self.at.iter().enumerate() {
            for (place, local) in locals.iter().enumerate() {
                if locals[..place].iter().any(|other| other.name == local.name) {
                    hidden.entry(local.name.clone()).or_insert(wait);
                }
            }
        }
        hidden
    }
}
