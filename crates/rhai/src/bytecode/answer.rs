//! What a call of compiled code has answered.

use super::*;

/// The answer of a call, until the next call of the same machine.
pub(crate) struct CompiledAnswer<'a> {
    pub(super) datum: Datum,
    pub(super) arena: &'a Arena,
    pub(super) texts: TextSources<'a>,
}

impl<'a> CompiledAnswer<'a> {
    /// Whether it is `()`.
    pub fn is_nothing(&self) -> bool {
        matches!(self.datum, Datum::Nothing)
    }

    /// It, if it is true or false.
    pub fn flag(&self) -> Option<bool> {
        match self.datum {
            Datum::Flag(flag) => Some(flag),
            _ => None,
        }
    }

    /// It, if it is a number.
    pub fn number(&self) -> Option<f64> {
        self.datum.number()
    }

    /// It, if it is text.
    pub fn text(&self) -> Option<&'a str> {
        match self.datum {
            Datum::Text(text) => Some(self.texts.text(text)),
            _ => None,
        }
    }

    /// Its entries, if it is a map that holds numbers and was made by this call. None for other values, and if `seen`
    /// says so.
    pub fn numbers(&self, mut seen: impl FnMut(&str, f64) -> Option<()>) -> Option<()> {
        let Datum::Record(map) = self.datum else {
            return None;
        };
        let mut fields = self.arena.fields_of(map, self.texts);
        fields.try_for_each(|(key, value)| seen(key, value.number()?))
    }

    /// It as a value of Rhai; none for `me` and what the hook received.
    pub fn to_rhai(&self) -> Option<Dynamic> {
        self.arena.to_dynamic(self.datum, self.texts)
    }
}
