//! Layer 1: tunables, each declared once.
//!
//! A tunable's name, unit, range, default and meaning are declared together in a `tunables!` block.
//! Reading and checking TOML files, suggesting the right key for a wrong one, and the reference in
//! `docs/tunables.md` all follow from that. Models declare their tunables in their own folders;
//! this module holds those that belong to no model.

mod macros;
mod renamed;
mod simulation;
mod surface;

pub(crate) use macros::{tunables, words};
pub use renamed::{RENAMED, renamed};
pub use simulation::{ErrorMode, ScriptTuning, SimulationTuning, WindowTuning};
pub use surface::SurfaceTuning;

use super::*;
use thiserror::Error;

/// The value of a tunable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Setting {
    /// A number in the tunable's unit.
    Number(f64),
    /// On or off.
    Flag(bool),
    /// One word from a fixed list.
    Word(String),
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(x) => write!(f, "{x}"),
            Self::Flag(x) => write!(f, "{x}"),
            Self::Word(x) => write!(f, "\"{x}\""),
        }
    }
}

/// The smallest and largest number that a tunable accepts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Smallest allowed.
    pub min: f64,
    /// Largest allowed.
    pub max: f64,
}

/// The range from `min` to `max`, both inclusive.
pub const fn range(min: f64, max: f64) -> Range {
    Range { min, max }
}

/// Largest length or speed, px or px/s. A larger value is certainly a mistake.
pub const MOST: f64 = 1e6;

/// Lengths, px: 0 to 1e6.
pub const LENGTH: Range = range(0.0, MOST);
/// Speeds, px/s: 0 to 1e6.
pub const SPEED: Range = range(0.0, MOST);
/// Accelerations, px/s²: 0 to 1e7.
pub const ACCEL: Range = range(0.0, 1e7);
/// Times, s: 0 to 60.
pub const TIME: Range = range(0.0, 60.0);
/// Rates, per second: 0 to 1e7.
pub const RATE: Range = range(0.0, 1e7);
/// Fractions: 0 to 1.
pub const SHARE: Range = range(0.0, 1.0);
/// For tunables that are not numbers.
pub const ANY: Range = range(f64::NEG_INFINITY, f64::INFINITY);

/// The declaration of one tunable.
#[derive(Clone, Debug, PartialEq)]
pub struct Tunable {
    /// Its key in files and scripts.
    pub name: &'static str,
    /// Its unit; empty for fractions, flags and words.
    pub unit: &'static str,
    /// The range of numbers it accepts.
    pub range: Range,
    /// Its default value.
    pub default: Setting,
    /// What it does, and what breaks when it is wrong.
    pub doc: &'static str,
}

/// Why a tunable rejected a value.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SetError {
    /// No tunable has this name.
    #[error("no tunable has this name")]
    Unknown,
    /// The value has the wrong type. Holds a description of the right one, such as `a number`.
    #[error("the value must be {0}")]
    Type(String),
    /// The number is out of range. Holds the range and the unit.
    #[error("the number must be between {} and {} {}", .0.min, .0.max, .1)]
    Range(Range, &'static str),
}

/// A group of tunables.
pub trait Tunables: Default + Clone {
    /// All tunables in the group, in the order of declaration.
    fn list() -> Vec<Tunable>;
    /// Sets a tunable by name.
    ///
    /// # Errors
    ///
    /// If the name is unknown, or the value has the wrong type or is out of range. The group is
    /// unchanged in that case.
    fn set(&mut self, name: &str, value: &Setting) -> Result<(), SetError>;
    /// The value of a tunable by name; `None` if the name is unknown.
    fn get(&self, name: &str) -> Option<Setting>;
}

/// A type that a tunable can have.
pub trait TunableValue: Sized {
    /// Converts a setting that is in range.
    ///
    /// # Errors
    ///
    /// [`SetError::Type`] if the setting has another type.
    fn from_setting(value: &Setting) -> Result<Self, SetError>;
    /// Converts the value to a setting.
    fn setting(&self) -> Setting;
}

impl TunableValue for f64 {
    fn from_setting(value: &Setting) -> Result<Self, SetError> {
        match value {
            Setting::Number(x) => Ok(*x),
            _ => Err(SetError::Type("a number".into())),
        }
    }
    fn setting(&self) -> Setting {
        Setting::Number(*self)
    }
}

/// A number that may be left out.
impl TunableValue for Option<f64> {
    fn from_setting(value: &Setting) -> Result<Self, SetError> {
        match value {
            Setting::Number(x) => Ok(Some(*x)),
            Setting::Word(word) if word == "none" => Ok(None),
            _ => Err(SetError::Type("a number or \"none\"".into())),
        }
    }
    fn setting(&self) -> Setting {
        self.map_or_else(|| Setting::Word("none".into()), Setting::Number)
    }
}

impl TunableValue for u32 {
    fn from_setting(value: &Setting) -> Result<Self, SetError> {
        match value {
            Setting::Number(x) if x.trunc() == *x => Ok(*x as Self),
            _ => Err(SetError::Type("a whole number".into())),
        }
    }
    fn setting(&self) -> Setting {
        Setting::Number(f64::from(*self))
    }
}

impl TunableValue for bool {
    fn from_setting(value: &Setting) -> Result<Self, SetError> {
        match value {
            Setting::Flag(x) => Ok(*x),
            _ => Err(SetError::Type("true or false".into())),
        }
    }
    fn setting(&self) -> Setting {
        Setting::Flag(*self)
    }
}
