//! The ids of requests.

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

/// The longest number that an error repeats as an id, in characters.
const LONGEST_NUMBER: usize = 40;

/// The id of a request, which its answer repeats.
#[derive(Clone, Debug)]
pub enum RequestId {
    /// None, or one that cannot be read.
    Null,
    /// From the least `i64` to the largest `u64`.
    Integer(i128),
    /// A text.
    Text(String),
    /// A number that no request can have, as it was written. Only errors have it.
    Refused(Box<RawValue>),
}

impl RequestId {
    /// What an id can be, for errors.
    pub const ALLOWED: [&str; 3] = ["a text", "an integer from -9223372036854775808 to 18446744073709551615", "null"];

    /// Reads an id.
    ///
    /// # Errors
    /// If it cannot be one: what the error repeats instead.
    pub fn read(json: &RawValue) -> Result<Self, Self> {
        let text = json.get();
        match text.as_bytes().first() {
            Some(b'"') => match serde_json::from_str(text) {
                Ok(text) => Ok(Self::Text(text)),
                Err(_) => Err(Self::Null),
            },
            Some(b'-' | b'0'..=b'9') => {
                let number = text.parse().ok();
                let range = i128::from(i64::MIN)..=i128::from(u64::MAX);
                match number.filter(|number| range.contains(number)) {
                    Some(number) => Ok(Self::Integer(number)),
                    // Programs cannot read a number like 1e999.
                    None if text.len() <= LONGEST_NUMBER && serde_json::from_str::<f64>(text).is_ok() => {
                        Err(Self::Refused(json.to_owned()))
                    }
                    None => Err(Self::Null),
                }
            }
            Some(b'n') => Ok(Self::Null),
            _ => Err(Self::Null),
        }
    }

    /// The id as text, by which cancellation finds its request.
    #[must_use]
    pub fn key(&self) -> String {
        match self {
            Self::Null => "null".into(),
            Self::Integer(number) => number.to_string(),
            Self::Text(text) => format!("\"{text}"),
            Self::Refused(number) => number.get().into(),
        }
    }
}

impl Serialize for RequestId {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => out.serialize_unit(),
            Self::Integer(number) => match u64::try_from(*number) {
                Ok(number) => out.serialize_u64(number),
                // It is negative, and no less than the least one.
                Err(_) => out.serialize_i64(i64::try_from(*number).unwrap_or(i64::MIN)),
            },
            Self::Text(text) => out.serialize_str(text),
            Self::Refused(number) => number.serialize(out),
        }
    }
}
