//! The nodes that charge for what is inside them.

use super::*;

/// Reads a value, which is copied.
pub const READ: &str = "~2 read";
/// Reads a value through an index, which may be a place in text. Its state is the [`ValuePath`].
pub const SEARCH: &str = "~3 search";
/// Makes a text from parts.
pub const JOIN: &str = "~4 join";
/// Makes a map or an array. Its state is the number of entries; the elements of an array are paid for by themselves.
pub const MAKE: &str = "~5 make";
/// The value that is written through a chain.
pub const WRITE: &str = "~1 write";

/// What it costs to read through a chain or to make a map, in addition to what Rhai counts.
pub const PER_NODE: u64 = 2;
/// What it costs to use an index, in addition to what Rhai counts.
pub const PER_INDEX: u64 = 3;
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
pub enum Computes {
    /// It does not.
    Nothing,
    /// As `-=`, which may remove a text from another one.
    Removes,
    /// By another operator.
    Changes,
}

/// Puts the right side of an assignment to a chain inside a node that charges for what Rhai does with
/// the left side.
pub fn write(value: &mut Expr, target: &Expr, computes: Computes) {
    if let Some(path) = ValuePath::of(target) {
        wrap(value, WRITE, Dynamic::from(WrittenPlace { path, computes }));
    }
}

/// Puts an expression inside a node.
pub fn wrap(expression: &mut Expr, key: &str, state: Dynamic) {
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

type NodeFn = fn(&mut EvalContext, &Expression, &Dynamic) -> Fallible<Dynamic>;

/// Registers what the nodes do.
pub fn register(engine: &mut Engine) {
    let mut add = |key: &str, run: NodeFn| {
        let run = move |context: &mut EvalContext, inputs: &[Expression], state: &Dynamic| {
            let inside = &inputs[0];
            run(context, inside, state).map_err(|mut error| {
                if error.position().is_none() {
                    error.set_position(inside.position());
                }
                error
            })
        };
        // It fails only without an interpreter for syntax trees.
        let _ = engine.register_custom_syntax_handler(key, false, run);
    };
    add(READ, |context, inside, _| {
        charge(PER_NODE)?;
        let value = context.eval_expression_tree(inside)?;
        charge_for(&value)?;
        Ok(value)
    });
    add(MAKE, |context, inside, entries| {
        let entries = entries.as_int().unwrap_or(0);
        charge(PER_NODE + 2 * u64::try_from(entries).unwrap_or(0))?;
        context.eval_expression_tree(inside)
    });
    add(JOIN, |context, inside, _| {
        let value = context.eval_expression_tree(inside)?;
        charge_weight(weight(&value)? * TO_JOIN)?;
        Ok(value)
    });
    add(SEARCH, run_search);
    add(WRITE, run_write);
}

fn run_search(context: &mut EvalContext, inside: &Expression, path: &Dynamic) -> Fallible<Dynamic> {
    charge(PER_INDEX)?;
    let path = path.read_lock::<ValuePath>();
    let searched = path.map_or(Ok(SearchedText::Unknown), |path| path.searched(context, None))?;
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

fn run_write(context: &mut EvalContext, inside: &Expression, place: &Dynamic) -> Fallible<Dynamic> {
    let value = context.eval_expression_tree(inside)?;
    charge_for(&value)?;
    let Some(target) = place.read_lock::<WrittenPlace>() else {
        return Ok(value);
    };
    let path = &target.path;
    let removes = target.computes == Computes::Removes && value.is_string();
    if path.end() == ChainEnd::Property {
        // Rhai looks through the map that is written to.
        path.charge_changed(context, charge_for_change)?;
        if removes {
            path.charge_target(context, charge_for)?;
        }
        return Ok(value);
    }
    charge(PER_INDEX)?;
    let price: Option<Price> = match target.computes {
        Computes::Nothing => None,
        _ if removes => Some(charge_for),
        _ => Some(charge_for_change),
    };
    match path.searched(context, price)? {
        SearchedText::Text(bytes) => charge((bytes / REBUILT_IN_ONE) as u64)?,
        SearchedText::Unknown if value.is_char() || value.is_string() => {
            charge((context.engine().max_string_size() / REBUILT_IN_ONE) as u64)?;
        }
        _ => {}
    }
    Ok(value)
}
