//! What happens after a wait: the statements that follow it, in its block and then in the blocks around it, with the local
//! variables that were remembered.

use super::{
    parts::{AfterWait, FRAME, block, parse},
    *,
};
use std::cell::Cell;

/// Cuts one function, which is in the normal form.
pub struct Cutter {
    parameters: Vec<ImmutableString>,
    body: Vec<Stmt>,
    pub locals: WaitLocals,
    /// What each wait becomes; the wait itself until that is known.
    saves: Vec<Vec<Stmt>>,
    /// How many loops continue in their middle.
    loops: Cell<usize>,
}

impl Cutter {
    pub fn new(parameters: Vec<ImmutableString>, body: Vec<Stmt>) -> Self {
        let mut cutter = Self {
            parameters,
            body: Vec::new(),
            locals: WaitLocals::default(),
            saves: Vec::new(),
            loops: Cell::new(0),
        };
        for name in cutter.parameters.iter().skip(1) {
            cutter.locals.declare(name, 0, false);
        }
        cutter.find_locals(&body, 0);
        cutter.body = body;
        cutter
    }

    fn find_locals(&mut self, statements: &[Stmt], level: usize) {
        for statement in statements {
            if marked(statement).is_some() {
                self.locals.wait();
                self.saves.push(vec![statement.clone()]);
            } else if let Stmt::Var(variable, flags, _) = statement {
                self.locals.declare(&variable.0.name, level, flags.intersects(ASTFlags::CONSTANT));
            } else if has_marker(statement) {
                each_block(statement, &mut |inner| self.find_locals(inner.statements(), level + 1));
            }
        }
        self.locals.leave(level);
    }

    /// Finds the variables that are needed after each wait: those that are used before the next waits, and those that are
    /// needed after these.
    pub fn find_needed(&mut self) {
        let after = (0..self.saves.len()).map(|wait| AfterWait::of(&mut self.after(wait)));
        let after: Vec<_> = after.collect();
        let WaitLocals { at, needed, .. } = &mut self.locals;
        loop {
            let mut changed = false;
            for (wait, (AfterWait { names, waits }, locals)) in after.iter().zip(&*at).enumerate() {
                let later = |name: &Arc<str>| {
                    let mut next = waits.iter();
                    next.any(|(next, declared)| {
                        needed[*next].contains(name) && !declared.iter().any(|it| **it == **name)
                    })
                };
                let kept = locals.iter().map(|local| &local.name);
                let kept: Vec<_> = kept.filter(|name| names.contains(&***name) || later(name)).cloned().collect();
                changed |= kept != needed[wait];
                needed[wait] = kept;
            }
            if !changed {
                return;
            }
        }
    }

    /// Makes what each wait becomes: a call that remembers, and `return`. The point of the first wait has this number among
    /// those of the script.
    pub fn make_saves(&mut self, first_point: usize, places: &[Position]) {
        for (wait, at) in places.iter().enumerate() {
            let Some(Stmt::FnCall(call, _)) = self.saves[wait].first() else {
                continue;
            };
            let mut given = call.args.to_vec();
            let Some(Expr::StringConstant(kind, _)) = given.pop() else {
                continue;
            };
            if kind == "wait_for" && given.len() == 1 {
                given.push(Expr::Unit(*at));
            }
            let (me, point, zeros) = (&self.parameters[0], first_point + wait, "0, ".repeat(given.len()));
            let locals: String = self.locals.needed[wait].iter().map(|name| format!("{name}: {name}, ")).collect();
            let locals = if locals.is_empty() { "()".into() } else { format!("#{{ {locals} }}") };
            let mut save = parse(&format!("{me}.__{kind}__({zeros}{point}, {locals}); return;"), *at);
            if let Some(Stmt::Expr(value)) = save.first_mut()
                && let Expr::Dot(pair, ..) = &mut **value
                && let Expr::MethodCall(call, place) = &mut pair.rhs
            {
                *place = *at;
                for (place, value) in given.into_iter().enumerate() {
                    call.args[place] = value;
                }
            }
            self.saves[wait] = save;
        }
    }

    /// The function up to its first waits.
    pub fn beginning(&self) -> Vec<Stmt> {
        self.until_waits(&self.body)
    }

    /// What happens after a wait, up to the next waits.
    pub fn after(&self, wait: usize) -> Vec<Stmt> {
        self.rest(&self.body, wait, 0).unwrap_or_default()
    }

    /// Statements up to their first waits, which end the function.
    fn until_waits(&self, statements: &[Stmt]) -> Vec<Stmt> {
        let mut all = Vec::new();
        for statement in statements {
            if let Some(wait) = marked(statement) {
                all.extend(self.saves[wait].iter().cloned());
                break;
            }
            let mut statement = statement.clone();
            if has_marker(&statement) {
                each_block_mut(&mut statement, &mut |inner| {
                    *inner =
                        StmtBlock::new(self.until_waits(inner.statements()), inner.position(), inner.end_position());
                });
            }
            all.push(statement);
            if ends(&all) {
                break;
            }
        }
        all
    }

    /// What follows a wait in a list of statements; none if the wait is not in them.
    fn rest(&self, statements: &[Stmt], wait: usize, level: usize) -> Option<Vec<Stmt>> {
        let place = statements.iter().position(|statement| holds(statement, wait))?;
        let mut all = self.remembered(&statements[..place], wait, level);
        if marked(&statements[place]).is_none() {
            all.push(self.rest_within(&statements[place], wait, level)?);
        }
        if !ends(&all) {
            all.extend(self.until_waits(&statements[place + 1..]));
        }
        Some(all)
    }

    /// What follows a wait in a statement.
    fn rest_within(&self, statement: &Stmt, wait: usize, level: usize) -> Option<Stmt> {
        let at = statement.position();
        let mut inner = None;
        each_block(statement, &mut |block| {
            inner = inner.take().or_else(|| self.rest(block.statements(), wait, level + 1))
        });
        let inner = inner?;
        let Stmt::While(flow, _) = statement else {
            return Some(Stmt::Block(Box::new(block(inner, at))));
        };
        let leaves = leaves_loop(&inner);
        if ends(&inner) && !leaves {
            return Some(Stmt::Block(Box::new(block(inner, at))));
        }
        let rounds = self.until_waits(flow.body.statements());
        if !leaves {
            // The rest of this round, and then the others, of which there is at most one if each ends with a wait.
            let only_one = ends(&rounds) && !leaves_loop(&rounds);
            let rounds = block(rounds, at);
            let others = match flow.expr {
                Expr::Unit(_) if only_one => Stmt::Block(Box::new(rounds)),
                _ => {
                    let (expr, branch) = (flow.expr.clone(), StmtBlock::NONE);
                    let flow = Box::new(FlowControl { expr, body: rounds, branch });
                    if only_one { Stmt::If(flow, at) } else { Stmt::While(flow, at) }
                }
            };
            let rest = Stmt::Block(Box::new(block(inner, at)));
            return Some(Stmt::Block(Box::new(block(vec![rest, others], at))));
        }
        // The first round of the loop begins after the wait.
        self.loops.set(self.loops.get() + 1);
        let again = format!("again__{}", self.loops.get());
        let head = if matches!(flow.expr, Expr::Unit(_)) {
            "loop".into()
        } else {
            format!("while {again} || false")
        };
        let text = format!("{{ let {again} = true; {head} {{ if {again} {{ {again} = false; }} else {{ }} }} }}");
        let mut made = parse(&text, at).pop()?;
        if let Stmt::Block(whole) = &mut made
            && let Some(Stmt::While(all, _)) = whole.statements_mut().last_mut()
        {
            if let Expr::Or(parts, _) = &mut all.expr {
                parts[1] = flow.expr.clone();
            }
            if let Some(Stmt::If(round, _)) = all.body.statements_mut().first_mut() {
                let first = round.body.statements().iter().cloned().chain(inner).collect();
                round.body = block(first, at);
                round.branch = block(rounds, at);
            }
        }
        Some(made)
    }

    /// Declares the variables that were remembered at a wait, of those that these statements of a block around it declare.
    fn remembered(&self, before: &[Stmt], wait: usize, level: usize) -> Vec<Stmt> {
        let WaitLocals { at: locals, needed, .. } = &self.locals;
        let needed = needed[wait].iter().enumerate();
        let declared = needed.filter_map(|(place, name)| {
            let local = locals[wait].iter().find(|local| local.name == *name && local.level == level)?;
            let word = if local.constant { "const" } else { "let" };
            let at = before.last().map_or(Position::new(1, 1), Stmt::position);
            parse(&format!("{word} {name} = {FRAME}.l{place};"), at).pop()
        });
        declared.collect()
    }
}

/// Whether a wait is a statement or in it.
fn holds(statement: &Stmt, wait: usize) -> bool {
    any_node(std::slice::from_ref(statement), |node| match node {
        ASTNode::Stmt(inner) => marked(inner) == Some(wait),
        _ => false,
    })
}

/// Whether `break` or `continue` in these statements, which are in a loop, is about that loop.
fn leaves_loop(statements: &[Stmt]) -> bool {
    let mut leaves = false;
    walk_all(statements, &mut |path| {
        let is_loop = |node: &ASTNode| matches!(node, ASTNode::Stmt(Stmt::While(..) | Stmt::Do(..) | Stmt::For(..)));
        let is_break = matches!(path.last(), Some(ASTNode::Stmt(Stmt::BreakLoop(..))));
        leaves |= is_break && !path.iter().any(is_loop);
        true
    });
    leaves
}

/// Whether nothing after these statements is reached.
fn ends(statements: &[Stmt]) -> bool {
    match statements.last() {
        Some(Stmt::Return(..)) => true,
        Some(Stmt::Block(inner)) => ends(inner.statements()),
        Some(statement) => marked(statement).is_some(),
        None => false,
    }
}

/// Visits the blocks of a statement.
fn each_block(statement: &Stmt, seen: &mut dyn FnMut(&StmtBlock)) {
    each_block_mut(&mut statement.clone(), &mut |inner| seen(inner));
}

/// Visits the blocks of a statement to change them.
pub fn each_block_mut(statement: &mut Stmt, seen: &mut dyn FnMut(&mut StmtBlock)) {
    match statement {
        Stmt::Block(inner) => seen(inner),
        Stmt::If(flow, _) | Stmt::While(flow, _) => {
            seen(&mut flow.body);
            seen(&mut flow.branch);
        }
        Stmt::Switch(switch, _) => {
            for case in &mut switch.1.expressions {
                if let Expr::Stmt(inner) = &mut case.rhs {
                    seen(inner);
                }
            }
        }
        Stmt::Expr(value) => {
            if let Expr::Stmt(inner) = &mut **value {
                seen(inner);
            }
        }
        _ => {}
    }
}
