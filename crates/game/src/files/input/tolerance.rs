//! The `tolerance` line of an input file: how far a run may be from its golden trace.

use hangtime_script::suggestion;
use std::collections::BTreeMap;

/// The groups of numbers in a trace that may have a tolerance; `all` is each that is not named.
pub const TOLERANCE_KEYS: [&str; 10] =
    ["all", "pos", "vel", "external", "angle", "spin", "hook", "feet", "vars", "events"];

/// Fields of a trace that are always compared exactly.
const EXACT: [&str; 9] = ["id", "name", "kind", "model", "mode", "grounded", "facing", "surface", "hash"];

/// How far the numbers of a run may be from the numbers of its golden trace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tolerances(BTreeMap<&'static str, f64>);

impl Tolerances {
    /// Whether everything must be equal bit for bit.
    pub fn is_exact(&self) -> bool {
        self.0.is_empty()
    }

    /// The tolerance of a group of numbers, one of [`TOLERANCE_KEYS`]; `None` if these must be equal.
    pub fn of(&self, group: &str) -> Option<f64> {
        self.0.get(group).or_else(|| self.0.get("all")).copied()
    }

    /// Reads `KEY=NUMBER`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn read(&mut self, text: &str) -> Result<(), String> {
        let Some((key, value)) = text.split_once('=') else {
            return Err(format!("`tolerance` takes KEY=NUMBER, as in `tolerance pos=0.01`, not `{text}`"));
        };
        let Some(known) = TOLERANCE_KEYS.into_iter().find(|known| *known == key) else {
            return Err(if EXACT.contains(&key) {
                format!("`{key}` is always compared exactly and takes no tolerance")
            } else {
                let hint = suggestion(key, TOLERANCE_KEYS);
                format!("there is no `{key}` that takes a tolerance{hint}")
            });
        };
        let number = serde_json::from_str(value).ok().filter(|x: &f64| x.is_finite() && *x >= 0.0);
        let number = number.ok_or_else(|| format!("a tolerance must be a number of at least 0, not `{value}`"))?;
        if self.0.insert(known, number).is_some() {
            return Err(format!("`{key}` has a tolerance already"));
        }
        Ok(())
    }
}
