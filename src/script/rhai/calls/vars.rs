//! `this`: script variables as a Rhai map.

use super::plain_vars::{RejectedVar, charge_for_keeping, copy_changes, enforce_plain, same_map};
use crate::script::host::Limits;
use crate::script::rhai::engine::values::{plain_map, to_dynamic, to_map};
use crate::sim::{Digest, Value, VarStore, Vars};
use rhai::{Dynamic, Map};
use std::any::Any;
use std::collections::BTreeMap;

/// Variables in Rhai's representation. Between calls a map of plain data.
#[derive(Clone, Debug)]
pub(in crate::script::rhai) struct RhaiVars {
    /// The map that scripts access as `this`.
    pub this: Dynamic,
    /// The variables before the current call; between calls equal to `this`. Variables that a call
    /// leaves in an invalid state are restored from it.
    good: Map,
    /// The number of values in `this`, if it has been checked since it was changed and since the limits may have been.
    checked: Option<u64>,
}

impl RhaiVars {
    /// These variables in Rhai's representation; plain ones are converted first.
    pub fn of(vars: &mut Vars) -> &mut Self {
        if vars.0.as_any_mut().downcast_ref::<Self>().is_none() {
            let good = to_map(&vars.0.to_plain());
            let this = good.clone().into();
            *vars = Vars(Box::new(Self {
                this,
                good,
                checked: None,
            }));
        }
        vars.0
            .as_any_mut()
            .downcast_mut::<Self>()
            .expect("converted above")
    }

    /// Makes sure after a call that all variables are plain data and within the limits. A call that `only_reads` them
    /// costs the same operations, but there is nothing to check.
    ///
    /// # Errors
    /// The first variable that is not. All such variables are restored to their previous values; new
    /// ones are removed.
    pub fn enforce_plain(&mut self, limits: &Limits, only_reads: bool) -> Result<(), RejectedVar> {
        match self.checked.take().filter(|_| only_reads) {
            Some(values) => {
                charge_for_keeping(values);
                self.checked = Some(values);
            }
            None => self.checked = Some(enforce_plain(&mut self.this, &mut self.good, limits)?),
        }
        Ok(())
    }
}

fn digest_value(value: &Dynamic, digest: &mut Digest) {
    if let Ok(x) = value.as_int() {
        digest.words(&[2, x as u64]);
    } else if let Ok(x) = value.as_float() {
        digest.words(&[3, x.to_bits()]);
    } else if let Ok(x) = value.as_bool() {
        digest.words(&[1, u64::from(x)]);
    } else if let Ok(x) = value.as_immutable_string_ref() {
        digest.word(4);
        digest.text(&x);
    } else if let Ok(plain) = crate::script::rhai::engine::values::to_plain(value) {
        plain.digest(digest);
    }
}

impl VarStore for RhaiVars {
    fn boxed_clone(&self) -> Box<dyn VarStore> {
        Box::new(self.clone())
    }

    fn to_plain(&self) -> BTreeMap<String, Value> {
        plain_map(&self.good).unwrap_or_default()
    }

    fn digest(&self, digest: &mut Digest) {
        digest.words(&[6, self.good.len() as u64]);
        for (key, value) in &self.good {
            digest.text(key);
            digest_value(value, digest);
        }
    }

    fn fill(&mut self, defaults: &BTreeMap<String, Value>) {
        for (key, value) in defaults {
            self.good
                .entry(key.as_str().into())
                .or_insert_with(|| to_dynamic(value));
        }
        self.this = self.good.clone().into();
        self.checked = None;
    }

    fn same_as(&self, other: &dyn VarStore) -> bool {
        match other.as_any().downcast_ref::<Self>() {
            Some(other) => same_map(&self.good, &other.good),
            None => same_map(&self.good, &to_map(&other.to_plain())),
        }
    }

    fn snapshot_into(&self, snapshot: &mut Box<dyn VarStore>) {
        match snapshot.as_any_mut().downcast_mut::<Self>() {
            Some(snapshot) => copy_changes(&mut snapshot.good, &self.good),
            // A snapshot is never bound to `this`.
            None => {
                *snapshot = Box::new(Self {
                    this: Dynamic::UNIT,
                    good: self.good.clone(),
                    checked: None,
                });
            }
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}
