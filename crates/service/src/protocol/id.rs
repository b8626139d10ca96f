//! The ids of requests.

/// The longest number that an error repeats as an id, in characters.
const LONGEST_NUMBER: usize = 40;

/// The id of a request, as the JSON with which its answer repeats it. Ids that mean the same are equal.
#[derive(Clone, Debug, PartialEq)]
pub struct RequestId(String);

impl RequestId {
    /// What an id can be, for errors.
    pub const ALLOWED: [&str; 3] = ["a text", "an integer from -9223372036854775808 to 18446744073709551615", "null"];

    /// The id of a message without one that can be read.
    pub fn null() -> Self {
        Self("null".into())
    }

    /// Reads an id from its JSON.
    ///
    /// # Errors
    /// If it cannot be one: what the error repeats instead.
    pub fn read(json: &str) -> Result<Self, Self> {
        match json.as_bytes().first() {
            Some(b'n') => Ok(Self::null()),
            Some(b'"') => match serde_json::from_str(json) {
                Ok(text) => Ok(Self(serde_json::Value::String(text).to_string())),
                Err(_) => Err(Self::null()),
            },
            _ => match json.parse() {
                Ok(number) if (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&number) => {
                    Ok(Self(number.to_string()))
                }
                // Programs cannot read a number like 1e999.
                _ if json.len() <= LONGEST_NUMBER && serde_json::from_str::<f64>(json).is_ok() => {
                    Err(Self(json.into()))
                }
                _ => Err(Self::null()),
            },
        }
    }

    /// The JSON of the id.
    pub fn json(&self) -> &str {
        &self.0
    }
}
