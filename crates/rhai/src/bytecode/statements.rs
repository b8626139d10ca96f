//! Compiling statements.

use super::*;

impl Lowering<'_> {
    /// The statements of a block, whose local variables end with it. The value of the last one goes to `to`.
    pub fn block(&mut self, statements: &[Stmt], to: Option<Reg>) -> Lowered<()> {
        let (locals, next) = (self.locals.len(), self.next);
        let Some((last, before)) = statements.split_last() else {
            return self.nothing(to);
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
    pub fn nothing(&mut self, to: Option<Reg>) -> Lowered<()> {
        if let Some(to) = to {
            let from = self.constant(Datum::Nothing)?;
            self.emit(Op::Copy { to, from });
        }
        Ok(())
    }

    fn statement(&mut self, statement: &Stmt, to: Option<Reg>) -> Lowered<()> {
        self.statement_of(statement, to).map_err(|refused| refused.at(statement.position()))
    }

    fn statement_of(&mut self, statement: &Stmt, to: Option<Reg>) -> Lowered<()> {
        let next = self.next;
        self.line(statement.position());
        self.spend(1);
        match statement {
            Stmt::Noop(_) => self.nothing(to)?,
            Stmt::Expr(value) => drop(self.value(value, to)?),
            Stmt::FnCall(call, _) => {
                let to = self.target(to)?;
                self.function_call(call, to)?;
            }
            Stmt::Block(block) => self.block(block.statements(), to)?,
            Stmt::If(flow, _) => self.choice(flow, to)?,
            Stmt::Switch(switch, _) => self.switch(&switch.0, &switch.1, to)?,
            Stmt::While(flow, _) => {
                self.while_loop(flow)?;
                self.nothing(to)?;
            }
            Stmt::For(parts, _) => {
                self.for_loop(parts.0.as_str(), parts.1.as_ref().map(|counter| counter.as_str()), &parts.2)?;
                self.nothing(to)?;
            }
            Stmt::Var(variable, flags, _) => {
                self.declare(variable.0.as_str(), &variable.1, *flags)?;
                // Its register stays in use.
                return self.nothing(to);
            }
            Stmt::Assignment(set) => {
                let by = match set.0.get_op_assignment_info() {
                    None => None,
                    Some((.., sign)) => Some(Arithmetic::named(sign).ok_or(WhyNot::Operator)?),
                };
                self.assignment(&set.1.lhs, &set.1.rhs, by)?;
                self.nothing(to)?;
            }
            Stmt::Return(value, flags, _) if !flags.intersects(ASTFlags::BREAK) => self.give_back(value.as_deref())?,
            Stmt::Return(value, ..) => self.throw(value.as_deref())?,
            Stmt::BreakLoop(None, flags, _) => self.leave_round(flags.intersects(ASTFlags::BREAK))?,
            Stmt::TryCatch(..) => return Err(WhyNot::Try.into()),
            Stmt::Share(_) => return Err(WhyNot::Closure.into()),
            _ => return Err(WhyNot::RareStatement.into()),
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

    fn declare(&mut self, name: &str, value: &Expr, flags: ASTFlags) -> Lowered<()> {
        if flags.intersects(ASTFlags::EXPORTED) {
            return Err(WhyNot::RareStatement.into());
        }
        let reg = self.fresh()?;
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

    fn give_back(&mut self, value: Option<&Expr>) -> Lowered<()> {
        let result = self.frame().result;
        let reg = match value {
            Some(value) => self.value(value, result)?.reg,
            None => {
                self.nothing(result)?;
                self.constant(Datum::Nothing)?
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

    fn while_loop(&mut self, flow: &FlowControl) -> Lowered<()> {
        let endless = matches!(flow.expr, Expr::Unit(_) | Expr::BoolConstant(true, _));
        if flow.body.is_empty() {
            return Err(WhyNot::RareStatement.into());
        }
        let start = self.here();
        self.line(flow.expr.position());
        self.loops.push(Loop::default());
        let next = self.next;
        let done = if endless { Vec::new() } else { self.condition(&flow.expr, false)? };
        self.next = next;
        self.block(flow.body.statements(), None)?;
        self.end_loop(start, &done);
        Ok(())
    }

    /// Ends a loop that is also left by the jumps `done`.
    fn end_loop(&mut self, start: usize, done: &[usize]) {
        let closed = self.loops.pop().unwrap_or_default();
        if !closed.continues.is_empty() {
            self.bind(&closed.continues);
        }
        self.jump_if(|cost| Op::Repeat { to: start as u16, cost });
        self.bind(done);
        self.bind(&closed.breaks);
    }

    /// `for name in …`, with a counter or not.
    fn for_loop(&mut self, name: &str, counter: Option<&str>, flow: &FlowControl) -> Lowered<()> {
        if flow.body.is_empty() {
            return Err(WhyNot::ForRange.into());
        }
        match &flow.expr {
            Expr::FnCall(range, _) if range.is_operator_call() && range.name.starts_with("..") => {
                match (&range.args[..], counter) {
                    ([first, end], None) if range.name == ".." => self.for_range(name, [first, end], flow),
                    _ => Err(WhyNot::ForRange.into()),
                }
            }
            _ => self.for_items(name, counter, flow),
        }
    }

    /// `for item in list`. Rhai handles everything that is not a list.
    fn for_items(&mut self, name: &str, counter: Option<&str>, flow: &FlowControl) -> Lowered<()> {
        let (locals, next) = (self.locals.len(), self.next);
        let [list, at, item] = [self.fresh()?, self.fresh()?, self.fresh()?];
        self.value(&flow.expr, Some(list))?;
        let from = self.constant(Datum::Whole(0))?;
        self.emit(Op::Copy { to: at, from });
        let start = self.here();
        if let Some(counter) = counter {
            // The script may change it.
            let seen = self.fresh()?;
            self.emit(Op::Copy { to: seen, from: at });
            self.locals.push(Local { name: counter.into(), got: unknown(seen), constant: false });
        }
        let done = self.code.ops.len();
        self.emit(Op::NextItem { list, at, item, to: 0, cost: 0 });
        self.loops.push(Loop::default());
        self.locals.push(Local { name: name.into(), got: unknown(item), constant: false });
        self.block(flow.body.statements(), None)?;
        self.end_loop(start, &[done]);
        self.locals.truncate(locals);
        self.next = next;
        Ok(())
    }

    /// `for i in a..b`.
    fn for_range(&mut self, name: &str, [first, end]: [&Expr; 2], flow: &FlowControl) -> Lowered<()> {
        self.spend(1);
        let (locals, next) = (self.locals.len(), self.next);
        // The next number, the end, and the number that the script sees, which it may change.
        let [counter, last, seen] = [self.fresh()?, self.fresh()?, self.fresh()?];
        self.value(first, Some(counter))?;
        self.value(end, Some(last))?;
        self.flush();
        self.emit(Op::CheckRange { a: counter, b: last });
        let start = self.here();
        self.emit(Op::Copy { to: seen, from: counter });
        let done = self.code.ops.len();
        self.emit(Op::Next { at: counter, end: last, to: 0, cost: 0 });
        self.loops.push(Loop::default());
        self.locals.push(Local {
            name: name.into(),
            got: Got { reg: seen, heavy: self.frame().function.assigned.contains(name), known: Known::Unknown },
            constant: false,
        });
        self.block(flow.body.statements(), None)?;
        self.end_loop(start, &[done]);
        self.locals.truncate(locals);
        self.next = next;
        Ok(())
    }

    /// `break` and `continue`.
    fn leave_round(&mut self, breaks: bool) -> Lowered<()> {
        if self.loops.len() <= self.frame().loops {
            return Err(WhyNot::RareStatement.into());
        }
        let jump = self.jump();
        if let Some(open) = self.loops.last_mut() {
            if breaks { &mut open.breaks } else { &mut open.continues }.push(jump);
        }
        Ok(())
    }

    fn switch(&mut self, value: &Expr, cases: &SwitchCasesCollection, to: Option<Reg>) -> Lowered<()> {
        if !cases.ranges.is_empty() || !is_stable() {
            return Err(WhyNot::RareStatement.into());
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
            None => self.nothing(to)?,
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
            Expr::Variable(variable, ..) => {
                let got = self.value(value, None)?;
                self.spend(1);
                let local = self
                    .local(plain_name(&variable.1))
                    .filter(|local| !local.constant && variable.2.is_empty());
                let Some(local) = local.map(|local| local.got) else {
                    return Err(Refused { why: WhyNot::UnknownVariable, at: target.position() });
                };
                match by {
                    None => self.emit(Op::Copy { to: local.reg, from: got.reg }),
                    Some(by) => {
                        if by == Arithmetic::Subtract {
                            self.weighed(local);
                        }
                        self.emit(Op::Assign { by, to: local.reg, a: local.reg, b: got.reg });
                    }
                }
                Ok(())
            }
            Expr::Dot(..) | Expr::Index(..) => {
                let (Expr::Custom(node, _), at) = (value, value.position()) else {
                    return Err(Refused { why: WhyNot::Assignment, at: target.position() });
                };
                if node.tokens.first().is_none_or(|token| token != WRITE) {
                    return Err(Refused { why: WhyNot::Assignment, at });
                }
                // The node that charges for what is written.
                self.spend(1);
                let got = self.inside(&node.inputs[0], None)?;
                self.weighed(got);
                self.write_chain(target, got.reg, by).map_err(|refused| refused.at(target.position()))
            }
            other => Err(Refused { why: WhyNot::Assignment, at: other.position() }),
        }
    }

    /// A block that is an expression.
    pub fn block_value(&mut self, statements: &[Stmt], to: Reg) -> Lowered<Got> {
        self.block(statements, Some(to))?;
        Ok(unknown(to))
    }
}
