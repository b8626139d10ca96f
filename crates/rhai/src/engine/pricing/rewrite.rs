//! Puts prices into a syntax tree.

use super::*;

/// Operators that handle only numbers and short text, or charge for themselves: the values that they
/// compute from need no price.
const CHEAP: [&str; 14] = ["+", "-", "*", "/", "%", "<", "<=", ">", ">=", "!", "&", "|", "^", ".."];

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

/// Puts prices into statements.
pub fn block(statements: &mut [Stmt]) {
    statements.iter_mut().for_each(statement);
}

fn statement(priced: &mut Stmt) {
    match priced {
        Stmt::Expr(value) => expression(value, ValueUse::Kept),
        Stmt::FnCall(called, _) => call(called),
        Stmt::Block(inner) => block(inner.statements_mut()),
        Stmt::If(flow, _) | Stmt::While(flow, _) | Stmt::Do(flow, ..) => {
            expression(&mut flow.expr, ValueUse::Small);
            block(flow.body.statements_mut());
            block(flow.branch.statements_mut());
        }
        Stmt::Switch(switch, _) => {
            expression(&mut switch.0, ValueUse::Kept);
            for case in &mut switch.1.expressions {
                expression(&mut case.lhs, ValueUse::Small);
                expression(&mut case.rhs, ValueUse::Kept);
            }
        }
        Stmt::For(parts, _) => {
            expression(&mut parts.2.expr, ValueUse::Kept);
            block(parts.2.body.statements_mut());
        }
        Stmt::Var(variable, ..) => expression(&mut variable.1, ValueUse::Kept),
        Stmt::Assignment(set) => {
            let computes = match set.0.get_op_assignment_info() {
                None => Computes::Nothing,
                Some((.., "-")) => Computes::Removes,
                Some(_) => Computes::Changes,
            };
            let sides = &mut set.1;
            assignment(&mut sides.lhs, &mut sides.rhs, computes);
        }
        Stmt::TryCatch(flow, _) => {
            block(flow.body.statements_mut());
            block(flow.branch.statements_mut());
        }
        Stmt::Return(Some(value), ..) | Stmt::BreakLoop(Some(value), ..) => {
            expression(value, ValueUse::Kept);
        }
        _ => {}
    }
}

fn assignment(target: &mut Expr, value: &mut Expr, computes: Computes) {
    if ValuePath::of(target).is_none() {
        // What `-=` removes a text from is charged for as if it were copied.
        if computes != Computes::Removes {
            mark(target, if computes == Computes::Changes { CHANGED } else { ROOT });
        }
        return expression(value, ValueUse::Kept);
    }
    expression(value, ValueUse::Small);
    nodes::write(value, target, computes);
    chain(target);
}

fn expression(value: &mut Expr, used: ValueUse) {
    match value {
        Expr::ThisPtr(_) if used == ValueUse::Kept => wrap(value, READ, Dynamic::UNIT),
        Expr::Dot(..) | Expr::Index(..) => {
            let path = ValuePath::of(value);
            chain(value);
            if let Some(path) = path {
                chain_value(value, path, used);
            }
        }
        Expr::InterpolatedString(parts, _) => {
            each(parts.iter_mut(), ValueUse::Kept);
            wrap(value, JOIN, Dynamic::UNIT);
        }
        Expr::Array(parts, _) => {
            each(parts.iter_mut(), ValueUse::Kept);
            wrap(value, MAKE, Dynamic::ONE);
        }
        Expr::Map(map, _) => {
            let entries = map.0.len() as i64;
            each(map.0.iter_mut().map(|(_, entry)| entry), ValueUse::Kept);
            wrap(value, MAKE, entries.into());
        }
        Expr::And(parts, _) | Expr::Or(parts, _) => each(parts.iter_mut(), ValueUse::Small),
        Expr::Coalesce(parts, _) => each(parts.iter_mut(), used),
        Expr::FnCall(called, _) => call(called),
        Expr::Stmt(inner) => block(inner.statements_mut()),
        _ => {}
    }
}

fn each<'e>(parts: impl Iterator<Item = &'e mut Expr>, used: ValueUse) {
    for part in parts {
        expression(part, used);
    }
}

fn call(called: &mut FnCallExpr) {
    let cheap = called.is_operator_call() && CHEAP.contains(&called.name.as_str());
    let used = if cheap { ValueUse::Small } else { ValueUse::Kept };
    if cheap
        && let [left, right] = &mut called.args[..]
        && may_be_text(&called.name, right)
    {
        // Making a text from two, removing one from another, and comparing them takes as long as the
        // first is large.
        expression(left, ValueUse::Kept);
        return expression(right, used);
    }
    each(called.args.iter_mut(), used);
}

/// The value at the end of a chain.
fn chain_value(expression: &mut Expr, path: ValuePath, used: ValueUse) {
    if path.may_search() {
        wrap(expression, SEARCH, Dynamic::from(path));
    } else if used == ValueUse::Kept && path.end() != ChainEnd::Method {
        wrap(expression, READ, Dynamic::UNIT);
    }
}

/// What is inside a chain: its root, its indices, and the arguments of its methods.
fn chain(whole: &mut Expr) {
    let (Expr::Dot(pair, ..) | Expr::Index(pair, ..)) = whole else {
        return;
    };
    match &mut pair.lhs {
        Expr::Variable(..) => mark(&mut pair.lhs, ROOT),
        root => expression(root, ValueUse::Small),
    }
    rest(whole);
}

/// The steps of a chain. `chain` begins with the first step or a later one.
fn rest(chain: &mut Expr) {
    let index = matches!(chain, Expr::Index(..));
    let (Expr::Dot(pair, flags, _) | Expr::Index(pair, flags, _)) = chain else {
        return;
    };
    // An index may be a chain too, which is not part of this one.
    let open = !(index && flags.intersects(ASTFlags::BREAK));
    if let Expr::Dot(next, ..) | Expr::Index(next, ..) = &mut pair.rhs
        && open
    {
        step(&mut next.lhs, index);
        rest(&mut pair.rhs);
    } else {
        step(&mut pair.rhs, index);
    }
}

fn step(part: &mut Expr, index: bool) {
    match part {
        Expr::MethodCall(call, _) => each(call.args.iter_mut(), ValueUse::Kept),
        Expr::Property(..) => {}
        // Only numbers, text and ranges can be an index.
        at if index => expression(at, ValueUse::Small),
        _ => {}
    }
}
