//! Checks a script without running it: members of `me` and of modules, arguments of calls, names that the game does
//! not have, hooks, and variables that are declared nowhere. It reads words, not a syntax tree, so it says nothing about
//! values in variables.

use crate::{
    Lua,
    binding::{calls, unknown, unknown_call, unknown_member, wrong_count},
    chains::{Chains, MemberStep, owner_of},
    expectations::IdleExpectations,
    globals::{LIBRARIES, forgotten, unknown_global, unknown_in_library},
    machine::LuaMachine,
    messages::{FROZEN, with_own_names},
    scopes::{FileVariables, is_assignment},
    states::{check_states, states_of},
    syntax::{FunctionScope, LuaWord, Nesting, WordKind, after, begin_with, declared, each_function, split, words},
    vars::named_members,
};
use hangtime_script::{
    Diagnostic, EVENTS, GameNames, HookKind, Language as _, Limits, Place, RULES, ScriptInspector, ScriptRole,
    Severity, SourceFile, Sources,
    api::{Access, ApiEntry, EntryKind, Names, Owner, Type},
    calls::{
        Arg, Call, CallOwner, ForeignCalls, WAITS, check_color, check_custom_event, check_event_filter, check_setting,
        check_tunable, is_level_member, no_level_member, refuse_write,
    },
    check_call_setting, check_compared, check_functions, check_hooks, check_moved, check_named, check_setting_value,
    check_share, check_unit, find_hook,
    names::{did_you_mean, nearest, suggestion},
};
use mlua::chunk::Compiler;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// Checks the scripts of one game.
pub(crate) struct LuaInspector {
    sources: Sources,
    known: GameNames,
    foreign: ForeignCalls,
    /// The words of all scripts that begin with `on_`, without it, and what scripts wait for.
    handled: BTreeSet<String>,
    /// All texts in quotes in all scripts.
    quoted: BTreeSet<String>,
    /// All keys of tables that a script writes, and what it sets otherwise, except its variables.
    set: BTreeSet<String>,
    /// The states of scripts, by their keys.
    states: BTreeMap<String, BTreeSet<String>>,
    /// The globals of behaviors, and of tests.
    globals: [BTreeSet<String>; 2],
    /// What Luau's libraries have, as in `math.sin`.
    members: BTreeSet<String>,
}

impl LuaInspector {
    /// Reads all scripts of a game, in any language.
    pub fn new(sources: &Sources, known: GameNames, foreign: &ForeignCalls) -> Self {
        let (mut handled, mut quoted, mut set) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut states = BTreeMap::new();
        for (key, file) in sources.iter() {
            let words = words(&file.text);
            states.insert(key.clone(), states_of(&words));
            for (place, word) in words.iter().enumerate() {
                let awaited = words[place..]
                    .iter()
                    .take(3)
                    .find_map(LuaWord::quoted)
                    .filter(|_| word.is_name("wait_for"));
                handled.extend(word.text.strip_prefix("on_").or(awaited).map(str::to_string));
                quoted.extend(word.quoted().map(str::to_string));
                let is_var = place > 1 && ["vars", "this"].contains(&words[place - 2].text);
                let is_set = |next: &LuaWord<'_>| !is_var && (is_assignment(next.text) || next.is_sign(":"));
                set.extend(words.get(place + 1).filter(|next| is_set(next)).map(|_| word.text.to_string()));
            }
        }
        let limits = Limits::of_tests();
        let machines = [LuaMachine::new(&limits), LuaMachine::for_tests(foreign, &IdleExpectations::default())];
        let members = machines[0]
            .as_ref()
            .map_or_else(|_| BTreeSet::new(), |machine| machine.members().collect());
        let globals = machines.map(|machine| machine.map_or_else(|_| BTreeSet::new(), |m| m.globals().collect()));
        let [mut globals, of_tests] = globals;
        globals.extend(WAITS.map(str::to_string));
        Self {
            sources: sources.clone(),
            known,
            foreign: foreign.clone(),
            handled,
            quoted,
            set,
            globals: [globals, of_tests],
            members,
            states,
        }
    }
}

impl ScriptInspector for LuaInspector {
    fn inspect(&self, file: &Arc<SourceFile>, role: ScriptRole) -> Vec<Diagnostic> {
        // Compiling reports what does not parse.
        if Compiler::new().compile(&file.text).is_err() {
            return Vec::new();
        }
        let words = words(&file.text);
        let is_test = matches!(role, ScriptRole::Test | ScriptRole::TestLibrary);
        let chains = Chains::new(&words, &self.foreign, is_test);
        let hidden = declared_names(&words).filter(|name| LIBRARIES.contains(name)).collect();
        let vars = (0..words.len()).filter(|at| begin_with(&words[*at..], "vars . _"));
        let vars = vars.map(|at| words[at + 2].text).collect();
        let (words, chains, found) = (&words[..], &chains, Vec::new());
        let mut check = FileCheck { of: self, file, role, is_test, words, chains, hidden, vars, found };
        (0..words.len()).for_each(|at| check.word(at));
        check.variables();
        check.unset();
        let mut found = check.found;
        let any_event = || self.sources.values().any(|file| computes_events(&file.text));
        let functions = declared(file);
        let mut names = BTreeSet::new();
        for function in &functions {
            let is_hook = find_hook(&function.name).is_some() || function.name.starts_with("test_");
            if !names.insert(&function.name) && !is_hook {
                let why = format!("`{}` is defined twice, and only this one is called", function.name);
                found.push(Diagnostic::warning(function.place.clone(), why));
            }
        }
        if role.has_hooks() {
            found.extend(idle_hooks(file, words));
            found.extend(wrong_answers(file, words, &self.known));
            found.extend(check_states(file, words));
        }
        let game = (&self.sources, &self.known);
        found.extend(check_functions((file, role), &functions, game, |name| uses(words, name), any_event));
        found
    }

    fn states(&self, path: &str) -> Vec<&str> {
        self.states.get(path).into_iter().flatten().map(String::as_str).collect()
    }
}

/// Hooks that the game cannot call, because they are local or in a table, and rules that answer nothing.
fn idle_hooks(file: &Arc<SourceFile>, words: &[LuaWord<'_>]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (at, _) in words.iter().enumerate().filter(|(_, word)| word.is_name("function")) {
        let (before, rest) = words.split_at(at);
        let (name, is_local, is_member) = match (before, &rest[1..]) {
            ([.., of, name, sign], _) if sign.is_sign("=") && of.is_name("local") => (name, true, false),
            (_, [_, sign, name, ..]) if sign.is_sign(".") || sign.is_sign(":") => (name, false, true),
            (_, [name, ..]) => (name, before.last().is_some_and(|word| word.is_name("local")), false),
            _ => continue,
        };
        let Some(hook) = find_hook(name.text) else {
            continue;
        };
        let body = &words[at..after(words, at)];
        if let Some(dt) = words
            .get(at + 5)
            .filter(|it| begin_with(&words[at..], "function on_tick ( me ,") && DT.contains(&it.text))
        {
            let why = "the second parameter is the event; the seconds of a tick are `world.dt()`";
            found.push(Diagnostic::warning(Place::new(file, dt.at..dt.at + dt.text.len()), why));
        }
        let first = words
            .get(at + 3)
            .filter(|it| begin_with(&words[at..], "function _ ( _") && !it.text.starts_with('_'));
        let swapped = begin_with(&words[at..], "function _ ( _ , me");
        if let Some(first) = first.filter(|first| !is_local && !swapped && first.text != "me") {
            let why =
                "call the first parameter of a hook `me`; `check` finds no mistakes in what is done with another name";
            found.push(Diagnostic::warning(Place::new(file, first.at..first.at + first.text.len()), why));
        }
        let answers = body.iter().any(|word| word.is_name("return"));
        let used = words.iter().filter(|word| word.is_name(name.text)).count() > 1;
        let why = match hook.kind {
            _ if (is_local || is_member) && !used => "is never called: a hook is global, as in",
            HookKind::Event => continue,
            _ if answers => continue,
            _ => {
                let why = format!("`{}` answers nothing; end it with `return` and the answer", name.text);
                found.push(Diagnostic::warning(Place::new(file, name.at..name.at + name.text.len()), why));
                continue;
            }
        };
        let why = format!("`{0}` {why} `function {0}(me) … end`", name.text);
        found.push(Diagnostic::warning(Place::new(file, name.at..name.at + name.text.len()), why));
    }
    found
}

/// Functions of a file that look like hooks and are none.
pub(crate) fn misnamed_hooks(file: &Arc<SourceFile>, sources: &Sources) -> Vec<Diagnostic> {
    let words = words(&file.text);
    let any_event = || sources.values().any(|file| computes_events(&file.text));
    check_hooks(&declared(file), sources, None, |name| uses(&words, name), any_event)
}

/// What other engines call the second parameter of the function of each tick.
const DT: [&str; 4] = ["dt", "delta", "delta_time", "deltaTime"];

/// Literals that rules answer and that they must not.
fn wrong_answers(file: &Arc<SourceFile>, words: &[LuaWord<'_>], known: &GameNames) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (at, name, _) in each_function(words, FunctionScope::Global) {
        let rule = RULES.iter().find(|rule| rule.name == name.text);
        let body = at + 1..after(words, at) - 1;
        let Some(rule) = rule.filter(|_| !words[body.clone()].iter().any(|word| word.is_name("function"))) else {
            continue;
        };
        for at in body.filter(|at| words[*at].is_name("return")) {
            let ends = words.get(at + 2).is_some_and(|next| ["end", "else", "elseif", ";"].contains(&next.text));
            let Some(answer) = words.get(at + 1..at + 2).and_then(literal).filter(|_| ends) else {
                continue;
            };
            let fits = |of: &Type| match answer {
                Arg::Text(_) => matches!(of, Type::Text | Type::Name(_)),
                Arg::Flag(_) => *of == Type::Flag,
                _ => *of == Type::Number,
            };
            let wanted = match rule.answers {
                Type::Either(types) => types,
                _ => continue,
            };
            let why = match answer {
                _ if !wanted.iter().any(fits) => {
                    let wanted = rule.answers.spoken().replace("()", "nil");
                    Some((
                        Severity::Error,
                        format!("`{}` must return {wanted}, not `{}`", rule.name, words[at + 1].text),
                    ))
                }
                Arg::Text(model) => check_named(Names::Model, model, "", known),
                _ => None,
            };
            let place = Place::new(file, words[at + 1].at..words[at + 1].at + words[at + 1].text.len());
            found.extend(why.map(|(severity, why)| Diagnostic { severity, ..Diagnostic::error(place, why) }));
        }
    }
    found
}

/// Whether a file uses a function with this name.
fn uses(words: &[LuaWord<'_>], name: &str) -> bool {
    let used = |(at, word): (usize, &LuaWord<'_>)| {
        let declares = at > 0 && words[at - 1].is_name("function");
        word.quoted() == Some(name) || word.is_name(name) && !declares
    };
    words.iter().enumerate().any(used)
}

/// Whether a script, in any language, emits an event whose name is not a text.
fn computes_events(text: &str) -> bool {
    let words = words(text);
    let computes = |of: &[LuaWord<'_>]| {
        let is_plain = of[2].quoted().is_some() && !of[2].text.starts_with('`') && [",", ")"].contains(&of[3].text);
        of[0].is_name("emit") && of[1].is_sign("(") && !is_plain
    };
    words.windows(4).any(computes)
}

/// The check of one file.
struct FileCheck<'a> {
    of: &'a LuaInspector,
    file: &'a Arc<SourceFile>,
    role: ScriptRole,
    is_test: bool,
    words: &'a [LuaWord<'a>],
    chains: &'a Chains<'a>,
    /// The libraries whose names the file may declare for something else.
    hidden: BTreeSet<&'a str>,
    /// The variables of the entity that the file names.
    vars: BTreeSet<&'a str>,
    found: Vec<Diagnostic>,
}

/// Operators between two values.
const COMPUTES: [&str; 14] = ["+", "-", "*", "/", "//", "%", "^", "..", "<", ">", "<=", ">=", "==", "~="];

/// Why a wait after `me:remove()` is wrong.
const AFTER_REMOVAL: &str = "after `me:remove()` the entity is gone, so this never continues; remove it after the wait";

/// What `expect(…)` without a comparison is answered with.
const IDLE_EXPECTATION: &str = "this checks nothing; add `.equals(…)`, `.above(…)` or `.below(…)`";

/// Why an event has no `data`.
const ONLY_OF_SCRIPTS: &str = "; only timers and events that scripts emit have `data`";

impl<'a> FileCheck<'a> {
    fn add(&mut self, word: &LuaWord<'_>, severity: Severity, message: impl Into<String>) {
        let place = Place::new(self.file, word.at..word.at + word.text.len());
        self.found.push(Diagnostic { severity, ..Diagnostic::error(place, message.into()) });
    }

    fn error(&mut self, word: &LuaWord<'_>, message: impl ToString) {
        self.add(word, Severity::Error, message.to_string());
    }

    /// Whether a sign is at a place.
    fn has(&self, at: usize, sign: &str) -> bool {
        self.words.get(at).is_some_and(|word| word.is_sign(sign))
    }

    /// Looks at the word at a place, as the begin of a member or a call.
    fn word(&mut self, at: usize) {
        let words = self.words;
        let word = &words[at];
        for &(signs, place, why) in SILENT {
            let next = words.get(at + signs.split(' ').count());
            let zero = signs == "_ [ 0 ]" && self.file.text.contains("[0] =");
            if begin_with(&words[at..], signs) && !zero && next.is_none_or(|next| !["=", "("].contains(&next.text)) {
                self.add(&words[at + place], Severity::Warning, why);
            }
        }
        if word.quoted().is_some_and(|text| text.contains("{vars.") || text.contains("{me.")) {
            self.add(word, Severity::Warning, "`{…}` works only in backquotes; write `…` instead of \"…\"");
        }
        if self.is_test && ["local function _", "function _ . _"].iter().any(|signs| begin_with(&words[at..], signs)) {
            let name = &words[at + if word.is_name("local") { 2 } else { 3 }];
            if name.text.starts_with("test_") && words.iter().filter(|it| it.is_name(name.text)).count() == 1 {
                let why = format!("`{0}` never runs: a test is global, as in `function {0}() … end`", name.text);
                self.add(name, Severity::Warning, why);
            }
        }
        let holds = [".", ":", "=", "(", ",", "{", "return", "and", "or"];
        let begins = at == 0 || !holds.contains(&words[at - 1].text);
        if self.is_test && begins && begin_with(&words[at..], "expect (") {
            let end = after(words, at + 1);
            let is_one = split(&words[at + 2..end - 1]).count() == 1;
            if is_one && !self.has(end, ".") && !self.has(end, ":") {
                self.error(word, IDLE_EXPECTATION);
            }
        }
        if begin_with(&words[at..], "wait_until ( function")
            && !words[at..after(words, at + 2)].iter().any(|word| word.is_name("return"))
        {
            self.add(word, Severity::Warning, "this waits forever: its function answers nothing; add `return`");
        }
        let removes = ["me : remove (", "me . remove ("].iter().any(|signs| begin_with(&words[at..], signs));
        if let Some(wait) = (removes && !self.is_test).then(|| self.wait_after(at)).flatten() {
            self.add(wait, Severity::Warning, AFTER_REMOVAL);
        }
        if word.is_name("rotated") && self.has(at + 1, "(") {
            self.unit(&words[at + 2], (Owner::Vec, "rotated"));
        }
        if word.kind != WordKind::Name || at > 0 && [".", ":"].iter().any(|sign| self.has(at - 1, sign)) {
            return;
        }
        let member = words
            .get(at + 2)
            .filter(|member| member.kind == WordKind::Name && (self.has(at + 1, ".") || self.has(at + 1, ":")));
        let owner = [Owner::Me].into_iter().chain(Owner::MODULES).find(|owner| owner.name() == word.text);
        self.kept(at);
        self.chain(at);
        match (owner, member) {
            (Some(owner), Some(member)) if !self.is_test => self.member(owner, member, at + 3),
            (None, Some(member)) if LIBRARIES.contains(&word.text) => self.library(word.text, member, at + 3),
            (None, Some(member)) => self.test_call(Owner::Test, member, at + 3),
            (None, None) if !self.is_test && WAITS.contains(&word.text) => {
                let named = calls().filter(|call| call.entry.owner == Owner::Free && call.entry.name == word.text);
                self.call(&named.collect::<Vec<_>>(), word, at + 1, false);
            }
            (None, None) => self.test_call(Owner::Free, word, at + 1),
            _ => {}
        }
    }

    /// The wait that comes after a place in its block, or in one inside of it.
    fn wait_after(&self, at: usize) -> Option<&'a LuaWord<'a>> {
        let mut nesting = Nesting::default();
        let block = self.words[at..].iter().take_while(|word| {
            let is_outside = nesting.depth() == 0;
            nesting.see(word);
            !(is_outside && ["end", "until", "else", "elseif", "return", "break"].contains(&word.text))
        });
        block.skip(1).find(|word| word.kind == WordKind::Name && WAITS.contains(&word.text))
    }

    /// Checks the chain of names that begins at a place, and what is done with the value that it holds.
    fn chain(&mut self, at: usize) {
        let (words, mut steps) = (self.words, Vec::new());
        let (holds, end) = self.chains.follow(at, &mut |step| steps.push(step));
        steps.into_iter().for_each(|step| self.step(step));
        let text =
            |at: usize| words.get(at).map_or("", |word| if word.kind == WordKind::Text { "'" } else { word.text });
        let (before, next) = (text(at.wrapping_sub(1)), text(end));
        let (given, shown) = (holds.spoken(), || self.shown(at, end));
        if holds == Type::Function && (COMPUTES.contains(&before) || COMPUTES.contains(&next)) {
            let (shown, call) = (shown(), &words[end - 2..end]);
            let sign = if shown.split('.').next().and_then(Owner::module).is_some() {
                "."
            } else {
                ":"
            };
            let (owner, name) = (&shown[..shown.len() - call[1].text.len() - 1], call[1].text);
            let why = format!("`{shown}` is a function; call it, as in `{owner}{sign}{name}(…)`");
            return self.error(&words[end - 1], why);
        }
        let orders = ["<", ">", "<=", ">="].into_iter().find(|sign| [before, next].contains(sign));
        if let (Type::Vec, Some(sign)) = (holds, orders) {
            let shown = shown();
            let why = format!("`{sign}` cannot compare a vec; write `{shown}.x`, `{shown}.y` or `{shown}:length()`");
            return self.error(&words[end - 1], why);
        }
        let other = match (before, next) {
            _ if begin_with(&words[at.saturating_sub(4)..], "table . find (") && next == "," => Some(end + 1),
            (_, "==" | "~=") if !COMPUTES.contains(&before) || ["==", "~="].contains(&before) => Some(end + 1),
            ("==" | "~=", _) if !COMPUTES.contains(&next) => at.checked_sub(2),
            _ => None,
        };
        let other = other.and_then(|at| words.get(at)).filter(|word| word.quoted().is_some());
        let (Some(word), false) = (other, [text(end + 2), text(at.wrapping_sub(3))].contains(&"..")) else {
            return;
        };
        let compared = word.quoted().unwrap_or_default();
        let why = match (holds, next) {
            (Type::Name(names), sign) if sign != "," => check_compared(names, compared, &self.of.known),
            (Type::Array(Type::Name(names)), ",") => check_compared(*names, compared, &self.of.known),
            (Type::Map(shape), _) if shape.name.starts_with("event of") => {
                Some(format!("`{}` is the event and never a text; compare one of its fields", words[at].text))
            }
            (Type::Whole | Type::Number | Type::Flag | Type::Vec, sign) if sign != "," => {
                Some(format!("this compares {given} with text, which are never equal"))
            }
            _ => None,
        };
        if let Some(why) = why {
            self.add(word, Severity::Warning, why);
        }
    }

    /// The text of a chain.
    fn shown(&self, at: usize, end: usize) -> &'a str {
        &self.file.text[self.words[at].at..self.words[end - 1].at + self.words[end - 1].text.len()]
    }

    /// Checks a step of a chain.
    fn step(&mut self, (of, at, called): MemberStep) {
        let (name, next) = (&self.words[at], self.words.get(at + 1));
        let is_set = !called && next.is_some_and(|sign| sign.kind == WordKind::Sign && is_assignment(sign.text));
        if let (Type::Name(Names::Entity), true) = (of, self.has(at - 1, ".")) {
            let (owner, field) = (&self.words[at - 2], self.words[at - 2].text);
            let root = at.checked_sub(4).filter(|root| self.has(root + 1, "."));
            let name = root.map_or(field.to_string(), |root| format!("{}.{field}", self.words[root].text));
            if owner.kind != WordKind::Name {
                return;
            }
            let why = format!("`{field}` is a name; `world.entity({name})` is the entity");
            return self.add(owner, Severity::Warning, why);
        }
        if of == Type::Live && name.text == "vars" && begin_with(&self.words[at + 1..], ". _ =") {
            let why = format!(
                "a test cannot set variables; begin with them, as in `play(\"first\", {{ [\"entities.hero.vars.{}\"] = 1 }})`",
                self.words[at + 2].text
            );
            return self.error(&self.words[at + 2], why);
        }
        let (known, entry) = (self.chains.names_of(of), self.chains.entry(of, name.text));
        match (of, known, entry) {
            (Type::Map(shape), Some(known), _) if !known.contains(&name.text) => {
                // The script may have added it.
                let own = format!(".{} = ", name.text);
                let more = if name.text == "data" {
                    ONLY_OF_SCRIPTS.into()
                } else {
                    suggestion(name.text, known)
                };
                if !self.file.text.contains(&own) {
                    let why = format!("the {} has no field `{}`{more}", shape.name, name.text);
                    self.add(name, Severity::Warning, why);
                }
            }
            (Type::Array(_), ..) => {
                let why = format!(
                    "a list has no `{0}`; `table.find(list, \"{0}\") ~= nil` tells whether \"{0}\" is in it",
                    name.text
                );
                self.add(name, Severity::Warning, why);
            }
            (Type::Vec, Some(known), _) if !known.contains(&name.text) => {
                self.error(name, unknown("a vec", name.text, known));
            }
            (Type::Entity | Type::Live | Type::Test, Some(known), None) => {
                let owner = owner_of(of).unwrap_or(Owner::Entity);
                let of = if of == Type::Entity { "another entity" } else { owner.name() };
                self.error(name, unknown_call(owner, (of, name.text), known));
            }
            (Type::Me | Type::Entity | Type::Live | Type::Test, _, Some(entry))
                if entry.kind != EntryKind::Function && called =>
            {
                self.error(name, format!("`{}` is not a function; leave out the brackets", name.text));
            }
            (Type::Entity | Type::Live | Type::Test, _, Some(entry)) if is_set => {
                self.report(name, refuse_write(entry));
            }
            _ => {}
        }
    }

    /// Checks that the value at a place, which a variable of the entity may get, is neither `me` nor another entity.
    fn kept(&mut self, at: usize) {
        let Some([vars, dot, name, equals, value, rest @ ..]) = at.checked_sub(4).map(|from| &self.words[from..])
        else {
            return;
        };
        let (end, what) = match rest {
            _ if !(vars.is_name("vars") && dot.is_sign(".") && equals.is_sign("=")) => return,
            [dot, call, ..] if value.is_name("world") && dot.is_sign(".") && call.is_name("entity") => {
                (after(self.words, at + 3), "an entity; keep its name")
            }
            _ if value.is_name("me") => (at + 1, "`me`; every hook receives `me`"),
            _ => return,
        };
        if ![".", ":", "["].iter().any(|sign| self.has(end, sign)) {
            self.error(name, format!("`vars.{}` cannot hold {what}", name.text));
        }
    }

    /// Checks a call of a test; what a method is called on is not known.
    fn test_call(&mut self, owner: Owner, name: &LuaWord<'a>, open: usize) {
        let tests = self.of.foreign.calls.iter().filter(|_| self.is_test);
        let named = tests.filter(|call| call.entry.owner == owner && call.entry.name == name.text);
        self.call(&named.collect::<Vec<_>>(), name, open, owner == Owner::Free);
    }

    /// Checks a member of `me` or of a module; `after` is the place behind it.
    fn member(&mut self, owner: Owner, member: &LuaWord<'a>, after: usize) {
        let named: Vec<&Call<_>> = calls()
            .filter(|call| call.entry.owner == owner && call.entry.name == member.text)
            .collect();
        let Some(first) = named.first() else {
            let is_var = owner == Owner::Me && self.vars.contains(member.text);
            let why = format!("`me` has no `{0}`; use `vars.{0}`", member.text);
            return self.error(member, if is_var { why } else { unknown_member(owner, member.text) });
        };
        if owner == Owner::Me && self.role == ScriptRole::Level && !is_level_member(member.text) {
            return self.error(member, no_level_member(member.text));
        }
        let is_set = self
            .words
            .get(after)
            .is_some_and(|word| word.kind == WordKind::Sign && is_assignment(word.text));
        match first.entry.kind {
            EntryKind::Property(Access::Write | Access::WriteOnly(_)) if is_set => {
                let value = self
                    .words
                    .get(after + 1)
                    .filter(|value| self.has(after, "=") && first.entry.returns == Type::Vec && value.is_sign("{"));
                if let Some(table) = value {
                    self.error(table, format!("`{}` must be a vec, as in `vec(0, 300)`", member.text));
                }
                if let Some(degrees) = self.words.get(after + 1).filter(|_| member.text == "angle") {
                    self.unit(degrees, (Owner::Me, "angle"));
                }
                if let ("color", Some(text)) = (member.text, self.words.get(after + 1).and_then(LuaWord::quoted)) {
                    let word = &self.words[after + 1];
                    self.report(word, check_color(text));
                }
            }
            _ if is_set => self.report(member, refuse_write(&first.entry)),
            EntryKind::Function => {
                let first = self.arguments(after).and_then(|all| all.first()?.first()?.quoted());
                if let (Some(text), "start" | "stop" | "running", Owner::Me) = (first, member.text, owner) {
                    let functions = declared(self.file);
                    if functions.iter().all(|it| it.name != text) {
                        let near = did_you_mean(nearest(text, functions.iter().map(|it| it.name.as_str())));
                        self.add(member, Severity::Warning, format!("this script has no function `{text}`{near}"));
                    }
                }
                let why = check_moved(&self.file.name, member.text, first, &self.of.known);
                if let Some(why) = why.filter(|_| owner == Owner::Me && self.role == ScriptRole::Behavior) {
                    self.add(member, Severity::Warning, why);
                }
                let next = self.words.get(after).map_or("", |word| word.text);
                if ["then", "and", "or", "do"].contains(&next) {
                    let (name, of) = (member.text, owner.name());
                    let sign = if owner == Owner::Me { ":" } else { "." };
                    let why =
                        format!("`{name}` is a function, which is always true; call it, as in `{of}{sign}{name}(…)`");
                    self.add(member, Severity::Warning, why);
                }
                self.call(&named, member, after, true);
            }
            _ => {}
        }
    }

    fn report(&mut self, word: &LuaWord<'_>, checked: Result<(), impl ToString>) {
        if let Err(refusal) = checked {
            self.error(word, refusal);
        }
    }

    /// Checks the arguments of a call, if it is one; `open` is the place behind its name.
    fn call<O: CallOwner>(&mut self, named: &[&'static Call<O>], name: &LuaWord<'a>, open: usize, sure: bool) {
        let Some(mut arguments) = self.arguments(open) else {
            return;
        };
        // With a dot, the owner may be handed over as in other games.
        let owner = named.first().map_or("", |call| call.entry.owner.name());
        let is_handed = self.words.get(open.wrapping_sub(2)).is_some_and(|sign| sign.is_sign("."));
        if is_handed && arguments.first().is_some_and(|first| matches!(first, [word] if word.is_name(owner))) {
            arguments.remove(0);
        }
        // The last argument may be several values.
        let many = arguments
            .last()
            .is_some_and(|last| last.last().is_some_and(|end| end.is_sign(")") || end.is_sign("...")));
        let entry = named
            .iter()
            .map(|call| &call.entry)
            .find(|entry| entry.parameters.len() == arguments.len());
        match entry {
            Some(entry) => self.check_arguments(entry, &arguments),
            None if sure && !many && !named.is_empty() => self.error(name, wrong_count(named, arguments.len())),
            None => {}
        }
    }

    /// The arguments of a call whose bracket, text or table is at a place.
    fn arguments(&self, open: usize) -> Option<Vec<&'a [LuaWord<'a>]>> {
        let first = self.words.get(open)?;
        if first.kind == WordKind::Text {
            return Some(vec![&self.words[open..=open]]);
        }
        let end = after(self.words, open);
        match first.text {
            "(" => Some(split(&self.words[open + 1..end - 1]).collect()),
            "{" => Some(vec![&self.words[open..end]]),
            _ => None,
        }
    }

    fn check_arguments(&mut self, entry: &ApiEntry, arguments: &[&'a [LuaWord<'a>]]) {
        for (parameter, argument) in entry.parameters.iter().zip(arguments) {
            if let ([word], Some(names)) = (argument, parameter.takes.names())
                && let Some(text) = word.quoted()
            {
                self.name(names, entry.name, (text, word));
            }
            let wrong = match (parameter.takes, literal(argument)) {
                (Type::Number | Type::Whole, Some(Arg::Text(_))) => Some("a number, not text"),
                (Type::Text | Type::Name(_), Some(Arg::Whole(_) | Arg::Number(_))) => Some("text, not a number"),
                (Type::Number | Type::Whole | Type::Text | Type::Name(_), None) if argument[0].is_name("function") => {
                    Some("a value, not a function")
                }
                _ => None,
            };
            if let Some(wrong) = wrong {
                self.error(&argument[0], format!("`{}` of `{}` must be {wrong}", parameter.name, entry.name));
            }
        }
        for (place, argument) in arguments.iter().enumerate() {
            if let Some(Arg::Whole(n)) = literal(argument)
                && let Some(why) = check_share(entry.name, place, n as f64)
            {
                self.add(&argument[0], Severity::Warning, why);
            }
        }
        if let Some([word]) = arguments.first() {
            self.unit(word, (entry.owner, entry.name));
        }
        match (entry.owner, entry.name, arguments) {
            (Owner::Me, "tune", [[key], [value]]) => {
                if let (Some(key), Some(value_of)) = (key.quoted(), literal(std::slice::from_ref(value)))
                    && check_tunable(None, key).is_ok()
                {
                    self.report(value, check_setting(key, value_of));
                }
            }
            (Owner::Me | Owner::World | Owner::Hud, ..) => self.settings(entry, arguments),
            _ => {}
        }
    }

    /// The keys and literals in a table of settings, which is the last argument.
    fn settings(&mut self, entry: &ApiEntry, arguments: &[&'a [LuaWord<'a>]]) {
        let Some([_, inside @ .., _]) = arguments.last().filter(|last| last[0].is_sign("{")) else {
            return;
        };
        for field in split(inside) {
            let [key, sign, value @ ..] = field else {
                continue;
            };
            if key.kind != WordKind::Name || !sign.is_sign("=") {
                continue;
            }
            match check_call_setting(entry.name, key.text, None) {
                Err(refusal) => self.error(key, refusal),
                Ok(()) => {
                    if let (Some(first), Some(literal)) = (value.first(), literal(value)) {
                        let why = check_setting_value(entry.name, key.text, literal, &self.of.known);
                        why.into_iter().for_each(|why| self.add(first, Severity::Warning, why));
                        self.report(first, check_call_setting(entry.name, key.text, Some(literal)));
                    }
                }
            }
        }
    }

    /// A text that must name something.
    fn name(&mut self, names: Names, call: &str, (text, word): (&str, &LuaWord<'_>)) {
        match names {
            Names::OwnEvent => {
                self.report(word, check_custom_event(call, text).map(drop));
                let known = self.of.handled.contains(text)
                    || self.of.known.hears(text, self.role == ScriptRole::Test, &self.file.text);
                if call != "cancel" && !known {
                    let own = self.of.handled.iter().map(String::as_str);
                    let own = own.filter(|name| !EVENTS.iter().any(|hook| hook.event() == Some(*name)));
                    let hint = did_you_mean(nearest(text, own));
                    let message = format!("no script handles `{text}`, as there is no function `on_{text}`{hint}");
                    self.add(word, Severity::Warning, message);
                }
            }
            Names::Event => self.report(word, check_event_filter(text, |name| self.of.quoted.contains(name))),
            _ => {
                if let Some((severity, message)) = check_named(names, text, call, &self.of.known) {
                    self.add(word, severity, message);
                }
            }
        }
    }

    /// Checks a member of one of Luau's libraries, such as `math.sin(90)`, which takes radians.
    fn library(&mut self, library: &str, member: &LuaWord<'_>, open: usize) {
        let name = member.text;
        let of_library = format!("{library}.");
        let mut known = self.of.members.iter().filter_map(|it| it.strip_prefix(&of_library));
        if !self.hidden.contains(library) && !known.any(|it| it == name) {
            let known = self.of.members.iter().filter_map(|it| it.strip_prefix(&of_library));
            self.error(member, unknown_in_library(library, name, known));
        }
        if library == "math"
            && ["sin", "cos", "tan"].contains(&name)
            && let Some([[degrees]]) = self.arguments(open).as_deref()
        {
            self.unit(degrees, (Owner::Free, name));
        }
    }

    /// Warns of a whole number that is most likely in another unit.
    fn unit(&mut self, word: &LuaWord<'_>, (owner, call): (Owner, &str)) {
        let number = word.text.parse::<u32>().ok().map(i64::from);
        let why = number.and_then(|number| check_unit(owner, call, number, Lua.spelling()));
        why.into_iter().for_each(|why| self.add(word, Severity::Warning, why));
    }

    /// Names that are declared nowhere, and variables that would not outlive the call.
    fn variables(&mut self) {
        let variables = FileVariables::of(self.words);
        let globals = &self.of.globals[usize::from(self.is_test)];
        let has_methods = (0..self.words.len()).any(|at| {
            let signs = ["function _ : _ (", "function _ . _ : _ (", "function _ . _ . _ : _ ("];
            signs.iter().any(|signs| begin_with(&self.words[at..], signs))
        });
        let is_known = |name: &str| {
            let given = match name {
                "require" => true,
                "vars" => !self.is_test,
                "base" => self.file.name.starts_with("mods/"),
                "self" => has_methods,
                _ => !self.is_test && variables.own.contains(name) || TYPES.contains(&name),
            };
            given || globals.contains(name) || variables.global.contains(name)
        };
        let known = globals.iter().map(String::as_str).filter(|name| !name.starts_with("__"));
        let unknown = |name: &str| match self.of.known.unquoted(name) {
            Some(hint) => format!("there is no `{name}`{hint}"),
            None if name == "event" && !self.is_test => {
                "there is no `event`; it is the second parameter of a hook, as in `function on_land(me, event)`".into()
            }
            None => with_own_names(unknown_global(name, known.clone()), self.words),
        };
        let free = variables.free.iter().filter(|(_, name)| !is_known(name));
        let wrong = free.map(|(span, name)| (span, unknown(name)));
        let lost = variables.forgotten.iter().filter(|(_, name)| !variables.own.contains(name));
        let wrong = wrong.chain(lost.map(|(span, name)| (span, forgotten(name))));
        self.found
            .extend(wrong.map(|(span, why)| Diagnostic::error(Place::new(self.file, span.clone()), why)));
        if !self.is_test {
            frozen(self.words, &variables).into_iter().for_each(|word| self.error(word, FROZEN));
        }
        // One of the file is an error when it is loaded.
        if self.role.has_hooks() && !variables.own.contains("vars") {
            for at in (0..self.words.len()).filter(|at| begin_with(&self.words[*at..], "local vars")) {
                let why = "this hides the entity's variables; take another name, or set them, as in `vars.n = 1`";
                self.add(&self.words[at + 1], Severity::Warning, why);
            }
        }
        self.found.sort_by_key(|wrong| wrong.place.as_ref().map(|place| place.span.start));
    }
}

impl FileCheck<'_> {
    /// Warns of variables of the entity that are read, and that nothing sets. In doubt, a variable counts as set.
    fn unset(&mut self) {
        let (known, words) = (&self.of.known, self.words);
        let key = self.file.name.strip_prefix("scripts/").unwrap_or(&self.file.name);
        let used = known.behaviors.contains(key) || known.level_scripts.contains(key);
        let (Some(named), true) = (named_members(words, "vars"), used && !known.unread) else {
            return;
        };
        // Several variables may be set at once.
        let sets = |at: &usize| {
            let next = words.get(at + 3).map_or("", |word| word.text);
            begin_with(&words[*at..], "vars . _") && (next == "=" || next == ",")
        };
        let own: BTreeSet<&str> = (0..words.len()).filter(sets).map(|at| words[at + 2].text).collect();
        let of_files = known.vars_for(key);
        // A condition may ask whether there is one.
        let asked = ["not", "if", "elseif", "and", "or", "until", "while"];
        let may_be_nil = ["or", "and", "==", "~=", "then"];
        let is_literal =
            |at: usize| words.get(at).is_some_and(|word| word.kind != WordKind::Name && !word.is_sign("("));
        let is_read = |at: usize| {
            let next = words.get(at + 3).map_or("", |word| word.text);
            let is_compared = ["==", "~="].contains(&next) && is_literal(at + 4);
            !(next == "="
                || next == "..="
                || at > 0 && words[at - 1].is_sign(".")
                || may_be_nil.contains(&next) && !is_compared
                || at > 0 && asked.contains(&words[at - 1].text) && !COMPUTES.contains(&next))
        };
        let set = &self.of.set;
        let is_set = |name: &str| {
            own.contains(name)
                || set.contains(name)
                || of_files.is_some_and(|of| of.contains(name))
                || known.words_in_tests.contains(name)
        };
        let uses = (0..words.len()).filter(|at| begin_with(&words[*at..], "vars . _") && is_read(*at));
        for name in uses.map(|at| &words[at + 2]).filter(|name| !is_set(name.text)) {
            let others = named
                .iter()
                .chain(of_files.into_iter().flatten())
                .map(String::as_str)
                .filter(|name| is_set(name));
            let hint = match nearest(name.text, others) {
                Some(right) => format!("did you mean `vars.{right}`?"),
                None => "give it an initial value in `vars`".into(),
            };
            self.add(name, Severity::Warning, format!("`vars.{}` is never set; {hint}", name.text));
        }
    }
}

/// The names that some words may declare: a few too many.
fn declared_names<'t>(words: &[LuaWord<'t>]) -> impl Iterator<Item = &'t str> {
    let declares = |at: &usize| {
        let begins = ["local", "for", "function", "(", ","].contains(&words[at - 1].text);
        let is_member = begin_with(&words[*at..], "_ . _") || begin_with(&words[*at..], "_ : _ (");
        begins && words[*at].kind == WordKind::Name && !is_member
    };
    (1..words.len()).filter(declares).map(|at| words[at].text)
}

/// Where hooks write into tables that the file declares, which are frozen by then.
fn frozen<'w, 't>(words: &'w [LuaWord<'t>], variables: &FileVariables) -> Vec<&'w LuaWord<'t>> {
    let mut found = Vec::new();
    for (from, name, _) in each_function(words, FunctionScope::Global) {
        let body = from..after(words, from);
        if !name.text.starts_with("on_") && find_hook(name.text).is_none() {
            continue;
        }
        let hidden: BTreeSet<&str> = declared_names(&words[body.clone()]).collect();
        for at in body.filter(|at| begin_with(&words[*at..], "_ . _")) {
            let (table, before) = (words[at].text, words[at - 1].text);
            let is_set = words
                .get(at + 3)
                .is_some_and(|sign| sign.kind == WordKind::Sign && is_assignment(sign.text));
            let is_own = variables.own.contains(table) || variables.global.contains(table);
            if is_set && is_own && ![".", ":"].contains(&before) && !hidden.contains(table) {
                found.push(&words[at]);
            }
        }
    }
    found
}

/// What Luau does silently, and seldom what is meant: the words, as in [`begin_with`], which of them is wrong, and why.
const SILENT: &[(&str, usize, &str)] = &[
    ("_ [ 0 ]", 2, "lists begin at 1, so this is `nil`"),
    ("_ [ - 1 ]", 3, "lists begin at 1, so this is `nil`; the last is `list[#list]`"),
    ("for _ = 0 , #", 3, "lists begin at 1; write `for i = 1, #list`"),
    ("vars . _ . length", 4, "the length of a list is `#list`"),
    ("table . remove ( _ , 'text'", 6, "this takes a place, such as `table.find(list, value)`"),
    ("table . remove ( _ . _ , 'text'", 8, "this takes a place, such as `table.find(list, value)`"),
    ("base : _ (", 1, "write a dot, as in `base.on_tick(me)`; with a colon, `base` itself is handed over first"),
    ("not _ ==", 0, "`not` comes before the comparison; write `a ~= b` or `not (a == b)`"),
    ("not _ ~=", 0, "`not` comes before the comparison; write `a ~= b` or `not (a == b)`"),
    ("not _ . _ ==", 0, "`not` comes before the comparison; write `a ~= b` or `not (a == b)`"),
    ("not _ . _ ~=", 0, "`not` comes before the comparison; write `a ~= b` or `not (a == b)`"),
    ("== 'text' or 'text' then", 3, "this is always true; compare both, as in `a == 1 or a == 2`"),
    ("== 1 or 1 then", 3, "this is always true; compare both, as in `a == 1 or a == 2`"),
    ("~= 'text' or 'text' then", 3, "this is always true; compare both, as in `a == 1 or a == 2`"),
];

/// Names of types, which may come after a colon.
const TYPES: [&str; 8] = ["any", "boolean", "never", "number", "string", "thread", "type", "unknown"];

/// The value that some words are, if they are a literal.
fn literal<'t>(words: &[LuaWord<'t>]) -> Option<Arg<'t>> {
    let (sign, word) = match words {
        [word] => (1.0, word),
        [minus, word] if minus.is_sign("-") => (-1.0, word),
        _ => return None,
    };
    match (word.kind, word.text) {
        (WordKind::Text, _) => word.quoted().map(Arg::Text),
        (WordKind::Number, text) => {
            let number: f64 = text.parse().ok()?;
            Some(if number.fract() == 0.0 {
                Arg::Whole((sign * number) as i64)
            } else {
                Arg::Number(sign * number)
            })
        }
        (WordKind::Name, "true") => Some(Arg::Flag(true)),
        (WordKind::Name, "false") => Some(Arg::Flag(false)),
        _ => None,
    }
}
