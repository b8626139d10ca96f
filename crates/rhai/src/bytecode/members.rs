//! Steps of compiled code that read and call something: properties, calls of the table, methods.

use super::*;

/// The largest number of parameters of a call.
pub const MOST_ARGS: usize = 6;

/// What reading or writing a component of a vec costs in addition to the step.
const PER_PART: u32 = 2;

impl CodeRun<'_, '_> {
    #[inline]
    pub fn read_me(&mut self, to: Reg, property: u16, body: bool) -> Option<()> {
        let me = &self.inputs.moment.me;
        if body && me.level {
            return None;
        }
        // As in `plain_value`. What is a list is no step of this kind.
        let answer = ManuallyDrop::new((ENTITY_PROPERTIES[usize::from(property)].read)(me.view()));
        self.regs[usize::from(to)] = match &*answer {
            CallAnswer::Text(_) => Datum::Text(TextRef::OfMe(property)),
            other => plain_answer(other)?,
        };
        Some(())
    }

    #[inline]
    pub fn read_part(&self, property: u16, PartOfMe { axis, body }: PartOfMe) -> Option<Datum> {
        let me = &self.inputs.moment.me;
        if body && me.level {
            return None;
        }
        match (ENTITY_PROPERTIES[usize::from(property)].read)(me.view()) {
            CallAnswer::Vec(v) => Some(Datum::Number(part(v, axis))),
            _ => None,
        }
    }

    pub fn read_hook(&mut self, field: u8) -> Option<Datum> {
        let me = &self.inputs.moment.me;
        if me.level {
            return None;
        }
        let hook = &me.view().hook;
        let mut fields = fields_of_hook(hook).into_iter();
        let value = plain_value(Ok(fields.nth(usize::from(field))?.1));
        Some(value.unwrap_or_else(|_| self.arena.make_text(MadeText::Still(hook.state.as_str()))))
    }

    #[inline(never)]
    pub fn write_me(&mut self, call: u16, from: Reg) -> Option<()> {
        self.mark();
        let held;
        let arg = match self.get(from) {
            Datum::Text(text) => {
                held = self.arena.to_text(text, self.sources());
                Arg::Text(&held)
            }
            datum => datum.arg()?,
        };
        let TableCall { call, .. } = self.code.calls[usize::from(call)];
        call.write(self.inputs.moment, arg).ok()
    }

    /// Calls a function of the table.
    #[inline(never)]
    pub fn call(&mut self, call: u16, args: u16) -> Option<Datum> {
        let TableCall { call, quiet, waits } = self.code.calls[usize::from(call)];
        if !quiet {
            self.mark();
        }
        let code = self.code;
        let regs = code.args(args);
        if waits && self.wait(call, regs)? {
            return Some(Datum::Nothing);
        }
        let mut plain = [const { Arg::Nothing }; MOST_ARGS];
        for (arg, reg) in plain.iter_mut().zip(regs) {
            *arg = match self.get(*reg) {
                Datum::Text(TextRef::Const(place)) => Arg::Text(&code.texts[usize::from(place)]),
                datum => match datum.arg() {
                    Some(arg) => arg,
                    None => return self.call_with_made(call, regs),
                },
            };
        }
        match plain_value(call.answer(self.inputs.moment, &plain[..regs.len()])) {
            Ok(value) => Some(value),
            Err(answer) => self.arena.keep(answer.ok()?),
        }
    }

    /// The same with arguments that the arena owns.
    fn call_with_made(&mut self, call: &Call<CallMoment>, regs: &[Reg]) -> Option<Datum> {
        let code = self.code;
        for reg in regs {
            self.settle(*reg);
        }
        let data: [Option<Dynamic>; MOST_ARGS] = from_fn(|i| match self.get(*regs.get(i)?) {
            datum @ (Datum::Record(_) | Datum::List(_) | Datum::Data(_)) => {
                self.arena.to_dynamic(datum, self.sources())
            }
            _ => None,
        });
        let held = data.each_ref().map(|data| data.as_ref().map(HeldArg::of));
        // The texts that the arguments borrow are put back when the answer is kept.
        let mut texts = std::mem::take(&mut self.arena.texts);
        self.arena.before = texts.len();
        let mut all = [const { Arg::Nothing }; MOST_ARGS];
        let known = all.iter_mut().zip(regs).zip(&held).all(|((arg, reg), held)| {
            let given = match self.get(*reg) {
                Datum::Text(TextRef::Const(place)) => Some(Arg::Text(&code.texts[usize::from(place)])),
                Datum::Text(TextRef::Made(place)) => Some(Arg::Text(texts[place as usize].as_str())),
                datum => held.as_ref().map(HeldArg::arg).or(datum.arg()),
            };
            given.map(|given| *arg = given).is_some()
        });
        let answer = known.then(|| call.answer(self.inputs.moment, &all[..regs.len()]).ok()).flatten();
        let kept = answer.and_then(|answer| self.arena.keep(answer));
        self.arena.before = 0;
        texts.append(&mut self.arena.texts);
        self.arena.texts = texts;
        kept
    }

    /// Copies a text of the entity, which a call may change.
    fn settle(&mut self, reg: Reg) {
        if let Datum::Text(text @ TextRef::OfMe(_)) = self.get(reg) {
            let copy = MadeText::OfRhai(self.arena.to_text(text, self.sources()));
            let copy = self.arena.make_text(copy);
            self.set(reg, copy);
        }
    }

    /// A property of a value of any type.
    pub fn member(&mut self, from: Datum, name: u16) -> Option<Datum> {
        let code = self.code;
        let member = &code.members[usize::from(name)];
        match from {
            Datum::Vec(v) => {
                self.spend(PER_PART);
                Some(Datum::Number(part(v, member.axis?)))
            }
            Datum::Entity(place) => {
                let view = &self.arena.entities[place as usize];
                match plain_value(member.of_entity?.answer(view, &[])) {
                    Ok(value) => Some(value),
                    Err(answer) => {
                        let owned = answer.ok()?.into_owned();
                        self.arena.keep(owned)
                    }
                }
            }
            Datum::Record(map) => {
                let found = self.arena.field(map, &member.name, self.sources());
                Some(self.arena.share(found.unwrap_or(Datum::Nothing)))
            }
            Datum::Data(data) => {
                let data = self.arena.data(data, &code.data);
                let found = data.as_map_ref().ok()?.get(member.name.as_str()).cloned();
                self.arena.make_dynamic(found.unwrap_or_default())
            }
            Datum::About => Some(self.arena.make_field(self.inputs.about.field(&member.name))),
            _ => None,
        }
    }

    /// An element of an array, counted from the end if the index is negative.
    pub fn index(&mut self, list: Datum, at: Datum) -> Option<Datum> {
        let Datum::Whole(at) = at else {
            return None;
        };
        match list {
            Datum::List(list) => {
                let items = &self.arena.items[list.range()];
                let item = *items.get(place_of(items.len(), at)?)?;
                Some(self.arena.share(item))
            }
            Datum::Data(data) => {
                let data = self.arena.data(data, &self.code.data);
                let list = data.as_array_ref().ok()?;
                let item = list.get(place_of(list.len(), at)?)?.clone();
                drop(list);
                self.arena.make_dynamic(item)
            }
            _ => None,
        }
    }

    /// A method of a value of any type.
    pub fn method(&mut self, of: Reg, name: u16, args: u16) -> Option<Datum> {
        let code = self.code;
        let name = code.texts[usize::from(name)].as_str();
        let regs = code.args(args);
        let values: [Datum; 2] = from_fn(|i| regs.get(i).map_or(Datum::Nothing, |reg| self.get(*reg)));
        let args = values.get(..regs.len())?;
        let paid = match self.get(of) {
            Datum::Vec(v) => of_vec(v, name, args)?,
            Datum::Text(text) => self.method_of_text(text, name, args)?,
            _ => return None,
        };
        Some(self.paid(paid))
    }

    /// Fails if Rhai would refuse a literal with these parts because it is too large. Each part counts as `each` in addition
    /// to what is in it.
    pub fn check_literal(&self, args: u16, each: DataSize) -> Option<()> {
        let mut all = DataSize::default();
        for reg in self.code.args(args) {
            all.add(each);
            all.add(self.size(self.get(*reg))?);
        }
        all.check(self.inputs.limits)
    }

    /// How large Rhai finds a value.
    pub fn size(&self, value: Datum) -> Option<DataSize> {
        let mut all = DataSize::default();
        match value {
            Datum::Text(text) => all.text = self.sources().text(text).len(),
            Datum::List(list) => {
                all.elements = list.count as usize;
                for item in &self.arena.items[list.range()] {
                    all.add(self.size(*item)?);
                }
            }
            Datum::Record(map) => {
                all.entries = map.count as usize;
                for (_, value) in &self.arena.fields[map.range()] {
                    all.add(self.size(*value)?);
                }
            }
            Datum::Data(data) => all = DataSize::of(self.arena.data(data, &self.code.data)),
            Datum::About => return None,
            _ => {}
        }
        Some(all)
    }

    /// A map with the keys of a literal.
    pub fn make_record(&mut self, record: u16, args: u16) -> Datum {
        let keys = self.code.records[usize::from(record)].iter();
        let values = self.code.args(args).iter().map(|reg| self.regs[usize::from(*reg)]);
        self.arena.make_record(keys.map(|key| FieldName::Const(*key)).zip(values))
    }
}

/// How large Rhai finds a value, which it compares with its limits.
#[derive(Clone, Copy, Debug, Default)]
pub struct DataSize {
    pub elements: usize,
    pub entries: usize,
    /// Bytes of text, without keys.
    pub text: usize,
}

impl DataSize {
    fn add(&mut self, other: Self) {
        self.elements += other.elements;
        self.entries += other.entries;
        self.text += other.text;
    }

    /// None if Rhai would refuse it.
    pub fn check(self, limits: &Limits) -> Option<()> {
        let fits = self.elements <= limits.array && self.entries <= limits.map && self.text <= limits.string;
        fits.then_some(())
    }

    pub fn of(value: &Dynamic) -> Self {
        let mut all = Self::default();
        if !is_heavy(value) {
            return all;
        }
        if let Ok(list) = value.as_array_ref() {
            all.elements = list.len();
            list.iter().for_each(|item| all.add(Self::of(item)));
        } else if let Ok(map) = value.as_map_ref() {
            all.entries = map.len();
            map.values().for_each(|item| all.add(Self::of(item)));
        } else if let Ok(text) = value.as_immutable_string_ref() {
            all.text = text.len();
        }
        all
    }
}

/// What an array or a map costs that is asked for its length, and how many parts of it are looked at for one operation.
const PER_LENGTH: u32 = 3;

/// The length of an array or a map with these parts, and what it costs.
pub fn length(items: usize, parts: u64) -> (Datum, u32) {
    (Datum::Whole(items as i64), PER_LENGTH + (parts / PARTS_IN_ONE) as u32)
}

/// The value of an answer that owns and borrows nothing; any other answer as an error.
#[inline]
fn plain_value(answer: Answered) -> Result<Datum, Answered> {
    // What owns nothing need not be dropped, which saves a call for each answer.
    let answer = ManuallyDrop::new(answer);
    let plain = answer.as_ref().ok().and_then(plain_answer);
    plain.ok_or_else(|| ManuallyDrop::into_inner(answer))
}

#[inline]
fn plain_answer(answer: &CallAnswer) -> Option<Datum> {
    Some(match answer {
        CallAnswer::Number(x) => Datum::Number(*x),
        CallAnswer::Flag(x) => Datum::Flag(*x),
        CallAnswer::Nothing => Datum::Nothing,
        CallAnswer::Whole(x) => Datum::Whole(*x),
        CallAnswer::Vec(v) => Datum::Vec(*v),
        _ => return None,
    })
}

/// The components of a vec, by their names.
pub fn axis_named(name: &str) -> Option<Axis> {
    Some(match name {
        "x" => Axis::X,
        "y" => Axis::Y,
        "z" => Axis::Z,
        _ => return None,
    })
}
