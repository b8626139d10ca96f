//! The text of a function that waits, as it is compiled. Nothing changes its line.
//!
//! `__at` is the number of the wait at which it continues, and 0 from there on; `__frame` has what was remembered there.
//!
//! | in the normal form | what is compiled |
//! |---|---|
//! | `function f(me)` | `function f(me, __given, __frame, __at, __event)`, and in it first `__at = __at or 0` |
//! | `__wait__(x)`, wait 3 | `if __at == 0 then __wait__(x, 7, { a = a }) return end if __at == 3 then __at = 0 end` |
//! | `a() b()` before a wait | `if __at == 0 then a() b() end` |
//! | `local x = a` | `if __at == 0 then value__1 = a end local x = value__1 if __at ~= 0 then x = __frame.x end` |
//! | `while a do … end` around waits 3 and 4 | `while __at == 0 and (a) or __at >= 3 and __at <= 4 do … end` |
//!
//! Before `while`, and before other statements with waits, is `if __at == 0 or __at >= 3 and __at <= 4 then`. In the call of
//! a wait, 7 is the place of its point among those of the script.

use super::*;

/// Whether the function does not skip what comes next.
const RUNS: &str = "__at == 0";

/// A function in the normal form.
pub struct WaitingFunction<'w> {
    pub words: &'w [LuaWord<'w>],
    /// The places of its waits.
    pub waits: Vec<usize>,
    pub locals: WaitLocals,
    places: FunctionPlaces,
    body: Vec<Statement>,
    /// The name of its second parameter.
    pub event: Option<&'w str>,
}

impl<'w> WaitingFunction<'w> {
    /// The global function at a place.
    pub fn new(words: &'w [LuaWord<'w>], place: usize) -> Self {
        let places = FunctionPlaces::of(words, place);
        let is_wait = |at: &usize| WAIT_CALLS.contains(&words[*at].text);
        let waits = (places.body..places.end).filter(is_wait).collect();
        let event = name_list(words, place + 3).0.get(1).map(|(event, _)| words[*event].text);
        let body = places.statements(words);
        let mut function = Self { words, waits, locals: WaitLocals::default(), places, body, event };
        let mut locals = WaitLocals::default();
        if let Some(event) = event {
            locals.declare(event, 0, false);
        }
        function.find_locals(&function.body, 0, &mut locals);
        function.find_needed(&function.body, &mut locals);
        function.locals = locals;
        function
    }

    /// The numbers of the first and the last wait in a statement, counted from 1.
    fn waits_in(&self, words: &Range<usize>) -> [usize; 2] {
        let before = |place| self.waits.partition_point(|wait| *wait < place);
        [before(words.start) + 1, before(words.end)]
    }

    pub fn has_waits(&self, statement: &Statement) -> bool {
        let [first, last] = self.waits_in(&statement.words);
        first <= last
    }

    /// The number of the wait that a statement is.
    pub fn wait_of(&self, statement: &Statement) -> Option<usize> {
        self.waits.binary_search(&statement.words.start).ok()
    }

    /// Changes the function. The first of its waits has this number among the points of the script.
    pub fn rewrite(&self, edits: &mut TextEdits<'_>, first_point: usize) {
        let given = if self.event.is_some() { "" } else { ", __given" };
        edits.before(self.places.close, &format!("{given}, __frame, __at, __event"));
        edits.before(self.places.body, "");
        let begin = edits.all.len() - 1;
        let mut rewrite = Rewrite { of: self, edits: &mut *edits, first_point, values: 1 };
        rewrite.block(&self.body);
        let values: Vec<_> = (1..=rewrite.values).map(value_name).collect();
        let event = rewrite.restored(&self.event.into_iter().collect::<Vec<_>>());
        edits.all[begin].1 = format!(" __at = __at or 0 local {} {event} ", values.join(", "));
    }
}

/// The variable for a value that is declared.
fn value_name(number: usize) -> String {
    format!("value__{number}")
}

struct Rewrite<'f, 'w, 't> {
    of: &'f WaitingFunction<'w>,
    edits: &'f mut TextEdits<'t>,
    first_point: usize,
    /// How many values the longest declaration has.
    values: usize,
}

impl Rewrite<'_, '_, '_> {
    /// Gives variables what was remembered of them.
    fn restored(&self, names: &[&str]) -> String {
        let needed = |name: &&str| self.of.locals.needed.iter().flatten().any(|it| **it == **name);
        let names: Vec<&str> = names.iter().copied().filter(needed).collect();
        let values: Vec<String> = names.iter().map(|name| format!("__frame.{name}")).collect();
        match names.is_empty() {
            true => String::new(),
            false => format!("if __at ~= 0 then {} = {} end", names.join(", "), values.join(", ")),
        }
    }

    fn block(&mut self, block: &[Statement]) {
        let last = block.iter().rposition(|statement| self.of.has_waits(statement));
        let mut skips = false;
        for statement in block.iter().take(last.map_or(0, |last| last + 1)) {
            let is_plain = !matches!(statement.kind, StatementKind::Local(_)) && !self.of.has_waits(statement);
            if is_plain != skips {
                let text = if is_plain { format!("if {RUNS} then") } else { "end".into() };
                self.edits.before(statement.words.start, &text);
            }
            skips = is_plain;
            if !is_plain {
                self.statement(statement);
            }
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let Range { start, end } = statement.words;
        if let Some(wait) = self.of.wait_of(statement) {
            let (point, number) = (self.first_point + wait, wait + 1);
            let locals = self.of.locals.needed[wait].iter().map(|name| format!("{name} = {name}, "));
            let locals: String = locals.collect();
            let locals = if locals.is_empty() { "nil".into() } else { format!("{{ {locals} }}") };
            self.edits.before(start, &format!("if {RUNS} then"));
            self.edits.before(end - 1, &format!(", {point}, {locals}"));
            return self.edits.after(end, &format!("return end if __at == {number} then __at = 0 end"));
        }
        match &statement.kind {
            StatementKind::Local(names) => {
                let names: Vec<&str> = names.iter().map(|name| self.of.words[*name].text).collect();
                let mut last = self.restored(&names);
                if !statement.values.is_empty() {
                    self.values = self.values.max(names.len());
                    let values: Vec<_> = (1..=names.len()).map(value_name).collect();
                    let values = values.join(", ");
                    self.edits.put(start..statement.values.start, &format!("if {RUNS} then {values} ="));
                    last = format!("end local {} = {values} {last}", names.join(", "));
                }
                self.edits.after(end, &last);
            }
            kind => {
                let continues = |words: &Range<usize>| match self.of.waits_in(words) {
                    [first, last] if first > last => String::new(),
                    [first, last] => format!("or __at >= {first} and __at <= {last}"),
                };
                let of_block = |block: &[Statement]| match block {
                    [] => String::new(),
                    [first, ..] => continues(&(first.words.start..block[block.len() - 1].words.end)),
                };
                let conditions: Vec<_> = match kind {
                    StatementKind::If(clauses, _) => clauses.iter().map(|(it, block)| (it, of_block(block))).collect(),
                    StatementKind::While(block) => vec![(&statement.values, of_block(block))],
                    _ => Vec::new(),
                };
                let runs = format!("if {RUNS} {} then", continues(&statement.words));
                self.edits.before(start, &runs);
                for (condition, continues) in conditions {
                    self.edits.before(condition.start, &format!("{RUNS} and ("));
                    self.edits.after(condition.end, &format!(") {continues}"));
                }
                statement.blocks().into_iter().for_each(|block| self.block(block));
                self.edits.after(end, "end");
            }
        }
    }
}
