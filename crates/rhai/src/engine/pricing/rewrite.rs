//! Puts prices into a syntax tree.

use super::nodes::{self, Computes};
use super::path::{ChainEnd, ValuePath, mark_assigned, mark_root};
use rhai::{Expr, FnCallExpr, Stmt};

/// Operators that handle only numbers and short text, or charge for themselves: the values that they
/// compute from need no price.
const CHEAP: [&str; 14] = ["+", "-", "*", "/", "%", "<", "<=", ">", ">=", "!", "&", "|", "^", ".."];

/// Puts prices into statements. Returns whether there were any to put.
pub(super) fn statements(all: &mut [Stmt]) -> bool {
    let mut rewriter = PriceRewriter { changed: false };
    rewriter.block(all);
    rewriter.changed
}

/// How the value of an expression is used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ValueUse {
    /// It is kept or passed on, whatever it is.
    Kept,
    /// It has to be a truth value, a number or a short text; anything else is an error, or charged for.
    Small,
}

/// Whether an operator may take texts, by its name and its right side.
fn may_be_text(operator: &str, right: &Expr) -> bool {
    let number = match right {
        Expr::IntegerConstant(..) | Expr::FloatConstant(..) => true,
        Expr::FnCall(call, _) => call.is_operator_call() && ["*", "/", "%"].contains(&call.name.as_str()),
        _ => false,
    };
    let chain = matches!(right, Expr::Dot(..) | Expr::Index(..));
    match operator {
        "+" | "-" => !number,
        // Comparing texts takes as long as they are equal.
        "<" | "<=" | ">" | ">=" => chain,
        _ => false,
    }
}

struct PriceRewriter {
    changed: bool,
}

impl PriceRewriter {
    fn block(&mut self, statements: &mut [Stmt]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &mut Stmt) {
        match statement {
            Stmt::Expr(value) => self.expression(value, ValueUse::Kept),
            Stmt::FnCall(call, _) => self.call(call),
            Stmt::Block(block) => self.block(block.statements_mut()),
            Stmt::If(flow, _) | Stmt::While(flow, _) | Stmt::Do(flow, ..) => {
                self.expression(&mut flow.expr, ValueUse::Small);
                self.block(flow.body.statements_mut());
                self.block(flow.branch.statements_mut());
            }
            Stmt::Switch(switch, _) => {
                self.expression(&mut switch.0, ValueUse::Kept);
                for case in &mut switch.1.expressions {
                    self.expression(&mut case.lhs, ValueUse::Small);
                    self.expression(&mut case.rhs, ValueUse::Kept);
                }
            }
            Stmt::For(parts, _) => {
                self.expression(&mut parts.2.expr, ValueUse::Kept);
                self.block(parts.2.body.statements_mut());
            }
            Stmt::Var(variable, ..) => self.expression(&mut variable.1, ValueUse::Kept),
            Stmt::Assignment(set) => {
                let computes = match set.0.get_op_assignment_info() {
                    None => Computes::Nothing,
                    Some((.., "-")) => Computes::Removes,
                    Some(_) => Computes::Changes,
                };
                let sides = &mut set.1;
                self.assignment(&mut sides.lhs, &mut sides.rhs, computes);
            }
            Stmt::TryCatch(flow, _) => {
                self.block(flow.body.statements_mut());
                self.block(flow.branch.statements_mut());
            }
            Stmt::Return(Some(value), ..) | Stmt::BreakLoop(Some(value), ..) => {
                self.expression(value, ValueUse::Kept);
            }
            _ => {}
        }
    }

    fn assignment(&mut self, target: &mut Expr, value: &mut Expr, computes: Computes) {
        if ValuePath::of(target).is_none() {
            // What `-=` removes a text from is charged for as if it were copied.
            if computes != Computes::Removes {
                mark_assigned(target, computes == Computes::Changes);
            }
            self.changed = true;
            return self.expression(value, ValueUse::Kept);
        }
        self.expression(value, ValueUse::Small);
        nodes::write(value, target, computes);
        self.changed = true;
        self.chain(target);
    }

    fn expression(&mut self, expression: &mut Expr, used: ValueUse) {
        match expression {
            Expr::ThisPtr(_) if used == ValueUse::Kept => {
                nodes::read(expression);
                self.changed = true;
            }
            Expr::Dot(..) | Expr::Index(..) => {
                let path = ValuePath::of(expression);
                self.chain(expression);
                if let Some(path) = path {
                    self.chain_value(expression, path, used);
                }
            }
            Expr::InterpolatedString(parts, _) => {
                for part in parts.iter_mut() {
                    self.expression(part, ValueUse::Kept);
                }
                nodes::join(expression);
                self.changed = true;
            }
            Expr::Array(parts, _) => {
                self.each(parts.iter_mut(), ValueUse::Kept);
                nodes::make(expression, 1);
                self.changed = true;
            }
            Expr::Map(map, _) => {
                let entries = map.0.len();
                self.each(map.0.iter_mut().map(|(_, value)| value), ValueUse::Kept);
                nodes::make(expression, entries);
                self.changed = true;
            }
            Expr::And(parts, _) | Expr::Or(parts, _) => self.each(parts.iter_mut(), ValueUse::Small),
            Expr::Coalesce(parts, _) => self.each(parts.iter_mut(), used),
            Expr::FnCall(call, _) => self.call(call),
            Expr::Stmt(block) => self.block(block.statements_mut()),
            _ => {}
        }
    }

    fn each<'e>(&mut self, parts: impl Iterator<Item = &'e mut Expr>, used: ValueUse) {
        for part in parts {
            self.expression(part, used);
        }
    }

    fn call(&mut self, call: &mut FnCallExpr) {
        let cheap = call.is_operator_call() && CHEAP.contains(&call.name.as_str());
        let used = if cheap { ValueUse::Small } else { ValueUse::Kept };
        if cheap
            && let [left, right] = &mut call.args[..]
            && may_be_text(&call.name, right)
        {
            // Making a text from two, removing one from another, and comparing them takes as long as the
            // first is large.
            self.expression(left, ValueUse::Kept);
            return self.expression(right, used);
        }
        self.each(call.args.iter_mut(), used);
    }

    /// The value at the end of a chain.
    fn chain_value(&mut self, expression: &mut Expr, path: ValuePath, used: ValueUse) {
        if path.may_search() {
            nodes::search(expression, path);
        } else if used == ValueUse::Kept && path.end() != ChainEnd::Method {
            nodes::read(expression);
        } else {
            return;
        }
        self.changed = true;
    }

    /// What is inside a chain: its root, its indices, and the arguments of its methods.
    fn chain(&mut self, chain: &mut Expr) {
        let (Expr::Dot(pair, ..) | Expr::Index(pair, ..)) = chain else {
            return;
        };
        match &mut pair.lhs {
            Expr::Variable(..) => {
                mark_root(&mut pair.lhs);
                self.changed = true;
            }
            root => self.expression(root, ValueUse::Small),
        }
        self.rest(chain);
    }

    /// The steps of a chain, of which `chain` begins with the first or a later one.
    fn rest(&mut self, chain: &mut Expr) {
        let mut index = matches!(chain, Expr::Index(..));
        let mut ends = breaks(chain);
        let (Expr::Dot(pair, ..) | Expr::Index(pair, ..)) = chain else {
            return;
        };
        let mut rest = &mut pair.rhs;
        loop {
            // An index may be a chain too, which is not part of this one.
            let open = !(index && ends) && matches!(rest, Expr::Dot(..) | Expr::Index(..));
            if !open {
                return self.step(rest, index);
            }
            let (next_index, next_ends) = (matches!(rest, Expr::Index(..)), breaks(rest));
            let (Expr::Dot(pair, ..) | Expr::Index(pair, ..)) = rest else {
                return;
            };
            self.step(&mut pair.lhs, index);
            (rest, index, ends) = (&mut pair.rhs, next_index, next_ends);
        }
    }

    fn step(&mut self, step: &mut Expr, index: bool) {
        match step {
            Expr::MethodCall(call, _) => self.each(call.args.iter_mut(), ValueUse::Kept),
            Expr::Property(..) => {}
            // Only numbers, text and ranges can be an index.
            at if index => self.expression(at, ValueUse::Small),
            _ => {}
        }
    }
}

fn breaks(chain: &Expr) -> bool {
    match chain {
        Expr::Dot(_, flags, _) | Expr::Index(_, flags, _) => flags.intersects(rhai::ASTFlags::BREAK),
        _ => false,
    }
}
