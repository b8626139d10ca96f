//! Floor 1: tunables, each declared once.
//!
//! A tunable's name, unit, range, default and meaning stand in one place, in a `tunables!`
//! block. Reading a TOML file, checking it, naming the right key for a wrong one and the
//! reference in `docs/tunables.md` all follow from that. Models declare theirs in their own
//! rooms; here are those that belong to no model.

mod macros;
mod renamed;
mod simulation;
mod surface;

pub(crate) use macros::tunables;
pub use renamed::renamed;
pub use simulation::{ErrorMode, ScriptTuning, SimulationTuning, WindowTuning};
pub use surface::SurfaceTuning;

use serde::{Deserialize, Serialize};
use std::fmt;

/// A value as a tunable takes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Setting {
    /// A number with the tunable's unit.
    Number(f64),
    /// On or off.
    Flag(bool),
    /// One of a list of words.
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

/// The smallest and largest number that a tunable takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Smallest allowed.
    pub min: f64,
    /// Largest allowed.
    pub max: f64,
}

/// The range from `min` to `max`, both included.
#[must_use]
pub const fn range(min: f64, max: f64) -> Range {
    Range { min, max }
}

/// No length and no speed is larger than this, px or px/s: what is, is a mistake.
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
/// Shares: 0 to 1.
pub const SHARE: Range = range(0.0, 1.0);
/// For tunables that are not numbers.
pub const ANY: Range = range(f64::NEG_INFINITY, f64::INFINITY);

/// What is known of one tunable.
#[derive(Clone, Debug, PartialEq)]
pub struct Tunable {
    /// Its key in files and scripts.
    pub name: &'static str,
    /// Its unit; empty for shares, flags and words.
    pub unit: &'static str,
    /// What it takes, for numbers.
    pub range: Range,
    /// Its value where nobody sets it.
    pub default: Setting,
    /// What it does, and what breaks when it is wrong.
    pub doc: &'static str,
}

/// Why a tunable did not take a value.
#[derive(Clone, Debug, PartialEq)]
pub enum SetError {
    /// No tunable has this name.
    Unknown,
    /// The value is of another type; what would be right.
    Type(String),
    /// The number is out of range.
    Range(Range, &'static str),
}

/// A group of tunables.
pub trait Tunables: Default + Clone {
    /// All of them, in the order of declaration.
    fn list() -> Vec<Tunable>;
    /// Sets one by name.
    ///
    /// # Errors
    /// When the name is unknown or the value has the wrong type or lies out of range; nothing
    /// changes then.
    fn set(&mut self, name: &str, value: &Setting) -> Result<(), SetError>;
    /// The value of one by name.
    fn get(&self, name: &str) -> Option<Setting>;
}

/// A type that a tunable can have.
pub trait TunableValue: Sized {
    /// From a setting that is in range.
    ///
    /// # Errors
    /// What would be right, in words.
    fn from_setting(value: &Setting) -> Result<Self, String>;
    /// As a setting.
    fn setting(&self) -> Setting;
}

impl TunableValue for f64 {
    fn from_setting(value: &Setting) -> Result<Self, String> {
        match value {
            Setting::Number(x) => Ok(*x),
            _ => Err("a number".into()),
        }
    }
    fn setting(&self) -> Setting {
        Setting::Number(*self)
    }
}

impl TunableValue for u32 {
    fn from_setting(value: &Setting) -> Result<Self, String> {
        match value {
            Setting::Number(x) if x.trunc() == *x => Ok(*x as Self),
            _ => Err("a whole number".into()),
        }
    }
    fn setting(&self) -> Setting {
        Setting::Number(f64::from(*self))
    }
}

impl TunableValue for bool {
    fn from_setting(value: &Setting) -> Result<Self, String> {
        match value {
            Setting::Flag(x) => Ok(*x),
            _ => Err("true or false".into()),
        }
    }
    fn setting(&self) -> Setting {
        Setting::Flag(*self)
    }
}
