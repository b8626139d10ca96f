//! What chains of names hold, such as `me.hook.state` or `world.entity("hero").vel`, as far as that is certain: the parts of
//! `me`, of events and of answers, also where a variable holds them that is set once.

use crate::{
    binding::calls,
    syntax::{FunctionScope, LuaWord, WordKind, after, each_function, name_list},
};
use hangtime_script::{
    api::{ApiEntry, EntryKind, Owner, Shape, Type},
    calls::{ForeignCalls, behavior_calls},
    event_shape, find_hook,
};
use std::{collections::BTreeMap, ops::Range};

/// The parts of a vec that are numbers, its methods that answer one, and those that answer a vec.
const OF_VECS: [&str; 3] = ["x y z", "angle distance dot length length_squared", "clamped lerp normalized rotated"];

/// A step of a chain: on what, the place of its name, and whether it is called.
pub(crate) type MemberStep = (Type, usize, bool);

/// The owner of what values of a type have.
pub(crate) fn owner_of(of: Type) -> Option<Owner> {
    Owner::ALL.into_iter().find(|owner| of != Type::Any && owner.of_type() == Some(of))
}

/// Follows the chains of a file.
pub(crate) struct Chains<'a> {
    words: &'a [LuaWord<'a>],
    /// What scripts of this kind call and read.
    entries: Vec<&'static ApiEntry>,
    is_test: bool,
    /// In which function a variable holds values of a type.
    held: Vec<(Range<usize>, &'a str, Type)>,
}

impl<'a> Chains<'a> {
    pub fn new(words: &'a [LuaWord<'a>], foreign: &ForeignCalls, is_test: bool) -> Self {
        let entries = match is_test {
            true => foreign.calls.iter().map(|call| &call.entry).collect(),
            false => {
                let of_entity = behavior_calls().of_entity.iter().map(|call| &call.entry);
                calls().map(|call| &call.entry).chain(of_entity).collect()
            }
        };
        let mut chains = Self { words, entries, is_test, held: Vec::new() };
        for scope in [FunctionScope::Global, FunctionScope::File] {
            for (place, name, open) in each_function(words, scope) {
                chains.read(place..after(words, place), name.text, open);
            }
        }
        chains
    }

    /// Finds what the variables of a function hold.
    fn read(&mut self, range: Range<usize>, name: &str, open: &LuaWord<'a>) {
        let words = self.words;
        // How often each variable is declared or set.
        let mut sets: BTreeMap<&str, usize> = BTreeMap::new();
        let mut add = |at: usize| {
            let (names, _) = name_list(words, at);
            names.iter().for_each(|(at, _)| *sets.entry(words[*at].text).or_default() += 1);
        };
        let opens = words.iter().position(|word| word.at == open.at).unwrap_or(range.start) + 1;
        for at in range.clone() {
            let is_local = words[at].is_name("local");
            match words[at].text {
                "local" | "for" => add(at + 1 + usize::from(is_local && words[at + 1].is_name("function"))),
                "(" if at > 1 && (words[at - 1].is_name("function") || words[at - 2].is_name("function")) => {
                    add(at + 1)
                }
                "=" if words[at - 1].kind == WordKind::Name && !words[at - 2].is_name("local") => add(at - 1),
                _ => {}
            }
        }
        let once = |name: &str| sets.get(name) == Some(&1);
        let (parameters, _) = name_list(words, opens);
        if let Some((event, _)) = parameters.get(1)
            && once(words[*event].text)
            && words[*event].text != "me"
            && let Some(shape) = self.event_of(name)
        {
            self.held.push((range.clone(), words[*event].text, Type::Map(shape)));
        }
        for at in range.clone() {
            let found = match &words[at..] {
                [local, name, equals, ..] if local.is_name("local") && equals.is_sign("=") => {
                    let (holds, end) = self.follow(at + 3, &mut |_| {});
                    let ends = words.get(end).is_none_or(|next| {
                        next.kind == WordKind::Name && !["and", "or"].contains(&next.text) || next.is_sign(";")
                    });
                    (name, if ends { holds } else { Type::Any })
                }
                [of, _, comma, name, within, ..] if of.is_name("for") && comma.is_sign(",") && within.is_name("in") => {
                    let list = at + 5;
                    let called = words.get(list).is_some_and(|it| it.is_name("ipairs") || it.is_name("pairs"));
                    let (holds, end) = self.follow(list + 2 * usize::from(called), &mut |_| {});
                    let ends = words.get(end).is_some_and(|next| next.is_name("do") || next.is_sign(")"));
                    (name, if let (Type::Array(each), true) = (holds, ends) { *each } else { Type::Any })
                }
                _ => continue,
            };
            let (name, holds) = found;
            if holds != Type::Any && sets.get(name.text) == Some(&1) {
                self.held.push((range.clone(), name.text, holds));
            }
        }
    }

    /// What a hook receives, unless the file uses it otherwise.
    fn event_of(&self, name: &str) -> Option<&'static Shape> {
        let unused = self.words.iter().filter(|word| word.text.contains(name)).count() == 1;
        let custom = || name.strip_prefix("on_").filter(|_| unused && !self.is_test).map(event_shape);
        find_hook(name).map_or_else(custom, |hook| hook.about)
    }

    /// Whether a word is this sign.
    fn is(&self, at: usize, sign: &str) -> bool {
        self.words.get(at).is_some_and(|word| word.is_sign(sign))
    }

    /// The place after the arguments of a call; none if this is no call.
    fn after_call(&self, at: usize) -> Option<usize> {
        let open = self.words.get(at)?;
        match open.kind {
            // A text may continue after a value in it.
            WordKind::Text => (!open.text.starts_with('}')).then_some(at + 1),
            _ => (open.is_sign("(") || open.is_sign("{")).then(|| after(self.words, at)),
        }
    }

    /// The type of what begins a chain, and the place after it.
    fn root(&self, at: usize) -> (Type, usize) {
        let word = &self.words[at];
        let is_member = at > 0 && (self.is(at - 1, ".") || self.is(at - 1, ":"));
        if word.kind != WordKind::Name || is_member {
            return (Type::Any, at + 1);
        }
        let held = self.held.iter().find(|(range, name, _)| range.contains(&at) && *name == word.text);
        if let Some((.., holds)) = held {
            return (*holds, at + 1);
        }
        if word.text == "me" && !self.is_test {
            return (Type::Me, at + 1);
        }
        let module =
            Owner::module(word.text).filter(|_| !self.is_test && (self.is(at + 1, ".") || self.is(at + 1, ":")));
        let (owner, name) = match module {
            Some(owner) => (owner, at + 2),
            None => (Owner::Free, at),
        };
        let Some(end) = self.after_call(name + 1) else {
            let is_function = self.entries.iter().any(|it| it.owner == owner && it.name == self.words[name].text);
            return if module.is_some() && is_function {
                (Type::Function, name + 1)
            } else {
                (Type::Any, at + 1)
            };
        };
        let first = self.words.get(name + 2).filter(|_| self.is(name + 1, "(")).and_then(LuaWord::quoted);
        match first {
            Some(event) if word.text == "wait_for" && !self.is_test => (Type::Map(event_shape(event)), end),
            _ => (self.answer(owner, self.words[name].text), end),
        }
    }

    /// What the calls of a name answer, if it is the same.
    fn answer(&self, owner: Owner, name: &str) -> Type {
        let mut found = self
            .entries
            .iter()
            .filter(|entry| entry.owner == owner && entry.name == name && entry.kind == EntryKind::Function)
            .map(|entry| entry.returns.present());
        let first = found.next().unwrap_or(Type::Any);
        if found.all(|other| other == first) { first } else { Type::Any }
    }

    /// The call or property of values of a type with this name.
    pub fn entry(&self, of: Type, name: &str) -> Option<&'static ApiEntry> {
        let owner = owner_of(of)?;
        self.entries.iter().copied().find(|entry| entry.owner == owner && entry.name == name)
    }

    /// The names that values of a type have; none if that is not known.
    pub fn names_of(&self, of: Type) -> Option<Vec<&'static str>> {
        let owner = match of {
            Type::Vec => return Some(OF_VECS.iter().flat_map(|names| names.split(' ')).chain(["to_string"]).collect()),
            Type::Entity | Type::Live | Type::Test => owner_of(of)?,
            _ => return of.closed().map(|shape| shape.fields().map(|field| field.name).collect()),
        };
        Some(self.entries.iter().filter(|entry| entry.owner == owner).map(|entry| entry.name).collect())
    }

    /// The type of a member.
    fn member(&self, of: Type, name: &str, called: bool) -> Type {
        match of {
            Type::Vec => {
                let place = OF_VECS.iter().position(|names| names.split(' ').any(|it| it == name));
                return match (place, called) {
                    (Some(0), _) | (Some(1), true) => Type::Number,
                    (Some(2), true) => Type::Vec,
                    (Some(_), false) => Type::Function,
                    _ => Type::Any,
                };
            }
            _ => {
                if let Some(shape) = of.closed() {
                    let field = shape.field(name).filter(|field| field.always);
                    return field.map_or(Type::Any, |field| field.holds.present());
                }
            }
        }
        match (self.entry(of, name), owner_of(of)) {
            (Some(_), Some(owner)) if called => self.answer(owner, name),
            (Some(entry), _) if entry.kind == EntryKind::Function => Type::Function,
            (Some(entry), _) => entry.returns.present(),
            (None, _) => Type::Any,
        }
    }

    /// What the chain holds that begins at a place, and the place after it; `seen` gets each of its steps.
    pub fn follow(&self, at: usize, seen: &mut dyn FnMut(MemberStep)) -> (Type, usize) {
        if at >= self.words.len() {
            return (Type::Any, at);
        }
        let (mut of, mut at) = self.root(at);
        loop {
            let is_member = self.is(at, ".") || self.is(at, ":");
            let name = self.words.get(at + 1).filter(|word| is_member && word.kind == WordKind::Name);
            if let Some(name) = name {
                let end = self.after_call(at + 2);
                seen((of, at + 1, end.is_some()));
                of = self.member(of, name.text, end.is_some());
                at = end.unwrap_or(at + 2);
            } else if self.is(at, "[") {
                of = if let Type::Array(each) = of { *each } else { Type::Any };
                at = after(self.words, at);
            } else if let Some(end) = self.after_call(at) {
                (of, at) = (Type::Any, end);
            } else {
                return (of, at);
            }
        }
    }
}
