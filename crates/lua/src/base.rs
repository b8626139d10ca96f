//! `base`: the functions of the scripts below a running one.

use crate::{
    machine::{LoadedScript, LuaMachine},
    messages::{refused_by, refused_name},
    syntax::words,
    values::{of_plain, to_plain},
};
use hangtime_script::{
    BaseArgument, BaseFunctions, Diagnostic, MOST_NESTING, Place, SourceFile, call_below,
    calls::{NotPlain, with_moment},
};
use mlua::{MultiValue, Result, Value};
use std::sync::Arc;

/// The table through which scripts call them.
const BASE: &str = "base";

/// Checks the calls of a script with `base`, unless it has a variable of this name.
///
/// # Errors
/// The first one that is not there.
pub(crate) fn check_base(file: &Arc<SourceFile>, functions: &BaseFunctions) -> std::result::Result<(), Diagnostic> {
    let words = words(&file.text);
    if words.windows(2).any(|pair| pair[0].is_name("local") && pair[1].is_name(BASE)) {
        return Ok(());
    }
    let is_member = |at: usize| at > 0 && (words[at - 1].is_sign(".") || words[at - 1].is_sign(":"));
    for (_, call) in words.windows(4).enumerate().filter(|(at, _)| !is_member(*at)) {
        if call[0].is_name(BASE)
            && call[1].is_sign(".")
            && call[3].is_sign("(")
            && let Some(why) = functions.objection(call[2].text, None)
        {
            let place = Place::new(file, call[2].at..call[2].at + call[2].text.len());
            return Err(Diagnostic::error(place, why));
        }
    }
    Ok(())
}

/// Gives a script what it can call of those below it.
pub(crate) fn bind_base(machine: &LuaMachine, script: &LoadedScript, functions: &Arc<BaseFunctions>) -> Result<()> {
    if functions.callable().next().is_none() {
        return Ok(());
    }
    let base = machine.lua.create_table()?;
    for function in functions.callable() {
        let (functions, name) = (functions.clone(), function.name.clone());
        let (kinds, seen) = (machine.bound.kinds.clone(), machine.bound.seen.clone());
        let me = machine.bound.me.to_pointer() as usize;
        let call = machine.lua.create_function(move |lua, values: MultiValue| {
            let mut named = functions.callable().filter(|known| known.name == name);
            let Some(function) = named.find(|known| known.parameters == values.len()) else {
                return Err(refused_name(&name, functions.objection(&name, Some(values.len())).unwrap_or_default()));
            };
            let neutral = |value: &Value| match value {
                Value::Table(table) if table.to_pointer() as usize == me => Ok(BaseArgument::Me),
                value => to_plain(value, None, (&kinds, MOST_NESTING)).map(BaseArgument::Data),
            };
            let mut arguments = Vec::new();
            for (place, value) in values.iter().enumerate() {
                arguments.push(neutral(value).map_err(|NotPlain { what, .. }| {
                    let place = place + 1;
                    refused_name(
                        &name,
                        format!("argument {place} of `base.{name}` is {what}; it takes `me` and plain data"),
                    )
                })?);
            }
            let answer = call_below(function.layer, &name, &arguments).map_err(|refusal| refused_by(&name, refusal))?;
            with_moment(|moment| seen.refresh(moment))?;
            of_plain(lua, &kinds, &answer)
        })?;
        base.raw_set(function.name.as_str(), call)?;
    }
    let functions = functions.clone();
    let unknown = machine.lua.create_function(move |_, values: MultiValue| -> Result<()> {
        let name = values.get(1).map_or(Ok(String::new()), Value::to_string)?;
        Err(refused_name(&name, functions.objection(&name, None).unwrap_or_default()))
    })?;
    let meta = machine.lua.create_table()?;
    meta.raw_set("__index", unknown)?;
    base.set_metatable(Some(meta))?;
    base.set_readonly(true);
    script.give(BASE, &base)
}
