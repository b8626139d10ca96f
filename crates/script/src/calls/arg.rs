//! The arguments of calls.

use super::*;

/// Numbers beyond these are written with an exponent.
const LARGE: f64 = 1e13;
const SMALL: f64 = 1e-13_f32 as f64;

/// An argument of a call.
#[derive(Clone, Copy)]
pub enum Arg<'a> {
    /// The language's word for nothing: `()`.
    Nothing,
    /// True or false.
    Flag(bool),
    /// A whole number.
    Whole(i64),
    /// A floating-point number.
    Number(f64),
    /// Text.
    Text(&'a str),
    /// A vec.
    Vec(Vector),
    /// Any other value of the language: a list, a map, a function, an object.
    Foreign(&'a dyn ForeignValue),
}

/// A value of a language that has no neutral form, or whose conversion costs something: it is converted only by the
/// calls that take plain data, which check its size first.
pub trait ForeignValue {
    /// How messages name its type: `an array`.
    fn type_name(&self) -> &'static str;

    /// Subtracts its size from what limits leave: the values in it, itself included, and bytes of text, keys included.
    /// None if it does not fit.
    fn take_size(&self, values: &mut usize, text: &mut usize) -> Option<()>;

    /// The value as plain data.
    ///
    /// # Errors
    /// The first part of it that is not plain.
    fn to_plain(&self) -> Result<Value, NotPlain>;

    /// Visits the entries of a map in the order of their keys.
    ///
    /// # Errors
    /// If it is not a map, and the first refusal of a visit.
    fn each_entry(&self, _visit: VisitEntry<'_>) -> Allowed {
        refuse(format!("this must be a map, not {}", self.type_name()))
    }

    /// Visits the elements of a list.
    ///
    /// # Errors
    /// If it is no list, and the first refusal of a visit.
    fn each_item(&self, _visit: VisitItem<'_>) -> Allowed {
        refuse(format!("this must be an array, not {}", self.type_name()))
    }

    /// The value of a crate above that it is; none if it is of the language itself.
    fn object(&self) -> Option<Object> {
        None
    }

    /// Whether a condition on an object holds. The value is the condition, a function of the object.
    ///
    /// # Errors
    /// If it is not such a function, or fails.
    fn holds(&self, _of: &Object) -> Accepted<bool> {
        refuse(format!("this must be a function, not {}", self.type_name()))
    }

    /// The refusal of a call whose condition, which this is, did not hold in time. A language that knows on which line the
    /// condition is names that line.
    fn unmet(&self, message: String) -> CallRefusal {
        CallRefusal::Message(message.into())
    }
}

/// What is done with each entry of a map.
pub type VisitEntry<'v> = &'v mut dyn FnMut(&str, Arg<'_>) -> Allowed;

/// What is done with each element of a list.
pub type VisitItem<'v> = &'v mut dyn FnMut(Arg<'_>) -> Allowed;

/// Why a value is not plain data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotPlain {
    /// The path to the value, such as `enemies[2].target`.
    pub path: String,
    /// What the value is, such as `a function` or `NaN`.
    pub what: String,
}

impl NotPlain {
    /// A value that is not plain itself.
    pub fn itself(what: impl Into<String>) -> Self {
        Self { path: String::new(), what: what.into() }
    }

    /// The same one, seen from the value that holds it under this key: `.x` or `[2]`.
    pub fn below(self, key: &str) -> Self {
        Self { path: format!("{key}{}", self.path), what: self.what }
    }
}

/// A floating-point number as plain data.
///
/// # Errors
/// If it is not finite.
pub fn finite_value(x: f64) -> Result<Value, NotPlain> {
    if x.is_finite() {
        Ok(Value::Float(x))
    } else {
        Err(NotPlain::itself(format!("{x}")))
    }
}

/// A vec as plain data.
///
/// # Errors
/// If a component is not finite.
pub fn vector_value(v: Vector) -> Result<Value, NotPlain> {
    for (key, part) in [(".x", v.x), (".y", v.y), (".z", v.z)] {
        finite_value(part).map_err(|wrong| wrong.below(key))?;
    }
    Ok(Value::Vector([v.x, v.y, v.z]))
}

impl<'a> Arg<'a> {
    /// The value, if it is a map of the scripts' language.
    pub fn as_map(&self) -> Option<&'a dyn ForeignValue> {
        match self {
            Self::Foreign(value) if value.type_name() == "a map" => Some(*value),
            _ => None,
        }
    }

    /// The value, if it is a list of the scripts' language.
    pub fn as_list(&self) -> Option<&'a dyn ForeignValue> {
        match self {
            Self::Foreign(value) if value.type_name() == "an array" => Some(*value),
            _ => None,
        }
    }

    /// How messages name its type.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Nothing => "()",
            Self::Flag(_) => "true or false",
            Self::Whole(_) | Self::Number(_) => "a number",
            Self::Text(_) => "text",
            Self::Vec(_) => "a vec",
            Self::Foreign(value) => value.type_name(),
        }
    }

    /// The value of a whole or floating-point number.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(x) => Some(*x),
            Self::Whole(x) => Some(*x as f64),
            _ => None,
        }
    }

    /// A number as scripts write it: a floating-point one with a point or an exponent. None if it is something else.
    pub fn written(&self) -> Option<String> {
        match self {
            Self::Whole(x) => Some(x.to_string()),
            Self::Number(x) => Some(match x.abs() {
                0.0 => "0.0".into(),
                size if !(SMALL..=LARGE).contains(&size) && !size.is_nan() => format!("{x:e}"),
                size if size.fract() == 0.0 => format!("{x}.0"),
                _ => x.to_string(),
            }),
            _ => None,
        }
    }

    /// Subtracts its size from what limits leave; none if it does not fit.
    pub fn take_size(&self, values: &mut usize, text: &mut usize) -> Option<()> {
        if let Self::Foreign(value) = self {
            return value.take_size(values, text);
        }
        *values = values.checked_sub(1)?;
        if let Self::Text(words) = self {
            *text = text.checked_sub(words.len())?;
        }
        Some(())
    }

    /// The argument as plain data.
    ///
    /// # Errors
    /// The first part of it that is not plain.
    pub fn to_plain(&self) -> Result<Value, NotPlain> {
        match self {
            Self::Nothing => Ok(Value::Unit),
            Self::Flag(x) => Ok(Value::Bool(*x)),
            Self::Whole(x) => Ok(Value::Int(*x)),
            Self::Number(x) => finite_value(*x),
            Self::Text(x) => Ok(Value::Text((*x).to_string())),
            Self::Vec(v) => vector_value(*v),
            Self::Foreign(value) => value.to_plain(),
        }
    }
}

impl fmt::Debug for Arg<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign(value) => f.debug_tuple("Foreign").field(&value.type_name()).finish(),
            plain => plain.to_plain().fmt(f),
        }
    }
}
