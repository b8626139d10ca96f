//! What happens after a wait: the statements that follow it, in its block and then in the blocks around it, with the local
//! variables that were remembered.

use super::{
    parts::{FRAME, block, parse},
    *,
};
use std::cell::Cell;

/// A local variable where a function waits.
#[derive(Clone, PartialEq, Eq)]
struct Scoped {
    name: ImmutableString,
    /// How many blocks it is in.
    level: usize,
    constant: bool,
}

/// Cuts one function, which is in the normal form.
pub struct Cutter {
    parameters: Vec<ImmutableString>,
    body: Vec<Stmt>,
    /// The local variables at each wait.
    scopes: Vec<Vec<Scoped>>,
    /// The names of those that are needed after it.
    needed: Vec<Vec<ImmutableString>>,
    /// What each wait becomes; the wait itself until that is known.
    saves: Vec<Vec<Stmt>>,
    /// How many loops continue in their middle.
    loops: Cell<usize>,
}

impl Cutter {
    pub fn new(parameters: Vec<ImmutableString>, body: Vec<Stmt>, waits: usize) -> Self {
        let given = parameters.iter().skip(1);
        let mut scope = given.map(|name| Scoped { name: name.clone(), level: 0, constant: false }).collect();
        let mut cutter = Self {
            parameters,
            body: Vec::new(),
            scopes: vec![Vec::new(); waits],
            needed: vec![Vec::new(); waits],
            saves: vec![Vec::new(); waits],
            loops: Cell::new(0),
        };
        cutter.find_scopes(&body, 0, &mut scope);
        cutter.body = body;
        cutter
    }

    fn find_scopes(&mut self, statements: &[Stmt], level: usize, scope: &mut Vec<Scoped>) {
        let outside = scope.clone();
        for statement in statements {
            if let Some(wait) = marked(statement) {
                self.scopes[wait] = scope.clone();
                self.saves[wait] = vec![statement.clone()];
            } else if let Stmt::Var(variable, flags, _) = statement {
                let constant = flags.intersects(ASTFlags::CONSTANT);
                let declared = Scoped { name: variable.0.name.as_str().into(), level, constant };
                scope.retain(|other| (&other.name, other.level) != (&declared.name, level));
                scope.push(declared);
            } else if has_marker(statement) {
                each_block(statement, &mut |inner| self.find_scopes(inner.statements(), level + 1, scope));
            }
        }
        *scope = outside;
    }

    /// Variables that hide others where the function waits, and the number of the wait.
    pub fn hidden(&self) -> Vec<(ImmutableString, usize)> {
        let mut hidden: Vec<(ImmutableString, usize)> = Vec::new();
        for (wait, scope) in self.scopes.iter().enumerate() {
            for (place, local) in scope.iter().enumerate() {
                let twice = scope[..place].iter().any(|other| other.name == local.name);
                if twice && !hidden.iter().any(|(name, _)| *name == local.name) {
                    hidden.push((local.name.clone(), wait));
                }
            }
        }
        hidden
    }

    /// The names of the local variables that are remembered at a wait.
    pub fn needed(&self, wait: usize) -> &[ImmutableString] {
        &self.needed[wait]
    }

    /// Finds the variables that are needed after each wait: those that are used before the next waits, and those that are
    /// needed after these.
    pub fn find_needed(&mut self) {
        let mut uses = Vec::new();
        for wait in 0..self.scopes.len() {
            let (mut names, mut next) = (BTreeSet::new(), BTreeSet::new());
            any_node(&self.after(wait), |node| {
                match node {
                    ASTNode::Expr(Expr::Variable(variable, ..)) => drop(names.insert(variable.1.clone())),
                    ASTNode::Stmt(statement) => next.extend(marked(statement)),
                    _ => {}
                }
                false
            });
            uses.push((names, next));
        }
        loop {
            let mut changed = false;
            for (wait, (names, next)) in uses.iter().enumerate() {
                let later: BTreeSet<_> = next.iter().flat_map(|next| self.needed[*next].iter()).collect();
                let locals = self.scopes[wait].iter().map(|local| &local.name);
                let needed = locals.filter(|name| names.contains(*name) || later.contains(name));
                let needed: Vec<_> = needed.cloned().collect();
                changed |= needed != self.needed[wait];
                self.needed[wait] = needed;
            }
            if !changed {
                break;
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
            let names = self.needed[wait].join(", ");
            let mut save = parse(&format!("{me}.__{kind}__({zeros}{point}, [{names}]); return;"), *at);
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
        let leaves = any_node(&inner, |node| matches!(node, ASTNode::Stmt(Stmt::BreakLoop(..))));
        if ends(&inner) && !leaves {
            return Some(Stmt::Block(Box::new(block(inner, at))));
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
            && let Some(Stmt::While(rounds, _)) = whole.statements_mut().last_mut()
        {
            if let Expr::Or(parts, _) = &mut rounds.expr {
                parts[1] = flow.expr.clone();
            }
            if let Some(Stmt::If(round, _)) = rounds.body.statements_mut().first_mut() {
                let first = round.body.statements().iter().cloned().chain(inner).collect();
                round.body = block(first, at);
                round.branch = block(self.until_waits(flow.body.statements()), at);
            }
        }
        Some(made)
    }

    /// Declares the variables that were remembered at a wait, of those that these statements of a block around it declare.
    fn remembered(&self, before: &[Stmt], wait: usize, level: usize) -> Vec<Stmt> {
        let needed = self.needed[wait].iter().enumerate();
        let declared = needed.filter_map(|(place, name)| {
            let local = self.scopes[wait].iter().find(|local| local.name == *name && local.level == level)?;
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
