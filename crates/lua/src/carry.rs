//! Calls of a script's functions. What a function needs is handed over with the call, and what it leaves comes back with its
//! answer: one crossing costs less than an access for each value.

use crate::{
    binding::{Bound, OWN_CHUNK},
    values::of_plain,
    vars::take,
};
use hangtime_core::sim::{EventField, Value, Vars};
use hangtime_script::{
    About, Limits,
    calls::{CallAnswer, EntityProperty, NotPlain, with_moment},
    value_of_field,
};
use mlua::{Function, Lua, MultiValue, Result, Table, Value as LuaValue};
use std::collections::BTreeSet;

/// The variables that a script names.
pub(crate) struct NamedVars {
    pub names: BTreeSet<String>,
    /// They are here in a call.
    pub table: Table,
}

/// A function of a script, with what is handed over to it.
pub(crate) struct CarriedFunction {
    /// The function, or one of Luau's that takes what is handed over before it calls the function.
    called: Function,
    /// What is passed in each call: the function and what is handed over, unless that is nothing, and then `me` to a hook.
    /// It is kept between calls, with the texts in it, so that a text that has not changed is not made again.
    passed: MultiValue,
    texts: Vec<String>,
    fixed: usize,
    /// The properties of `me` that are handed over, and all that the function may read, as bits.
    properties: Vec<&'static EntityProperty>,
    reads: u64,
    /// The fields that the function reads of an event or a question, and the table in which it gets them in each call.
    fields: Vec<String>,
    event: Table,
}

/// The most fields that are handed over one by one.
const MOST_FIELDS: usize = 16;

impl CarriedFunction {
    /// A function with the variables of its script, which reads these properties, and these fields of its second parameter, or
    /// all.
    pub fn new(
        (lua, bound): (&Lua, &Bound),
        (function, vars): (Function, Option<&NamedVars>),
        (reads, fields, is_hook): (u64, Option<BTreeSet<String>>, bool),
    ) -> Result<Self> {
        let properties: Vec<_> = bound.seen.handed(reads).collect();
        let names: Vec<&str> = vars.iter().flat_map(|vars| &vars.names).map(String::as_str).collect();
        let fields = fields.filter(|fields| fields.len() <= MOST_FIELDS).into_iter().flatten().collect();
        let (passed, texts, event) = (MultiValue::new(), Vec::new(), lua.create_table()?);
        let mut it = Self { called: function, passed, texts, fixed: 0, properties, reads, fields, event };
        let handed = names.len() + it.properties.len() + it.fields.len();
        if handed > 0 {
            let list = |each: &dyn Fn(&str) -> String| names.iter().map(|name| each(name)).collect::<String>();
            let seen = |each: &dyn Fn(&str) -> String| it.properties.iter().map(|it| each(it.name)).collect::<String>();
            let read = |each: &dyn Fn(&str) -> String| it.fields.iter().map(|name| each(name)).collect::<String>();
            let text = format!(
                "local vars, behind, meta, event = ... return function(call{}{}{}, ...) {} {} {} {} return {}{} end",
                list(&|name| format!(", of_{name}")),
                seen(&|name| format!(", at_{name}")),
                read(&|name| format!(", in_{name}")),
                list(&|name| format!("vars.{name} = of_{name} ")),
                seen(&|name| format!("behind.{name} = at_{name} ")),
                read(&|name| format!("event.{name} = in_{name} ")),
                if it.properties.is_empty() { "" } else { "meta.__index = behind" },
                if names.is_empty() { "(call(...))" } else { "call(...)" },
                list(&|name| format!(", vars.{name}"))
            );
            let behind: Table = bound.behind.call(())?;
            let chunk = lua.load(text).set_name(format!("={OWN_CHUNK}"));
            let carry = chunk.call((vars.map(|vars| &vars.table), behind, bound.seen.meta(), &it.event))?;
            it.passed.push_back(LuaValue::Function(std::mem::replace(&mut it.called, carry)));
            it.passed.extend((0..handed).map(|_| LuaValue::Nil));
            it.texts.resize(it.passed.len(), String::new());
        }
        if is_hook {
            it.passed.push_back(LuaValue::Table(bound.me.clone()));
        }
        it.fixed = it.passed.len();
        Ok(it)
    }

    /// Passes a text at a place.
    fn pass(&mut self, lua: &Lua, at: usize, text: &str) -> Result<()> {
        if !matches!(self.passed[at], LuaValue::String(_)) || self.texts[at] != text {
            self.passed[at] = LuaValue::String(lua.create_string(text)?);
            self.texts[at].clear();
            self.texts[at].push_str(text);
        }
        Ok(())
    }

    /// Hands over the fields of what a hook is called about, from a place on. Returns the table with them, if they can be
    /// handed over.
    fn pass_fields(&mut self, (lua, bound): (&Lua, &Bound), at: usize, about: &About<'_>) -> Result<Option<&Table>> {
        if self.fields.is_empty() || matches!(about, About::Nothing | About::Step { .. }) {
            return Ok(None);
        }
        let (mut missing, mut passed) = (u64::MAX, Ok(()));
        about.each_field(|name, field| {
            let Some(place) = self.fields.iter().position(|known| known == name) else {
                return;
            };
            missing &= !(1 << place);
            let done = match field {
                EventField::Text(text) => self.pass(lua, at + place, text),
                EventField::Name(text) => self.pass(lua, at + place, text),
                field => {
                    of_plain(lua, &bound.kinds, &value_of_field(field)).map(|value| self.passed[at + place] = value)
                }
            };
            passed = std::mem::replace(&mut passed, Ok(())).and(done);
        });
        for place in (0..self.fields.len()).filter(|place| missing & 1 << place != 0) {
            self.passed[at + place] = LuaValue::Nil;
        }
        passed.map(|()| Some(&self.event))
    }

    /// Calls the function. Returns its value, and whether the variables could take what it has left of those that are named.
    pub fn call(
        &mut self,
        (lua, bound): (&Lua, &Bound),
        about: &About<'_>,
        arguments: impl FnOnce(&mut MultiValue) -> Result<()>,
        (named, vars, limits): (Option<&NamedVars>, &mut Vars, &Limits),
    ) -> Result<(LuaValue, std::result::Result<(), NotPlain>)> {
        let kinds = &bound.kinds;
        self.passed.truncate(self.fixed);
        let mut at = 0;
        let names = named.map(|named| &named.names).filter(|names| !names.is_empty());
        if let Some(names) = names {
            let vars = vars.plain_mut();
            for name in names {
                at += 1;
                match vars.get(name) {
                    Some(Value::Text(text)) => self.pass(lua, at, text)?,
                    value => self.passed[at] = value.map_or(Ok(LuaValue::Nil), |value| of_plain(lua, kinds, value))?,
                }
            }
        }
        with_moment(|moment| {
            bound.seen.begin((self.reads, !self.properties.is_empty()), moment)?;
            for property in 0..self.properties.len() {
                at += 1;
                // The level has no body: the host refuses what its script reads.
                let answer = match moment.me.level {
                    true => CallAnswer::Nothing,
                    false => (self.properties[property].read)(moment.me.view()),
                };
                self.passed[at] = match answer {
                    CallAnswer::Number(x) => LuaValue::Number(x),
                    CallAnswer::Whole(x) => LuaValue::Number(x as f64),
                    CallAnswer::Flag(flag) => LuaValue::Boolean(flag),
                    CallAnswer::Text(text) => {
                        self.pass(lua, at, text)?;
                        continue;
                    }
                    _ => LuaValue::Nil,
                };
            }
            Result::Ok(())
        })?;
        match self.pass_fields((lua, bound), at + 1, about)?.cloned() {
            Some(event) => self.passed.push_back(LuaValue::Table(event)),
            None => arguments(&mut self.passed)?,
        }
        let (Some(names), Some(named)) = (names, named) else {
            return Ok((self.called.call(&self.passed)?, Ok(())));
        };
        let vars = vars.plain_mut();
        let mut keep =
            |left: &mut dyn Iterator<Item = Result<LuaValue>>| take(vars, names.iter().zip(left), (kinds, limits));
        // A few values come without a list, which would be allocated.
        let called = match names.len() {
            ..5 => {
                let called = self.called.call(&self.passed);
                called.map(|(value, a, b, c, d)| (value, keep(&mut [a, b, c, d].into_iter().map(Ok))))
            }
            _ => {
                let called = self.called.call(&self.passed);
                called.map(|(value, left): (_, MultiValue)| (value, keep(&mut left.into_iter().map(Ok))))
            }
        };
        // A call that fails has changed variables, too.
        called.inspect_err(|_| _ = keep(&mut names.iter().map(|name| named.table.raw_get(name.as_str()))))
    }
}
