//! Compiling statements.

use super::code::{Op, Reg, SwitchTable};
use super::datum::Datum;
use super::lower::{Continue, Got, Known, Local, Loop, Lowered, Lowering};
use super::operators::Arithmetic;
use super::switch_hash::is_stable;
use super::why::WhyNot;
use crate::engine::pricing::{WRITE, plain_name};
use rhai::{ASTFlags, Expr, FlowControl, Position, Stmt, StmtBlock, SwitchCasesCollection};

impl Lowering<'_> {
    /// The statements of a block, whose local variables end with it. The value of the last one goes to `to`.
    pub fn block(&mut self, statements: &[Stmt], to: Option<Reg>) -> Lowered<()> {
        let (locals, next) = (self.locals.len(), self.next);
        let Some((last, before)) = statements.split_last() else {
            return self.nothing(to, Position::NONE);
        };
        for statement in before {
            self.statement(statement, None)?;
        }
        self.statement(last, to)?;
        self.locals.truncate(locals);
        self.next = next;
        Ok(())
    }

    /// `()`, if the value is wanted.
    pub fn nothing(&mut self, to: Option<Reg>, at: Position) -> Lowered<()> {
        if let Some(to) = to {
            let from = self.constant(Datum::Nothing, at)?;
            self.emit(Op::Copy { to, from });
        }
        Ok(())
    }

    fn statement(&mut self, statement: &Stmt, to: Option<Reg>) -> Lowered<()> {
        let at = statement.position();
        let next = self.next;
        self.spend(1);
        match statement {
            Stmt::Noop(_) => self.nothing(to, at)?,
            Stmt::Expr(value) => drop(self.value(value, to)?),
            Stmt::FnCall(call, at) => drop(self.function_call(call, *at, to)?),
            Stmt::Block(block) => self.block(block.statements(), to)?,
            Stmt::If(flow, _) => self.choice(flow, to)?,
            Stmt::Switch(switch, at) => self.switch(&switch.0, &switch.1, (*at, to))?,
            Stmt::While(flow, at) => {
                self.while_loop(flow, *at)?;
                self.nothing(to, *at)?;
            }
            Stmt::For(parts, at) if parts.1.is_none() => {
                self.for_range(parts.0.as_str(), &parts.2, *at)?;
                self.nothing(to, *at)?;
            }
            Stmt::Var(variable, flags, at) => {
                self.declare(variable.0.as_str(), &variable.1, (*flags, *at))?;
                // Its register stays in use.
                return self.nothing(to, *at);
            }
            Stmt::Assignment(set) => {
                let by = match set.0.get_op_assignment_info() {
                    None => None,
                    Some((.., sign)) => match Arithmetic::named(sign) {
                        Some(by) => Some(by),
                        None => return self.refuse(WhyNot::Operator, at),
                    },
                };
                self.assignment(&set.1.lhs, &set.1.rhs, by)?;
                self.nothing(to, at)?;
            }
            Stmt::Return(value, flags, at) if !flags.intersects(ASTFlags::BREAK) => {
                self.give_back(value.as_deref(), *at)?;
            }
            Stmt::Return(value, ..) => self.throw(value.as_deref())?,
            Stmt::BreakLoop(None, flags, at) => {
                self.leave_round(flags.intersects(ASTFlags::BREAK), *at)?;
            }
            Stmt::For(_, at) => return self.refuse(WhyNot::ForValues, *at),
            Stmt::TryCatch(_, at) => return self.refuse(WhyNot::Try, *at),
            Stmt::Share(_) => return self.refuse(WhyNot::Closure, at),
            _ => return self.refuse(WhyNot::RareStatement, at),
        }
        self.next = next;
        Ok(())
    }

    /// A statement that fails when it is reached: Rhai then says how.
    fn throw(&mut self, value: Option<&Expr>) -> Lowered<()> {
        if let Some(value) = value {
            self.value(value, None)?;
        }
        self.flush();
        self.emit(Op::Fail);
        Ok(())
    }

    fn choice(&mut self, flow: &FlowControl, to: Option<Reg>) -> Lowered<()> {
        let next = self.next;
        let otherwise = self.condition(&flow.expr, false)?;
        self.next = next;
        self.block(flow.body.statements(), to)?;
        if flow.branch.is_empty() && to.is_none() {
            self.bind(&otherwise);
            return Ok(());
        }
        let end = self.jump();
        self.bind(&otherwise);
        self.block(flow.branch.statements(), to)?;
        self.bind(&[end]);
        Ok(())
    }

    fn declare(&mut self, name: &str, value: &Expr, flags: (ASTFlags, Position)) -> Lowered<()> {
        let (flags, at) = flags;
        if flags.intersects(ASTFlags::EXPORTED) {
            return self.refuse(WhyNot::RareStatement, at);
        }
        let reg = self.fresh(at)?;
        let next = self.next;
        let got = self.value(value, Some(reg))?;
        self.next = next;
        let assigned = self.frame().function.assigned.contains(name);
        self.locals.push(Local {
            name: name.into(),
            got: Got { reg, heavy: got.heavy || assigned, known: if assigned { Known::Unknown } else { got.known } },
            constant: flags.intersects(ASTFlags::CONSTANT),
        });
        Ok(())
    }

    fn give_back(&mut self, value: Option<&Expr>, at: Position) -> Lowered<()> {
        let result = self.frame().result;
        let reg = match value {
            Some(value) => self.value(value, result)?.reg,
            None => {
                self.nothing(result, at)?;
                self.constant(Datum::Nothing, at)?
            }
        };
        if result.is_some() {
            let exit = self.jump();
            if let Some(frame) = self.frames.last_mut() {
                frame.exits.push(exit);
            }
        } else {
            let cost = self.take_cost();
            self.emit(Op::Return { a: reg, cost });
        }
        Ok(())
    }

    fn while_loop(&mut self, flow: &FlowControl, at: Position) -> Lowered<()> {
        let endless = matches!(flow.expr, Expr::Unit(_) | Expr::BoolConstant(true, _));
        if flow.body.is_empty() {
            return self.refuse(WhyNot::RareStatement, at);
        }
        let start = self.here();
        self.loops.push(Loop { next: Continue::To(start), breaks: Vec::new() });
        let next = self.next;
        let done = if endless { Vec::new() } else { self.condition(&flow.expr, false)? };
        self.next = next;
        self.block(flow.body.statements(), None)?;
        self.repeat(start);
        self.bind(&done);
        self.end_loop();
        Ok(())
    }

    fn repeat(&mut self, start: usize) {
        let cost = self.take_cost();
        let to = start as u16;
        self.emit(Op::Repeat { to, cost });
    }

    fn end_loop(&mut self) {
        if let Some(closed) = self.loops.pop() {
            self.bind(&closed.breaks);
        }
    }

    /// `for i in a..b`.
    fn for_range(&mut self, name: &str, flow: &FlowControl, at: Position) -> Lowered<()> {
        let Expr::FnCall(range, _) = &flow.expr else {
            return self.refuse(WhyNot::ForValues, at);
        };
        let [first, end] = &range.args[..] else {
            return self.refuse(WhyNot::ForValues, at);
        };
        if range.name != ".." || !range.is_operator_call() || flow.body.is_empty() {
            return self.refuse(WhyNot::ForValues, at);
        }
        self.spend(1);
        let (locals, next) = (self.locals.len(), self.next);
        // The next number, the end, and the number that the script sees, which it may change.
        let [counter, last, seen] = [self.fresh(at)?, self.fresh(at)?, self.fresh(at)?];
        self.value(first, Some(counter))?;
        self.value(end, Some(last))?;
        self.flush();
        self.emit(Op::CheckRange { a: counter, b: last });
        let start = self.here();
        self.emit(Op::Copy { to: seen, from: counter });
        let done = self.code.ops.len();
        self.emit(Op::Next { at: counter, end: last, to: 0, cost: 0 });
        self.loops.push(Loop { next: Continue::Later(Vec::new()), breaks: Vec::new() });
        self.locals.push(Local {
            name: name.into(),
            got: Got { reg: seen, heavy: self.frame().function.assigned.contains(name), known: Known::Unknown },
            constant: false,
        });
        self.block(flow.body.statements(), None)?;
        let again = match self.loops.last_mut().map(|open| &mut open.next) {
            Some(Continue::Later(jumps)) => std::mem::take(jumps),
            _ => Vec::new(),
        };
        self.bind(&again);
        self.repeat(start);
        self.bind(&[done]);
        self.end_loop();
        self.locals.truncate(locals);
        self.next = next;
        Ok(())
    }

    /// `break` and `continue`.
    fn leave_round(&mut self, breaks: bool, at: Position) -> Lowered<()> {
        if self.loops.len() <= self.frame().loops {
            return self.refuse(WhyNot::RareStatement, at);
        }
        if let Some(Loop { next: Continue::To(start), .. }) = self.loops.last()
            && !breaks
        {
            let start = *start;
            self.repeat(start);
            return Ok(());
        }
        let jump = self.jump();
        match self.loops.last_mut() {
            Some(open) if breaks => open.breaks.push(jump),
            Some(Loop { next: Continue::Later(jumps), .. }) => jumps.push(jump),
            _ => {}
        }
        Ok(())
    }

    fn switch(
        &mut self,
        value: &Expr,
        cases: &SwitchCasesCollection,
        (at, to): (Position, Option<Reg>),
    ) -> Lowered<()> {
        if !cases.ranges.is_empty() || !is_stable() {
            return self.refuse(WhyNot::RareStatement, at);
        }
        let next = self.next;
        let got = self.value(value, None)?;
        self.flush();
        let table = self.code.switches.len();
        self.code.switches.push(SwitchTable { cases: Vec::new(), otherwise: 0 });
        self.emit(Op::Switch { a: got.reg, table: table as u16 });
        self.next = next;
        let mut sorted: Vec<_> = cases.cases.iter().collect();
        sorted.sort_unstable_by_key(|(_, list)| list.blocks.first().copied());
        let (mut ends, mut otherwise) = (Vec::new(), Vec::new());
        for (hash, list) in sorted {
            let here = self.here();
            self.code.switches[table].cases.push((*hash, here as u16));
            for index in &list.blocks {
                let case = &cases.expressions[*index];
                let skip = match case.lhs {
                    Expr::BoolConstant(true, _) => Vec::new(),
                    ref condition => self.condition(condition, false)?,
                };
                self.next = next;
                self.result_of(&case.rhs, to)?;
                ends.push(self.jump());
                self.bind(&skip);
            }
            otherwise.push(self.jump());
        }
        let here = self.here();
        self.bind_to(&otherwise, here);
        self.code.switches[table].otherwise = here as u16;
        match cases.def_case {
            Some(index) => self.result_of(&cases.expressions[index].rhs, to)?,
            None => self.nothing(to, at)?,
        }
        self.bind(&ends);
        Ok(())
    }

    fn result_of(&mut self, value: &Expr, to: Option<Reg>) -> Lowered<()> {
        let next = self.next;
        self.value(value, to)?;
        self.next = next;
        Ok(())
    }

    fn assignment(&mut self, target: &Expr, value: &Expr, by: Option<Arithmetic>) -> Lowered<()> {
        match target {
            Expr::Variable(variable, _, at) => {
                let got = self.value(value, None)?;
                self.spend(1);
                let name = plain_name(&variable.1);
                let local = match self.local(name) {
                    Some(local) if !local.constant && variable.2.is_empty() => local.got,
                    _ => return self.refuse(WhyNot::UnknownVariable, *at),
                };
                match by {
                    None => self.emit(Op::Copy { to: local.reg, from: got.reg }),
                    Some(by) => {
                        if by == Arithmetic::Subtract && local.heavy {
                            self.emit(Op::Weigh { a: local.reg });
                        }
                        self.emit(Op::Assign { by, to: local.reg, a: local.reg, b: got.reg });
                    }
                }
                Ok(())
            }
            Expr::Dot(..) => {
                let Expr::Custom(node, at) = value else {
                    return self.refuse(WhyNot::Assignment, target.position());
                };
                if node.tokens.first().is_none_or(|token| token != WRITE) {
                    return self.refuse(WhyNot::Assignment, *at);
                }
                // The node that charges for what is written.
                self.spend(1);
                let got = self.inside(&node.inputs[0], None)?;
                if got.heavy {
                    self.emit(Op::Weigh { a: got.reg });
                }
                self.write_chain(target, got, by)
            }
            other => self.refuse(WhyNot::Assignment, other.position()),
        }
    }

    /// A block that is an expression.
    pub fn block_value(&mut self, block: &StmtBlock, to: Reg) -> Lowered<()> {
        self.block(block.statements(), Some(to))
    }
}
