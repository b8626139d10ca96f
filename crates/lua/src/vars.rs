//! Variables of entities between calls: plain data.

use crate::values::{Plain, ValueKinds, type_name};
use hangtime_core::sim::{Digest, Value, VarStore, Vars};
use hangtime_script::budget::charge_tick;
use hangtime_script::calls::NotPlain;
use hangtime_script::{Limits, MOST_NESTING};
use mlua::{Table, Value as LuaValue};
use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};

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

    /// Takes what a call has left of its variables: their values, in the order of their names, if they are still the same
    /// variables, or else its table of them.
    ///
    /// # Errors
    /// The first variable that is not plain data or exceeds a limit. Then all variables stay as they were before the call.
    pub fn take(&mut self, left: LeftVars<'_>, (kinds, limits): (&ValueKinds, &Limits)) -> Result<(), NotPlain> {
        let mut plain = Plain { kinds, left: limits.kept_values };
        match left {
            LeftVars::Same(values) => {
                let mut changed = Vec::new();
                for ((name, before), now) in self.0.iter().zip(values) {
                    if let Some(value) = changed_value((name, Some(before)), now, &mut plain, limits)? {
                        changed.push((name.clone(), value));
                    }
                }
                if !changed.is_empty() {
                    self.change(changed, limits)?;
                }
            }
            LeftVars::Table(table) => {
                let (mut named, mut wrong) = (BTreeMap::new(), BTreeSet::new());
                for entry in table.pairs::<LuaValue, LuaValue>() {
                    let (key, now) = entry.map_err(|error| NotPlain::itself(error.to_string()))?;
                    match &key {
                        LuaValue::String(name) => match name.to_str() {
                            Ok(name) => _ = named.insert(name.to_string(), now),
                            Err(_) => _ = wrong.insert("not UTF-8"),
                        },
                        _ => _ = wrong.insert(type_name(&key)),
                    }
                }
                if let Some(wrong) = wrong.pop_first() {
                    return Err(NotPlain::itself(format!("a variable whose name is {wrong}")));
                }
                let mut changed = Vec::new();
                for (name, now) in named {
                    if let Some(value) = changed_value((&name, self.0.get(&name)), &now, &mut plain, limits)? {
                        changed.push((name, value));
                    }
                }
                let is_left = |name: &String| table.contains_key(name.as_str()).unwrap_or(true);
                let kept = self.0.iter().filter(|(name, value)| value.is_unit() || is_left(name));
                let kept: BTreeMap<String, Value> = kept.map(|(name, value)| (name.clone(), value.clone())).collect();
                Self(kept).change_into(changed, limits, self)?;
            }
        }
        charge_tick(CALL_COST + self.0.values().map(Value::weight).sum::<u64>() / VALUES_PER_OPERATION);
        Ok(())
    }

    /// Sets variables, if all of them fit.
    fn change(&mut self, changed: Vec<(String, Value)>, limits: &Limits) -> Result<(), NotPlain> {
        let is_small = |value: &Value| matches!(value, Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Unit);
        let same_size = changed
            .iter()
            .all(|(name, value)| is_small(value) && self.0.get(name).is_some_and(is_small));
        if same_size {
            self.0.extend(changed);
            return Ok(());
        }
        self.clone().change_into(changed, limits, self)
    }

    fn change_into(mut self, changed: Vec<(String, Value)>, limits: &Limits, to: &mut Self) -> Result<(), NotPlain> {
        self.0.extend(changed);
        check_size(&self.0, limits)?;
        *to = self;
        Ok(())
    }
}

/// What a call has left of its variables.
pub(crate) enum LeftVars<'l> {
    /// The values of the variables that there were, in the order of their names.
    Same(&'l [LuaValue]),
    /// All of them.
    Table(Table),
}

/// The value of a variable, if it is not what it was.
fn changed_value(
    (name, before): (&str, Option<&Value>),
    now: &LuaValue,
    plain: &mut Plain<'_>,
    limits: &Limits,
) -> Result<Option<Value>, NotPlain> {
    let same = match (before, now) {
        (Some(Value::Int(a)), LuaValue::Integer(b)) => a == b,
        (Some(Value::Float(a)), LuaValue::Number(b)) => a.to_bits() == b.to_bits(),
        (Some(Value::Float(a)), LuaValue::Integer(b)) => a.to_bits() == (*b as f64).to_bits(),
        (Some(Value::Bool(a)), LuaValue::Boolean(b)) => a == b,
        (Some(Value::Text(a)), LuaValue::String(b)) => *b == **a,
        (Some(Value::Unit), LuaValue::Nil) => true,
        _ => false,
    };
    if same {
        return Ok(None);
    }
    let value = match plain.of(now, before, MOST_NESTING) {
        Err(_) if plain.left == 0 => return Err(too_much(limits.kept_values, "values", "kept_values")),
        value => value.map_err(|wrong| wrong.below(&format!(".{name}")))?,
    };
    Ok((!same_bits(before, &value)).then_some(value))
}

/// Whether two values are the same bit for bit: -0 and 0 are equal, but hashes tell them apart.
fn same_bits(a: Option<&Value>, b: &Value) -> bool {
    let digest = |value: &Value| {
        let mut digest = Digest::default();
        value.digest(&mut digest);
        digest.finish()
    };
    a.is_some_and(|a| a == b && digest(a) == digest(b))
}

/// Checks variables against the limits.
fn check_size(vars: &BTreeMap<String, Value>, limits: &Limits) -> Result<(), NotPlain> {
    let values: u64 = vars.values().map(Value::weight).sum();
    let text: u64 = vars.iter().map(|(name, value)| name.len() as u64 + value.text()).sum();
    if values > limits.kept_values as u64 {
        return Err(too_much(limits.kept_values, "values", "kept_values"));
    }
    if text > limits.kept_text as u64 {
        return Err(too_much(limits.kept_text, "bytes of text", "kept_text"));
    }
    Ok(())
}

fn too_much(most: usize, of: &str, key: &str) -> NotPlain {
    let what = format!("more than the {most} {of} that an entity's variables may hold in total (`{key}` in [scripts])");
    NotPlain::itself(what)
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
