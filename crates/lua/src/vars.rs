//! Variables of entities between calls: plain data.

use crate::values::{VecKind, to_plain, type_name};
use hangtime_core::sim::{Digest, Value, VarStore, Vars};
use hangtime_script::budget::charge_tick;
use hangtime_script::calls::NotPlain;
use hangtime_script::{Limits, MOST_NESTING};
use mlua::Table;
use std::any::Any;
use std::collections::BTreeMap;

/// What a call costs in addition to its own operations, and how many values of variables are checked for one.
const CALL_COST: u64 = 8;
const VALUES_PER_OPERATION: u64 = 4;

/// Variables as Lua's calls keep them.
#[derive(Clone, Debug, Default)]
pub(crate) struct LuaVars(pub BTreeMap<String, Value>);

impl LuaVars {
    /// These variables; those of another language are converted.
    pub fn of(vars: &mut Vars) -> &mut Self {
        if vars.0.as_any_mut().downcast_ref::<Self>().is_none() {
            *vars = Vars(Box::new(Self(vars.0.to_plain())));
        }
        vars.0.as_any_mut().downcast_mut::<Self>().expect("converted above")
    }

    /// Takes what a call has left in its table of variables.
    ///
    /// # Errors
    /// The first variable that is not plain data or exceeds a limit. Then all variables stay as they were before the call.
    pub fn take_from(&mut self, table: &Table, (vecs, limits): (&VecKind, &Limits)) -> Result<(), NotPlain> {
        let mut changed: Vec<(String, Value)> = Vec::new();
        let mut wrong = None;
        let mut count = 0;
        let read = table.for_each(|key: mlua::Value, value: mlua::Value| {
            let mlua::Value::String(name) = &key else {
                let what = format!("a variable whose name is {}", type_name(&key));
                wrong.get_or_insert(NotPlain::itself(what));
                return Ok(());
            };
            let Ok(name) = name.to_str() else {
                wrong.get_or_insert(NotPlain::itself("a variable whose name is not UTF-8"));
                return Ok(());
            };
            count += 1;
            let before = self.0.get(&*name);
            match to_plain(&value, before, (vecs, MOST_NESTING)) {
                Ok(value) if before != Some(&value) || !same_bits(before, &value) => {
                    changed.push((name.to_string(), value));
                }
                Ok(_) => {}
                Err(why) => _ = wrong.get_or_insert(why.below(&format!(".{}", &*name))),
            }
            Ok(())
        });
        if let Err(error) = read {
            wrong.get_or_insert(NotPlain::itself(error.to_string()));
        }
        if let Some(wrong) = wrong {
            return Err(wrong);
        }
        let added = changed.iter().filter(|(name, _)| !self.0.contains_key(name)).count();
        let removed = self.0.len() + added > count;
        if !changed.is_empty() || removed {
            let mut next = self.0.clone();
            if removed {
                next.retain(|name, _| table.contains_key(name.as_str()).unwrap_or(true));
            }
            next.extend(changed);
            check_size(&next, limits)?;
            self.0 = next;
        }
        charge_tick(CALL_COST + self.0.values().map(Value::weight).sum::<u64>() / VALUES_PER_OPERATION);
        Ok(())
    }
}

/// Whether two values are the same bit for bit: -0 and 0 are equal, but hashes tell them apart.
fn same_bits(a: Option<&Value>, b: &Value) -> bool {
    let digest = |value: &Value| {
        let mut digest = Digest::default();
        value.digest(&mut digest);
        digest.finish()
    };
    a.is_some_and(|a| matches!((a, b), (Value::Int(_) | Value::Bool(_) | Value::Text(_), _)) || digest(a) == digest(b))
}

/// Checks variables against the limits.
fn check_size(vars: &BTreeMap<String, Value>, limits: &Limits) -> Result<(), NotPlain> {
    let values: u64 = vars.values().map(Value::weight).sum();
    let text: u64 = vars.iter().map(|(name, value)| name.len() as u64 + value.text()).sum();
    let refuse = |most: usize, of: &str, key: &str| {
        let what =
            format!("more than the {most} {of} that an entity's variables may hold in total (`{key}` in [scripts])");
        Err(NotPlain::itself(what))
    };
    if values > limits.kept_values as u64 {
        return refuse(limits.kept_values, "values", "kept_values");
    }
    if text > limits.kept_text as u64 {
        return refuse(limits.kept_text, "bytes of text", "kept_text");
    }
    Ok(())
}

impl VarStore for LuaVars {
    fn boxed_clone(&self) -> Box<dyn VarStore> {
        Box::new(self.clone())
    }

    fn to_plain(&self) -> BTreeMap<String, Value> {
        self.0.clone()
    }

    fn digest(&self, digest: &mut Digest) {
        digest.words(&[6, self.0.len() as u64]);
        for (name, value) in &self.0 {
            digest.text(name);
            value.digest(digest);
        }
    }

    fn fill(&mut self, defaults: &BTreeMap<String, Value>) {
        for (name, value) in defaults {
            if !self.0.contains_key(name) {
                self.0.insert(name.clone(), value.clone());
            }
        }
    }

    fn same_as(&self, other: &dyn VarStore) -> bool {
        match other.as_any().downcast_ref::<Self>() {
            Some(other) => self.0 == other.0,
            None => self.0 == other.to_plain(),
        }
    }

    fn snapshot_into(&self, snapshot: &mut Box<dyn VarStore>) {
        match snapshot.as_any_mut().downcast_mut::<Self>() {
            Some(copy) => copy.0.clone_from(&self.0),
            None => *snapshot = self.boxed_clone(),
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}
