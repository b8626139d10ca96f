//! How messages are written: the length of a text in four bytes, the text, which is JSON, and bytes that it refers to.
//! `web/page/message.ts` does the same.

use super::*;
use serde_json::Value;

/// A part of the bytes after the text of a message.
#[derive(Serialize, Deserialize, Clone, Copy)]
pub struct Blob {
    /// Where it begins, and its length.
    bytes: [usize; 2],
}

/// The bytes after the text of a message that is being written.
#[derive(Default)]
pub struct Blobs(Vec<u8>);

impl Blobs {
    /// Adds bytes.
    pub fn add(&mut self, bytes: &[u8]) -> Blob {
        let from = self.0.len();
        self.0.extend_from_slice(bytes);
        Blob { bytes: [from, bytes.len()] }
    }

    /// The message with this text.
    pub fn after(self, text: &str) -> Vec<u8> {
        let mut message = Vec::with_capacity(4 + text.len() + self.0.len());
        message.extend_from_slice(&(text.len() as u32).to_le_bytes());
        message.extend_from_slice(text.as_bytes());
        message.extend_from_slice(&self.0);
        message
    }
}

/// A message of the page: calls of the engine, in their order. The value of the last one is the answer.
#[derive(Deserialize)]
pub struct PageRequest<'m> {
    /// A number that the answer has, too.
    pub id: u64,
    /// Names with their arguments.
    pub calls: Vec<(String, Vec<Value>)>,
    #[serde(skip)]
    blobs: &'m [u8],
}

impl<'m> PageRequest<'m> {
    /// Reads a message.
    ///
    /// # Errors
    /// Why it is not one.
    pub fn read(message: &'m [u8]) -> Result<Self, String> {
        let parts = message.split_first_chunk::<4>().and_then(|(length, rest)| {
            let length = u32::from_le_bytes(*length);
            rest.split_at_checked(usize::try_from(length).ok()?)
        });
        let (text, blobs) = parts.ok_or("the message is shorter than it says")?;
        let read: PageRequest<'_> = serde_json::from_slice(text).map_err(|error| error.to_string())?;
        Ok(PageRequest { id: read.id, calls: read.calls, blobs })
    }

    /// The arguments of a call.
    pub fn arguments<'a>(&self, values: &'a [Value]) -> CallArguments<'a>
    where
        'm: 'a,
    {
        CallArguments { values, blobs: self.blobs }
    }
}

/// The arguments of a call. One that is missing or of another type is empty.
pub struct CallArguments<'a> {
    values: &'a [Value],
    blobs: &'a [u8],
}

impl<'a> CallArguments<'a> {
    /// An argument.
    pub fn value(&self, at: usize) -> &'a Value {
        self.values.get(at).unwrap_or(&Value::Null)
    }

    /// A text.
    pub fn text(&self, at: usize) -> &'a str {
        self.value(at).as_str().unwrap_or_default()
    }

    /// A number; not a number if it is missing.
    pub fn number(&self, at: usize) -> f64 {
        self.value(at).as_f64().unwrap_or(f64::NAN)
    }

    /// A whole number that is not negative.
    pub fn count(&self, at: usize) -> u64 {
        self.value(at).as_u64().unwrap_or_default()
    }

    /// A flag.
    pub fn flag(&self, at: usize) -> bool {
        self.value(at).as_bool().unwrap_or_default()
    }

    /// Bytes.
    pub fn bytes(&self, at: usize) -> Option<&'a [u8]> {
        self.blob(self.value(at))
    }

    fn blob(&self, value: &Value) -> Option<&'a [u8]> {
        let [from, length] = Blob::deserialize(value).ok()?.bytes;
        self.blobs.get(from..from.checked_add(length)?)
    }

    /// Paths with the bytes of files, or none for files that are removed.
    pub fn files(&self, list: &'a Value) -> impl Iterator<Item = (&'a str, Option<&'a [u8]>)> {
        let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
        list.iter().filter_map(|file| Some((file.get(0)?.as_str()?, self.blob(file.get(1)?))))
    }
}
