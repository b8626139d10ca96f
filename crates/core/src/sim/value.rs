//! Plain data: the contents of script variables and event data.

use super::*;
use std::{any::Any, fmt::Debug};

/// A value of plain data. Floating-point numbers are equal if their bits are, as in hashes: 0 and −0 differ.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub enum Value {
    /// No value, `()` in a script.
    #[default]
    Unit,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A finite floating-point number.
    Float(f64),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// Named values, sorted by name.
    Map(BTreeMap<String, Value>),
    /// A vector of finite components x, y and z.
    Vector([f64; 3]),
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Unit, Self::Unit) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Float(a), Self::Float(b)) => a.to_bits() == b.to_bits(),
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::List(a), Self::List(b)) => a == b,
            (Self::Map(a), Self::Map(b)) => a == b,
            (Self::Vector(a), Self::Vector(b)) => a.map(f64::to_bits) == b.map(f64::to_bits),
            _ => false,
        }
    }
}

/// The [weight](Value::weight) of a vector.
pub const WEIGHT_OF_VECTOR: u64 = 3;

/// The [weight](Value::weight) of a list, in addition to its elements.
pub const WEIGHT_OF_LIST: u64 = 2;

/// The [weight](Value::weight) of a map with this many entries, in addition to their values. Even a small one has memory
/// for eleven entries.
pub const fn weight_of_map(entries: usize) -> u64 {
    match entries {
        0 => WEIGHT_OF_LIST,
        some => 8 + some as u64,
    }
}

impl Value {
    /// Whether it is `()`, the absence of a value.
    pub const fn is_unit(&self) -> bool {
        matches!(self, Self::Unit)
    }

    /// The number of values it contains, including itself.
    pub fn count(&self) -> u64 {
        let inside: u64 = match self {
            Self::List(list) => list.iter().map(Self::count).sum(),
            Self::Map(map) => map.values().map(Self::count).sum(),
            _ => 0,
        };
        1 + inside
    }

    /// How many numbers take as much memory in the variables of a script: this is what the limit of kept values counts.
    pub fn weight(&self) -> u64 {
        match self {
            Self::List(list) => list.iter().fold(WEIGHT_OF_LIST, |sum, item| sum + item.weight()),
            Self::Map(map) => map.values().fold(weight_of_map(map.len()), |sum, item| sum + item.weight()),
            Self::Vector(_) => WEIGHT_OF_VECTOR,
            _ => 1,
        }
    }

    /// The number of bytes of text in it, names of entries included.
    pub fn text(&self) -> u64 {
        match self {
            Self::Text(text) => text.len() as u64,
            Self::List(list) => list.iter().map(Self::text).sum(),
            Self::Map(map) => {
                let entry = |(key, value): (&String, &Self)| key.len() as u64 + value.text();
                map.iter().map(entry).sum()
            }
            _ => 0,
        }
    }

    /// How many lists and maps are inside of each other: 0 for a value that is neither.
    pub fn depth(&self) -> u64 {
        let inside = match self {
            Self::List(list) => list.iter().map(Self::depth).max(),
            Self::Map(map) => map.values().map(Self::depth).max(),
            _ => return 0,
        };
        1 + inside.unwrap_or(0)
    }

    /// Whether all numbers in it are finite.
    pub fn is_finite(&self) -> bool {
        match self {
            Self::Float(x) => x.is_finite(),
            Self::Vector(parts) => parts.iter().all(|x| x.is_finite()),
            Self::List(list) => list.iter().all(Self::is_finite),
            Self::Map(map) => map.values().all(Self::is_finite),
            _ => true,
        }
    }

    /// Feeds the value into a hash, including its type and shape.
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
            // The same as a map of x, y and z, which scripts read alike.
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

impl From<DVec2> for Value {
    fn from(v: DVec2) -> Self {
        Self::List(vec![v.x.into(), v.y.into()])
    }
}

/// Script variables of an entity or of the level, in the script language's own representation.
///
/// The world clones, compares, hashes and saves them without knowing the language, so that the
/// language does not have to convert them in every tick.
pub trait VarStore: Debug + Send + Sync {
    /// A copy.
    fn boxed_clone(&self) -> Box<dyn VarStore>;
    /// The variables as plain data.
    fn to_plain(&self) -> BTreeMap<String, Value>;
    /// Feeds the variables into a hash, exactly as the same plain data would be.
    fn digest(&self, digest: &mut Digest);
    /// Adds the variables of `defaults` that are missing.
    fn fill(&mut self, defaults: &BTreeMap<String, Value>);
    /// Whether `other` holds the same names and values.
    fn same_as(&self, other: &dyn VarStore) -> bool {
        self.to_plain() == other.to_plain()
    }
    /// Makes `snapshot` a copy of these variables. An implementation may reuse what it already
    /// contains.
    fn snapshot_into(&self, snapshot: &mut Box<dyn VarStore>) {
        *snapshot = self.boxed_clone();
    }
    /// Lets the language access its own representation.
    fn as_any(&self) -> &dyn Any;
    /// Lets the language change its own representation.
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

/// The script variables of an entity or of the level.
#[derive(Debug)]
pub struct Vars(pub Box<dyn VarStore>);

impl Vars {
    /// Variables as plain data. A script language converts them on first use.
    pub fn plain(vars: BTreeMap<String, Value>) -> Self {
        Self(Box::new(PlainVars(vars)))
    }

    /// The variables, for a language that keeps them as plain data; those of another are converted.
    pub fn plain_mut(&mut self) -> &mut BTreeMap<String, Value> {
        if !self.0.as_any().is::<PlainVars>() {
            *self = Self::plain(self.0.to_plain());
        }
        &mut self.0.as_any_mut().downcast_mut::<PlainVars>().expect("converted above").0
    }
}

impl Default for Vars {
    /// No variables. Does not allocate, so that variables can be moved out with `mem::take`.
    fn default() -> Self {
        Self(Box::new(NoVars))
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

/// No variables: a placeholder while the real ones are moved out.
#[derive(Clone, Debug)]
struct NoVars;

impl VarStore for NoVars {
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
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

/// Variables as plain data: those that no script has used yet, and of languages that keep them so.
#[derive(Clone, Debug)]
struct PlainVars(BTreeMap<String, Value>);

impl VarStore for PlainVars {
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
