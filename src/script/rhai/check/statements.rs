//! Statements: what they bring into sight, and those that are never reached.

use super::comparisons::written;
use super::source::start;
use super::types::{is_number, join, present};
use super::walk::Walker;
use crate::script::host::api::{ApiSet, Type};
use rhai::{ASTFlags, Expr, Position, Stmt, StmtBlock};

impl Walker<'_> {
    /// Walks through statements that see variables of their own; answers what the last of them is.
    pub fn block(&mut self, statements: &[Stmt]) -> Type {
        let seen = self.locals.len();
        let mut last = Type::Nothing;
        let mut ended = false;
        for (number, statement) in statements.iter().enumerate() {
            if number + 1 < statements.len() {
                self.bare_expect(statement);
            }
            if ended {
                let what = "this is never reached: the statement before it ends the block";
                self.warn(statement.position(), what);
                ended = false;
            }
            last = self.statement(statement);
            ended |= matches!(statement, Stmt::Return(..) | Stmt::BreakLoop(..));
        }
        self.locals.truncate(seen);
        last
    }

    fn statement(&mut self, statement: &Stmt) -> Type {
        match statement {
            Stmt::Expr(expression) => return self.expression(expression),
            Stmt::FnCall(call, pos) => return self.function_call(call, *pos),
            Stmt::Block(block) => return self.block(block.statements()),
            Stmt::If(flow, _) => {
                self.condition(&flow.expr);
                let yes = self.block(flow.body.statements());
                let no = self.block(flow.branch.statements());
                return join(yes, no);
            }
            Stmt::Switch(switch, at) => {
                let holds = self.expression(&switch.0);
                self.labels(&switch.0, holds, *at);
                for case in &switch.1.expressions {
                    self.expression(&case.lhs);
                    self.expression(&case.rhs);
                }
                return Type::Any;
            }
            Stmt::While(flow, _) | Stmt::Do(flow, ..) => {
                self.condition(&flow.expr);
                self.block(flow.body.statements());
                self.bare_end(flow.body.statements());
            }
            Stmt::For(parts, _) => self.for_each(parts),
            Stmt::Var(var, _, _) => {
                let holds = self.expression(&var.1);
                let whole = self.whole(&var.1);
                self.bind(&var.0.name, holds);
                if let Some(number) = whole {
                    self.bind_whole(number);
                }
            }
            Stmt::Assignment(assignment) => {
                self.assignment(&assignment.1, assignment.0.is_op_assignment());
            }
            Stmt::TryCatch(flow, _) => self.try_catch(&flow.expr, &flow.body, &flow.branch),
            Stmt::Return(Some(value), flags, _) => {
                self.expression(value);
                if !flags.intersects(ASTFlags::BREAK) && self.closures == 0 {
                    self.answer(value);
                }
            }
            Stmt::BreakLoop(Some(value), ..) => {
                self.expression(value);
                return Type::Any;
            }
            _ => {}
        }
        // A loop may be left with a value, and what is left has none that anybody takes.
        Type::Any
    }

    /// What has to be true or false.
    pub fn condition(&mut self, asked: &Expr) {
        let before = self.count();
        let holds = self.expression(asked);
        let there = present(holds);
        let unknown = matches!(there, Type::Any | Type::Data | Type::Either(_));
        let certain = !unknown && !matches!(there, Type::Flag | Type::Nothing);
        if certain && self.count() == before {
            let hint = match (holds, there) {
                (Type::Either(_), _) => "; compare it with ()",
                (_, Type::Whole | Type::Number) => "; compare it with a number",
                _ => "",
            };
            let what = format!("true or false is wanted here, not {}{hint}", there.spoken());
            self.error(start(asked), what);
        }
    }

    fn for_each(&mut self, parts: &(rhai::Ident, Option<rhai::Ident>, rhai::FlowControl)) {
        let (each, counter, flow) = parts;
        let holds = match self.expression(&flow.expr) {
            Type::Array(of) => *of,
            other => {
                self.gone_through(other, start(&flow.expr));
                Type::Any
            }
        };
        let seen = self.locals.len();
        self.bind(&each.name, holds);
        if let Some(counter) = counter {
            self.bind(&counter.name, Type::Whole);
        }
        self.block(flow.body.statements());
        self.bare_end(flow.body.statements());
        self.locals.truncate(seen);
    }

    /// What has no elements that a `for` could go through.
    fn gone_through(&mut self, of: Type, at: Position) {
        use Type as T;
        let hint = match of {
            T::Map(_) => "; its keys are `.keys()`",
            T::Whole | T::Number => "; a range is written `0..3`",
            T::Flag | T::Vec | T::Me | T::Entity | T::Live | T::Test => "",
            _ => return,
        };
        let kind = match of {
            T::Whole => T::Number.spoken(),
            T::Map(_) => "a map".into(),
            other => other.spoken(),
        };
        self.error(
            at,
            format!("`for` goes through a range, an array or text, not {kind}{hint}"),
        );
    }

    /// The last statement of what answers nothing to anybody.
    pub fn bare_end(&mut self, statements: &[Stmt]) {
        if let Some(last) = statements.last() {
            self.bare_expect(last);
        }
    }

    /// `expect(…)` with nothing behind it cannot fail.
    fn bare_expect(&mut self, statement: &Stmt) {
        let call = match statement {
            Stmt::FnCall(call, _) => call,
            Stmt::Expr(expression) => match &**expression {
                Expr::FnCall(call, _) => call,
                _ => return,
            },
            _ => return,
        };
        let bare = call.name.as_str() == "expect" && call.args.len() == 1;
        let own = !self.source.parameters_of("expect").is_empty();
        if bare && !own && call.namespace.is_empty() && self.vocabulary.api_set == ApiSet::Test {
            let what =
                "nothing is expected here: go on with `.equals(…)`, `.above(…)`, `.below(…)` …";
            self.error(statement.position(), what);
        }
    }

    fn try_catch(&mut self, caught: &Expr, body: &StmtBlock, branch: &StmtBlock) {
        self.block(body.statements());
        let seen = self.locals.len();
        if let Expr::Variable(variable, ..) = caught {
            self.bind(&variable.1, Type::Any);
        }
        self.block(branch.statements());
        self.locals.truncate(seen);
    }

    /// Whole numbers that leave something when they are divided, and `^`, which is no power.
    pub fn whole_numbers(&mut self, sign: &str, sides: &[Expr], types: &[Type], at: Position) {
        let ([a, b], [of_a, of_b]) = (sides, types) else {
            return;
        };
        let (Some(left), Some(right)) = (written(a), written(b)) else {
            return;
        };
        let numbers = self.whole(a).zip(self.whole(b));
        match (sign, numbers) {
            ("/", Some((n, m))) if n.checked_rem(m).is_some_and(|rest| rest != 0) => {
                let whole = n / m;
                let point = match a {
                    Expr::IntegerConstant(..) => format!("{left}.0"),
                    _ => format!("to_float({left})"),
                };
                let what = format!(
                    "`{left} / {right}` is {whole}: both are whole; write `{point} / {right}`"
                );
                self.warn(start(a), what);
            }
            // Two whole numbers with names may well be flags in bits.
            ("^", _)
                if matches!(
                    sides,
                    [Expr::IntegerConstant(..), Expr::IntegerConstant(..)]
                ) || (*of_a == Type::Number && is_number(*of_b)) =>
            {
                let what =
                    format!("`^` is exclusive or; for the power write `pow({left}, {right})`");
                self.warn(at, what);
            }
            _ => {}
        }
    }

    /// Whole numbers that are divided for a function whose answers lie between whole numbers. Elsewhere a whole
    /// quotient may be what is wanted, as of full seconds.
    pub fn stepwise(&mut self, name: &str, arguments: &[Expr]) {
        if !matches!(name, "sin" | "cos" | "tan") {
            return;
        }
        let mut open: Vec<&Expr> = arguments.iter().collect();
        while let Some(next) = open.pop() {
            let Expr::FnCall(call, at) = next else {
                continue;
            };
            let [a, b] = call.args.as_slice() else {
                continue;
            };
            if matches!(call.name.as_str(), "+" | "-" | "*") {
                open.extend([a, b]);
                continue;
            }
            let known = self.whole(a).is_some() && self.whole(b).is_some();
            let whole =
                [a, b].map(|side| self.quietly(|walker| walker.expression(side)) == Type::Whole);
            if call.name == "/" && whole == [true, true] && !known {
                let what = format!(
                    "both are whole, and what is behind the point is cut: `{name}` goes by steps; give one of them \
                     a point, as in `60.0`"
                );
                self.warn(*at, what);
            }
        }
    }
}
