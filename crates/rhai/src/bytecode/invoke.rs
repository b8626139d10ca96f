//! Compiling calls of functions. Those that scripts define are compiled into their callers.

use super::*;

/// The deepest nesting of calls that are compiled into their caller.
const MOST_NESTED: usize = 12;

/// How many levels of calls Rhai may count for a native function that calls a function.
const LEVELS_OF_NATIVE: usize = 2;

/// What Rhai counts for the body of a function: its statement, and the node in it.
const PER_BODY: u32 = 2 + PER_CALL as u32;

/// Compiles a function with every function that it calls; `by_line` says whether its code counts what lines use.
pub fn lower(unit: &Arc<ScriptUnit>, function: &UnitFunction, limits: &Limits, by_line: bool) -> Result<Code, Refused> {
    let mut lowering = Lowering::new(limits.calls.min(MOST_NESTED), by_line);
    lowering.open(unit, function, true, None);
    let known = [(Datum::Me, Known::Me), (Datum::About, Known::About)];
    if function.priced.parameters.len() > known.len() {
        return Err(WhyNot::UnknownFunction.into());
    }
    for (name, (value, known)) in function.priced.parameters.iter().zip(known) {
        let reg = lowering.constant(value)?;
        lowering.parameter(name, Got { reg, heavy: known == Known::About, known })?;
    }
    let result = lowering.fresh()?;
    let statements = function.priced.statements();
    if !statements.is_empty() {
        lowering.spend(1 + PER_BODY);
    }
    lowering.block(statements, Some(result))?;
    let cost = lowering.take_cost();
    // What would be copied last is returned from where it is. Jumps go behind that.
    if let Some(last) = lowering.code.ops.last_mut()
        && let Op::Copy { to, from } = *last
        && to == result
    {
        *last = Op::Return { a: from, cost };
    }
    lowering.emit(Op::Return { a: result, cost });
    lowering.code.consts.reverse();
    lowering.code.find_observers();
    Ok(lowering.code)
}

impl<'u> Lowering<'u> {
    fn open(&mut self, unit: &'u Arc<ScriptUnit>, function: &'u UnitFunction, this: bool, result: Option<Reg>) {
        let (locals, loops) = (self.locals.len(), self.loops.len());
        self.frames
            .push(OpenFunction { unit, function, this, locals, result, exits: Vec::new(), loops });
    }

    /// Declares a parameter.
    fn parameter(&mut self, name: &str, got: Got) -> Lowered<()> {
        let function = self.frame().function;
        // Parts of entities are written in the moment.
        let changed = function.changed.contains(name) && got.known == Known::Unknown;
        let got = if changed || function.assigned.contains(name) {
            let to = self.fresh()?;
            self.emit(Op::Copy { to, from: got.reg });
            unknown(to)
        } else {
            got
        };
        self.locals.push(Local { name: name.into(), got, constant: false });
        Ok(())
    }

    /// What is known of a value in a register.
    pub fn known(&self, reg: Reg) -> Got {
        let local = self.locals.iter().find(|local| local.got.reg == reg);
        local.map_or(unknown(reg), |local| local.got)
    }

    /// A call by a bare or a qualified name, or an operator.
    pub fn function_call(&mut self, call: &FnCallExpr, to: Reg) -> Lowered<Got> {
        if call.is_operator_call() && (1..=2).contains(&call.args.len()) {
            return self.operator(call, to);
        }
        if call.capture_parent_scope {
            return Err(WhyNot::Closure.into());
        }
        if call.args.iter().any(assigns) {
            return Err(WhyNot::AssignmentInside.into());
        }
        let args: Lowered<Vec<Got>> = call.args.iter().map(|arg| self.value(arg, None)).collect();
        let args = args?;
        if call.namespace.is_empty() {
            self.bare_call(&call.name, &args, to)
        } else {
            self.qualified_call(call, &args, to)
        }
    }

    fn bare_call(&mut self, name: &str, args: &[Got], to: Reg) -> Lowered<Got> {
        let count = args.len();
        let unit = self.frame().unit;
        if let Some(function) = unit.function(name, count) {
            return self.call_own(unit, function, args, false, to);
        }
        // Rhai looks for functions in the files of all callers.
        if self.frames.iter().any(|frame| frame.unit.function(name, count).is_some()) {
            return Err(WhyNot::UnknownFunction.into());
        }
        let regs: Vec<Reg> = args.iter().map(|got| got.reg).collect();
        match (name, &regs[..]) {
            ("print", &[a]) => {
                self.spend(1);
                self.emit(Op::Print { a });
                self.nothing(Some(to))?;
            }
            ("contains", &[list, item]) => {
                self.spend(1);
                self.emit(Op::Contains { to, list, item });
            }
            _ => {
                let (native, cost) = Native::named(name, count).ok_or(WhyNot::UnknownFunction)?;
                self.spend(cost);
                let args = self.args(&regs)?;
                self.emit(Op::Native { to, native, args });
            }
        }
        Ok(light(to))
    }

    fn qualified_call(&mut self, call: &FnCallExpr, args: &[Got], to: Reg) -> Lowered<Got> {
        let (name, count) = (call.name.as_str(), args.len());
        let [space] = &call.namespace.path[..] else {
            return Err(WhyNot::UnknownFunction.into());
        };
        if let Some(unit) = self.frame().unit.import(space.as_str()) {
            let function = unit.function(name, count).filter(|function| function.priced.public);
            // Rhai counts the call even if the function is empty.
            self.spend(1);
            return self.inline(unit, function.ok_or(WhyNot::UnknownFunction)?, args, false, to);
        }
        let own = self.frame().unit;
        if space.as_str() == "base"
            && let Some((layer, unit)) = own.below.get(&(name.into(), count))
        {
            let function = unit.function(name, count).filter(|_| !unit.typed);
            return self.call_below(*layer, unit, function.ok_or(WhyNot::UnknownFunction)?, args, to);
        }
        let found = Owner::module(space.as_str()).and_then(|module| find_call(module, name, count));
        let regs: Vec<Reg> = args.iter().map(|got| got.reg).collect();
        self.call_table(found.ok_or(WhyNot::UnknownFunction)?, &regs, to)
    }

    /// A call of the table, which charges for itself.
    pub fn call_table(&mut self, call: &'static Call<CallMoment>, args: &[Reg], to: Reg) -> Lowered<Got> {
        let heavy = !is_light(call.entry.returns);
        let (call, args) = (self.call_place(call), self.args(args)?);
        self.emit(Op::Call { to, call, args });
        Ok(Got { heavy, ..light(to) })
    }

    /// A call of a function of the same file.
    pub fn call_own(
        &mut self,
        unit: &'u Arc<ScriptUnit>,
        function: &'u UnitFunction,
        args: &[Got],
        this: bool,
        to: Reg,
    ) -> Lowered<Got> {
        if !function.priced.statements().is_empty() {
            self.spend(1);
        }
        self.inline(unit, function, args, this, to)
    }

    /// A call of a function of a layer below, which Rhai finds as a native function that calls it.
    fn call_below(
        &mut self,
        layer: usize,
        unit: &'u Arc<ScriptUnit>,
        function: &'u UnitFunction,
        args: &[Got],
        to: Reg,
    ) -> Lowered<Got> {
        if let Some(first) = args.first() {
            self.weighed(*first);
        }
        self.code.below.insert(layer, unit.slots.clone());
        let layer = u8::try_from(layer).map_err(|_| WhyNot::TooLarge)?;
        self.emit(Op::EnterLayer { layer });
        let depth = self.depth;
        self.depth = depth.saturating_sub(LEVELS_OF_NATIVE);
        let got = self.call_own(unit, function, args, true, to)?;
        self.depth = depth;
        self.emit(Op::LeaveLayer { layer });
        Ok(got)
    }

    /// Compiles a function into its caller. Its result is in `to`.
    fn inline(
        &mut self,
        unit: &'u Arc<ScriptUnit>,
        function: &'u UnitFunction,
        args: &[Got],
        this: bool,
        to: Reg,
    ) -> Lowered<Got> {
        if self.frames.len() >= self.depth {
            return Err(WhyNot::DeepCalls.into());
        }
        if self.frames.iter().any(|frame| std::ptr::eq(frame.function, function)) {
            return Err(WhyNot::Recursion.into());
        }
        let statements = function.priced.statements();
        if statements.is_empty() {
            self.nothing(Some(to))?;
            return Ok(light(to));
        }
        self.spend(PER_BODY);
        let (locals, next) = (self.locals.len(), self.next);
        self.open(unit, function, this, Some(to));
        for (name, got) in function.priced.parameters.iter().zip(args) {
            self.parameter(name, *got)?;
        }
        self.block(statements, Some(to))?;
        let exits = self.frames.pop().map(|frame| frame.exits);
        self.bind(&exits.unwrap_or_default());
        self.locals.truncate(locals);
        self.next = next;
        Ok(unknown(to))
    }
}
