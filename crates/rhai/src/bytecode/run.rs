//! Runs compiled code.
//!
//! Whatever Rhai would refuse, and whatever this code does not know, ends the run without a result: its effects are
//! undone, and the caller makes the same call in the interpreter, which reports it.

use super::about::About;
use super::answer::CompiledAnswer;
use super::arena::{Arena, TextSources};
use super::code::{Axis, Code, Op, REGISTERS, Reg};
use super::datum::Datum;
use super::operators::{Arithmetic, ComparedBy, negated};
use super::slots::{SlotSizes, SlotsOfCall, VarSlot};
use super::switch_hash::hash_of;
use hangtime_script::Limits;
use hangtime_script::Vector;
use hangtime_script::budget::{charge, charged};
use hangtime_script::calls::{CallMoment, MomentMark};

/// The registers of a function. Those of its constants are set once; all others are written before they are read.
pub(super) type Registers = [Datum; REGISTERS];

/// What compiled code works on, kept from call to call.
#[derive(Debug, Default)]
pub(crate) struct Machine {
    pub(super) arena: Arena,
    /// The registers of each function that has run, by its number.
    files: Vec<Option<Box<Registers>>>,
    /// The previous values of the variables that the call has written.
    undo: Vec<(u16, VarSlot)>,
}

/// What a call works on.
pub(crate) struct CallInputs<'a> {
    pub moment: &'a mut CallMoment,
    pub vars: SlotsOfCall<'a>,
    pub about: About<'a>,
    pub limits: &'a Limits,
}

impl Machine {
    /// Runs the function of this number and returns what `read` makes of its answer. The operations that it uses are
    /// charged to the running call. None if it could not be completed, or if `read` makes nothing of the answer;
    /// nothing has changed then except the operations that are left of the running call.
    pub fn run<T>(
        &mut self,
        (number, code): (usize, &Code),
        inputs: CallInputs<'_>,
        read: impl FnOnce(&CompiledAnswer<'_>) -> Option<T>,
    ) -> Option<T> {
        if self.files.len() <= number {
            self.files.resize_with(number + 1, || None);
        }
        let regs = self.files[number].get_or_insert_with(|| {
            let mut regs = Box::new([Datum::Nothing; REGISTERS]);
            let first = REGISTERS - code.consts.len();
            regs[first..].copy_from_slice(&code.consts);
            regs
        });
        self.arena.clear();
        self.undo.clear();
        let sizes = *inputs.vars.sizes;
        let mut run =
            CodeRun { regs, arena: &mut self.arena, undo: &mut self.undo, code, inputs, used: 0, mark: None, sizes };
        let result = run.steps();
        let answer =
            result.and_then(|datum| read(&CompiledAnswer { datum, arena: run.arena, code, texts: run.sources() }));
        let done = answer.filter(|_| charge(run.used).is_ok());
        if done.is_none() {
            run.forget();
        }
        done
    }

    /// What the last call has printed, line by line.
    pub fn printed(&self) -> impl Iterator<Item = &str> {
        let lines = self.arena.lines.iter();
        lines.map(|line| self.arena.texts[*line as usize].as_str())
    }
}

/// A call that runs.
pub(super) struct CodeRun<'r, 'c> {
    pub regs: &'r mut Registers,
    pub arena: &'r mut Arena,
    undo: &'r mut Vec<(u16, VarSlot)>,
    pub code: &'r Code,
    pub inputs: CallInputs<'c>,
    /// The operations used so far, except those that calls of the table have charged.
    pub used: u64,
    mark: Option<MomentMark>,
    /// The sizes of the variables before the call.
    sizes: SlotSizes,
}

impl CodeRun<'_, '_> {
    fn steps(&mut self) -> Option<Datum> {
        let ops = &self.code.ops[..];
        let mut at = 0;
        loop {
            let op = *ops.get(at)?;
            at += 1;
            match op {
                Op::Spend { cost } => self.used += u64::from(cost),
                Op::Jump { to, cost } => at = self.jump(to, cost),
                Op::Repeat { to, cost } => {
                    at = self.jump(to, cost);
                    self.check_budget()?;
                }
                Op::When { a, wanted, to, cost } => {
                    if self.flag(a, cost)? == wanted {
                        at = usize::from(to);
                    }
                }
                Op::UnlessCompared { by, a, b, to, cost } => {
                    self.used += u64::from(cost);
                    if !self.compared(by, a, b)? {
                        at = usize::from(to);
                    }
                }
                Op::WhenCompared { by, a, b, to, cost } => {
                    self.used += u64::from(cost);
                    if self.compared(by, a, b)? {
                        at = usize::from(to);
                    }
                }
                Op::Copy { to, from } => self.set(to, self.get(from)),
                Op::Compute { by, to, a, b } => self.compute(by, to, a, b)?,
                Op::ReadVar { to, slot } => self.read_var(to, slot),
                Op::WriteVar { slot, from } => self.write_var(slot, from)?,
                Op::ReadMe { to, property, body } => self.read_me(to, property, body)?,
                Op::ReadPart { to, property, part } => self.read_part(to, property, part)?,
                Op::Weigh { a } => self.weigh(self.get(a))?,
                Op::Call { to, call, args } => self.call(to, call, args)?,
                Op::Native { to, native, args } => self.native(to, native, args)?,
                Op::Return { a, cost } => {
                    self.used += u64::from(cost);
                    return Some(self.get(a));
                }
                Op::WhenSomething { a, to, cost } => {
                    self.used += u64::from(cost);
                    if !matches!(self.get(a), Datum::Nothing) {
                        at = usize::from(to);
                    }
                }
                Op::Next { at: counter, end, to, cost } => {
                    self.used += u64::from(cost);
                    if !self.next(counter, end)? {
                        at = usize::from(to);
                    }
                }
                Op::Switch { a, table } => at = self.case(a, table)?,
                other => self.seldom(other)?,
            }
        }
    }

    /// The steps that are seldom part of what runs in every tick.
    fn seldom(&mut self, op: Op) -> Option<()> {
        match op {
            Op::Not { to, a } => {
                let flag = self.flag(a, 0)?;
                self.set(to, Datum::Flag(!flag));
            }
            Op::Negate { to, a } => {
                let (value, cost) = negated(self.get(a))?;
                self.spend(cost);
                self.set(to, value);
            }
            Op::Assign { by, to, a, b } => {
                let (value, cost) = self.assigned(by, a, b)?;
                self.spend(cost);
                self.set(to, value);
            }
            Op::Compare { by, to, a, b } => {
                let flag = self.compared(by, a, b)?;
                self.set(to, Datum::Flag(flag));
            }
            Op::Contains { to, list, item } => self.contains(to, list, item)?,
            Op::WeighVars => self.used += self.inputs.vars.sizes.parts / crate::engine::weight::PARTS_IN_ONE,
            Op::ReadHook { to, field } => self.read_hook(to, field)?,
            Op::WriteMe { call, from } => self.write_me(call, from)?,
            Op::Unchanged { call } => self.unchanged(call)?,
            Op::ReadAbout { to, name } => self.read_about(to, name),
            Op::Member { to, from, name } => self.member(to, from, name)?,
            Op::Index { to, list, at } => self.index(to, list, at)?,
            Op::Part { to, of, axis } => {
                let Datum::Vec(v) = self.get(of) else {
                    return None;
                };
                self.set(to, Datum::Number(part(v, axis)));
            }
            Op::WriteBack { of } => self.write_back(of)?,
            Op::SetPart { of, from, axis } => self.set_part(of, from, axis)?,
            Op::Method { to, of, name, args, count } => self.method(to, of, (name, args, count))?,
            Op::Join { to, args, count } => self.join(to, args, count)?,
            Op::MakeRecord { to, record, args, count } => self.make_record(to, record, (args, count)),
            Op::MakeList { to, args, count } => self.make_list(to, args, count),
            Op::Print { a } => self.print(a)?,
            Op::CheckRange { a, b } => match (self.get(a), self.get(b)) {
                (Datum::Whole(_), Datum::Whole(_)) => {}
                _ => return None,
            },
            _ => return None,
        }
        Some(())
    }

    #[inline]
    pub fn get(&self, reg: Reg) -> Datum {
        self.regs[usize::from(reg)]
    }

    #[inline]
    pub fn set(&mut self, reg: Reg, value: Datum) {
        self.regs[usize::from(reg)] = value;
    }

    #[inline]
    pub fn spend(&mut self, cost: u32) {
        self.used += u64::from(cost);
    }

    #[inline]
    fn jump(&mut self, to: u16, cost: u16) -> usize {
        self.used += u64::from(cost);
        usize::from(to)
    }

    /// Ends the run if the call has used more operations than it may.
    fn check_budget(&self) -> Option<()> {
        (self.used + charged() <= self.inputs.limits.operations).then_some(())
    }

    #[inline]
    fn flag(&mut self, a: Reg, cost: u16) -> Option<bool> {
        self.used += u64::from(cost);
        match self.get(a) {
            Datum::Flag(flag) => Some(flag),
            _ => None,
        }
    }

    #[inline]
    fn compared(&mut self, by: ComparedBy, a: Reg, b: Reg) -> Option<bool> {
        let (a, b) = (self.get(a), self.get(b));
        if let (Datum::Number(a), Datum::Number(b)) = (a, b) {
            return Some(by.numbers(a, b));
        }
        if let (Datum::Text(a), Datum::Text(b)) = (a, b) {
            let texts = self.sources();
            return Some(match by {
                ComparedBy::Equal => texts.text(a) == texts.text(b),
                ComparedBy::Unequal => texts.text(a) != texts.text(b),
                _ => by.holds(texts.text(a).cmp(texts.text(b))),
            });
        }
        let (holds, cost) = by.of(a, b)?;
        self.spend(cost);
        Some(holds)
    }

    #[inline]
    fn compute(&mut self, by: Arithmetic, to: Reg, a: Reg, b: Reg) -> Option<()> {
        let (a, b) = (self.get(a), self.get(b));
        let value = if let (Datum::Number(a), Datum::Number(b)) = (a, b) {
            Datum::Number(by.number(a, b)?)
        } else if let (Datum::Text(a), Datum::Text(b), Arithmetic::Add) = (a, b, by) {
            self.join_two(a, b)?
        } else {
            let (value, cost) = by.of(a, b)?;
            self.spend(cost);
            value
        };
        self.set(to, value);
        Some(())
    }

    fn assigned(&mut self, by: Arithmetic, a: Reg, b: Reg) -> Option<(Datum, u32)> {
        match (self.get(a), self.get(b), by) {
            (Datum::Text(a), Datum::Text(b), Arithmetic::Add) => Some((self.join_two(a, b)?, 0)),
            (a, b, _) => by.assigned(a, b),
        }
    }

    #[inline]
    fn read_var(&mut self, to: Reg, slot: u16) {
        let value = self.inputs.vars.slots[usize::from(slot)].read(self.arena);
        self.set(to, value);
    }

    fn write_var(&mut self, slot: u16, from: Reg) -> Option<()> {
        let place = usize::from(slot);
        let value = match self.get(from) {
            Datum::Number(x) if x.is_finite() => VarSlot::Number(x),
            Datum::Flag(x) => VarSlot::Flag(x),
            Datum::Whole(x) => VarSlot::Whole(x),
            Datum::Nothing => VarSlot::Nothing,
            Datum::Vec(v) if [v.x, v.y, v.z].iter().all(|x| x.is_finite()) => VarSlot::Vec(v),
            Datum::Text(text) => VarSlot::Text(self.arena.to_text(text, self.sources())),
            _ => return None,
        };
        let previous = self.inputs.vars.write(place, value, self.inputs.limits)?;
        self.undo.push((slot, previous));
        Some(())
    }

    fn set_part(&mut self, of: Reg, from: Reg, axis: Axis) -> Option<()> {
        let (Datum::Vec(mut v), Some(x)) = (self.get(of), self.get(from).number()) else {
            return None;
        };
        match axis {
            Axis::X => v.x = x,
            Axis::Y => v.y = x,
            Axis::Z => v.z = x,
        }
        self.set(of, Datum::Vec(v));
        Some(())
    }

    /// Rhai calls the setter of what a method was called on, which finds the value unchanged.
    fn write_back(&mut self, of: Reg) -> Option<()> {
        match self.get(of) {
            Datum::Entity(_) => self.used += 1,
            Datum::Record(_) | Datum::Data(_) | Datum::About => {}
            _ => return None,
        }
        Some(())
    }

    /// The place of the case of a switch.
    fn case(&mut self, a: Reg, table: u16) -> Option<usize> {
        let value = self.get(a);
        let table = &self.code.switches[usize::from(table)];
        if matches!(value, Datum::Vec(_) | Datum::Me | Datum::Entity(_) | Datum::About) {
            return None;
        }
        let value = self.arena.to_dynamic(value, &self.code.data, self.sources())?;
        let hash = hash_of(&value);
        let found = table.cases.iter().find(|(case, _)| *case == hash);
        Some(usize::from(found.map_or(table.otherwise, |(_, to)| *to)))
    }

    fn next(&mut self, counter: Reg, end: Reg) -> Option<bool> {
        let (Datum::Whole(now), Datum::Whole(end)) = (self.get(counter), self.get(end)) else {
            return None;
        };
        let more = now < end;
        if more {
            self.set(counter, Datum::Whole(now + 1));
        }
        Some(more)
    }

    pub fn sources(&self) -> TextSources<'_> {
        TextSources { consts: &self.code.texts, made: &self.arena.texts, me: self.inputs.moment.me.view() }
    }

    /// Remembers the state that the moment has now, unless an earlier one is remembered.
    pub fn mark(&mut self) {
        if self.mark.is_none() {
            self.mark = Some(self.inputs.moment.mark());
        }
    }

    /// Undoes everything.
    #[cold]
    fn forget(&mut self) {
        if let Some(mark) = &self.mark {
            self.inputs.moment.return_to(mark);
        }
        while let Some((slot, previous)) = self.undo.pop() {
            self.inputs.vars.slots[usize::from(slot)] = previous;
        }
        *self.inputs.vars.sizes = self.sizes;
        self.arena.lines.clear();
    }
}

/// The component of a vec.
pub(super) fn part(v: Vector, axis: Axis) -> f64 {
    match axis {
        Axis::X => v.x,
        Axis::Y => v.y,
        Axis::Z => v.z,
    }
}
