//! `[expect]` in a kind's file: the numbers that its feel must have.

use crate::files::tables::reader::TableReader;
use crate::files::tables::tree::{Data, Node, Table};
use hangtime_core::models::ModelName;
use hangtime_core::tuning::MOST;
use hangtime_script::{Mistakes, Place};
use std::fmt;

/// A number that a body's feel consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FeelQuantity {
    /// The highest rise of the feet in a full jump from standing.
    Apex,
    /// The time from takeoff to there.
    TimeToApex,
    /// The time from takeoff to the landing at the same height.
    AirTime,
    /// The highest rise of the feet after the shortest press.
    Hop,
    /// The distance from full speed to rest once the key is released.
    StopDistance,
    /// The distance from rest to 99 % of the top speed.
    RunUp,
    /// The widest gap that a full jump from a run crosses.
    Gap,
    /// The highest step that a full jump lands on.
    Climb,
    /// The largest distance between the target of a planned jump and the landing.
    LandingError,
}

impl FeelQuantity {
    /// All quantities, in the order of a sheet.
    pub const ALL: [Self; 9] = [
        Self::Apex,
        Self::TimeToApex,
        Self::AirTime,
        Self::Hop,
        Self::StopDistance,
        Self::RunUp,
        Self::Gap,
        Self::Climb,
        Self::LandingError,
    ];

    /// The key in `[expect]` and in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Apex => "apex",
            Self::TimeToApex => "time_to_apex",
            Self::AirTime => "air_time",
            Self::Hop => "hop",
            Self::StopDistance => "stop_distance",
            Self::RunUp => "run_up",
            Self::Gap => "gap",
            Self::Climb => "climb",
            Self::LandingError => "landing_error",
        }
    }

    /// What it is, in a few words.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Apex => "highest rise of a full jump from standing",
            Self::TimeToApex => "from takeoff to the apex",
            Self::AirTime => "from takeoff to landing at the same height",
            Self::Hop => "highest rise after the shortest press",
            Self::StopDistance => "from full speed to rest after the release",
            Self::RunUp => "from rest to 99 % of the top speed",
            Self::Gap => "widest gap that a running jump crosses",
            Self::Climb => "highest step that a full jump lands on",
            Self::LandingError => "worst miss of a planned jump",
        }
    }

    /// Its unit: `px` or `s`.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::TimeToApex | Self::AirTime => "s",
            _ => "px",
        }
    }

    /// How far from a plain number it may be.
    #[must_use]
    pub const fn default_tolerance(self) -> f64 {
        match self {
            Self::TimeToApex | Self::AirTime => 0.005,
            Self::LandingError => 0.001,
            _ => 0.5,
        }
    }

    /// The quantity with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|q| q.name() == name)
    }
}

/// The numbers that an expectation accepts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FeelBound {
    /// At most this far from a value: the value, then the tolerance.
    Near(f64, f64),
    /// This value or more.
    AtLeast(f64),
    /// This value or less.
    AtMost(f64),
    /// From one value to another.
    Between(f64, f64),
}

/// Rounding may move a measured number by this much past a bound.
const SLACK: f64 = 1e-9;

/// The forms of a bound, for messages.
const FORMS: &str = "a number, or text such as \"189.8 ± 0.5\", \"≥ 180\", \"<= 0.4\" or \"180..190\"";

impl FeelBound {
    /// Whether a measured number is accepted.
    #[must_use]
    pub fn holds(self, value: f64) -> bool {
        let (least, most) = match self {
            Self::Near(center, tolerance) => (center - tolerance, center + tolerance),
            Self::AtLeast(least) => (least, f64::INFINITY),
            Self::AtMost(most) => (f64::NEG_INFINITY, most),
            Self::Between(least, most) => (least, most),
        };
        value >= least - SLACK && value <= most + SLACK
    }

    /// Parses one of the forms, with or without the unit at the end.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn parse(text: &str, quantity: FeelQuantity) -> Result<Self, String> {
        let name = quantity.name();
        let trimmed = text.trim();
        let bare = trimmed.strip_suffix(quantity.unit()).unwrap_or(trimmed);
        let form = || format!("`{name}` takes {FORMS}, not \"{text}\"");
        let number = |part: &str| {
            let x: f64 = part.trim().parse().map_err(|_| form())?;
            checked(quantity, x)
        };
        for (sign, bound) in
            [("≥", Self::AtLeast as fn(f64) -> Self), (">=", Self::AtLeast), ("≤", Self::AtMost), ("<=", Self::AtMost)]
        {
            if let Some(rest) = bare.strip_prefix(sign) {
                return number(rest).map(bound);
            }
        }
        for sign in ["±", "+-", "+/-"] {
            if let Some((center, tolerance)) = bare.split_once(sign) {
                let (center, tolerance) = (number(center)?, number(tolerance)?);
                if tolerance < 0.0 {
                    return Err(format!("the tolerance of `{name}` is {tolerance}; it must be at least 0"));
                }
                return Ok(Self::Near(center, tolerance));
            }
        }
        if let Some((least, most)) = bare.split_once("..") {
            let (least, most) = (number(least)?, number(most)?);
            if least > most {
                return Err(format!(
                    "the range of `{name}` is empty; write the smaller number first: \"{most}..{least}\""
                ));
            }
            return Ok(Self::Between(least, most));
        }
        number(bare).map(|x| Self::Near(x, quantity.default_tolerance()))
    }
}

/// A number of a bound that a measurement could reach.
fn checked(quantity: FeelQuantity, x: f64) -> Result<f64, String> {
    let name = quantity.name();
    if !x.is_finite() {
        return Err(format!("`{name}` takes finite numbers, not {x}"));
    }
    if x.abs() > MOST {
        return Err(format!("`{name}` takes numbers up to {MOST}, not {x}"));
    }
    Ok(x)
}

impl fmt::Display for FeelBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Near(center, tolerance) => write!(f, "{center} ± {tolerance}"),
            Self::AtLeast(least) => write!(f, "≥ {least}"),
            Self::AtMost(most) => write!(f, "≤ {most}"),
            Self::Between(least, most) => write!(f, "{least}..{most}"),
        }
    }
}

/// One line of `[expect]`: a contract about a kind's feel.
#[derive(Clone, Debug)]
pub struct FeelExpectation {
    /// The model it is about; `None` for the kind's own.
    pub model: Option<ModelName>,
    /// What is measured.
    pub quantity: FeelQuantity,
    /// What it must be.
    pub bound: FeelBound,
    /// The value in the file.
    pub place: Place,
    /// Its key in the file.
    pub key_place: Place,
}

impl FeelExpectation {
    /// Its path in the file: `expect.apex`, `expect.two_velocity.run_up`.
    #[must_use]
    pub fn key(&self, separator: &str) -> String {
        let model = self.model.map(ModelName::as_str);
        let parts = ["expect"].into_iter().chain(model);
        let parts: Vec<&str> = parts.chain([self.quantity.name()]).collect();
        parts.join(separator)
    }
}

/// Reads the table `[expect]` of a kind, with the tables `[expect.MODEL]` in it.
pub(crate) fn read_expect(table: &Table, out: &mut Mistakes) -> Vec<FeelExpectation> {
    let mut reader = TableReader::new(table, out);
    let Some(expect) = reader.table("expect") else {
        return Vec::new();
    };
    let mut found = read_bounds(expect, None, out);
    for model in ModelName::ALL {
        if let Some(Data::Table(table)) = expect.get(model.as_str()).map(|node| &node.value) {
            found.extend(read_bounds(table, Some(*model), out));
        }
    }
    found
}

/// Reads the bounds of one table; those of the kind's own model are next to the tables of others.
fn read_bounds(table: &Table, model: Option<ModelName>, out: &mut Mistakes) -> Vec<FeelExpectation> {
    let mut reader = TableReader::new(table, out);
    let mut found = Vec::new();
    for quantity in FeelQuantity::ALL {
        let Some(node) = reader.get(quantity.name()) else {
            continue;
        };
        let mut keys = table.entries.iter().map(|(key, _)| key);
        let key = keys.find(|key| key.name == quantity.name());
        match bound_of(node, quantity) {
            Ok(bound) => found.push(FeelExpectation {
                model,
                quantity,
                bound,
                place: node.place.clone(),
                key_place: key.map_or(&node.place, |key| &key.place).clone(),
            }),
            Err(message) => reader.error(&node.place, message),
        }
    }
    if model.is_none() {
        for model in ModelName::ALL {
            reader.table(model.as_str());
        }
    }
    reader.finish();
    found
}

fn bound_of(node: &Node, quantity: FeelQuantity) -> Result<FeelBound, String> {
    match (&node.value, node.number()) {
        (Data::Text(text), _) => FeelBound::parse(text, quantity),
        (_, Some(x)) => Ok(FeelBound::Near(checked(quantity, x)?, quantity.default_tolerance())),
        _ => {
            let (name, kind) = (quantity.name(), node.kind());
            Err(format!("`{name}` takes {FORMS}, not {kind}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FeelBound, FeelQuantity};

    #[test]
    fn bounds_are_read_in_every_form() {
        let apex = |text: &str| FeelBound::parse(text, FeelQuantity::Apex);
        for (text, bound) in [
            ("189.8 ± 0.5", FeelBound::Near(189.8, 0.5)),
            ("189.8±0.5", FeelBound::Near(189.8, 0.5)),
            ("189.8 +- 0.5", FeelBound::Near(189.8, 0.5)),
            ("189.8 +/- 0.5 px", FeelBound::Near(189.8, 0.5)),
            ("≥ 180", FeelBound::AtLeast(180.0)),
            (">=180", FeelBound::AtLeast(180.0)),
            ("≤ 0.4", FeelBound::AtMost(0.4)),
            ("<= 4e-1", FeelBound::AtMost(0.4)),
            ("180..190", FeelBound::Between(180.0, 190.0)),
            ("-2.5..-1", FeelBound::Between(-2.5, -1.0)),
            ("190", FeelBound::Near(190.0, 0.5)),
        ] {
            assert_eq!(apex(text), Ok(bound), "{text}");
            assert_eq!(apex(&bound.to_string()), Ok(bound), "{bound}");
        }
    }

    #[test]
    fn malformed_bounds_are_refused() {
        for text in [
            "",
            "tall",
            "±",
            "189 ±",
            "± 1",
            "190..180",
            "1 ± -1",
            "nan",
            "inf",
            "≥",
            "1e9",
            "1 s",
            "1..2..3",
            "5 ± 1 ± 1",
            "> 3",
            "≥ ≥ 3",
        ] {
            let parsed = FeelBound::parse(text, FeelQuantity::Apex);
            assert!(parsed.is_err(), "{text}: {parsed:?}");
        }
    }

    #[test]
    fn a_bound_holds_up_to_its_ends() {
        assert!(FeelBound::Near(189.8, 0.5).holds(190.3));
        assert!(FeelBound::Near(189.8, 0.5).holds(189.3));
        assert!(!FeelBound::Near(189.8, 0.5).holds(190.31));
        assert!(FeelBound::AtMost(0.4).holds(0.4) && !FeelBound::AtMost(0.4).holds(0.41));
        assert!(FeelBound::AtLeast(3.0).holds(3.0) && !FeelBound::AtLeast(3.0).holds(2.99));
        assert!(FeelBound::Between(1.0, 2.0).holds(2.0) && !FeelBound::Between(1.0, 2.0).holds(2.1));
        assert!(!FeelBound::AtLeast(3.0).holds(f64::NAN));
    }
}
