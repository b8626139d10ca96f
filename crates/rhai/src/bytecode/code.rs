//! Compiled functions.

use super::*;

/// The place of a value in the registers of a function.
pub type Reg = u8;

/// The number of registers of a function.
pub const REGISTERS: usize = 256;

/// A component of a vec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    X,
    Y,
    Z,
}

/// A component of a property of `me`, and whether that needs a body.
#[derive(Clone, Copy, Debug)]
pub struct PartOfMe {
    pub axis: Axis,
    pub body: bool,
}

/// Where a value inside another one is: what it is inside of, and the steps to it. Following them copies nothing on the
/// way.
#[derive(Clone, Debug)]
pub struct DataPath {
    pub root: DataRoot,
    pub steps: Vec<DataStep>,
    /// Whether a method of the language ends the chain: Rhai then writes back what is read on the way.
    pub of_method: bool,
    /// Whether a step may search text for a character.
    pub searches: bool,
}

/// What a value is inside of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataRoot {
    Var(u16),
    Local(Reg),
}

/// A step into a value.
#[derive(Clone, Copy, Debug)]
pub enum DataStep {
    /// A property, by its place among the members of the code.
    Entry(u16),
    /// The index in this register.
    At(Reg),
}

/// A method of arrays and maps that works on them in their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceMethod {
    Len,
    Push,
    Pop,
    Shift,
    Remove,
}

impl PlaceMethod {
    pub fn named(name: &str, parameters: usize) -> Option<Self> {
        Some(match (name, parameters) {
            ("len", 0) => Self::Len,
            ("push", 1) => Self::Push,
            ("pop", 0) => Self::Pop,
            ("shift", 0) => Self::Shift,
            ("remove", 1) => Self::Remove,
            _ => return None,
        })
    }
}

/// A step of compiled code. `to` is the register of the result; `cost` are operations of the steps before.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    Spend {
        cost: u32,
    },
    Jump {
        to: u16,
        cost: u16,
    },
    /// The end of a round of a loop, where the budget is checked.
    Repeat {
        to: u16,
        cost: u16,
    },
    /// Jumps if a flag is the one that is wanted.
    When {
        a: Reg,
        wanted: bool,
        to: u16,
        cost: u16,
    },
    /// Jumps if the value is not `()`.
    WhenSomething {
        a: Reg,
        to: u16,
        cost: u16,
    },
    UnlessCompared {
        by: ComparedBy,
        a: Reg,
        b: Reg,
        to: u16,
        cost: u16,
    },
    WhenCompared {
        by: ComparedBy,
        a: Reg,
        b: Reg,
        to: u16,
        cost: u16,
    },
    Copy {
        to: Reg,
        from: Reg,
    },
    /// Charges for handling a value that may be large.
    Weigh {
        a: Reg,
    },
    Not {
        to: Reg,
        a: Reg,
    },
    Negate {
        to: Reg,
        a: Reg,
    },
    Compute {
        by: Arithmetic,
        to: Reg,
        a: Reg,
        b: Reg,
    },
    /// As `x += 1` computes.
    Assign {
        by: Arithmetic,
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Compare {
        by: ComparedBy,
        to: Reg,
        a: Reg,
        b: Reg,
    },
    /// Whether an array, a map or a text contains a value.
    Contains {
        to: Reg,
        list: Reg,
        item: Reg,
    },
    ReadVar {
        to: Reg,
        slot: u16,
    },
    /// Charges as Rhai does for looking through all variables before one is written.
    WeighVars,
    WriteVar {
        slot: u16,
        from: Reg,
    },
    /// A property of `me` that is not a list.
    ReadMe {
        to: Reg,
        property: u16,
        body: bool,
    },
    /// A component of a property of `me` that is a vec.
    ReadPart {
        to: Reg,
        property: u16,
        part: PartOfMe,
    },
    /// A field of `me.hook`.
    ReadHook {
        to: Reg,
        field: u8,
    },
    WriteMe {
        call: u16,
        from: Reg,
    },
    /// Writes back the unchanged value of a property that is read-only.
    Unchanged {
        call: u16,
    },
    /// A field of what the hook received.
    ReadAbout {
        to: Reg,
        name: u16,
    },
    /// A property of a value of any type.
    Member {
        to: Reg,
        from: Reg,
        name: u16,
    },
    /// An element of an array.
    Index {
        to: Reg,
        list: Reg,
        at: Reg,
    },
    /// The value at the end of a path.
    Walk {
        to: Reg,
        path: u16,
    },
    /// Charges for a part of a value, which is made again if it is text and its place was `unknown`.
    WeighPart {
        a: Reg,
        unknown: bool,
    },
    /// Charges for looking through the value at the end of a path, a property of which is written.
    WeighChange {
        path: u16,
    },
    /// Charges for finding the place of an index that is computed in the value at the end of a path, before an operator
    /// changes what is there.
    WeighPlaces {
        path: u16,
    },
    /// Writes at the end of a path. It computes `by` an operator, as `+=` does, or not.
    WritePart {
        path: u16,
        from: Reg,
        by: Option<Arithmetic>,
    },
    PlaceMethod {
        to: Reg,
        path: u16,
        method: PlaceMethod,
        args: u16,
    },
    /// A component of a vec.
    Part {
        to: Reg,
        of: Reg,
        axis: Axis,
    },
    SetPart {
        of: Reg,
        from: Reg,
        axis: Axis,
    },
    Call {
        to: Reg,
        call: u16,
        args: u16,
    },
    Native {
        to: Reg,
        native: Native,
        args: u16,
    },
    /// A method of a value of any type.
    Method {
        to: Reg,
        of: Reg,
        name: u16,
        args: u16,
    },
    Join {
        to: Reg,
        args: u16,
    },
    MakeRecord {
        to: Reg,
        record: u16,
        args: u16,
    },
    MakeList {
        to: Reg,
        args: u16,
    },
    Print {
        a: Reg,
    },
    /// Fails unless both are whole numbers.
    CheckRange {
        a: Reg,
        b: Reg,
    },
    /// The next number of a range; jumps if there is none.
    Next {
        at: Reg,
        end: Reg,
        to: u16,
        cost: u16,
    },
    /// The next element of an array; jumps if there is none.
    NextItem {
        list: Reg,
        at: Reg,
        item: Reg,
        to: u16,
        cost: u16,
    },
    /// Jumps to the case of a switch.
    Switch {
        a: Reg,
        table: u16,
    },
    Return {
        a: Reg,
        cost: u16,
    },
    /// Runs the steps up to [`LeaveLayer`](Op::LeaveLayer) as the script of a layer below.
    EnterLayer {
        layer: u8,
    },
    LeaveLayer {
        layer: u8,
    },
    /// What Rhai would fail at.
    Fail,
    /// A line of the script begins.
    Line {
        line: u16,
    },
}

/// A call of the table.
#[derive(Clone, Copy, Debug)]
pub struct TableCall {
    pub call: &'static Call<CallMoment>,
    /// Whether it changes nothing that would have to be undone.
    pub quiet: bool,
    /// Whether it is what is left of a wait. That neither reads nor changes the state of the entity.
    pub waits: bool,
}

impl TableCall {
    pub fn of(call: &'static Call<CallMoment>) -> Self {
        let entry = &call.entry;
        // What answers nothing is called for what it changes.
        let answers = !matches!(entry.returns, Type::Nothing);
        let quiet = matches!(entry.kind, EntryKind::Property(_))
            || answers && matches!(entry.topic, Topic::Queries | Topic::Places)
            || matches!(entry.name, "entity" | "all");
        Self { call, quiet, waits: entry.name.starts_with("__") }
    }
}

/// A property that values of several types may have.
#[derive(Clone, Debug)]
pub struct MemberName {
    pub name: ImmutableString,
    pub axis: Option<Axis>,
    pub of_entity: Option<&'static Call<EntityView>>,
}

/// The cases of a `switch`: hashes of their values, and where each goes.
#[derive(Clone, Debug)]
pub struct SwitchTable {
    pub cases: Vec<(u64, u16)>,
    pub otherwise: u16,
}

/// A compiled function, with all functions that it calls.
#[derive(Debug, Default)]
pub struct Code {
    pub(super) ops: Vec<Op>,
    /// The registers of arguments. Before each step's registers is their number.
    pub(super) args: Vec<Reg>,
    pub(super) texts: Vec<ImmutableString>,
    pub(super) data: Vec<Dynamic>,
    pub(super) calls: Vec<TableCall>,
    pub(super) members: Vec<MemberName>,
    pub(super) paths: Vec<DataPath>,
    /// The keys of the maps that the function makes.
    pub(super) records: Vec<Vec<u16>>,
    pub(super) switches: Vec<SwitchTable>,
    /// The layers below that it enters, and the variables that their scripts use.
    pub below: BTreeMap<usize, Arc<SlotNames>>,
    /// The values of the registers that hold constants: the last ones.
    pub(super) consts: Vec<Datum>,
    /// Whether some step may read or change the state of the entity.
    pub(super) observes_me: bool,
}

impl Code {
    /// The registers before the first call. Made apart: they would take a lot of the stack in every call.
    #[cold]
    #[inline(never)]
    pub(super) fn registers(&self) -> Box<Registers> {
        let mut regs = Box::new([Datum::Nothing; REGISTERS]);
        let first = REGISTERS - self.consts.len();
        regs[first..].copy_from_slice(&self.consts);
        regs
    }

    /// The registers of the arguments at a place.
    #[inline]
    pub(super) fn args(&self, place: u16) -> &[Reg] {
        let args = &self.args[usize::from(place)..];
        &args[1..=usize::from(args[0])]
    }

    /// Whether the view of the entity has to be there when it runs.
    pub fn observes_me(&self) -> bool {
        self.observes_me
    }

    /// Notes whether some step may read or change the state of the entity.
    pub(super) fn find_observers(&mut self) {
        self.observes_me = self.ops.iter().any(|op| match op {
            Op::Call { call, .. } => !self.calls[usize::from(*call)].waits,
            op => matches!(
                op,
                Op::ReadMe { .. }
                    | Op::ReadPart { .. }
                    | Op::ReadHook { .. }
                    | Op::WriteMe { .. }
                    | Op::Unchanged { .. }
            ),
        });
    }

    /// The number of its steps.
    pub fn len(&self) -> usize {
        self.ops.len()
    }
}
