//! What a call of compiled code has answered.

use super::{waits::FlatRecord, *};

/// The answer of a call, until the next call of the same machine.
pub struct CompiledAnswer<'a> {
    pub(super) datum: Datum,
    pub(super) arena: &'a Arena,
    pub(super) code: &'a Code,
    pub(super) me: &'a MeState,
}

impl<'a> CompiledAnswer<'a> {
    fn texts(&self) -> TextSources<'a> {
        TextSources::of(self.code, self.arena, self.me)
    }

    /// It as an argument, if it is neither a list nor a map.
    pub fn simple(&self) -> Option<Arg<'a>> {
        Some(match self.datum {
            Datum::Nothing => Arg::Nothing,
            Datum::Flag(flag) => Arg::Flag(flag),
            Datum::Whole(x) => Arg::Whole(x),
            Datum::Number(x) => Arg::Number(x),
            Datum::Text(text) => Arg::Text(self.texts().text(text)),
            Datum::Vec(v) => Arg::Vec(v),
            _ => return None,
        })
    }

    /// It as a map, if that has only plain values and texts.
    pub fn record(&self) -> Option<FlatRecord<'a>> {
        let Datum::Record(map) = self.datum else { return None };
        FlatRecord::of(&self.arena.fields[map.range()], &self.arena.texts, &self.code.texts)
    }

    /// It as a value of Rhai; none for `me` and what the hook received.
    pub fn to_rhai(&self) -> Option<Dynamic> {
        self.arena.to_dynamic(self.datum, self.texts())
    }
}
