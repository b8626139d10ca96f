//! What a function of a script can reach, from the text of its file: which properties of `me` it names, and whether it can
//! look at `me` or the world at all. What is not known counts as reached.

use crate::{
    binding::Bound,
    machine::each_inside,
    scopes::KEYWORDS,
    syntax::{FunctionScope, LuaWord, WordKind, after, each_function, name_list},
    vars::named_members,
};
use hangtime_script::{SourceFile, api::Owner};
use mlua::{Function, Result, Table, Value};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

/// What a function can reach.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reach {
    /// The properties of `me` that it may read, as bits.
    pub reads: u64,
    /// Whether it may look at `me`, or make a call that does.
    pub observes: bool,
    /// The fields that it reads of its second parameter, an event or a question; none if it may read all.
    pub fields: Option<BTreeSet<String>>,
}

/// What the global functions of a file with these words reach, by their names, and what any function may. `env` has what the
/// file has declared.
pub(crate) fn each_reach(
    file: &SourceFile,
    (words, text): (&[LuaWord<'_>], &str),
    (env, bound): (&Table, &Bound),
) -> Result<(BTreeMap<String, Reach>, Reach)> {
    // Where each function is; nowhere if several have its name.
    let mut places: BTreeMap<&str, Option<usize>> = BTreeMap::new();
    for scope in [FunctionScope::Global, FunctionScope::File] {
        for (place, name, _) in each_function(words, scope) {
            places.entry(name.text).and_modify(|place| *place = None).or_insert(Some(place));
        }
    }
    let is_there = |function: &Function, place: usize| {
        let info = function.info();
        let line = 1 + text[..words[place].at].matches('\n').count();
        info.line_defined == Some(line) && info.source.is_some_and(|name| name.trim_start_matches('=') == file.name)
    };
    let is_member = |at: usize| at > 0 && (words[at - 1].is_sign(".") || words[at - 1].is_sign(":"));
    let named = |range: Range<usize>| bound.seen.named(range.filter(|at| is_member(*at)).map(|at| words[at].text));
    let any = Reach { reads: named(0..words.len()), observes: true, fields: None };
    let mut all = BTreeMap::new();
    for (place, name, _) in each_function(words, FunctionScope::Global) {
        let (parameters, end) = name_list(words, place + 3);
        let [me, second] = [0, 1].map(|at| parameters.get(at).map(|(at, _)| words[*at].text));
        let fields = second.and_then(|second| named_members(&words[end..after(words, place)], second));
        let mut reach = Reach { reads: 0, observes: false, fields };
        let (mut seen, mut left, mut unknown) = (BTreeSet::from([name.text]), vec![(end, after(words, place))], false);
        while let Some((from, to)) = left.pop() {
            let range = from..to;
            reach.reads |= named(range.clone());
            for at in range {
                let word = &words[at];
                if word.is_sign("...") || Some(word.text) == me {
                    reach.observes = true;
                }
                if word.kind != WordKind::Name || is_member(at) || KEYWORDS.contains(&word.text) {
                    continue;
                }
                // A random stream is its entity's. What is cut into a function that waits asks for the time.
                let draws = || !matches!(&words[at + 1..], [dot, f, ..] if dot.is_sign(".") && f.text != "random");
                reach.observes |= Owner::MODULES.iter().any(|owner| owner.name() == word.text)
                    || word.is_name("base")
                    || word.is_name("math") && draws()
                    || word.text.starts_with("__");
                match env.raw_get::<Value>(word.text)? {
                    Value::Function(function) => match places.get(word.text) {
                        Some(Some(place)) if is_there(&function, *place) => {
                            if seen.insert(word.text) {
                                left.push((*place + 1, after(words, *place)));
                            }
                        }
                        _ => unknown = true,
                    },
                    value => unknown |= !is_data(value, bound)?,
                }
            }
        }
        if unknown {
            reach = Reach { fields: reach.fields, ..any.clone() };
        } else if !reach.observes {
            reach.reads = 0;
        }
        all.insert(name.text.to_string(), reach);
    }
    Ok((all, any))
}

/// Whether a value that a file has declared has no functions in it, also none that an operator calls.
fn is_data(value: Value, bound: &Bound) -> Result<bool> {
    let (mut seen, mut data) = (BTreeSet::new(), true);
    each_inside(value, |value| {
        data &= match value {
            Value::Table(table) => !table.has_metatable() || bound.kinds.read(table).is_some(),
            _ => false,
        };
        Ok(data && seen.insert(value.to_pointer() as usize))
    })?;
    Ok(data)
}
