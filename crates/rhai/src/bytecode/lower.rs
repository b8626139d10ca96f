//! The state of a compilation: what it has emitted, which registers are in use, and where jumps go.

use super::*;

/// What compiling a part results in.
pub type Lowered<T> = Result<T, Refused>;

/// Why a function is not compiled, and where. The innermost expression or statement that is refused without a position
/// adds its own.
#[derive(Clone, Debug)]
pub struct Refused {
    pub why: WhyNot,
    pub at: Position,
}

impl Refused {
    pub fn at(self, at: Position) -> Self {
        Self { at: self.at.or_else(at), ..self }
    }
}

impl From<WhyNot> for Refused {
    fn from(why: WhyNot) -> Self {
        Self { why, at: Position::NONE }
    }
}

/// A value that has been computed.
#[derive(Clone, Copy, Debug)]
pub struct Got {
    pub reg: Reg,
    /// Whether handling it may cost operations.
    pub heavy: bool,
    /// What it is, if that is known.
    pub known: Known,
}

impl Got {
    /// What the next step of a chain is taken from, if it begins with this.
    pub fn base(self) -> Base {
        match self.known {
            Known::Me => Base::Me,
            Known::About => Base::About,
            Known::Unknown => Base::Value(self.reg),
        }
    }
}

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    Unknown,
    Me,
    About,
}

/// A local variable.
#[derive(Debug)]
pub struct Local {
    pub name: ImmutableString,
    pub got: Got,
    pub constant: bool,
}

/// A function that is being compiled: the one called, or one that is called in it.
pub struct OpenFunction<'u> {
    pub unit: &'u Arc<ScriptUnit>,
    pub function: &'u UnitFunction,
    /// Whether `this` is bound to the variables.
    pub this: bool,
    /// The first of its local variables.
    pub locals: usize,
    /// Where its result goes; the function called returns it.
    pub result: Option<Reg>,
    /// Jumps to its end.
    pub exits: Vec<usize>,
    /// The loops that were open when it was called.
    pub loops: usize,
}

/// The jumps of a loop that is being compiled.
#[derive(Default)]
pub struct Loop {
    pub continues: Vec<usize>,
    pub breaks: Vec<usize>,
}

/// A compilation of one function.
pub struct Lowering<'u> {
    pub code: Code,
    pub frames: Vec<OpenFunction<'u>>,
    pub locals: Vec<Local>,
    pub loops: Vec<Loop>,
    /// How deep calls may be nested.
    pub depth: usize,
    /// Operations of the steps since the last that charged.
    pending: u32,
    /// The next register for a value.
    pub next: usize,
    /// Whether the next chain may search text for a character.
    pub searches: bool,
    /// Whether the code says where lines of the script begin.
    by_line: bool,
}

/// The largest number of steps of a function.
const MOST_STEPS: usize = 4096;

impl<'u> Lowering<'u> {
    pub fn new(depth: usize, by_line: bool) -> Self {
        Self {
            code: Code::default(),
            frames: Vec::new(),
            locals: Vec::new(),
            loops: Vec::new(),
            depth,
            pending: 0,
            next: 0,
            searches: false,
            by_line,
        }
    }

    pub fn frame(&self) -> &OpenFunction<'u> {
        &self.frames[self.frames.len() - 1]
    }

    /// Charges for a step that is about to be emitted, or that needs none.
    pub fn spend(&mut self, cost: u32) {
        self.pending += cost;
    }

    /// Takes back what was spent in error.
    pub fn unspend(&mut self, cost: u32) {
        self.pending -= cost;
    }

    /// Emits a step.
    pub fn emit(&mut self, op: Op) {
        self.code.ops.push(op);
    }

    /// Emits what has been spent but not charged.
    pub fn flush(&mut self) {
        if self.pending > 0 {
            self.code.ops.push(Op::Spend { cost: self.pending });
            self.pending = 0;
        }
    }

    /// Says that a line of the script that is called begins, if the code is to say so.
    pub fn line(&mut self, at: Position) {
        if let (true, Some(line)) = (self.by_line && Arc::ptr_eq(self.frame().unit, self.frames[0].unit), at.line()) {
            self.flush();
            self.emit(Op::Line { line: line as u16 });
        }
    }

    /// What has been spent but not charged, for a step that charges it.
    pub fn take_cost(&mut self) -> u16 {
        if self.pending > u32::from(u16::MAX) {
            self.flush();
        }
        std::mem::take(&mut self.pending) as u16
    }

    /// The place of the next step, which jumps may go to.
    pub fn here(&mut self) -> usize {
        self.flush();
        self.code.ops.len()
    }

    /// Emits a jump whose target is set later, and returns its place.
    pub fn jump(&mut self) -> usize {
        self.jump_if(|cost| Op::Jump { to: 0, cost })
    }

    /// The same for a jump with a condition, which receives what it charges.
    pub fn jump_if(&mut self, jump: impl FnOnce(u16) -> Op) -> usize {
        let cost = self.take_cost();
        self.emit(jump(cost));
        self.code.ops.len() - 1
    }

    /// Lets jumps go to the next step.
    pub fn bind(&mut self, jumps: &[usize]) {
        let here = self.here();
        self.bind_to(jumps, here);
    }

    pub fn bind_to(&mut self, jumps: &[usize], target: usize) {
        let target = target as u16;
        for jump in jumps {
            match &mut self.code.ops[*jump] {
                Op::Jump { to, .. }
                | Op::Repeat { to, .. }
                | Op::When { to, .. }
                | Op::WhenSomething { to, .. }
                | Op::UnlessCompared { to, .. }
                | Op::WhenCompared { to, .. }
                | Op::Next { to, .. }
                | Op::NextItem { to, .. } => *to = target,
                _ => {}
            }
        }
    }

    /// A register for a value.
    pub fn fresh(&mut self) -> Lowered<Reg> {
        let free = REGISTERS - self.code.consts.len();
        if self.next >= free || self.code.ops.len() > MOST_STEPS {
            return Err(WhyNot::TooLarge.into());
        }
        self.next += 1;
        Ok((self.next - 1) as Reg)
    }

    /// The register that holds a constant.
    pub fn constant(&mut self, value: Datum) -> Lowered<Reg> {
        let consts = &self.code.consts;
        let known = consts.iter().position(|have| have.equals(value));
        let place = match known {
            Some(place) => place,
            None => {
                // The last registers: room for the values is found again at each of them.
                if self.next + consts.len() + 1 >= REGISTERS {
                    return Err(WhyNot::TooLarge.into());
                }
                self.code.consts.push(value);
                self.code.consts.len() - 1
            }
        };
        Ok((REGISTERS - 1 - place) as Reg)
    }

    /// The index of a text in the code's texts.
    pub fn text(&mut self, text: &str) -> u16 {
        let texts = &mut self.code.texts;
        let known = texts.iter().position(|have| have == text);
        known.unwrap_or_else(|| {
            texts.push(text.into());
            texts.len() - 1
        }) as u16
    }

    /// The register of a constant text.
    pub fn text_constant(&mut self, text: &str) -> Lowered<Reg> {
        let place = self.text(text);
        self.constant(Datum::Text(TextRef::Const(place)))
    }

    /// The register of a constant value of Rhai.
    pub fn data_constant(&mut self, value: &Dynamic) -> Lowered<Reg> {
        let datum = if let Some(plain) = Datum::plain(value) {
            plain
        } else if let Ok(text) = value.as_immutable_string_ref() {
            return self.text_constant(&text);
        } else if value.is_array() || value.is_map() {
            self.code.data.push(value.clone());
            Datum::Data(DataRef::Const(self.code.data.len() as u16 - 1))
        } else {
            return Err(if value.is_fnptr() { WhyNot::Closure } else { WhyNot::Constant }.into());
        };
        self.constant(datum)
    }

    /// The place of the arguments in these registers.
    pub fn args(&mut self, regs: &[Reg]) -> Lowered<u16> {
        let start = self.code.args.len();
        self.code.args.push(u8::try_from(regs.len()).map_err(|_| WhyNot::TooLarge)?);
        self.code.args.extend(regs);
        Ok(start as u16)
    }

    pub fn call_place(&mut self, call: &'static Call<CallMoment>) -> u16 {
        self.code.calls.push(TableCall::of(call));
        self.code.calls.len() as u16 - 1
    }

    pub fn member_place(&mut self, name: &str) -> u16 {
        self.code
            .members
            .push(MemberName { name: name.into(), axis: axis_named(name), of_entity: find_member(name) });
        self.code.members.len() as u16 - 1
    }

    pub fn path_place(&mut self, path: DataPath) -> Lowered<u16> {
        if path.steps.len() > MOST_PATH {
            return Err(WhyNot::TooLarge.into());
        }
        self.code.paths.push(path);
        Ok(self.code.paths.len() as u16 - 1)
    }

    /// The slot of a variable.
    pub fn slot(&self, name: &str) -> Option<u16> {
        let found = self.frame().unit.slots.0.binary_search_by(|have| have.as_str().cmp(name));
        found.ok().map(|place| place as u16)
    }

    /// The local variable with this name.
    pub fn local(&self, name: &str) -> Option<&Local> {
        let own = &self.locals[self.frame().locals..];
        own.iter().rev().find(|local| local.name == name)
    }
}
