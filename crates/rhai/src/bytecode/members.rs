//! Steps of compiled code that read and call something: properties, calls of the table, methods.

use super::arena::{FieldName, MadeText};
use super::code::{Axis, PartOfMe, Reg, TableCall};
use super::datum::{ArenaPart, Datum, TextRef};
use super::natives::{Native, of_vec};
use super::run::{CodeRun, part};
use crate::api::HeldArg;
use hangtime_script::calls::fields_of_hook;
use hangtime_script::calls::{Answered, Arg, Call, CallAnswer, ENTITY_PROPERTIES};
use rhai::Dynamic;
use std::array::from_fn;
use std::mem::ManuallyDrop;

/// The largest number of parameters of a call.
const MOST_ARGS: usize = 6;

/// What reading or writing a component of a vec costs in addition to the step.
const PER_PART: u32 = 2;

impl CodeRun<'_, '_> {
    #[inline]
    pub fn read_me(&mut self, to: Reg, property: u16, body: bool) -> Option<()> {
        let me = &self.inputs.moment.me;
        if body && me.level {
            return None;
        }
        let answer = (ENTITY_PROPERTIES[usize::from(property)].read)(me.view());
        let value = match plain_value(Ok(answer)) {
            Ok(value) => value,
            Err(Ok(CallAnswer::Text(_))) => Datum::Text(TextRef::OfMe(property)),
            Err(_) => return None,
        };
        self.set(to, value);
        Some(())
    }

    #[inline]
    pub fn read_part(&mut self, to: Reg, property: u16, PartOfMe { axis, body }: PartOfMe) -> Option<()> {
        let me = &self.inputs.moment.me;
        if body && me.level {
            return None;
        }
        let CallAnswer::Vec(v) = (ENTITY_PROPERTIES[usize::from(property)].read)(me.view()) else {
            return None;
        };
        self.set(to, Datum::Number(part(v, axis)));
        Some(())
    }

    pub fn read_hook(&mut self, to: Reg, field: u8) -> Option<()> {
        let me = &self.inputs.moment.me;
        if me.level {
            return None;
        }
        let fields = fields_of_hook(&me.view().hook);
        let value = match fields.get(usize::from(field))?.1 {
            CallAnswer::Text(_) => {
                let state = MadeText::Still(me.view().hook.state.as_str());
                self.arena.make_text(state)
            }
            CallAnswer::Number(x) => Datum::Number(x),
            CallAnswer::Vec(v) => Datum::Vec(v),
            _ => return None,
        };
        self.set(to, value);
        Some(())
    }

    pub fn write_me(&mut self, call: u16, from: Reg) -> Option<()> {
        self.mark();
        let held;
        let arg = match self.get(from) {
            Datum::Number(x) => Arg::Number(x),
            Datum::Whole(x) => Arg::Whole(x),
            Datum::Vec(v) => Arg::Vec(v),
            Datum::Flag(x) => Arg::Flag(x),
            Datum::Nothing => Arg::Nothing,
            Datum::Text(text) => {
                held = self.arena.to_text(text, self.sources());
                Arg::Text(&held)
            }
            _ => return None,
        };
        let TableCall { call, .. } = self.code.calls[usize::from(call)];
        call.write(self.inputs.moment, arg).ok()
    }

    pub fn unchanged(&mut self, call: u16) -> Option<()> {
        let TableCall { call, .. } = self.code.calls[usize::from(call)];
        let answer = call.answer_again(self.inputs.moment, &[]);
        answer.ok().map(drop)
    }

    pub fn read_about(&mut self, to: Reg, name: u16) {
        let about = self.inputs.about;
        let me = self.inputs.moment.me.view();
        let value = about.field(&self.code.texts[usize::from(name)], me, self.arena);
        self.set(to, value);
    }

    /// Calls a function of the table.
    pub fn call(&mut self, to: Reg, call: u16, args: u16) -> Option<()> {
        let TableCall { call, quiet } = self.code.calls[usize::from(call)];
        if !quiet {
            self.mark();
        }
        let count = call.entry.parameters.len();
        let first = usize::from(args);
        let code = self.code;
        let regs = &code.args[first..first + count];
        let mut plain = [const { Arg::Nothing }; MOST_ARGS];
        for (arg, reg) in plain.iter_mut().zip(regs) {
            *arg = match self.get(*reg) {
                Datum::Nothing => Arg::Nothing,
                Datum::Flag(x) => Arg::Flag(x),
                Datum::Whole(x) => Arg::Whole(x),
                Datum::Number(x) => Arg::Number(x),
                Datum::Vec(v) => Arg::Vec(v),
                Datum::Text(TextRef::Const(place)) => Arg::Text(&code.texts[usize::from(place)]),
                _ => return self.call_with_made(to, call, regs),
            };
        }
        let answer = call.answer(self.inputs.moment, &plain[..count]);
        let value = match plain_value(answer) {
            Ok(value) => value,
            Err(answer) => {
                let kept = self.arena.keep(answer.ok()?, self.arena.texts.len());
                self.arena.settle_fresh();
                kept?
            }
        };
        self.set(to, value);
        Some(())
    }

    /// The same with arguments that the arena owns.
    fn call_with_made(&mut self, to: Reg, call: &Call, regs: &[Reg]) -> Option<()> {
        let code = self.code;
        for reg in regs {
            self.settle(*reg);
        }
        let data: [Option<Dynamic>; MOST_ARGS] = from_fn(|i| match self.get(*regs.get(i)?) {
            datum @ (Datum::Record(_) | Datum::List(_) | Datum::Data(_)) => {
                self.arena.to_dynamic(datum, &code.data, self.sources())
            }
            _ => None,
        });
        let held = data.each_ref().map(|data| data.as_ref().map(HeldArg::of));
        // The texts that the arguments borrow are put back when the answer is kept.
        let texts = std::mem::take(&mut self.arena.texts);
        let text = |text: TextRef| match text {
            TextRef::Const(place) => code.texts[usize::from(place)].as_str(),
            TextRef::Made(place) => texts[place as usize].as_str(),
            TextRef::OfMe(_) => "",
        };
        let mut known = true;
        let all: [Arg<'_>; MOST_ARGS] = from_fn(|i| {
            let Some(reg) = regs.get(i) else {
                return Arg::Nothing;
            };
            match self.get(*reg) {
                Datum::Nothing => Arg::Nothing,
                Datum::Flag(x) => Arg::Flag(x),
                Datum::Whole(x) => Arg::Whole(x),
                Datum::Number(x) => Arg::Number(x),
                Datum::Vec(v) => Arg::Vec(v),
                Datum::Text(place) => Arg::Text(text(place)),
                _ => match &held[i] {
                    Some(held) => held.arg(),
                    None => {
                        known = false;
                        Arg::Nothing
                    }
                },
            }
        });
        let answer = if known {
            call.answer(self.inputs.moment, &all[..regs.len()]).ok()
        } else {
            None
        };
        let kept = answer.and_then(|answer| self.arena.keep(answer, texts.len()));
        self.arena.texts = texts;
        self.arena.settle_fresh();
        self.set(to, kept?);
        Some(())
    }

    /// Copies a text of the entity, which a call may change.
    fn settle(&mut self, reg: Reg) {
        if let Datum::Text(text @ TextRef::OfMe(_)) = self.get(reg) {
            let copy = MadeText::OfRhai(self.arena.to_text(text, self.sources()));
            let copy = self.arena.make_text(copy);
            self.set(reg, copy);
        }
    }

    #[inline]
    pub fn native(&mut self, to: Reg, native: Native, args: u16) -> Option<()> {
        let first = usize::from(args);
        let args = &self.code.args[first..];
        let values = from_fn(|i| args.get(i).map_or(Datum::Nothing, |reg| self.get(*reg)));
        let value = native.of(values)?;
        self.set(to, value);
        Some(())
    }

    /// A property of a value of any type.
    pub fn member(&mut self, to: Reg, from: Reg, name: u16) -> Option<()> {
        let code = self.code;
        let member = &code.members[usize::from(name)];
        let value = match self.get(from) {
            Datum::Vec(v) => {
                self.spend(PER_PART);
                Datum::Number(part(v, member.axis?))
            }
            Datum::Entity(place) => {
                let view = self.arena.entities[place as usize].clone();
                let answer = member.of_entity?.see(&view).ok()?;
                let texts = self.arena.texts.len();
                let kept = self.arena.keep(answer, texts)?;
                self.arena.settle_fresh();
                kept
            }
            Datum::Record(map) => {
                let found = self.arena.field(map, &member.name, self.sources());
                found.unwrap_or(Datum::Nothing)
            }
            Datum::Data(data) => {
                let data = self.arena.data(data, &code.data);
                let found = data.as_map_ref().ok()?.get(member.name.as_str()).cloned();
                match found {
                    Some(value) => self.arena.make_dynamic(&value)?,
                    None => Datum::Nothing,
                }
            }
            Datum::About => {
                let me = self.inputs.moment.me.view();
                self.inputs.about.field(&member.name, me, self.arena)
            }
            _ => return None,
        };
        self.set(to, value);
        Some(())
    }

    /// An element of an array, counted from the end if the index is negative.
    pub fn index(&mut self, to: Reg, list: Reg, at: Reg) -> Option<()> {
        let Datum::Whole(at) = self.get(at) else {
            return None;
        };
        let place = |length: usize| match usize::try_from(at) {
            Ok(place) => Some(place),
            Err(_) => length.checked_sub(usize::try_from(at.unsigned_abs()).ok()?),
        };
        let value = match self.get(list) {
            Datum::List(list) => {
                let items = &self.arena.items[list.range()];
                *items.get(place(items.len())?)?
            }
            Datum::Data(data) => {
                let data = self.arena.data(data, &self.code.data);
                let list = data.as_array_ref().ok()?;
                let item = list.get(place(list.len())?)?.clone();
                drop(list);
                self.arena.make_dynamic(&item)?
            }
            _ => return None,
        };
        self.set(to, value);
        Some(())
    }

    /// A method of a value of any type.
    pub fn method(&mut self, to: Reg, of: Reg, call: (u16, u16, u8)) -> Option<()> {
        let (name, args, count) = call;
        let code = self.code;
        let name = code.texts[usize::from(name)].as_str();
        let first = usize::from(args);
        let regs = &code.args[first..first + usize::from(count)];
        let values: [Datum; 2] = from_fn(|i| regs.get(i).map_or(Datum::Nothing, |reg| self.get(*reg)));
        let args = values.get(..regs.len())?;
        let (value, cost) = match self.get(of) {
            Datum::Vec(v) => of_vec(v, name, args)?,
            Datum::Text(text) => self.method_of_text(text, name, args)?,
            Datum::List(list) if name == "len" && args.is_empty() => length_of_list(list),
            Datum::Data(data) => {
                let data = self.arena.data(data, &code.data);
                match (name, args) {
                    ("len", []) => length_of_array(data)?,
                    _ => return None,
                }
            }
            _ => return None,
        };
        self.spend(cost);
        self.set(to, value);
        Some(())
    }

    /// A map with the keys of a literal.
    pub fn make_record(&mut self, to: Reg, record: u16, (args, count): (u16, u8)) {
        let first = usize::from(args);
        let code = self.code;
        let regs = &code.args[first..first + usize::from(count)];
        let keys = code.records[usize::from(record)].iter();
        let regs_of_call = &*self.regs;
        let entries = keys.zip(regs).map(|(key, reg)| (FieldName::Const(*key), regs_of_call[usize::from(*reg)]));
        let map = self.arena.make_record(entries);
        self.set(to, map);
    }

    pub fn make_list(&mut self, to: Reg, args: u16, count: u8) {
        let first = usize::from(args);
        let regs = &self.code.args[first..first + usize::from(count)];
        let start = self.arena.items.len() as u32;
        let items = regs.iter().map(|reg| self.regs[usize::from(*reg)]);
        self.arena.items.extend(items);
        let count = u32::from(count);
        self.set(to, Datum::List(ArenaPart { start, count }));
    }
}

/// What an array costs that is asked for its length, and how many parts of it are looked at for one operation.
const PER_LENGTH: u32 = 3;

fn length_of_list(list: ArenaPart) -> (Datum, u32) {
    let looked = list.count / crate::engine::weight::PARTS_IN_ONE as u32;
    (Datum::Whole(i64::from(list.count)), PER_LENGTH + looked)
}

fn length_of_array(data: &Dynamic) -> Option<(Datum, u32)> {
    use crate::engine::weight::{PARTS_IN_ONE, parts};
    let list = data.as_array_ref().ok()?;
    let looked = list.iter().map(parts).sum::<u64>() / PARTS_IN_ONE;
    let length = i64::try_from(list.len()).ok()?;
    Some((Datum::Whole(length), PER_LENGTH + looked as u32))
}

/// The value of an answer that owns and borrows nothing; any other answer as an error.
#[inline]
fn plain_value(answer: Answered<'_>) -> Result<Datum, Answered<'_>> {
    // What owns nothing need not be dropped, which saves a call for each answer.
    let answer = ManuallyDrop::new(answer);
    Ok(match &*answer {
        Ok(CallAnswer::Number(x)) => Datum::Number(*x),
        Ok(CallAnswer::Flag(x)) => Datum::Flag(*x),
        Ok(CallAnswer::Nothing) => Datum::Nothing,
        Ok(CallAnswer::Whole(x)) => Datum::Whole(*x),
        Ok(CallAnswer::Vec(v)) => Datum::Vec(*v),
        _ => return Err(ManuallyDrop::into_inner(answer)),
    })
}

/// The components of a vec, by their names.
pub(super) fn axis_named(name: &str) -> Option<Axis> {
    Some(match name {
        "x" => Axis::X,
        "y" => Axis::Y,
        "z" => Axis::Z,
        _ => return None,
    })
}
