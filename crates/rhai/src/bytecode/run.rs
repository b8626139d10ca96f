//! Runs compiled code.
//!
//! Whatever Rhai would refuse, and whatever this code does not know, ends the run without a result: its effects are
//! undone, and the caller makes the same call in the interpreter, which reports it.

use super::*;

/// The registers of a function. Its constants are set once; all other registers are written before they are read.
pub type Registers = [Datum; REGISTERS];

/// What compiled code works on, kept from call to call.
#[derive(Debug, Default)]
pub struct Machine {
    pub(super) arena: Arena,
    /// The registers of each function that has run, by its number.
    files: Vec<Option<Box<Registers>>>,
    undo: Undo,
    /// Whether the last call has used more operations than it may.
    pub is_spent: bool,
    /// What the lines of all its calls have used, if their code counts that.
    pub lines: LineCosts,
}

/// The values that variables had before the call, if it has written them.
#[derive(Debug, Default)]
pub struct Undo {
    values: Vec<(u16, VarSlot)>,
    /// Whether the value of each variable is there.
    is_remembered: Vec<bool>,
    /// The sizes of the variables before the call, if it has changed them.
    sizes: Option<SlotSizes>,
}

impl Undo {
    /// Begins with these variables. Forgets everything.
    #[inline(always)]
    pub fn begin(&mut self, vars: &SlotsOfCall<'_>) {
        while let Some((slot, _)) = self.values.pop() {
            self.is_remembered[usize::from(slot)] = false;
        }
        self.sizes = None;
        if self.is_remembered.len() != vars.slots.len() {
            self.is_remembered.resize(vars.slots.len(), false);
        }
    }

    /// Remembers the value that a variable has before the call changes it.
    pub fn remember(&mut self, slot: u16, vars: &SlotsOfCall<'_>) {
        let place = usize::from(slot);
        self.sizes.get_or_insert(*vars.sizes);
        if !std::mem::replace(&mut self.is_remembered[place], true) {
            self.values.push((slot, vars.slots[place].clone()));
        }
    }

    /// The same where the new value is as large.
    #[inline]
    fn remember_plain(&mut self, slot: u16, was: Datum) {
        if !std::mem::replace(&mut self.is_remembered[usize::from(slot)], true) {
            self.values.push((slot, VarSlot::Plain(was)));
        }
    }

    /// Makes the variables what they were.
    pub fn restore(&self, vars: &mut SlotsOfCall<'_>) {
        for (slot, previous) in &self.values {
            vars.slots[usize::from(*slot)].clone_from(previous);
        }
        if let Some(sizes) = self.sizes {
            *vars.sizes = sizes;
        }
    }
}

/// What a call works on.
pub struct CallInputs<'a> {
    /// It has a checkpoint where the call begins.
    pub moment: &'a mut CallMoment,
    pub vars: SlotsOfCall<'a>,
    pub about: &'a About<'a>,
    pub limits: &'a Limits,
    /// The layers below that it may enter, if there are any.
    pub below: Option<Vec<LayerBelow<'a>>>,
}

impl Machine {
    /// Runs the function of this number and lets `read` take its answer. The operations that it uses are charged to the
    /// running call, and what keeping the variables costs to the tick. False if it could not be completed, or if `read`
    /// does not take the answer; nothing has changed then except the operations that are left of the running call.
    #[inline(always)]
    pub fn run(
        &mut self,
        (number, code): (usize, &Code),
        inputs: &mut CallInputs<'_>,
        read: impl FnOnce(&CompiledAnswer<'_>) -> bool,
    ) -> bool {
        if self.files.len() <= number {
            self.files.resize_with(number + 1, || None);
        }
        let regs = self.files[number].get_or_insert_with(|| code.registers());
        self.arena.clear();
        self.undo.begin(&inputs.vars);
        // A call that enters no other layer stays in its own.
        let layer = inputs.moment.me.layer().filter(|_| inputs.below.is_some()).cloned();
        let mut run = CodeRun {
            regs,
            arena: &mut self.arena,
            undo: &mut self.undo,
            lines: &mut self.lines,
            code,
            inputs,
            used: 0,
            before: None,
            keeping: 0,
            passed_object: false,
        };
        let result = run.steps();
        let taken = result
            .is_some_and(|datum| read(&CompiledAnswer { datum, arena: run.arena, code, me: &run.inputs.moment.me }));
        let done = taken && charge(run.used).is_ok();
        if done {
            charge_tick(run.keeping + run.inputs.vars.sizes.price_to_keep());
        } else {
            self.is_spent = is_spent() || run.is_over();
            run.forget(layer);
        }
        // The next phase would copy a view that is still held, not write it in its place.
        self.arena.entities.clear();
        done
    }

    /// What the last call has printed, line by line.
    pub fn printed(&self) -> impl Iterator<Item = &str> {
        let lines = self.arena.lines.iter();
        lines.map(|line| self.arena.texts[*line as usize].as_str())
    }
}

/// A call that runs.
pub struct CodeRun<'r, 'c> {
    pub regs: &'r mut Registers,
    pub arena: &'r mut Arena,
    pub undo: &'r mut Undo,
    lines: &'r mut LineCosts,
    pub code: &'r Code,
    pub inputs: &'r mut CallInputs<'c>,
    /// The operations used so far, except those that calls of the table have charged.
    pub used: u64,
    /// The state before the first change of the moment.
    before: Option<MomentCounts>,
    /// What keeping the variables of layers below costs the tick.
    pub keeping: u64,
    /// Whether the last path went through an entity or a vec.
    pub passed_object: bool,
}

impl CodeRun<'_, '_> {
    fn steps(&mut self) -> Option<Datum> {
        let ops = &self.code.ops[..];
        let mut rest = ops.iter();
        loop {
            match *rest.next()? {
                Op::Spend { cost } => self.spend(cost),
                Op::Jump { to, cost } => {
                    self.spend(cost);
                    rest = ops[usize::from(to)..].iter();
                }
                Op::Repeat { to, cost } => {
                    self.spend(cost);
                    rest = ops[usize::from(to)..].iter();
                    self.check_budget()?;
                }
                Op::When { a, wanted, to, cost } => {
                    self.spend(cost);
                    if self.flag(a)? == wanted {
                        rest = ops[usize::from(to)..].iter();
                    }
                }
                Op::UnlessCompared { by, a, b, to, cost } => {
                    self.spend(cost);
                    if !self.compared(by, a, b)? {
                        rest = ops[usize::from(to)..].iter();
                    }
                }
                Op::WhenCompared { by, a, b, to, cost } => {
                    self.spend(cost);
                    if self.compared(by, a, b)? {
                        rest = ops[usize::from(to)..].iter();
                    }
                }
                Op::Copy { to, from } => self.set(to, self.get(from)),
                Op::Compute { by, to, a, b } => {
                    let value = self.computed(by, a, b)?;
                    self.set(to, value);
                }
                Op::Assign { by, to, a, b } => {
                    let value = self.assigned(by, self.get(a), self.get(b))?;
                    self.set(to, value);
                }
                Op::ReadVar { to, slot } => {
                    let slot = &self.inputs.vars.slots[usize::from(slot)];
                    self.regs[usize::from(to)] = match slot {
                        VarSlot::Plain(plain) => *plain,
                        other => other.read(self.arena),
                    };
                }
                Op::WeighVars => self.spend(self.inputs.vars.sizes.parts / PARTS_IN_ONE),
                Op::WriteVar { slot, from } => self.write_var(slot, self.get(from))?,
                Op::ReadMe { to, property, body } => self.read_me(to, property, body)?,
                Op::ReadPart { to, property, part } => self.set(to, self.read_part(property, part)?),
                Op::WriteMe { call, from } => self.write_me(call, from)?,
                Op::Weigh { a } => self.weigh(self.get(a))?,
                Op::Call { to, call, args } => {
                    let value = self.call(call, args)?;
                    self.set(to, value);
                }
                Op::Native { to, native, args } => {
                    let args = self.code.args(args);
                    let values = from_fn(|i| args.get(i).map_or(Datum::Nothing, |reg| self.get(*reg)));
                    self.set(to, native.of(values)?);
                }
                Op::Return { a, cost } => {
                    self.spend(cost);
                    return Some(self.get(a));
                }
                Op::WhenSomething { a, to, cost } => {
                    self.spend(cost);
                    if !matches!(self.get(a), Datum::Nothing) {
                        rest = ops[usize::from(to)..].iter();
                    }
                }
                Op::Next { at: counter, end, to, cost } => {
                    self.spend(cost);
                    if !self.next(counter, end)? {
                        rest = ops[usize::from(to)..].iter();
                    }
                }
                Op::NextItem { list, at: place, item, to, cost } => {
                    self.spend(cost);
                    if !self.next_item(list, place, item)? {
                        rest = ops[usize::from(to)..].iter();
                    }
                }
                Op::Switch { a, table } => rest = ops[self.case(a, table)?..].iter(),
                other => self.seldom(other)?,
            }
        }
    }

    /// The steps that are seldom part of what runs in every tick.
    fn seldom(&mut self, op: Op) -> Option<()> {
        let (to, value) = match op {
            Op::Not { to, a } => (to, Datum::Flag(!self.flag(a)?)),
            Op::Negate { to, a } => (to, self.paid(negated(self.get(a))?)),
            Op::Compare { by, to, a, b } => (to, Datum::Flag(self.compared(by, a, b)?)),
            Op::Contains { to, list, item } => (to, self.contains(list, item)?),
            Op::ReadHook { to, field } => (to, self.read_hook(field)?),
            Op::ReadAbout { to, name } => {
                let field = self.inputs.about.field(&self.code.texts[usize::from(name)]);
                (to, self.arena.make_field(field))
            }
            Op::Member { to, from, name } => (to, self.member(self.get(from), name)?),
            Op::Index { to, list, at } => (to, self.index(self.get(list), self.get(at))?),
            Op::Walk { to, path } => (to, self.walk(path)?),
            Op::PlaceMethod { to, path, method, args } => (to, self.place_method(method, path, args)?),
            Op::Part { to, of, axis } => match self.get(of) {
                Datum::Vec(v) => (to, Datum::Number(part(v, axis))),
                _ => return None,
            },
            Op::SetPart { of, from, axis } => match self.get(of) {
                Datum::Vec(v) => (of, Datum::Vec(with_part(v, self.get(from).number()?, axis))),
                _ => return None,
            },
            Op::Method { to, of, name, args } => (to, self.method(of, name, args)?),
            Op::Join { to, args } => (to, self.join(args)?),
            Op::MakeRecord { to, record, args } => {
                self.check_literal(args, DataSize { entries: 1, ..DataSize::default() })?;
                (to, self.make_record(record, args))
            }
            Op::MakeList { to, args } => {
                self.check_literal(args, DataSize { elements: 1, ..DataSize::default() })?;
                let items = self.code.args(args).iter().map(|reg| self.regs[usize::from(*reg)]);
                (to, self.arena.make_list(items))
            }
            other => return self.affect(other),
        };
        self.set(to, value);
        Some(())
    }

    /// The steps that have no result.
    fn affect(&mut self, op: Op) -> Option<()> {
        match op {
            Op::EnterLayer { layer } => self.exchange_layer(layer)?,
            Op::LeaveLayer { layer } => {
                self.keeping += self.inputs.vars.sizes.price_to_keep();
                self.exchange_layer(layer)?;
            }
            Op::Unchanged { call } => {
                let call = self.code.calls[usize::from(call)].call;
                call.unpriced(self.inputs.moment, &[]).ok()?;
            }
            Op::WeighPart { a, unknown } => self.weigh_part(self.get(a), unknown)?,
            Op::WeighChange { path } => {
                let parts = self.parts_at(path)?;
                self.spend(parts / PARTS_IN_ONE);
            }
            Op::WeighPlaces { path } => self.weigh_places(path)?,
            Op::WritePart { path, from, by } => self.write_part(path, from, by)?,
            Op::Print { a } => self.print(a)?,
            Op::Line { line } => self.lines.pass(line.into(), self.used + charged()),
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
    pub fn spend(&mut self, cost: impl Into<u64>) {
        self.used += cost.into();
    }

    /// A result, whose cost is spent.
    pub fn paid<T>(&mut self, (result, cost): (T, u32)) -> T {
        self.spend(cost);
        result
    }

    /// Ends the run if the call has used more operations than it may.
    fn check_budget(&self) -> Option<()> {
        (!self.is_over() && !is_interrupted_after(self.used + charged())).then_some(())
    }

    fn is_over(&self) -> bool {
        self.used + charged() > self.inputs.limits.operations
    }

    #[inline]
    fn flag(&self, a: Reg) -> Option<bool> {
        match self.get(a) {
            Datum::Flag(flag) => Some(flag),
            _ => None,
        }
    }

    #[inline]
    fn compared(&mut self, by: ComparedBy, a: Reg, b: Reg) -> Option<bool> {
        // In place: copies of values that are only looked at take longer than the comparison.
        let (a, b) = (&self.regs[usize::from(a)], &self.regs[usize::from(b)]);
        if let (Datum::Whole(a), Datum::Whole(b)) = (a, b) {
            return Some(by.holds(a.cmp(b)));
        }
        if let (Some(a), Some(b)) = (a.number(), b.number()) {
            return Some(by.numbers(a, b));
        }
        let (a, b) = (*a, *b);
        self.compared_otherwise(by, a, b)
    }

    #[inline(never)]
    fn compared_otherwise(&mut self, by: ComparedBy, a: Datum, b: Datum) -> Option<bool> {
        if let (Datum::Text(a), Datum::Text(b)) = (a, b) {
            let texts = self.sources();
            return Some(match by {
                ComparedBy::Equal => texts.text(a) == texts.text(b),
                ComparedBy::Unequal => texts.text(a) != texts.text(b),
                _ => by.holds(texts.text(a).cmp(texts.text(b))),
            });
        }
        let compared = by.of(self.alike(a), self.alike(b))?;
        Some(self.paid(compared))
    }

    /// A value of the same type whose type is known, to compare it with one of another type.
    fn alike(&self, value: Datum) -> Datum {
        let Datum::Data(data) = value else { return value };
        let (data, empty) = (self.arena.data(data, &self.code.data), ArenaPart { start: 0, count: 0 });
        match data {
            data if data.is_array() => Datum::List(empty),
            data if data.is_map() => Datum::Record(empty),
            _ => value,
        }
    }

    #[inline]
    fn computed(&mut self, by: Arithmetic, a: Reg, b: Reg) -> Option<Datum> {
        match (self.get(a), self.get(b)) {
            (Datum::Number(a), Datum::Number(b)) => Some(Datum::Number(by.number(a, b)?)),
            (Datum::Whole(a), Datum::Whole(b)) => Some(Datum::Whole(by.whole(a, b)?)),
            (a, b) => self.computed_otherwise(by, a, b),
        }
    }

    #[inline(never)]
    fn computed_otherwise(&mut self, by: Arithmetic, a: Datum, b: Datum) -> Option<Datum> {
        match (a, b) {
            (Datum::Text(a), Datum::Text(b)) if by == Arithmetic::Add => self.join_two(a, b),
            (a, b) => Some(self.paid(by.of(a, b)?)),
        }
    }

    #[inline]
    pub fn assigned(&mut self, by: Arithmetic, a: Datum, b: Datum) -> Option<Datum> {
        match (a, b) {
            (Datum::Number(a), Datum::Number(b)) => Some(Datum::Number(by.number(a, b)?)),
            (Datum::Whole(a), Datum::Whole(b)) => Some(Datum::Whole(by.whole(a, b)?)),
            (a, b) => self.assigned_otherwise(by, a, b),
        }
    }

    #[inline(never)]
    fn assigned_otherwise(&mut self, by: Arithmetic, a: Datum, b: Datum) -> Option<Datum> {
        match (a, b) {
            (Datum::Text(a), Datum::Text(b)) if by == Arithmetic::Add => self.join_two(a, b),
            (a, b) => Some(self.paid(by.assigned(a, b)?)),
        }
    }

    #[inline]
    pub fn write_var(&mut self, slot: u16, value: Datum) -> Option<()> {
        let vars = &mut self.inputs.vars;
        if let VarSlot::Plain(held) = &mut vars.slots[usize::from(slot)]
            && held.is_single()
            && value.is_single()
        {
            self.undo.remember_plain(slot, *held);
            *held = value;
            *vars.written = true;
            return Some(());
        }
        self.exchange_var(slot, value)
    }

    #[inline(never)]
    fn exchange_var(&mut self, slot: u16, value: Datum) -> Option<()> {
        let value = match value {
            Datum::Number(x) if !x.is_finite() => return None,
            Datum::Vec(v) if ![v.x, v.y, v.z].iter().all(|x| x.is_finite()) => return None,
            Datum::Text(text) => VarSlot::Text(self.arena.to_text(text, self.sources())),
            datum if datum.is_plain() => VarSlot::Plain(datum),
            Datum::Data(DataRef::Made(data)) => VarSlot::Data(self.arena.data[data as usize].value.clone()),
            list @ (Datum::List(_) | Datum::Record(_) | Datum::Data(_)) => {
                VarSlot::Data(Arc::new(self.arena.to_dynamic(list, self.sources())?))
            }
            _ => return None,
        };
        self.remember(slot);
        self.inputs.vars.write(usize::from(slot), value, self.inputs.limits)
    }

    /// Remembers the value that a variable has before the call changes it.
    pub fn remember(&mut self, slot: u16) {
        self.undo.remember(slot, &self.inputs.vars);
    }

    /// The place of the case of a switch.
    fn case(&mut self, a: Reg, table: u16) -> Option<usize> {
        let value = self.get(a);
        let table = &self.code.switches[usize::from(table)];
        if matches!(value, Datum::Vec(_) | Datum::Me | Datum::Entity(_) | Datum::About) {
            return None;
        }
        let value = self.arena.to_dynamic(value, self.sources())?;
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

    fn next_item(&mut self, list: Reg, at: Reg, item: Reg) -> Option<bool> {
        let Datum::Whole(place) = self.get(at) else {
            return None;
        };
        let count = match self.get(list) {
            Datum::List(list) => list.count as usize,
            Datum::Data(data) => self.arena.data(data, &self.code.data).as_array_ref().ok()?.len(),
            _ => return None,
        };
        let more = (place as usize) < count;
        if more {
            let value = self.index(self.get(list), self.get(at))?;
            self.set(item, value);
            self.set(at, Datum::Whole(place + 1));
        }
        Some(more)
    }

    pub fn sources(&self) -> TextSources<'_> {
        TextSources::of(self.code, self.arena, &self.inputs.moment.me)
    }

    /// Remembers the state that the moment has now, unless an earlier one is remembered.
    pub fn mark(&mut self) {
        if self.before.is_none() {
            self.before = Some(self.inputs.moment.counts());
        }
    }

    /// Undoes everything.
    #[cold]
    fn forget(&mut self, layer: Option<Arc<str>>) {
        if self.inputs.below.is_some() {
            self.inputs.moment.me.set_layer(layer);
        }
        self.inputs.below.iter_mut().flatten().for_each(LayerBelow::restore);
        if let Some(before) = &self.before {
            self.inputs.moment.return_to_checkpoint(before);
        }
        self.undo.restore(&mut self.inputs.vars);
        self.arena.lines.clear();
    }
}

/// The component of a vec.
pub fn part(v: Vector, axis: Axis) -> f64 {
    match axis {
        Axis::X => v.x,
        Axis::Y => v.y,
        Axis::Z => v.z,
    }
}

/// The vec with another component.
pub fn with_part(mut v: Vector, x: f64, axis: Axis) -> Vector {
    match axis {
        Axis::X => v.x = x,
        Axis::Y => v.y = x,
        Axis::Z => v.z = x,
    }
    v
}
