//! The normal form of a function that waits: each wait is a statement that is marked with its number.

use super::{
    parts::{FRAME, block, parse},
    rest::each_block_mut,
    *,
};
use crate::check::closure;

/// Brings a function into the normal form.
pub struct Normal<'f, 'a> {
    pub of: &'f mut CutFile<'a>,
    /// The waits so far.
    pub waits: Vec<Wait>,
    /// How many variables were made.
    pub names: usize,
}

impl Normal<'_, '_> {
    pub fn block(&mut self, statements: Vec<Stmt>) -> Vec<Stmt> {
        let mut out = Vec::new();
        for statement in statements {
            match self.of.waits(std::slice::from_ref(&statement)) {
                true => self.statement(statement, &mut out),
                false => out.push(statement),
            }
        }
        out
    }

    fn inner(&mut self, inner: &mut StmtBlock) {
        let (start, end) = (inner.position(), inner.end_position());
        *inner = StmtBlock::new(self.block(inner.statements().to_vec()), start, end);
    }

    /// Brings a statement into the normal form. A wait that stays what it was is where a function cannot wait.
    fn statement(&mut self, mut statement: Stmt, out: &mut Vec<Stmt>) {
        let at = statement.position();
        match &mut statement {
            Stmt::FnCall(call, at) if self.of.is_wait(call) => return self.wait(call, *at, out),
            Stmt::Expr(value) => match &mut **value {
                Expr::FnCall(call, at) if self.of.is_wait(call) => return self.wait(call, *at, out),
                value => self.hoist(value, out),
            },
            Stmt::Var(variable, ..) => self.hoist(&mut variable.1, out),
            Stmt::Assignment(set) => self.hoist(&mut set.1.rhs, out),
            Stmt::Return(Some(value), ..) => self.hoist(value, out),
            Stmt::If(flow, _) => self.hoist(&mut flow.expr, out),
            Stmt::Switch(switch, _) => self.hoist(&mut switch.0, out),
            Stmt::For(parts, _) => {
                let (name, counter, flow) = &mut **parts;
                self.inner(&mut flow.body);
                let names = (name.name.as_str(), counter.as_ref().map(|counter| counter.name.as_str()));
                let text = self.for_loop(&flow.expr, names);
                let mut made = parse(&text, at);
                // The values that the loop goes through are in place of the numbers.
                let ends = match &flow.expr {
                    Expr::FnCall(range, _) if is_range(range) => range.args.to_vec(),
                    other => vec![other.clone()],
                };
                let [Stmt::Block(whole)] = &mut made[..] else {
                    return;
                };
                for (declared, end) in whole.statements_mut().iter_mut().zip(ends) {
                    if let Stmt::Var(variable, ..) = declared {
                        variable.1 = end;
                    }
                }
                if let Some(Stmt::While(made, _)) = whole.statements_mut().last_mut() {
                    let body = made.body.statements().iter().chain(flow.body.statements()).cloned().collect();
                    made.body = block(body, at);
                }
                return out.append(&mut made);
            }
            _ => {}
        }
        each_block_mut(&mut statement, &mut |inner| self.inner(inner));
        out.push(statement);
    }

    /// The text of a loop over a range or a list that remembers where it is; its body follows.
    fn for_loop(&mut self, over: &Expr, (name, counter): (&str, Option<&str>)) -> String {
        self.names += 1;
        let n = self.names;
        match over {
            Expr::FnCall(range, _) if is_range(range) => {
                let compared = if range.name == ".." { "<" } else { "<=" };
                let (begin, count) = match counter {
                    Some(counter) => {
                        (format!("let begin__{n} = at__{n};"), format!("let {counter} = at__{n} - begin__{n};"))
                    }
                    None => Default::default(),
                };
                format!(
                    "{{ let at__{n} = 0; let end__{n} = 0; {begin} while at__{n} {compared} end__{n} {{ \
                     let {name} = at__{n}; {count} at__{n} += 1; }} }}"
                )
            }
            _ => {
                let count = counter.map_or_else(String::new, |counter| format!("let {counter} = at__{n};"));
                format!(
                    "{{ let list__{n} = 0; let at__{n} = 0; while at__{n} < list__{n}.len() {{ \
                     let {name} = list__{n}[at__{n}]; {count} at__{n} += 1; }} }}"
                )
            }
        }
    }

    /// If an expression begins with `wait_for`, puts that wait before it.
    fn hoist(&mut self, value: &mut Expr, out: &mut Vec<Stmt>) {
        match value {
            Expr::FnCall(call, at) if call.name == "wait_for" && self.of.is_wait(call) => {
                let (mut call, at) = (call.clone(), *at);
                self.wait(&mut call, at, out);
                if let Some(Stmt::Expr(event)) = parse(&format!("{FRAME}.event"), at).pop() {
                    *value = *event;
                }
            }
            Expr::FnCall(call, _) if call.is_operator_call() => {
                if let Some(first) = call.args.first_mut() {
                    self.hoist(first, out);
                }
            }
            Expr::Dot(pair, ..) | Expr::Index(pair, ..) => self.hoist(&mut pair.lhs, out),
            _ => {}
        }
    }

    /// A wait as a statement.
    fn wait(&mut self, call: &mut Box<FnCallExpr>, at: Position, out: &mut Vec<Stmt>) {
        if call.name == "wait_until" {
            return self.wait_until(call, at, out);
        }
        if let Err(why) = check_wait_count(&call.name, call.args.len()) {
            return self.of.error(at, why);
        }
        let mut awaits = None;
        if call.name == "wait_for" {
            let Expr::StringConstant(event, at) = &call.args[0] else {
                return self.of.error(at, UNNAMED_EVENT);
            };
            if let Err(why) = check_awaited(event) {
                return self.of.error(*at, why);
            }
            awaits = Some(event.as_str().into());
        }
        let mut call = call.clone();
        // The kind of the wait, for the call that is made of it.
        call.args.push(Expr::StringConstant(call.name.clone(), at));
        call.name = marker_name(self.waits.len()).into();
        self.waits.push((at, awaits));
        out.push(Stmt::FnCall(call, at));
    }

    /// `wait_until(|| condition)` is `while !condition { wait_ticks(1); }`.
    fn wait_until(&mut self, call: &FnCallExpr, at: Position, out: &mut Vec<Stmt>) {
        let literal = call.args.first().filter(|_| call.args.len() == 1).and_then(closure);
        let condition = literal.and_then(|literal| {
            let parameters = literal.captured.len();
            let body = body_of(&function_alone(self.of.ast, literal.function.fn_name(), parameters));
            let returns = any_node(&body, |node| matches!(node, ASTNode::Stmt(Stmt::Return(..))));
            (!body.is_empty() && !returns).then_some(body)
        });
        let Some(condition) = condition else {
            let why = "`wait_until` needs one condition without parameters or `return`, as in `wait_until(|| me.grounded)`; for a time \
                       limit, write `|| me.grounded || me.age > due`";
            return self.of.error(at, why);
        };
        let mut made = parse("while !(0) { }", at);
        if let Some(Stmt::While(flow, _)) = made.first_mut() {
            if let Expr::FnCall(not, _) = &mut flow.expr {
                not.args[0] = match <[Stmt; 1]>::try_from(condition) {
                    Ok([Stmt::Expr(value)]) => *value,
                    Ok([other]) => Expr::Stmt(Box::new(block(vec![other], at))),
                    Err(several) => Expr::Stmt(Box::new(block(several, at))),
                };
            }
            let mut tick = parse("wait_ticks(1)", at);
            if let Some(Stmt::Expr(value)) = tick.pop()
                && let Expr::FnCall(mut tick, _) = *value
            {
                let mut body = Vec::new();
                self.wait(&mut tick, at, &mut body);
                flow.body = block(body, at);
            }
        }
        out.append(&mut made);
    }
}

fn is_range(call: &FnCallExpr) -> bool {
    matches!(call.name.as_str(), ".." | "..=") && call.args.len() == 2
}
