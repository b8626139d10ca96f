//! The normal form of a function that waits: each wait is a statement, with a name that no script has.
//!
//! | in the text | in the normal form |
//! |---|---|
//! | `wait(x)` | `__wait__(x)` |
//! | `wait_until(f)` | `while not (f)() do __wait_ticks__(1) end` |
//! | `local x = wait_for("e").y` | `__wait_for__("e", nil); local x = __event.y` |
//! | `elseif wait_for("e") then … end` | `else __wait_for__("e", nil); if __event then … end end` |
//! | `local function f() … end` | `local f f = function() … end` |
//! | `for i = a, b do … end` | a `while` over `at__1`, which is the next `i`, up to `end__1` |
//! | `for i, x in a do … end` | a `while` over the places `at__1` of the list `list__1` |

use super::*;

/// Brings the functions of a file into the normal form.
pub struct NormalText<'a> {
    pub file: &'a Arc<SourceFile>,
    pub words: &'a [LuaWord<'a>],
    /// The places of words that wait and have not been found to be right.
    pub waits: BTreeSet<usize>,
    /// The waits of the function that is read.
    pub found: Vec<FoundWait>,
    pub edits: TextEdits<'a>,
    pub wrong: Vec<Diagnostic>,
    /// How many loops have got variables.
    pub loops: usize,
}

impl NormalText<'_> {
    pub fn error(&mut self, at: Range<usize>, why: impl Into<String>) {
        self.wrong.push(Diagnostic::error(Place::new(self.file, at), why));
    }

    /// Reports all waits among some words that have not been found to be right.
    pub fn misplaced(&mut self, range: Range<usize>, why: &str) {
        let found: Vec<usize> = self.waits.range(range).copied().collect();
        for place in found {
            self.waits.remove(&place);
            let general = format!(
                "a function cannot wait here: `{}` must be a statement of a global function of this script, or of a block, `if`, \
                 `while`, `repeat` or `for` in it; `local event = wait_for(…)` works, too",
                self.words[place].text
            );
            self.error(bytes(&self.words[place..=place]), if why.is_empty() { &general } else { why });
        }
    }

    pub fn block(&mut self, statements: &[Statement]) {
        for statement in statements {
            let before = self.found.len();
            if !statement.is_loop() {
                self.wait(statement, &statement.values, None);
            }
            for (place, block) in statement.blocks().into_iter().enumerate() {
                if let StatementKind::If(clauses, _) = &statement.kind
                    && let Some((condition, _)) = clauses.get(place).filter(|_| place > 0)
                {
                    self.wait(statement, condition, Some(condition.start - 1));
                }
                self.block(block);
            }
            match &statement.kind {
                StatementKind::For(names, _) if self.found.len() > before => self.for_loop(statement, names),
                StatementKind::LocalFunction(name) => {
                    let text = self.words[*name].text;
                    self.edits
                        .put(statement.words.start..*name + 1, &format!("local {text} {text} = function"));
                }
                _ => {}
            }
        }
    }

    /// The wait with which some values of a statement begin, perhaps after an `elseif`.
    fn wait(&mut self, statement: &Statement, values: &Range<usize>, elseif: Option<usize>) {
        let words = self.words;
        let is_before =
            |word: &LuaWord<'_>| word.is_name("not") || ["-", "#", "("].iter().any(|sign| word.is_sign(sign));
        let at = values.clone().find(|at| !is_before(&words[*at]));
        let Some(at) = at.filter(|at| self.waits.contains(at)) else { return };
        let (word, open) = (words[at].text, at + 1);
        let is_call = words[open].is_sign("(");
        let end = if is_call { after(words, open) } else { open + 1 };
        let is_statement = statement.words == (at..end);
        let inside = &words[if is_call { open + 1..end - 1 } else { open..end }];
        // What a wait takes moves to the line of its statement.
        let moves = word != "wait_until" && inside.iter().any(|word| word.text.contains('\n'));
        if moves || !is_call && words[open].quoted().is_none() || !is_statement && word != "wait_for" {
            return;
        }
        let arguments: Vec<_> = split(inside).collect();
        let span = bytes(&words[at..end]);
        self.waits.remove(&at);
        let mut awaits = None;
        if word == "wait_until" {
            let is_condition = |argument: &[LuaWord<'_>]| {
                let begins = argument[0].is_name("function") && argument[1].is_sign("(") && argument[2].is_sign(")");
                begins && after(argument, 0) == argument.len()
            };
            if !matches!(&arguments[..], [condition] if is_condition(condition)) {
                let why = "`wait_until` needs a condition, as in `wait_until(function() return me.grounded end)`";
                return self.error(bytes(&words[at..open]), why);
            }
            self.edits.put(at..open, "while not");
            self.edits.put(end - 1..end, ")() do __wait_ticks__(1) end");
            return self.found.push(FoundWait { span, awaits });
        }
        if let Err(why) = check_wait_count(word, arguments.len()) {
            return self.error(bytes(&words[at..open]), why);
        }
        if word == "wait_for" {
            let event = arguments[0][0].quoted().filter(|_| arguments[0].len() == 1);
            let Some(event) = event else { return self.error(bytes(&words[at..open]), UNNAMED_EVENT) };
            if let Err(why) = check_awaited(event) {
                return self.error(bytes(arguments[0]), why);
            }
            awaits = Some(event.into());
        }
        let none = if word == "wait_for" && arguments.len() == 1 { ", nil" } else { "" };
        let given: Vec<&str> = inside.iter().map(|word| word.text).collect();
        let end_of_call = if is_statement { ")" } else { ");" };
        let call = format!("__{word}__({}{none}{end_of_call}", given.join(" "));
        match elseif {
            Some(elseif) => {
                self.edits.put(elseif..elseif + 1, &format!("else {call} if"));
                self.edits.after(statement.words.end, "end");
            }
            None => self.edits.before(statement.words.start, &call),
        }
        self.edits.put(at..end, if is_statement { "" } else { "__event" });
        self.found.push(FoundWait { span, awaits });
    }

    fn for_loop(&mut self, statement: &Statement, names: &[usize]) {
        self.loops += 1;
        let (n, start, values) = (self.loops, statement.words.start, &statement.values);
        let name = |place: usize| names.get(place).map_or("_", |name| self.words[*name].text);
        let (first, second) = (name(0), name(1));
        let has_step = split(&self.words[values.clone()]).count() > 2;
        let (head, rounds) = if !self.words[values.start - 1].is_sign("=") {
            let value = if names.len() > 1 {
                format!("local {second} = list__{n}[at__{n}]")
            } else {
                String::new()
            };
            let rounds = format!("), 0 while at__{n} < #list__{n} do at__{n} += 1 {value} local {first} = at__{n}");
            (format!("do local list__{n}, at__{n} = __items("), rounds)
        } else {
            let (at, last) = (format!("at__{n}"), format!("end__{n}"));
            let (all, step, condition) = match has_step {
                false => (format!("{at}, {last}"), "1".into(), format!("{at} <= {last}")),
                true => {
                    let step = format!("step__{n}");
                    let condition = format!("(if {step} > 0 then {at} <= {last} else {at} >= {last})");
                    (format!("{at}, {last}, {step}"), step, condition)
                }
            };
            // A loop of Luau's says what is wrong with the numbers, and one without an end gets one.
            let rounds = format!(
                "for _ = {all} do break end {last} = if {last} == {HUGE} then {MOST} elseif {last} == -{HUGE} then -{MOST} \
                 else {last} while {condition} do local {first} = {at} {at} += {step}"
            );
            (format!("do local {all} ="), rounds)
        };
        self.edits.put(start..values.start, &head);
        // In the place of its `do`.
        self.edits.put(values.end..values.end + 1, &rounds);
        let end = statement.words.end - 1;
        self.edits.put(end..end + 1, "end end");
    }
}

/// The largest number up to which a loop counts, and what is larger.
const MOST: &str = "9007199254740992";
const HUGE: &str = "(1 / 0)";
