//! What scripts keep beyond the level: a best time, an unlocked door.

use super::*;

/// The most values that a game keeps.
pub const MOST_KEPT: usize = 256;

/// The longest name of a value, bytes.
pub const LONGEST_KEPT_NAME: usize = 64;

/// The most values in a value that is kept, itself included, and the most bytes of text in it.
pub const MOST_KEPT_PARTS: (u64, u64) = (64, 4_096);

/// How deep lists and maps in a value that is kept can be nested.
pub const MOST_KEPT_DEPTH: u64 = 32;

/// The values that scripts keep, by name. They are state like any other: part of snapshots and hashes. What makes them
/// last is that a level begins with the values of the one before. A clone shares them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KeptValues(Arc<BTreeMap<String, Value>>);

impl KeptValues {
    /// Values that were read from a file.
    ///
    /// # Errors
    /// What cannot be kept.
    pub fn checked(values: BTreeMap<String, Value>) -> Result<Self, String> {
        if values.len() > MOST_KEPT {
            return Err(format!("it has {} values; at most {MOST_KEPT} can be kept", values.len()));
        }
        for (name, value) in &values {
            let fits = !name.is_empty()
                && name.len() <= LONGEST_KEPT_NAME
                && value.count() <= MOST_KEPT_PARTS.0
                && value.text() <= MOST_KEPT_PARTS.1
                && value.depth() <= MOST_KEPT_DEPTH
                && value.is_finite();
            if !fits {
                return Err("it has a value that cannot be kept".into());
            }
        }
        Ok(Self(Arc::new(values)))
    }

    /// Whether both are the same memory: then they are equal.
    pub fn is_shared_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Whether all values can be kept.
    pub(super) fn check(&self) -> Result<(), String> {
        Self::checked((*self.0).clone()).map(drop)
    }

    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many values are kept.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The value with this name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// All values, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Keeps a value in place of an earlier one with its name; [`Value::Unit`] forgets it. Does nothing and returns false
    /// if there are [`MOST_KEPT`] others.
    pub fn set(&mut self, name: &str, value: Value) -> bool {
        if self.get(name) == Some(&value) {
            return true;
        }
        let fits = value == Value::Unit || self.0.contains_key(name) || self.0.len() < MOST_KEPT;
        if fits {
            let values = Arc::make_mut(&mut self.0);
            match value {
                Value::Unit => values.remove(name),
                value => values.insert(name.into(), value),
            };
        }
        fits
    }

    /// Feeds all values into a hash.
    pub(super) fn digest(&self, digest: &mut Digest) {
        digest.word(self.0.len() as u64);
        for (name, value) in self.iter() {
            digest.text(name);
            value.digest(digest);
        }
    }
}
