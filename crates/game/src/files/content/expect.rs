//! `[expect]` in a kind's file: the numbers that its feel must have.

use super::*;

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

    /// Its name, what it is, and how far from a plain number it may be.
    const fn entry(self) -> (&'static str, &'static str, f64) {
        match self {
            Self::Apex => ("apex", "highest rise of a full jump from standing", 0.5),
            Self::TimeToApex => ("time_to_apex", "from takeoff to the apex", 0.005),
            Self::AirTime => ("air_time", "from takeoff to landing at the same height", 0.005),
            Self::Hop => ("hop", "highest rise after the shortest press", 0.5),
            Self::StopDistance => ("stop_distance", "from full speed to rest after the release", 0.5),
            Self::RunUp => ("run_up", "from rest to 99 % of the top speed", 0.5),
            Self::Gap => ("gap", "widest gap that a running jump crosses", 0.5),
            Self::Climb => ("climb", "highest step that a full jump lands on", 0.5),
            Self::LandingError => ("landing_error", "worst miss of a planned jump", 0.001),
        }
    }

    /// The key in `[expect]` and in JSON.
    pub const fn name(self) -> &'static str {
        self.entry().0
    }

    /// What it is, in a few words.
    pub const fn about(self) -> &'static str {
        self.entry().1
    }

    /// Its unit: `px` or `s`.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::TimeToApex | Self::AirTime => "s",
            _ => "px",
        }
    }

    /// How far from a plain number it may be.
    pub const fn default_tolerance(self) -> f64 {
        self.entry().2
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
    pub fn holds(self, value: f64) -> bool {
        let [least, most] = self.ends();
        value >= least - SLACK && value <= most + SLACK
    }

    /// The smallest and the largest number that is accepted; infinite without a limit.
    pub const fn ends(self) -> [f64; 2] {
        match self {
            Self::Near(center, tolerance) => [center - tolerance, center + tolerance],
            Self::AtLeast(least) => [least, f64::INFINITY],
            Self::AtMost(most) => [f64::NEG_INFINITY, most],
            Self::Between(least, most) => [least, most],
        }
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
        if let Some(least) = bare.strip_prefix("≥").or(bare.strip_prefix(">=")) {
            return number(least).map(Self::AtLeast);
        }
        if let Some(most) = bare.strip_prefix("≤").or(bare.strip_prefix("<=")) {
            return number(most).map(Self::AtMost);
        }
        if let Some((center, tolerance)) = ["±", "+-", "+/-"].iter().find_map(|sign| bare.split_once(sign)) {
            let (center, tolerance) = (number(center)?, number(tolerance)?);
            if tolerance < 0.0 {
                return Err(format!("the tolerance of `{name}` is {tolerance}; it must be at least 0"));
            }
            return Ok(Self::Near(center, tolerance));
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
    pub fn key(&self, separator: &str) -> String {
        let model = self.model.map(ModelName::as_str);
        let parts: Vec<&str> = ["expect"].into_iter().chain(model).chain([self.quantity.name()]).collect();
        parts.join(separator)
    }
}

/// Reads the table `[expect]` of a kind, with the tables `[expect.MODEL]` in it.
pub(crate) fn read_expect(table: &Table, out: &mut Mistakes) -> Vec<FeelExpectation> {
    let Some(expect) = TableReader::new(table, out).table("expect") else {
        return Vec::new();
    };
    let mut reader = TableReader::new(expect, out);
    let mut found = read_bounds(&mut reader, None);
    for model in ModelName::ALL {
        if let Some(table) = reader.table(model.as_str()) {
            let mut inner = TableReader::new(table, reader.out);
            found.extend(read_bounds(&mut inner, Some(*model)));
            inner.finish();
        }
    }
    reader.finish();
    found
}

/// Reads the bounds of one table.
fn read_bounds(reader: &mut TableReader<'_, '_>, model: Option<ModelName>) -> Vec<FeelExpectation> {
    let mut found = Vec::new();
    for quantity in FeelQuantity::ALL {
        reader.get(quantity.name());
        let mut entries = reader.table.entries.iter();
        let Some((key, node)) = entries.find(|(key, _)| key.name == quantity.name()) else {
            continue;
        };
        let (place, key_place) = (node.place.clone(), key.place.clone());
        match bound_of(node, quantity) {
            Ok(bound) => found.push(FeelExpectation { model, quantity, bound, place, key_place }),
            Err(message) => reader.error(&place, message),
        }
    }
    found
}

fn bound_of(node: &Node, quantity: FeelQuantity) -> Result<FeelBound, String> {
    match (node.text(), node.number()) {
        (Some(text), _) => FeelBound::parse(text, quantity),
        (_, Some(x)) => Ok(FeelBound::Near(checked(quantity, x)?, quantity.default_tolerance())),
        _ => Err(format!("`{}` takes {FORMS}, not {}", quantity.name(), node.kind())),
    }
}
