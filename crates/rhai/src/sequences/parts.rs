//! Making pieces of the syntax tree from text, and the variables that are declared around statements that were moved.

use super::*;
use rhai::Engine;
use std::num::{NonZeroU8, NonZeroUsize};

/// The parameter with what a sequence remembers.
pub const FRAME: &str = "frame__";

thread_local! {
    static PARSER: Engine = {
        let mut engine = Engine::new_raw();
        engine.set_optimization_level(rhai::OptimizationLevel::None);
        engine
    };
}

/// The statements of a text, all of them at one place of the file.
pub fn parse(text: &str, at: Position) -> Vec<Stmt> {
    let before = "\n".repeat(at.line().unwrap_or(1).saturating_sub(1));
    let parsed = PARSER.with(|parser| parser.compile(format!("{before}fn f() {{ {text} }}")));
    parsed.map_or_else(|_| Vec::new(), |ast| body_of(&ast))
}

/// A block of statements.
pub fn block(statements: Vec<Stmt>, at: Position) -> StmtBlock {
    StmtBlock::new(statements, at, at)
}

/// Notes for each variable where it is, counted from the last one, as Rhai's parser does: statements that were moved have
/// other variables around them. The parameters of the function come first.
pub fn place_variables(statements: &mut [Stmt], parameters: &[ImmutableString]) {
    Places { names: parameters.to_vec(), after: AfterWait::default() }.block(statements);
}

/// What runs after a wait, up to the next waits.
#[derive(Default)]
pub struct AfterWait {
    /// The names of variables in it that are declared outside.
    pub names: BTreeSet<ImmutableString>,
    /// The next waits, with the names of the variables that are declared before them.
    pub waits: Vec<(usize, Vec<ImmutableString>)>,
}

impl AfterWait {
    pub fn of(statements: &mut [Stmt]) -> Self {
        let mut places = Places { names: Vec::new(), after: Self::default() };
        places.block(statements);
        places.after
    }
}

/// The variables that can be used at a point of a function, the last one declared last.
struct Places {
    names: Vec<ImmutableString>,
    /// What was met on the way.
    after: AfterWait,
}

impl Places {
    fn of(&self, name: &str) -> Option<NonZeroUsize> {
        NonZeroUsize::new(self.names.iter().rev().position(|known| *known == name)? + 1)
    }

    fn block(&mut self, statements: &mut [Stmt]) {
        let outside = self.names.len();
        statements.iter_mut().for_each(|statement| self.statement(statement));
        self.names.truncate(outside);
    }

    fn statement(&mut self, statement: &mut Stmt) {
        self.after.waits.extend(marked(statement).map(|wait| (wait, self.names.clone())));
        match statement {
            Stmt::Expr(value) => self.value(value),
            Stmt::FnCall(call, _) => call.args.iter_mut().for_each(|value| self.value(value)),
            Stmt::Block(inner) => self.block(inner.statements_mut()),
            Stmt::If(flow, _) | Stmt::While(flow, _) | Stmt::Do(flow, ..) => {
                self.value(&mut flow.expr);
                self.block(flow.body.statements_mut());
                self.block(flow.branch.statements_mut());
            }
            Stmt::Switch(switch, _) => {
                self.value(&mut switch.0);
                for case in &mut switch.1.expressions {
                    self.value(&mut case.lhs);
                    self.value(&mut case.rhs);
                }
            }
            Stmt::For(parts, _) => {
                let (name, counter, flow) = &mut **parts;
                self.value(&mut flow.expr);
                let outside = self.names.len();
                let own = counter.iter().chain([&*name]);
                self.names.extend(own.map(|name| ImmutableString::from(name.name.as_str())));
                self.block(flow.body.statements_mut());
                self.names.truncate(outside);
            }
            Stmt::Var(variable, ..) => {
                self.value(&mut variable.1);
                // It gets its own place, also if there is one of the same name.
                variable.2 = None;
                self.names.push(variable.0.name.as_str().into());
            }
            Stmt::Assignment(set) => {
                self.value(&mut set.1.lhs);
                self.value(&mut set.1.rhs);
            }
            Stmt::Return(Some(value), ..) | Stmt::BreakLoop(Some(value), ..) => self.value(value),
            Stmt::Share(names) => names.iter_mut().for_each(|name| name.1 = self.of(&name.0.name)),
            _ => {}
        }
    }

    fn value(&mut self, value: &mut Expr) {
        match value {
            Expr::Variable(variable, short, _) if variable.2.is_empty() => {
                variable.0 = self.of(&variable.1);
                if variable.0.is_none() {
                    self.after.names.insert(variable.1.clone());
                }
                *short = variable.0.and_then(|place| NonZeroU8::try_from(place).ok());
            }
            Expr::Dot(pair, ..) | Expr::Index(pair, ..) => {
                self.value(&mut pair.lhs);
                self.value(&mut pair.rhs);
            }
            Expr::InterpolatedString(parts, _) | Expr::Array(parts, _) => {
                parts.iter_mut().for_each(|part| self.value(part));
            }
            Expr::Map(map, _) => map.0.iter_mut().for_each(|(_, entry)| self.value(entry)),
            Expr::And(parts, _) | Expr::Or(parts, _) | Expr::Coalesce(parts, _) => {
                parts.iter_mut().for_each(|part| self.value(part));
            }
            Expr::FnCall(call, _) | Expr::MethodCall(call, _) => {
                call.args.iter_mut().for_each(|value| self.value(value));
            }
            Expr::Stmt(inner) => self.block(inner.statements_mut()),
            _ => {}
        }
    }
}
