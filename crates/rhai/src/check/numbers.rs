//! Numbers: those that are floating-point, and those that are most likely in another unit.

use super::scope::Scope;
use super::types::{is_number, type_of};
use hangtime_script::api::{ApiEntry, Owner, Type};
use rhai::Expr;

/// Whether a value is certain to be a floating-point number, which is no index even without a fraction.
pub(super) fn is_floating(value: &Expr, scope: &Scope<'_>) -> bool {
    match value {
        Expr::FloatConstant(..) => true,
        Expr::Variable(variable, ..) if variable.2.is_empty() => scope.is_floating(&variable.1),
        Expr::FnCall(call, _) if call.is_operator_call() => {
            let all = call.args.iter().all(|side| is_number(type_of(side, scope)));
            let any = call.args.iter().any(|side| is_floating(side, scope));
            all && any && matches!(call.name.as_str(), "+" | "-" | "*" | "/" | "%")
        }
        // All calls and properties of hangtime that are numbers, except whole ones, are floating-point.
        Expr::FnCall(..) | Expr::Dot(..) | Expr::Index(..) => type_of(value, scope) == Type::Number,
        _ => false,
    }
}

/// A whole number in place of radians or seconds that is most likely in degrees, milliseconds or ticks. Written with a decimal
/// point it is taken as it is.
pub(super) fn unit_of_number(entry: &ApiEntry, arguments: &[Expr], scope: &Scope<'_>) {
    let Some(Expr::IntegerConstant(number, at)) = arguments.first() else {
        return;
    };
    let name = entry.name;
    match (entry.owner, name) {
        (Owner::Free, "sin" | "cos" | "tan") if *number >= 10 && number % 5 == 0 => {
            let message = format!(
                "`{name}` takes radians; for {number} degrees, write `{name}({number} * PI() / 180)`, for radians `{number}.0`"
            );
            scope.warn(*at, message);
        }
        (Owner::Me, "after") if *number >= 100 && number % 50 == 0 => {
            let seconds = *number as f64 / 1000.0;
            let message =
                format!("`after` takes seconds; for {number} ms, write `{seconds:?}`, for {number} s `{number}.0`");
            scope.warn(*at, message);
        }
        (Owner::Test, "run") if *number >= 30 && number % 30 == 0 => {
            let message = format!(
                "`run` takes seconds; for {number} ticks, write `t.ticks({number})`, for {number} s `t.run({number}.0)`"
            );
            scope.warn(*at, message);
        }
        _ => {}
    }
}
