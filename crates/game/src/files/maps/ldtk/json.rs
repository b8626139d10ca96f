//! JSON in parts: each keeps its place in the file, and is read as a whole when it is needed.

use super::*;
use serde::Deserializer;
use serde_json::{Error, value::RawValue};

/// A part of a file that is not read yet.
pub type Raw<'a> = &'a RawValue;

/// A value, and its text in the file.
#[derive(Clone, Copy)]
pub struct PlacedPart<'a, T> {
    pub value: T,
    pub text: &'a str,
}

impl<'de: 'a, 'a, T: Deserialize<'a>> Deserialize<'de> for PlacedPart<'a, T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = Raw::<'a>::deserialize(from)?.get();
        // The place of this error is that of the whole value.
        let value = serde_json::from_str(text).map_err(|wrong| serde::de::Error::custom(said(&wrong)))?;
        Ok(Self { value, text })
    }
}

impl<T> PlacedPart<'_, T> {
    /// Its place in a file; of a text, without the quotes.
    pub fn place(&self, file: &Arc<SourceFile>) -> Place {
        let quoted = self.text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        place_in(file, quoted.unwrap_or(self.text))
    }
}

/// The place of a part of a file's text.
pub fn place_in(file: &Arc<SourceFile>, part: &str) -> Place {
    let start = part.as_ptr().addr().saturating_sub(file.text.as_ptr().addr());
    Place::new(file, start..start + part.len())
}

/// Reads a part of a file. Reports where it is not what it should be.
pub fn read<'a, T: Deserialize<'a>>(file: &'a Arc<SourceFile>, part: &'a str, out: &mut Mistakes) -> Option<T> {
    let refuse = |wrong: Error| {
        let lines = part.split_inclusive('\n').take(wrong.line().saturating_sub(1));
        let at = lines.map(str::len).sum::<usize>() + wrong.column().saturating_sub(1);
        let start = place_in(file, part).span.start + at.min(part.len());
        out.error(&Place::new(file, start..start + 1), said(&wrong));
    };
    serde_json::from_str(part).map_err(refuse).ok()
}

/// The message of an error without its place, and without the names of types.
fn said(wrong: &Error) -> String {
    let text = wrong.to_string();
    let message = text.rsplit_once(" at line ").map_or(&*text, |(message, _)| message);
    match message.split_once("struct ") {
        Some((before, name)) => {
            let rest = name.trim_start_matches(char::is_alphanumeric);
            format!("{before}an object{rest}")
        }
        None => message.into(),
    }
}
