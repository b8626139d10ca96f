//! `this`: an entity's variables, kept as a live Rhai map.

use super::keep::{NotKept, keep};
use crate::script::host::Limits;
use crate::script::rhai::engine::values::{plain_map, to_dynamic, to_map};
use crate::sim::{Digest, Value, VarStore, Vars};
use rhai::{Dynamic, Map};
use std::any::Any;
use std::collections::BTreeMap;

/// Variables in Rhai's own form. Between calls a map of plain data.
#[derive(Clone, Debug)]
pub(in crate::script::rhai) struct RhaiVars {
    /// What scripts have as `this`.
    pub this: Dynamic,
    /// The same as it was before the call: what a call leaves that cannot be kept goes back to this.
    good: Map,
}

impl RhaiVars {
    /// The Rhai form of these variables; plain ones are taken over first.
    pub fn of(vars: &mut Vars) -> &mut Self {
        if vars.0.as_any_mut().downcast_ref::<Self>().is_none() {
            let good = to_map(&vars.0.to_plain());
            let this = good.clone().into();
            *vars = Vars(Box::new(Self { this, good }));
        }
        vars.0
            .as_any_mut()
            .downcast_mut::<Self>()
            .expect("was just made")
    }

    fn read<T>(&self, with: impl FnOnce(&Map) -> T) -> T {
        with(&self.this.as_map_ref().expect("variables are always a map"))
    }

    /// Makes sure that after a call all is plain data and not too much.
    ///
    /// # Errors
    /// The first variable that cannot be kept. All such hold again what they held before the call, and
    /// new ones are taken out.
    pub fn keep_plain(&mut self, limits: &Limits) -> Result<(), NotKept> {
        keep(&mut self.this, &mut self.good, limits)
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
        self.read(|map| plain_map(map).unwrap_or_default())
    }

    fn digest(&self, digest: &mut Digest) {
        self.read(|map| {
            digest.words(&[6, map.len() as u64]);
            for (key, value) in map {
                digest.text(key);
                digest_value(value, digest);
            }
        });
    }

    fn fill(&mut self, defaults: &BTreeMap<String, Value>) {
        for (key, value) in defaults {
            self.good
                .entry(key.as_str().into())
                .or_insert_with(|| to_dynamic(value));
        }
        self.this = self.good.clone().into();
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}
