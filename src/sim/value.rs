//! Plain data: what variables hold and events carry.

use super::Digest;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::collections::BTreeMap;
use std::fmt::Debug;

/// A piece of plain data.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Value {
    /// Nothing.
    #[default]
    Unit,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number; always finite.
    Float(f64),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// Named values, sorted by name.
    Map(BTreeMap<String, Value>),
    /// A vector: x, y, z; always finite.
    Vector([f64; 3]),
}

impl Value {
    /// How many values it consists of.
    #[must_use]
    pub fn count(&self) -> u64 {
        let inside: u64 = match self {
            Self::List(list) => list.iter().map(Self::count).sum(),
            Self::Map(map) => map.values().map(Self::count).sum(),
            _ => 0,
        };
        1 + inside
    }

    /// Feeds the value into a hash, its type and shape included.
    pub fn digest(&self, digest: &mut Digest) {
        match self {
            Self::Unit => digest.word(0),
            Self::Bool(x) => digest.words(&[1, u64::from(*x)]),
            Self::Int(x) => digest.words(&[2, *x as u64]),
            Self::Float(x) => digest.words(&[3, x.to_bits()]),
            Self::Text(x) => {
                digest.word(4);
                digest.text(x);
            }
            Self::List(list) => {
                digest.words(&[5, list.len() as u64]);
                list.iter().for_each(|v| v.digest(digest));
            }
            Self::Map(map) => {
                digest.words(&[6, map.len() as u64]);
                for (key, value) in map {
                    digest.text(key);
                    value.digest(digest);
                }
            }
            // As the map that reads like it.
            Self::Vector(parts) => {
                digest.words(&[6, 3]);
                for (key, part) in ["x", "y", "z"].into_iter().zip(parts) {
                    digest.text(key);
                    digest.words(&[3, part.to_bits()]);
                }
            }
        }
    }
}

impl From<f64> for Value {
    fn from(x: f64) -> Self {
        Self::Float(x)
    }
}

impl From<&str> for Value {
    fn from(x: &str) -> Self {
        Self::Text(x.into())
    }
}

impl From<glam::DVec2> for Value {
    fn from(v: glam::DVec2) -> Self {
        Self::List(vec![v.x.into(), v.y.into()])
    }
}

/// An entity's own variables, in whatever form a script language keeps them.
///
/// The world clones, compares, hashes and saves them without knowing the language, and the
/// language works on its own form without converting it in every tick.
pub trait VarStore: Debug + Send + Sync {
    /// A copy.
    fn boxed_clone(&self) -> Box<dyn VarStore>;
    /// As plain data: a map.
    fn to_plain(&self) -> BTreeMap<String, Value>;
    /// Feeds them into a hash, exactly as the same plain data would be.
    fn digest(&self, digest: &mut Digest);
    /// Adds those that are missing.
    fn fill(&mut self, defaults: &BTreeMap<String, Value>);
    /// For the language that knows its own form.
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

/// An entity's own variables.
#[derive(Debug)]
pub struct Vars(pub Box<dyn VarStore>);

impl Vars {
    /// Variables as plain data, until a script language takes them over.
    #[must_use]
    pub fn plain(vars: BTreeMap<String, Value>) -> Self {
        Self(Box::new(Plain(vars)))
    }
}

impl Default for Vars {
    /// None. They take no memory, so that variables can be lent out for nothing.
    fn default() -> Self {
        Self(Box::new(Nothing))
    }
}

impl Clone for Vars {
    fn clone(&self) -> Self {
        Self(self.0.boxed_clone())
    }
}

impl PartialEq for Vars {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_plain() == other.0.to_plain()
    }
}

impl Serialize for Vars {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.to_plain().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Vars {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::plain(BTreeMap::deserialize(deserializer)?))
    }
}

/// No variables at all, which stand where some have been lent out.
#[derive(Clone, Debug)]
struct Nothing;

impl VarStore for Nothing {
    fn boxed_clone(&self) -> Box<dyn VarStore> {
        Box::new(Self)
    }
    fn to_plain(&self) -> BTreeMap<String, Value> {
        BTreeMap::new()
    }
    fn digest(&self, digest: &mut Digest) {
        digest.words(&[6, 0]);
    }
    fn fill(&mut self, _defaults: &BTreeMap<String, Value>) {}
    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

/// Variables that no script has touched yet, or that were just loaded.
#[derive(Clone, Debug)]
struct Plain(BTreeMap<String, Value>);

impl VarStore for Plain {
    fn boxed_clone(&self) -> Box<dyn VarStore> {
        Box::new(self.clone())
    }
    fn to_plain(&self) -> BTreeMap<String, Value> {
        self.0.clone()
    }
    fn digest(&self, digest: &mut Digest) {
        digest.words(&[6, self.0.len() as u64]);
        for (key, value) in &self.0 {
            digest.text(key);
            value.digest(digest);
        }
    }
    fn fill(&mut self, defaults: &BTreeMap<String, Value>) {
        for (key, value) in defaults {
            self.0.entry(key.clone()).or_insert_with(|| value.clone());
        }
    }
    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}
