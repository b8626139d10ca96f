//! The ways to call the language's own functions, from what Rhai tells of each of them.

use super::language::BARE;
use rhai::FuncMetadata;

/// What a parameter of the language's own functions takes, or a function answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LanguageType {
    /// `()`.
    Nothing,
    /// `true` or `false`.
    Flag,
    /// A whole number; a parameter takes no floating one.
    Whole,
    /// A number, whole or floating.
    Number,
    /// Text; a parameter takes a single character mostly, too.
    Text,
    /// A single character: `'k'`, or `text[0]`.
    Character,
    /// An array.
    Array,
    /// A map.
    Map,
    /// A function or closure.
    Function,
    /// `from..to`, or `from..=to`.
    Range,
    /// What `for` goes through.
    Iterator,
    /// Whatever there is.
    Any,
}

impl LanguageType {
    /// What it is called in the reference.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Nothing => "()",
            Self::Flag => "flag",
            Self::Whole => "whole",
            Self::Number => "number",
            Self::Text => "text",
            Self::Character => "character",
            Self::Array => "array",
            Self::Map => "map",
            Self::Function => "function",
            Self::Range => "range",
            Self::Iterator => "iterator",
            Self::Any => "any",
        }
    }

    /// What it is called in definitions for the language server.
    #[must_use]
    pub const fn definition(self) -> &'static str {
        match self {
            Self::Nothing => "()",
            Self::Flag => "bool",
            Self::Whole => "int",
            Self::Number => "float",
            Self::Text => "String",
            Self::Character => "char",
            Self::Array => "Array",
            Self::Map => "Map",
            Self::Function => "FnPtr",
            Self::Range => "range",
            Self::Iterator => "iterator",
            Self::Any => "?",
        }
    }

    /// The heading in the reference for what is called on it.
    pub(super) const fn of(self) -> &'static str {
        match self {
            Self::Whole | Self::Number => "number",
            Self::Text | Self::Character => "text",
            Self::Any => "anything",
            other => other.code(),
        }
    }

    /// What takes, or answers, both.
    fn both(self, other: Self) -> Option<Self> {
        match (self, other) {
            (one, same) if one == same => Some(one),
            (Self::Whole, Self::Number) | (Self::Number, Self::Whole) => Some(Self::Number),
            (Self::Text, Self::Character) | (Self::Character, Self::Text) => Some(Self::Text),
            _ => None,
        }
    }
}

/// One way to call a function of the language.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LanguageWay {
    /// The type that it is called on, if it is written behind a value.
    pub on: Option<LanguageType>,
    /// The names of its other parameters, and what they take.
    pub parameters: Vec<(String, LanguageType)>,
    /// What it answers.
    pub returns: LanguageType,
}

impl LanguageWay {
    /// Takes another way in, if the two differ only in kinds of number or text.
    fn takes_in(&mut self, other: &Self) -> bool {
        let types = |way: &Self| -> Vec<LanguageType> {
            let own = way.parameters.iter().map(|(_, takes)| *takes);
            way.on.into_iter().chain(own).collect()
        };
        let (mine, theirs) = (types(self), types(other));
        if mine.len() != theirs.len() || self.on.is_some() != other.on.is_some() {
            return false;
        }
        let pairs = mine.into_iter().zip(theirs);
        let Some(both) = pairs.map(|(a, b)| a.both(b)).collect::<Option<Vec<_>>>() else {
            return false;
        };
        let mut both = both.into_iter();
        self.on = self.on.and_then(|_| both.next());
        for ((_, takes), wider) in self.parameters.iter_mut().zip(both) {
            *takes = wider;
        }
        self.returns = self
            .returns
            .both(other.returns)
            .unwrap_or(LanguageType::Any);
        true
    }
}

/// Adds a way to those that are known.
pub(super) fn add(ways: &mut Vec<LanguageWay>, new: LanguageWay) {
    if !ways.iter_mut().any(|known| known.takes_in(&new)) {
        ways.push(new);
    }
}

/// A function of the engine. They are sorted so that those for whole numbers and texts come before those
/// for other numbers and single characters.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Told {
    pub of: &'static str,
    pub name: String,
    pub property: bool,
    rank: usize,
    pub way: LanguageWay,
    pub doc: String,
}

/// What the engine tells of a function, if it is for values that scripts have.
pub(super) fn told(function: &FuncMetadata) -> Option<Told> {
    let comment: String = function.comments.join("\n");
    let (property, name) = match function.name.split_once('$') {
        Some(("get", name)) => (true, name),
        Some(_) => return None,
        None => (false, function.name.as_str()),
    };
    let word = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let shows = ["to_debug", "to_string", "to_blob", "bytes"].contains(&name);
    if !word || shows || comment.contains("Deprecated") {
        return None;
    }
    let (mut rank, mut parameters) = (0, Vec::new());
    for parameter in &function.params_info {
        let (own, kind) = parameter.split_once(':').unwrap_or((parameter, ""));
        let (takes, later) = type_of(kind.trim().trim_start_matches("&mut "))?;
        rank += later;
        let own = own.trim().trim_start_matches("mut ");
        let own = match (own.trim_start_matches('_'), takes) {
            // Some call the function that they are given by the name of another.
            ("map", LanguageType::Function) => "function",
            (own, _) => own,
        };
        parameters.push((own.to_string(), takes));
    }
    let first = parameters.first().map(|(_, takes)| *takes);
    let behind = |of: &LanguageType| *of != LanguageType::Any && !BARE.contains(&name);
    let on = first.filter(behind);
    if on.is_some() {
        parameters.remove(0);
    }
    Some(Told {
        of: first.map_or("anything", LanguageType::of),
        name: name.into(),
        property,
        rank,
        way: LanguageWay {
            on,
            parameters,
            returns: answer(&function.return_type),
        },
        doc: shortened(&comment),
    })
}

/// What a type of Rhai's is called here, and whether another of that kind comes first; none for those that
/// scripts have no values of.
fn type_of(kind: &str) -> Option<(LanguageType, usize)> {
    Some(match kind {
        "()" | "" => (LanguageType::Nothing, 0),
        "INT" | "i64" => (LanguageType::Whole, 0),
        "FLOAT" | "f64" => (LanguageType::Number, 1),
        "&str" | "ImmutableString" | "String" | "string" => (LanguageType::Text, 0),
        "char" => (LanguageType::Character, 1),
        "Array" => (LanguageType::Array, 0),
        "Map" => (LanguageType::Map, 0),
        "FnPtr" => (LanguageType::Function, 0),
        "ExclusiveRange" => (LanguageType::Range, 0),
        "InclusiveRange" => (LanguageType::Range, 1),
        "bool" => (LanguageType::Flag, 0),
        "Dynamic" => (LanguageType::Any, 0),
        _ => return None,
    })
}

/// What a function answers that may fail or not. Whatever else the packages answer is for loops.
fn answer(told: &str) -> LanguageType {
    let inner = told.strip_prefix("RhaiResultOf<");
    let inner = inner.map_or(told, |rest| rest.trim_end_matches('>').trim());
    match inner {
        "RhaiResult" => LanguageType::Any,
        _ => type_of(inner).map_or(LanguageType::Iterator, |(of, _)| of),
    }
}

/// The first paragraph of a doc comment.
fn shortened(comment: &str) -> String {
    let lines = comment.lines().map(|l| l.trim_start_matches('/').trim());
    let paragraph: Vec<&str> = lines
        .skip_while(|l| l.is_empty())
        .take_while(|l| !l.is_empty() && !l.starts_with('#') && !l.starts_with('*'))
        .collect();
    paragraph.join(" ").replace('|', "\\|")
}
