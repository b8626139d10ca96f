//! Compiling calls of functions. Those that scripts define are compiled into their callers.

use super::chain_parts::is_light;
use super::code::{Code, Op, Reg};
use super::datum::Datum;
use super::expressions::{assigns, light, unknown};
use super::lower::{Got, Known, Local, Lowered, Lowering, OpenFunction, Refused};
use super::natives::Native;
use super::slots::SlotNames;
use super::unit::{ScriptUnit, UnitFunction};
use super::why::WhyNot;
use crate::engine::pricing::PER_CALL;
use hangtime_script::Limits;
use hangtime_script::api::Owner;
use hangtime_script::calls::{Call, find_call};
use rhai::{Expr, FnCallExpr, Position};
use std::sync::Arc;

/// The deepest nesting of calls that are compiled into their caller.
const MOST_NESTED: usize = 12;

/// What Rhai counts for the body of a function: its statement, and the node in it.
const PER_BODY: u32 = 2 + PER_CALL as u32;

/// Compiles a function with all that it calls.
pub(super) fn lower(
    unit: &Arc<ScriptUnit>,
    function: &UnitFunction,
    slots: &SlotNames,
    limits: &Limits,
) -> Result<Code, Refused> {
    let mut lowering = Lowering::new(slots, limits.calls.min(MOST_NESTED));
    let at = Position::NONE;
    lowering.frames.push(OpenFunction {
        unit,
        function,
        this: true,
        locals: 0,
        result: None,
        exits: Vec::new(),
        loops: 0,
    });
    for (place, name) in function.priced.parameters.iter().enumerate() {
        let (value, known) = match place {
            0 => (Datum::Me, Known::Me),
            1 => (Datum::About, Known::About),
            _ => return lowering.refuse(WhyNot::UnknownFunction, at),
        };
        let reg = lowering.constant(value, at)?;
        let got = Got { reg, heavy: place == 1, known };
        lowering.parameter(name, got, at)?;
    }
    let result = lowering.fresh(at)?;
    match function.priced.block.as_deref() {
        Some(Expr::Stmt(block)) => {
            lowering.spend(1 + PER_BODY);
            lowering.block(block.statements(), Some(result))?;
        }
        _ => lowering.nothing(Some(result), at)?,
    }
    let cost = lowering.take_cost();
    lowering.emit(Op::Return { a: result, cost });
    Ok(lowering.finish())
}

impl Lowering<'_> {
    /// Declares a parameter.
    fn parameter(&mut self, name: &str, got: Got, at: Position) -> Lowered<()> {
        let function = self.frame().function;
        // Only vecs have parts that can be written: those of entities are written in the moment.
        let changed = function.changed.contains(name) && got.known == Known::Unknown;
        let got = if changed || function.assigned.contains(name) {
            let to = self.fresh(at)?;
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
    pub fn function_call(&mut self, call: &FnCallExpr, at: Position, to: Option<Reg>) -> Lowered<Got> {
        if call.is_operator_call() && (1..=2).contains(&call.args.len()) {
            return self.operator(call, at, to);
        }
        if call.capture_parent_scope {
            return self.refuse(WhyNot::Closure, at);
        }
        let to = self.target(to, at)?;
        let next = self.next;
        if call.args.iter().any(assigns) {
            return self.refuse(WhyNot::AssignmentInside, at);
        }
        let args: Lowered<Vec<Got>> = call.args.iter().map(|arg| self.value(arg, None)).collect();
        let args = args?;
        let got = if call.namespace.is_empty() {
            self.bare_call(&call.name, &args, (to, at))?
        } else {
            self.qualified_call(call, &args, (to, at))?
        };
        self.next = next;
        Ok(self.moved(got, Some(to)))
    }

    fn bare_call(&mut self, name: &str, args: &[Got], (to, at): (Reg, Position)) -> Lowered<Got> {
        let count = args.len();
        let mut frames = self.frames.iter().rev();
        let own = frames.next().is_some_and(|f| f.unit.function(name, count).is_some());
        if own {
            return self.call_own(name, args, (false, to, at));
        }
        // Rhai looks for functions in the files of all callers.
        if frames.any(|frame| frame.unit.function(name, count).is_some()) {
            return self.refuse(WhyNot::UnknownFunction, at);
        }
        let regs: Vec<Reg> = args.iter().map(|got| got.reg).collect();
        if let ("print", [a]) = (name, &regs[..]) {
            self.spend(1);
            self.emit(Op::Print { a: *a });
            self.nothing(Some(to), at)?;
            return Ok(light(to));
        }
        if let ("contains", [list, item]) = (name, &regs[..]) {
            let (list, item) = (*list, *item);
            self.spend(1);
            self.emit(Op::Contains { to, list, item });
            return Ok(light(to));
        }
        let Some((native, cost)) = Native::named(name, count) else {
            return self.refuse(WhyNot::UnknownFunction, at);
        };
        self.spend(cost);
        let args = self.args(&regs);
        self.emit(Op::Native { to, native, args });
        Ok(light(to))
    }

    fn qualified_call(&mut self, call: &FnCallExpr, args: &[Got], (to, at): (Reg, Position)) -> Lowered<Got> {
        let name = call.name.as_str();
        let path = &call.namespace.path;
        let [space] = &path[..] else {
            return self.refuse(WhyNot::UnknownFunction, at);
        };
        if let Some(unit) = self.frame().unit.import(space.as_str()) {
            let Some(function) = unit.function(name, args.len()) else {
                return self.refuse(WhyNot::UnknownFunction, at);
            };
            if !function.priced.public {
                return self.refuse(WhyNot::UnknownFunction, at);
            }
            // Rhai counts the call even if the function is empty.
            self.spend(1);
            return self.inline(unit, function, args, (false, to, at));
        }
        let Some(module) = Owner::module(space.as_str()) else {
            return self.refuse(WhyNot::UnknownFunction, at);
        };
        let Some(found) = find_call(module, name, args.len()) else {
            return self.refuse(WhyNot::UnknownFunction, at);
        };
        let regs: Vec<Reg> = args.iter().map(|got| got.reg).collect();
        self.call_table(found, &regs, to)
    }

    /// A call of the table, which charges for itself.
    pub fn call_table(&mut self, call: &'static Call, args: &[Reg], to: Reg) -> Lowered<Got> {
        let heavy = !is_light(call.entry.returns);
        let (call, args) = (self.call_place(call), self.args(args));
        self.emit(Op::Call { to, call, args });
        Ok(Got { heavy, ..light(to) })
    }

    /// A call of a function of the same file.
    pub fn call_own(&mut self, name: &str, args: &[Got], (this, to, at): (bool, Reg, Position)) -> Lowered<Got> {
        let unit = self.frame().unit;
        let Some(function) = unit.function(name, args.len()) else {
            return self.refuse(WhyNot::UnknownFunction, at);
        };
        if function.priced.block.is_some() {
            self.spend(1);
        }
        self.inline(unit, function, args, (this, to, at))
    }
}

impl<'u> Lowering<'u> {
    /// Compiles a function into its caller. Its result is in `to`.
    fn inline(
        &mut self,
        unit: &'u Arc<ScriptUnit>,
        function: &'u UnitFunction,
        args: &[Got],
        (this, to, at): (bool, Reg, Position),
    ) -> Lowered<Got> {
        if self.frames.len() >= self.depth {
            return self.refuse(WhyNot::DeepCalls, at);
        }
        if self.frames.iter().any(|frame| std::ptr::eq(frame.function, function)) {
            return self.refuse(WhyNot::Recursion, at);
        }
        let Some(Expr::Stmt(block)) = function.priced.block.as_deref() else {
            self.nothing(Some(to), at)?;
            return Ok(light(to));
        };
        self.spend(PER_BODY);
        let (locals, next) = (self.locals.len(), self.next);
        self.frames.push(OpenFunction {
            unit,
            function,
            this,
            locals,
            result: Some(to),
            exits: Vec::new(),
            loops: self.loops.len(),
        });
        for (name, got) in function.priced.parameters.iter().zip(args) {
            self.parameter(name, *got, at)?;
        }
        self.block(block.statements(), Some(to))?;
        let exits = self.frames.pop().map(|frame| frame.exits);
        self.bind(&exits.unwrap_or_default());
        self.locals.truncate(locals);
        self.next = next;
        Ok(unknown(to))
    }
}
