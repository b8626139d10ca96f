//! JSON in parts: each knows its place in the file and its key, and what is in it is read when it is needed.

use super::*;
use hangtime_script::text::{cut_name, printable_name};
use serde::{
    Deserializer as _,
    de::{MapAccess, SeqAccess, Visitor},
};
use serde_json::{Deserializer, value::RawValue};
use std::{fmt, ops::RangeInclusive};

/// A value, or what is wrong and where.
pub type Read<T> = Result<T, Diagnostic>;

/// The numbers of pixels, and of cells and tiles next to each other.
pub const SIDES: RangeInclusive<i64> = 0..=65_535;

/// The numbers of tiles and of values of IntGrids.
pub const NUMBERS: RangeInclusive<i64> = 0..=u32::MAX as i64;

/// All other whole numbers of a project.
pub const WHOLE: RangeInclusive<i64> = i32::MIN as i64..=i32::MAX as i64;

/// A value in a file.
#[derive(Clone, Copy)]
pub struct Part<'a> {
    pub file: &'a Arc<SourceFile>,
    /// Its key in an object. The items of a list have the key of the list.
    pub key: &'a str,
    pub text: &'a str,
}

/// The values of an object.
pub struct Members<'a> {
    object: Part<'a>,
    list: Vec<Part<'a>>,
}

/// Passes on what is directly in a list or an object: keys with their quotes, and values.
struct PartVisitor<'v, 'a>(&'v mut dyn FnMut(&'a str, &'a str));

impl<'de: 'a, 'a> Visitor<'de> for PartVisitor<'_, 'a> {
    type Value = ();

    fn expecting(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(item) = list.next_element::<&RawValue>()? {
            (self.0)("", item.get());
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        while let Some((key, value)) = object.next_entry::<&RawValue, &RawValue>()? {
            (self.0)(key.get(), value.get());
        }
        Ok(())
    }
}

impl<'a> Part<'a> {
    /// All of a file, with its name for a key.
    pub fn all_of(file: &'a Arc<SourceFile>) -> Read<Self> {
        let text: Result<&RawValue, _> = serde_json::from_str(&file.text);
        let text = text.map_err(|wrong| {
            let said = wrong.to_string();
            let said = said.rsplit_once(" at line ").map_or(&*said, |(said, _)| said);
            let place = Place::at(file, wrong.line(), wrong.column());
            Diagnostic::error(place, format!("this is not valid JSON: {said}"))
        });
        Ok(Self { file, key: &file.name, text: text?.get() })
    }

    /// The bytes of the file that it is.
    pub fn span(self) -> Range<usize> {
        let start = self.text.as_ptr().addr().saturating_sub(self.file.text.as_ptr().addr());
        start..start + self.text.len()
    }

    /// Its place; of a text, without the quotes.
    pub fn place(self) -> Place {
        let Range { start, end } = self.span();
        let quote = usize::from(self.text.starts_with('"'));
        Place::new(self.file, start + quote..end - quote)
    }

    pub fn error(self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(self.place(), message)
    }

    /// Its text in a message.
    pub fn shown(self) -> String {
        printable_name(&cut_name(self.text)).into_owned()
    }

    /// Its value; none if it is something else.
    pub fn parsed<T: Deserialize<'a>>(self) -> Option<T> {
        serde_json::from_str(self.text).ok()
    }

    fn expect<T>(self, value: Option<T>, what: impl fmt::Display) -> Read<T> {
        value.ok_or_else(|| self.error(format!("`{}` takes {what}, not {}", self.key, self.shown())))
    }

    pub fn string(self) -> Read<String> {
        self.expect(self.parsed(), "a text")
    }

    /// A number from 0 to 1.
    pub fn share(self) -> Read<f64> {
        let share = self.parsed().filter(|share| (0.0..=1.0).contains(share));
        self.expect(share, "a number from 0 to 1")
    }

    pub fn whole(self, range: RangeInclusive<i64>) -> Read<i64> {
        let number = self.parsed().filter(|number| range.contains(number));
        let (least, most) = range.into_inner();
        self.expect(number, format_args!("a whole number from {least} to {most}"))
    }

    /// Two numbers.
    pub fn pair<T>(self, read: impl Fn(Self) -> Read<T>) -> Read<[T; 2]> {
        let mut items = Vec::new();
        self.each(&mut |item| {
            items.push(read(item)?);
            Ok(())
        })?;
        self.expect(items.try_into().ok(), "two numbers")
    }

    /// The index of a word in a list of all words that it can be.
    pub fn one_of(self, words: &[&'static str]) -> Read<usize> {
        let found = self.string()?;
        words.iter().position(|word| *word == found).ok_or_else(|| {
            let hint = suggestion(&found, words.iter().copied());
            self.error(format!("`{}` cannot be `{found}`{hint}", self.key))
        })
    }

    /// Visits the items of a list until one of them is wrong.
    pub fn each(self, visit: &mut dyn FnMut(Self) -> Read<()>) -> Read<()> {
        let mut done = Ok(());
        let mut visit = |_: &'a str, text: &'a str| {
            if done.is_ok() {
                done = visit(Part { text, ..self });
            }
        };
        let is_list = Deserializer::from_str(self.text).deserialize_seq(PartVisitor(&mut visit));
        self.expect(is_list.ok(), "a list")?;
        done
    }

    /// The values of an object.
    pub fn object(self) -> Read<Members<'a>> {
        let mut list = Vec::new();
        let mut visit = |key: &'a str, text: &'a str| {
            let key = key.trim_matches('"');
            list.push(Part { key, text, ..self });
        };
        let is_object = Deserializer::from_str(self.text).deserialize_map(PartVisitor(&mut visit));
        self.expect(is_object.ok(), "an object")?;
        Ok(Members { object: self, list })
    }
}

impl<'a> Members<'a> {
    /// The value of a key; none if it is `null`.
    pub fn get(&self, key: &str) -> Option<Part<'a>> {
        self.list.iter().copied().find(|part| part.key == key && part.text != "null")
    }

    /// The value of a key that has one.
    pub fn need(&self, key: &str) -> Read<Part<'a>> {
        self.get(key).ok_or_else(|| {
            let start = self.object.span().start;
            let place = Place::new(self.object.file, start..start + 1);
            Diagnostic::error(place, format!("`{key}` is missing"))
        })
    }

    pub fn string(&self, key: &str) -> Read<String> {
        self.need(key)?.string()
    }

    pub fn whole(&self, key: &str, range: RangeInclusive<i64>) -> Read<i64> {
        self.need(key)?.whole(range)
    }

    /// A whole number that may be missing.
    pub fn maybe_whole(&self, key: &str, range: RangeInclusive<i64>) -> Read<Option<i64>> {
        self.get(key).map(|number| number.whole(range)).transpose()
    }

    /// Visits the items of a list that may be missing.
    pub fn each(&self, key: &str, visit: &mut dyn FnMut(Part<'a>) -> Read<()>) -> Read<()> {
        self.get(key).map_or(Ok(()), |list| list.each(visit))
    }

    /// All values.
    pub fn all(self) -> Vec<Part<'a>> {
        self.list
    }
}
