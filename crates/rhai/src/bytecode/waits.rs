//! Maps of numbers and texts, which are handed over as they are, without making a map of Rhai: what a sequence remembers
//! over a wait, and what a rule answers.

use super::*;
use hangtime_script::{
    CallRefusal,
    calls::{ForeignValue, NotPlain, VisitEntry},
};

/// A map whose values are all plain values or texts.
pub struct FlatRecord<'a> {
    entries: &'a [(FieldName, Datum)],
    made: &'a [MadeText],
    consts: &'a [ImmutableString],
}

impl<'a> FlatRecord<'a> {
    /// The entries; none if one is a text of the entity or owns anything else.
    pub(super) fn of(
        entries: &'a [(FieldName, Datum)],
        made: &'a [MadeText],
        consts: &'a [ImmutableString],
    ) -> Option<Self> {
        let is_flat = |datum: Datum| match datum {
            Datum::Text(text) => !matches!(text, TextRef::OfMe(_)),
            other => other.is_plain(),
        };
        let all = entries.iter().all(|(_, datum)| is_flat(*datum));
        all.then_some(Self { entries, made, consts })
    }

    fn entries(&self) -> impl Iterator<Item = (&'a str, Arg<'a>)> + '_ {
        self.entries.iter().map(|(name, datum)| {
            let name = match *name {
                FieldName::Still(name) => name,
                FieldName::Const(place) => &self.consts[usize::from(place)],
            };
            let arg = match *datum {
                Datum::Text(TextRef::Const(place)) => Arg::Text(&self.consts[usize::from(place)]),
                Datum::Text(TextRef::Made(place)) => Arg::Text(self.made[place as usize].as_str()),
                other => other.arg().unwrap_or(Arg::Nothing),
            };
            (name, arg)
        })
    }
}

impl ForeignValue for FlatRecord<'_> {
    fn type_name(&self) -> &'static str {
        "a map"
    }

    fn take_size(&self, values: &mut usize, text: &mut usize) -> Option<()> {
        *values = values.checked_sub(1)?;
        self.entries().try_for_each(|(name, arg)| {
            *text = text.checked_sub(name.len())?;
            arg.take_size(values, text)
        })
    }

    fn to_plain(&self) -> Result<Value, NotPlain> {
        let entries = self.entries().map(|(name, arg)| Ok((name.to_string(), arg.to_plain()?)));
        entries.collect::<Result<_, _>>().map(Value::Map)
    }

    fn each_entry(&self, visit: VisitEntry<'_>) -> Result<(), CallRefusal> {
        self.entries().try_for_each(|(name, arg)| visit(name, arg))
    }
}

impl CodeRun<'_, '_> {
    /// Lets the sequence wait; false if what it remembers, the last argument, has to be handed over in the general way.
    pub fn wait(&mut self, call: &Call<CallMoment>, regs: &[Reg]) -> Option<bool> {
        let (last, others) = regs.split_last()?;
        let Datum::Record(map) = self.get(*last) else { return Some(false) };
        let (made, consts) = (&self.arena.texts, &self.code.texts);
        let Some(record) = FlatRecord::of(&self.arena.fields[map.range()], made, consts) else { return Some(false) };
        let mut all = [const { Arg::Nothing }; MOST_ARGS];
        for (arg, reg) in all.iter_mut().zip(others) {
            *arg = match self.regs[usize::from(*reg)] {
                Datum::Text(TextRef::Const(place)) => Arg::Text(&consts[usize::from(place)]),
                Datum::Text(TextRef::Made(place)) => Arg::Text(made[place as usize].as_str()),
                other => other.arg()?,
            };
        }
        all[others.len()] = Arg::Foreign(&record);
        call.answer(self.inputs.moment, &all[..regs.len()]).ok().map(|_| true)
    }
}
