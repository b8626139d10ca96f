//! The nodes that charge for what is inside them.

use super::path::{ChainEnd, SearchedText, ValuePath};
use crate::engine::budget::charge;
use crate::engine::halt::Fallible;
use crate::engine::weight::{charge_for, charge_for_change, charge_weight, is_heavy, weight};
use rhai::{CustomExpr, Dynamic, Engine, EvalAltResult, EvalContext, Expr, Expression, Position};

/// Reads a value, which is copied.
pub(crate) const READ: &str = "~2 read";
/// Reads a value through an index, which may be a place in text.
pub(crate) const SEARCH: &str = "~3 search";
/// Makes a text from parts.
pub(crate) const JOIN: &str = "~4 join";
/// Makes a map or an array.
pub(crate) const MAKE: &str = "~5 make";
/// The value that is written through a chain.
pub(crate) const WRITE: &str = "~1 write";

/// What it costs to read through a chain or to make a map, in addition to what Rhai counts.
pub(crate) const PER_NODE: u64 = 2;
/// What it costs to use an index, in addition to what Rhai counts.
pub(crate) const PER_INDEX: u64 = 3;
/// How many bytes of text are searched for one operation.
const SEARCHED_IN_ONE: usize = 64;
/// How many bytes of text are rebuilt for one operation.
const REBUILT_IN_ONE: usize = 2;
/// How many times as much it costs to make a text as to copy it.
const TO_JOIN: u64 = 4;

/// What a chain on the left side of an assignment leads to.
#[derive(Clone, Debug)]
struct WrittenPlace {
    path: ValuePath,
    /// How the assignment computes, as `+=` does.
    computes: Computes,
}

/// How an assignment computes its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Computes {
    /// It does not.
    Nothing,
    /// As `-=`, which may remove a text from another one.
    Removes,
    /// By another operator.
    Changes,
}

/// Puts a value that is copied inside a node that charges for it.
pub(super) fn read(expression: &mut Expr) {
    wrap(expression, READ, Dynamic::UNIT);
}

/// Puts a chain with an index inside a node that charges for searching text.
pub(super) fn search(expression: &mut Expr, path: ValuePath) {
    wrap(expression, SEARCH, Dynamic::from(path));
}

/// Puts a text that is made from parts inside a node that charges for it.
pub(super) fn join(expression: &mut Expr) {
    wrap(expression, JOIN, Dynamic::UNIT);
}

/// Puts a literal inside a node that charges for its entries. The elements of an array are paid for by
/// themselves.
pub(super) fn make(expression: &mut Expr, entries: usize) {
    wrap(expression, MAKE, Dynamic::from_int(i64::try_from(entries).unwrap_or(0)));
}

/// Puts the right side of an assignment to a chain inside a node that charges for what Rhai does with
/// the left side.
pub(super) fn write(value: &mut Expr, target: &Expr, computes: Computes) {
    if let Some(path) = ValuePath::of(target) {
        wrap(value, WRITE, Dynamic::from(WrittenPlace { path, computes }));
    }
}

fn wrap(expression: &mut Expr, key: &str, state: Dynamic) {
    let at = expression.position();
    let inside = std::mem::take(expression);
    let node = CustomExpr {
        inputs: std::iter::once(inside).collect(),
        tokens: std::iter::once(key.into()).collect(),
        state,
        scope_may_be_changed: false,
        self_terminated: false,
    };
    *expression = Expr::Custom(Box::new(node), at);
}

type NodeContext<'a, 'b, 'c, 'd, 'e, 'f> = EvalContext<'a, 'b, 'c, 'd, 'e, 'f>;

/// Registers what the nodes do.
pub(super) fn register(engine: &mut Engine) {
    let mut add = |key: &str, run: NodeFn| {
        let run =
            move |context: &mut NodeContext<'_, '_, '_, '_, '_, '_>, inputs: &[Expression<'_>], state: &Dynamic| {
                let inside = &inputs[0];
                run(context, inside, state).map_err(|error| placed(error, inside.position()))
            };
        // It fails only without an interpreter for syntax trees.
        let _ = engine.register_custom_syntax_handler(key, false, run);
    };
    add(READ, run_read);
    add(SEARCH, run_search);
    add(JOIN, run_join);
    add(WRITE, run_write);
    add(MAKE, run_make);
}

type NodeFn = fn(&mut NodeContext<'_, '_, '_, '_, '_, '_>, &Expression<'_>, &Dynamic) -> Fallible<Dynamic>;

fn placed(mut error: Box<EvalAltResult>, at: Position) -> Box<EvalAltResult> {
    if error.position().is_none() {
        error.set_position(at);
    }
    error
}

fn run_read(
    context: &mut NodeContext<'_, '_, '_, '_, '_, '_>,
    inside: &Expression<'_>,
    _: &Dynamic,
) -> Fallible<Dynamic> {
    charge(PER_NODE)?;
    let value = context.eval_expression_tree(inside)?;
    charge_for(&value)?;
    Ok(value)
}

fn run_make(
    context: &mut NodeContext<'_, '_, '_, '_, '_, '_>,
    inside: &Expression<'_>,
    state: &Dynamic,
) -> Fallible<Dynamic> {
    let entries = state.as_int().unwrap_or(0);
    charge(PER_NODE + 2 * u64::try_from(entries).unwrap_or(0))?;
    context.eval_expression_tree(inside)
}

fn run_search(
    context: &mut NodeContext<'_, '_, '_, '_, '_, '_>,
    inside: &Expression<'_>,
    state: &Dynamic,
) -> Fallible<Dynamic> {
    charge(PER_INDEX)?;
    let path = state.read_lock::<ValuePath>();
    let searched = path.map_or(SearchedText::Unknown, |path| path.searched(context));
    if let SearchedText::Text(bytes) = searched {
        charge((bytes / SEARCHED_IN_ONE) as u64)?;
    }
    let value = context.eval_expression_tree(inside)?;
    if value.is_string() && !matches!(searched, SearchedText::Nothing) {
        // A part of a text.
        charge_weight(weight(&value)? * TO_JOIN)?;
    } else if value.is_char() && matches!(searched, SearchedText::Unknown) {
        charge((context.engine().max_string_size() / SEARCHED_IN_ONE) as u64)?;
    } else {
        charge_for(&value)?;
    }
    Ok(value)
}

fn run_join(
    context: &mut NodeContext<'_, '_, '_, '_, '_, '_>,
    inside: &Expression<'_>,
    _: &Dynamic,
) -> Fallible<Dynamic> {
    let value = context.eval_expression_tree(inside)?;
    charge_weight(weight(&value)? * TO_JOIN)?;
    Ok(value)
}

fn run_write(
    context: &mut NodeContext<'_, '_, '_, '_, '_, '_>,
    inside: &Expression<'_>,
    state: &Dynamic,
) -> Fallible<Dynamic> {
    let value = context.eval_expression_tree(inside)?;
    if is_heavy(&value) {
        charge_for(&value)?;
    }
    let Some(target) = state.read_lock::<WrittenPlace>() else {
        return Ok(value);
    };
    let path = &target.path;
    if path.end() == ChainEnd::Property {
        // Rhai looks through the value that the chain begins with.
        path.with_root(context, charge_for_change).unwrap_or(Ok(()))?;
        if target.computes == Computes::Removes && value.is_string() {
            let mut charged = Ok(());
            path.with_target(context, &mut |text| charged = charge_for(text));
            charged?;
        }
        return Ok(value);
    }
    charge(PER_INDEX)?;
    match path.searched(context) {
        SearchedText::Text(bytes) => charge((bytes / REBUILT_IN_ONE) as u64)?,
        SearchedText::Unknown if value.is_char() || value.is_string() => {
            charge((context.engine().max_string_size() / REBUILT_IN_ONE) as u64)?;
        }
        _ => {}
    }
    if target.computes != Computes::Nothing {
        let mut charged = Ok(());
        let removes = target.computes == Computes::Removes && value.is_string();
        let price = if removes { charge_for } else { charge_for_change };
        path.with_target(context, &mut |item| charged = price(item));
        charged?;
    }
    Ok(value)
}
