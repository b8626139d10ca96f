//! The variables of an entity between calls.

use super::{plain_vars::same, *};
use crate::engine::values::to_map;
use rhai::Identifier;

/// Variables that are plain data, sorted by name. Arrays and maps in them are shared with the slots of compiled code and
/// with snapshots, so that each is in memory once, and once more in the map of the interpreter.
#[derive(Clone, Debug, Default)]
pub struct KeptVars(Vec<(Identifier, VarSlot)>);

impl KeptVars {
    /// Plain data.
    pub fn of_plain(vars: &BTreeMap<String, Value>) -> Self {
        Self(to_map(vars).into_iter().map(|(name, value)| (name, VarSlot::of_owned(value))).collect())
    }

    /// The map that scripts access as `this`.
    pub fn to_map(&self) -> Map {
        self.iter().map(|(name, value)| (name.clone(), value.to_dynamic())).collect()
    }

    /// All variables as plain data.
    pub fn to_plain(&self) -> BTreeMap<String, Value> {
        let plain = |(name, value): (&Identifier, &VarSlot)| {
            let value = value.with_dynamic(to_plain).unwrap_or_default();
            (name.to_string(), value)
        };
        self.iter().map(plain).collect()
    }

    /// The number of variables.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// All variables, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&Identifier, &VarSlot)> {
        self.0.iter().map(|(name, value)| (name, value))
    }

    fn place(&self, name: &Identifier) -> Result<usize, usize> {
        self.0.binary_search_by(|(other, _)| other.cmp(name))
    }

    /// The variable with this name.
    pub fn get(&self, name: &Identifier) -> Option<&VarSlot> {
        self.place(name).ok().map(|place| &self.0[place].1)
    }

    /// Sets a variable, if it has another value.
    pub fn set(&mut self, name: &Identifier, value: &VarSlot) {
        match self.place(name) {
            Ok(place) if self.0[place].1.equals(value, same) => {}
            Ok(place) => self.0[place].1.clone_from(value),
            Err(place) => self.0.insert(place, (name.clone(), value.clone())),
        }
    }

    /// Adds the variables of these that are missing.
    pub fn fill(&mut self, defaults: &BTreeMap<String, Value>) {
        for (name, value) in defaults {
            let name: Identifier = name.as_str().into();
            if let Err(place) = self.place(&name) {
                self.0.insert(place, (name, VarSlot::of_owned(to_dynamic(value))));
            }
        }
    }

    /// Takes the values of a map with the same names that differ. The first `unchanged` do not, the one after them does.
    pub fn copy_values(&mut self, map: &Map, unchanged: usize) {
        let mut both = self.0.iter_mut().zip(map.values()).skip(unchanged);
        if let Some(((_, before), now)) = both.next() {
            *before = VarSlot::of(now);
        }
        for ((_, before), now) in both.filter(|((_, before), now)| !before.is_same(now, same)) {
            *before = VarSlot::of(now);
        }
    }

    /// The variables of a map. Values that are the same as before are not copied.
    pub fn updated(self, map: &Map) -> Self {
        let mut before = self.0.into_iter().peekable();
        let variable = |(name, value): (&Identifier, &Dynamic)| {
            while before.next_if(|(old, _)| old < name).is_some() {}
            match before.next_if(|(old, _)| old == name) {
                Some((name, old)) if old.is_same(value, same) => (name, old),
                _ => (name.clone(), VarSlot::of(value)),
            }
        };
        Self(map.iter().map(variable).collect())
    }

    /// Makes a map equal to these variables. Values that are the same are not copied.
    pub fn write_to(&self, map: &mut Map) {
        let same_names = map.len() == self.len() && map.keys().eq(self.0.iter().map(|(name, _)| name));
        if !same_names {
            let mut before = std::mem::take(map);
            let variable = |(name, value): (&Identifier, &VarSlot)| match before.remove(name) {
                Some(old) if value.is_same(&old, same) => (name.clone(), old),
                _ => (name.clone(), value.to_dynamic()),
            };
            *map = self.iter().map(variable).collect();
            return;
        }
        for (before, (_, now)) in map.values_mut().zip(&self.0) {
            if !now.is_same(before, same) {
                *before = now.to_dynamic();
            }
        }
    }

    /// Whether others have the same names and values, bit for bit.
    pub fn same_as(&self, other: &Self) -> bool {
        let mut both = self.0.iter().zip(&other.0);
        self.len() == other.len() && both.all(|((a, was), (b, is))| a == b && was.equals(is, same))
    }
}

#[cfg(test)]
#[path = "../../tests/unit/calls/kept_vars.rs"]
mod tests;
