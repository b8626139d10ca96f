//! Checks of arguments, and the refusals of those that do not fit.

use super::*;
use glam::DVec2;
use hangtime_core::{models::Action, tuning::MOST};
use std::{fmt, fmt::Display, ops::RangeInclusive};

/// The arguments of a call, as many as its entry has parameters. What takes one by its place checks it, and names it in
/// the refusal.
#[derive(Clone, Copy, Debug)]
pub struct Args<'a> {
    entry: &'a ApiEntry,
    values: &'a [Arg<'a>],
}

impl<'a> Args<'a> {
    /// The arguments of the call with this entry.
    ///
    /// # Errors
    /// If there are more or fewer than parameters. A language that finds calls by their number never sees it.
    #[inline]
    pub(super) fn of(entry: &'a ApiEntry, values: &'a [Arg<'a>]) -> Accepted<Self> {
        if values.len() == entry.parameters.len() {
            return Ok(Self { entry, values });
        }
        let (parameters, count) = (entry.parameters.len(), values.len());
        refuse(format!("this call has {parameters} parameters, but there are {count} arguments"))
    }

    /// The name of the call.
    pub fn call(&self) -> &'static str {
        self.entry.name
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.values.len()
    }

    /// The argument at a place; nothing if there are fewer.
    pub fn get(&self, place: usize) -> Arg<'a> {
        self.values.get(place).copied().unwrap_or(Arg::Nothing)
    }

    /// How messages name the parameter at a place.
    pub fn parameter(&self, place: usize) -> NamedParameter<'static> {
        let name = self.entry.parameters.get(place).map_or("", |parameter| parameter.name);
        parameter(self.entry.name, name)
    }

    /// A text.
    ///
    /// # Errors
    /// If it is something else.
    pub fn text(&self, place: usize) -> Accepted<&'a str> {
        self.get(place).text(self.parameter(place))
    }

    /// True or false.
    ///
    /// # Errors
    /// If it is something else.
    pub fn flag(&self, place: usize) -> Accepted<bool> {
        self.get(place).flag(self.parameter(place))
    }

    /// A finite number within the range of valid lengths and speeds.
    ///
    /// # Errors
    /// If it is something else.
    pub fn number(&self, place: usize) -> Accepted<f64> {
        self.get(place).finite(self.parameter(place))
    }

    /// A whole number.
    ///
    /// # Errors
    /// If it is something else.
    pub fn whole(&self, place: usize) -> Accepted<i64> {
        self.get(place).whole(self.parameter(place))
    }

    /// The arguments at a place and after it as a point.
    ///
    /// # Errors
    /// If one of them is not a finite number.
    pub fn point(&self, place: usize) -> Accepted<DVec2> {
        Ok(DVec2::new(self.number(place)?, self.number(place + 1)?))
    }

    /// What a function takes of a value of a crate above.
    ///
    /// # Errors
    /// If it is something else.
    pub fn object<T: ObjectType, R>(&self, place: usize, take: impl FnOnce(&T) -> R) -> Accepted<R> {
        let object = match self.get(place) {
            Arg::Foreign(value) => value.object(),
            _ => None,
        };
        match object.as_ref().and_then(|object| object.get()) {
            Some(value) => Ok(take(value)),
            None => {
                let right = self
                    .entry
                    .parameters
                    .get(place)
                    .map_or_else(String::new, |parameter| parameter.takes.spoken());
                refuse(format!("{} must be {right}", self.parameter(place)))
            }
        }
    }
}

/// How messages name a parameter of a call: `` `x` of `push` ``.
#[derive(Clone, Copy, Debug)]
pub struct NamedParameter<'n> {
    call: &'n str,
    name: &'n str,
}

impl Display for NamedParameter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` of `{}`", self.name, self.call)
    }
}

/// How messages name a parameter of a call.
pub const fn parameter<'n>(call: &'n str, name: &'n str) -> NamedParameter<'n> {
    NamedParameter { call, name }
}

/// Whole numbers beyond this cannot all be written as floating-point numbers.
const MOST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// Checks of a value; `what` names it in the refusal: `` `y` of `vec` ``.
impl<'a> Arg<'a> {
    #[cold]
    pub(super) fn is_not<T>(self, what: impl Display, right: &str) -> Accepted<T> {
        refuse(format!("{what} must be {right}, not {}", self.type_name()))
    }

    /// The value as text.
    ///
    /// # Errors
    /// If it is not text.
    pub fn text(self, what: impl Display) -> Accepted<&'a str> {
        match self {
            Self::Text(text) => Ok(text),
            other => other.is_not(what, "text"),
        }
    }

    /// The value as true or false.
    ///
    /// # Errors
    /// If it is neither.
    pub fn flag(self, what: impl Display) -> Accepted<bool> {
        match self {
            Self::Flag(flag) => Ok(flag),
            other => other.is_not(what, "true or false"),
        }
    }

    /// The value as a number, infinities and NaN included.
    ///
    /// # Errors
    /// If it is not a number.
    pub fn any_number(self, what: impl Display) -> Accepted<f64> {
        self.number().map_or_else(|| self.is_not(what, "a number"), Ok)
    }

    /// The value as a finite number within the range of valid lengths and speeds.
    ///
    /// # Errors
    /// If it is not.
    pub fn finite(self, what: impl Display) -> Accepted<f64> {
        self.within(what, -MOST..=MOST)
    }

    /// The value as a number in a range.
    ///
    /// # Errors
    /// If it is not.
    pub(super) fn within(self, what: impl Display, range: RangeInclusive<f64>) -> Accepted<f64> {
        let x = self.any_number(&what)?;
        if range.contains(&x) {
            return Ok(x);
        }
        if !x.is_finite() {
            return refuse(format!("{what} cannot be {x}"));
        }
        let x = if x.abs() > MOST { format!("{x:e}") } else { x.to_string() };
        refuse(format!("{what} is {x}; it must be between {} and {}", range.start(), range.end()))
    }

    /// The value as a whole number. A floating-point one without a fraction is as good.
    ///
    /// # Errors
    /// If it is not a whole number.
    pub fn whole(self, what: impl Display) -> Accepted<i64> {
        match self {
            Self::Whole(x) => Ok(x),
            Self::Number(x) if x.fract() == 0.0 && x.abs() <= MOST_WHOLE => Ok(x as i64),
            other => {
                let x = other.any_number(&what)?;
                refuse(format!("{what} is {x}; it must be a whole number"))
            }
        }
    }

    /// The value as a finite vec: its part in the plane, and its z. Messages name it as `` `me.vel` `` or
    /// `` `velocity` of `jump_to` ``, depending on `call`.
    ///
    /// # Errors
    /// If it is not a vec, or a component is not a finite number.
    pub fn finite_vector(self, name: &str, call: Option<&str>) -> Accepted<(DVec2, f64)> {
        let what = |name: &str| match call {
            Some(call) => parameter(call, name).to_string(),
            None => format!("`{name}`"),
        };
        let Self::Vec(v) = self else {
            return self.is_not(what(name), "a vec, such as `vec(0, 100)`");
        };
        for (key, x) in [('x', v.x), ('y', v.y), ('z', v.z)] {
            if x.is_nan() || x.abs() > MOST {
                Self::Number(x).finite(what(&format!("{name}.{key}")))?;
            }
        }
        Ok((DVec2::new(v.x, v.y), v.z))
    }
}

/// Operations charged for each number of a point.
const PER_CORNER: u64 = 2;

/// Lists of points.
impl Arg<'_> {
    /// The value as a list of points, each a vec or `[x, y]`: up to `most` of them, and none beyond `farthest` px.
    ///
    /// # Errors
    /// If it is not.
    pub(super) fn points(self, what: impl Display + Copy, (most, farthest): (usize, f64)) -> Accepted<Vec<DVec2>> {
        let Some(list) = self.as_list() else {
            return self.is_not(what, "an array of points, such as `[[0, 0], [20, 0], [10, 15]]`");
        };
        let mut points = Vec::new();
        list.each_item(&mut |point| {
            charge(PER_CORNER)?;
            if points.len() == most {
                return refuse(format!("{what} can have at most {most} points"));
            }
            points.push(point.point(what, farthest)?);
            Ok(())
        })?;
        Ok(points)
    }

    fn point(self, what: impl Display + Copy, farthest: f64) -> Accepted<DVec2> {
        let within = |number: Arg<'_>| number.within(what, -farthest..=farthest);
        if let Self::Vec(v) = self {
            return Ok(DVec2::new(within(Self::Number(v.x))?, within(Self::Number(v.y))?));
        }
        let mut numbers = Vec::new();
        if let Some(list) = self.as_list() {
            list.each_item(&mut |number| {
                charge(PER_CORNER)?;
                numbers.push(within(number)?);
                Ok(())
            })?;
        }
        match numbers[..] {
            [x, y] => Ok(DVec2::new(x, y)),
            _ => refuse(format!("each point in {what} must be `[x, y]` or a vec")),
        }
    }
}

/// The action with this name: one that every game has, or one of the game's own.
///
/// # Errors
/// If there is none.
pub fn action(name: &str, own: &OwnActions) -> Accepted<Action> {
    own.parse(name).map_or_else(
        || {
            let hint = suggestion(name, own.all_names());
            refuse(format!("there is no action `{name}`{hint}"))
        },
        Ok,
    )
}

/// The refusal of an axis other than `move` and `aim`.
///
/// # Errors
/// Always.
pub fn unknown_axis<T>(name: &str) -> Accepted<T> {
    refuse(format!("there is no axis `{name}`; it can be `move` or `aim`"))
}

/// The model with this name. One that the level's view does not support is refused when the change is due, without a
/// message.
///
/// # Errors
/// If there is none.
pub fn any_model(name: &str) -> Result<ModelName, String> {
    ModelName::parse(name).ok_or_else(|| {
        let names = ModelName::ALL.iter().map(|m| m.as_str());
        format!("there is no model `{name}`{}", suggestion(name, names))
    })
}

/// Checks the length of a text; `what` begins the message.
///
/// # Errors
/// If it has more bytes.
pub fn check_length(text: &str, what: &str, most: usize) -> Allowed {
    if text.len() <= most {
        return Ok(());
    }
    refuse(format!("{what} can have at most {most} bytes; this one has {}", text.len()))
}

/// Checks the height that an entity is placed at: 0 in a side view, at least 0 in a top view.
///
/// # Errors
/// If it is not.
pub fn check_height(call: &str, view: View, z: f64) -> Allowed {
    if z < 0.0 {
        return refuse(format!("`z` of `{call}` is {z}; it must be 0, the ground plane, or more"));
    }
    if z != 0.0 && view == View::Side {
        return refuse("z is always 0 in a side view");
    }
    Ok(())
}
