//! Checks of literals: colors, options of calls that draw, settings of `world::create`, and the share of a bar.

use super::scope::Scope;
use crate::api::HeldArg;
use hangtime_script::CallRefusal;
use hangtime_script::api::{ApiEntry, Owner};
use hangtime_script::calls::{Arg, check_color, check_draw_option, check_spawn_setting};
use rhai::Expr;

/// The literals among the arguments of a call.
pub(super) fn options(entry: &ApiEntry, arguments: &[Expr], scope: &Scope<'_>) {
    let draws = matches!(entry.owner, Owner::World | Owner::Me | Owner::Hud);
    if !draws {
        return;
    }
    let check: fn(&str, &str, Option<Arg<'_>>) -> Result<(), CallRefusal> = match entry.name {
        "create" => |_, key, value| check_spawn_setting(key, value),
        _ => check_draw_option,
    };
    if let Some(Expr::Map(map, _)) = arguments.last()
        && arguments.len() == entry.parameters.len()
    {
        for (key, value) in &map.0 {
            // A map or an array may hold what is not known here.
            let literal = value.get_literal_value(None);
            let literal = literal.filter(|literal| !literal.is_map() && !literal.is_array());
            let held = literal.as_ref().map(HeldArg::of);
            let given = held.as_ref().map(HeldArg::arg);
            if let Err(wrong) = check(entry.name, &key.name, None) {
                scope.error(key.pos, wrong.to_string());
            } else if let Err(wrong) = check(entry.name, &key.name, given) {
                scope.error(value.start_position(), wrong.to_string());
            }
        }
    }
    if let ("bar", Some(share)) = (entry.name, arguments.get(3)) {
        bar(share, scope);
    }
}

/// The share that fills a bar.
fn bar(share: &Expr, scope: &Scope<'_>) {
    let number = match share {
        Expr::IntegerConstant(number, _) => *number as f64,
        Expr::FloatConstant(number, _) => **number,
        _ => return,
    };
    if number > 1.0 {
        let message =
            format!("a bar is full at 1, and this is {number}; divide by the largest value, as in `health / 100.0`");
        scope.warn(share.start_position(), message);
    }
}

/// A color that is assigned to `me.color`.
pub(super) fn color(value: &Expr, scope: &Scope<'_>) {
    if let Some((text, at)) = scope.text(value)
        && let Err(wrong) = check_color(&text)
    {
        scope.error(at, wrong.to_string());
    }
}
