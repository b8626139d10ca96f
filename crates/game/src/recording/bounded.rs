//! Reading lists that may be longer than any recording has them: they are refused before they take memory.

use super::{
    limits::MOST_TICKS,
    rows::{MOST_ROWS, ROW_FIELDS, TickRows},
};
use crate::files::{LARGEST_SET, MOST_FILES_OF_A_SET};
use serde::{
    Deserialize, Serialize,
    de::{Deserializer, Error, MapAccess, SeqAccess, Visitor},
};
use std::{collections::BTreeMap, fmt};

/// A list with at most `MOST` items.
struct AtMost<T, const MOST: usize>(Vec<T>);

impl<'de, T: Deserialize<'de>, const MOST: usize> Deserialize<'de> for AtMost<T, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(AtMost(Vec::new()))
    }
}

/// The list reads itself.
impl<'de, T: Deserialize<'de>, const MOST: usize> Visitor<'de> for AtMost<T, MOST> {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list with at most {MOST} items")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Self, A::Error> {
        while let Some(item) = items.next_element()? {
            if self.0.len() == MOST {
                return Err(A::Error::custom(format!("this list has more than {MOST} items")));
            }
            self.0.push(item);
        }
        Ok(self)
    }
}

/// Reads a list with at most `MOST` items.
pub fn list<'de, D, T, const MOST: usize>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    AtMost::<T, MOST>::deserialize(deserializer).map(|list| list.0)
}

/// The id of an entity and its numbers.
type Row = AtMost<f64, { ROW_FIELDS.len() + 1 }>;

/// Reads the entities that have moved in each tick.
pub fn moved<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<TickRows>, D::Error> {
    let ticks = AtMost::<AtMost<Row, MOST_ROWS>, MOST_TICKS>::deserialize(deserializer)?;
    let rows = |tick: AtMost<Row, MOST_ROWS>| tick.0.into_iter().map(|row| row.0).collect();
    Ok(ticks.0.into_iter().map(rows).collect())
}

/// A file of a revision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedFile {
    /// The hash of the text, hexadecimal.
    pub blake3: String,
    /// The text.
    pub text: String,
}

/// The files of a revision.
type FileMap = BTreeMap<String, Option<RecordedFile>>;

/// Reads the files of a revision: no more than a game can have.
pub fn files<'de, D: Deserializer<'de>>(deserializer: D) -> Result<FileMap, D::Error> {
    deserializer.deserialize_map(FilesVisitor)
}

struct FilesVisitor;

impl<'de> Visitor<'de> for FilesVisitor {
    type Value = FileMap;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("files by their names")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<FileMap, A::Error> {
        let mut files = FileMap::new();
        let (mut count, mut bytes) = (0, 0);
        while let Some((name, file)) = entries.next_entry::<String, Option<RecordedFile>>()? {
            count += 1;
            bytes += file.as_ref().map_or(0, |file| file.text.len() as u64);
            // The last revision's files may all be gone, and are listed, too.
            if count > 2 * MOST_FILES_OF_A_SET || bytes > LARGEST_SET {
                return Err(A::Error::custom("there are more files than a game can have"));
            }
            files.insert(name, file);
        }
        Ok(files)
    }
}
