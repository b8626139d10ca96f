//! Checks of statements: unreachable code, unfinished expectations, and what rules return.

use super::hooks::declared_functions;
use super::names;
use super::scope::{Scope, ScriptRole};
use super::source::ScriptFunction;
use super::types::{ANY_ARRAY, ANY_MAP, fits, spoken};
use crate::script::host::api::{Names, Room, Type};
use crate::script::host::{Diagnostic, WINDOWS};
use crate::script::rhai::calls::answers::read_windows;
use rhai::{Expr, Ident, Position, Stmt};

/// Statements after one that always leaves the block.
pub(super) fn unreachable(statements: &[Stmt], scope: &Scope<'_>) {
    for pair in statements.windows(2) {
        if matches!(pair[0], Stmt::Return(..) | Stmt::BreakLoop(..)) {
            let message = "this code is never reached; the statement before it leaves the block";
            scope.warn(pair[1].position(), message);
        }
    }
}

/// A statement `expect(…)` without a comparison, which cannot fail.
pub(super) fn unfinished_expectation(statement: Option<&Stmt>, scope: &Scope<'_>) {
    let Some(statement) = statement else {
        return;
    };
    let call = match statement {
        Stmt::FnCall(call, _) => call,
        Stmt::Expr(expression) => match &**expression {
            Expr::FnCall(call, _) => call,
            _ => return,
        },
        _ => return,
    };
    let bare = call.name == "expect" && call.args.len() == 1 && call.namespace.is_empty();
    let file = scope.file;
    if bare && !file.script.has_function("expect") && file.vocabulary.room == Room::Test {
        let message = "this checks nothing; add `.equals(…)`, `.above(…)` or `.below(…)`";
        scope.error(statement.position(), message);
    }
}

/// `this` in a test function.
pub(super) fn this_in_test(at: Position, scope: &Scope<'_>) {
    let in_test = scope.file.role == ScriptRole::Test && scope.function.is_test;
    if in_test && scope.closures == 0 {
        let message = "tests have no `this`; read an entity's variables from its `vars`";
        scope.error(at, message);
    }
}

/// A rule of entities in the script of a level.
pub(super) fn level_rule(function: &ScriptFunction, scope: &Scope<'_>) {
    let file = scope.file;
    let (ScriptRole::Level, Some(rule)) = (file.role, scope.function.rule) else {
        return;
    };
    let declared = declared_functions(&file.script.ast, &file.script.file);
    if let Some(declared) = declared.into_iter().find(|d| d.name == function.name) {
        scope
            .findings
            .add(Diagnostic::error(declared.place, rule.not_of_levels()));
    }
}

/// The value of a function's last statement.
pub(super) fn last_value(statements: &[Stmt], scope: &Scope<'_>) {
    match statements.last() {
        Some(Stmt::Expr(value)) => returned(value, scope),
        Some(Stmt::Block(block)) => last_value(block.statements(), scope),
        Some(Stmt::If(flow, _)) => {
            last_value(flow.body.statements(), scope);
            last_value(flow.branch.statements(), scope);
        }
        Some(Stmt::Switch(switch, _)) => {
            for case in &switch.1.expressions {
                returned(&case.rhs, scope);
            }
        }
        _ => {}
    }
}

/// A literal that a rule returns.
pub(super) fn returned(value: &Expr, scope: &Scope<'_>) {
    let Some(rule) = scope.function.rule.filter(|_| scope.closures == 0) else {
        return;
    };
    let given = match value {
        Expr::Stmt(block) => return last_value(block.statements(), scope),
        Expr::BoolConstant(..) => Type::Flag,
        Expr::IntegerConstant(..) | Expr::FloatConstant(..) => Type::Number,
        Expr::StringConstant(..) => Type::Text,
        Expr::Array(..) => ANY_ARRAY,
        Expr::Map(..) => ANY_MAP,
        _ => return,
    };
    if !fits(given, rule.answers) {
        let given = spoken(given);
        let wanted = rule.answers.spoken();
        let message = format!("`{}` must return {wanted}, not {given}", rule.name);
        return scope.error(value.start_position(), message);
    }
    match value {
        Expr::StringConstant(name, at) => names::fixed(Names::Model, name, *at, scope),
        Expr::Map(map, _) => windows(&map.0, scope),
        _ => {}
    }
}

/// The map that `jump_windows` returns.
fn windows(fields: &[(Ident, Expr)], scope: &Scope<'_>) {
    for (key, value) in fields {
        // A value that is not a literal is taken to be right.
        let literal = value.get_literal_value(None);
        let mut alone = rhai::Map::new();
        alone.insert(
            key.name.as_str().into(),
            literal.unwrap_or_else(|| 0.0.into()),
        );
        if let Err(wrong) = read_windows(&alone.into()) {
            let named = WINDOWS.field(&key.name).is_some();
            let at = if named {
                value.start_position()
            } else {
                key.pos
            };
            scope.error(at, wrong);
        }
    }
}
