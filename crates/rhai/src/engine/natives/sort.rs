//! Sorting an array by a function of the script.
//!
//! Rhai continues to sort when the function fails, and drops its error.

use super::*;

pub fn register(engine: &mut Engine) {
    for name in ["sort", "sort_by"] {
        changing(engine, name, |context: NativeCallContext, list: &mut Array, by: FnPtr| sort(&context, list, &by));
        changing(engine, name, |context: NativeCallContext, list: &mut Array, by: ImmutableString| -> Fallible<()> {
            sort(&context, list, &FnPtr::new(by)?)
        });
    }
    for name in ["order", "order_by"] {
        engine.register_fn(name, |context: NativeCallContext, list: &mut Array, by: FnPtr| -> Fallible<Array> {
            let mut list = list.clone();
            sort(&context, &mut list, &by)?;
            Ok(list)
        });
    }
}

/// A merge sort: equal elements stay in order, and it ends whatever the function returns.
fn sort(context: &NativeCallContext, list: &mut Array, by: &FnPtr) -> Fallible<()> {
    let total = list.iter().try_fold(0, |sum, item| weight(item).map(|x| sum + x))?;
    charge_weight(total * u64::from(list.len().max(1).ilog2()))?;
    let mut from = list.clone();
    let mut width = 1;
    while width < from.len() {
        let mut merged = Array::with_capacity(from.len());
        for run in from.chunks(2 * width) {
            let (left, right) = run.split_at(width.min(run.len()));
            merge(context, left, right, by, &mut merged)?;
        }
        from = merged;
        width *= 2;
    }
    *list = from;
    Ok(())
}

fn merge(
    context: &NativeCallContext,
    mut left: &[Dynamic],
    mut right: &[Dynamic],
    by: &FnPtr,
    merged: &mut Array,
) -> Fallible<()> {
    while let ([first, left_rest @ ..], [second, right_rest @ ..]) = (left, right) {
        if comes_after(context, by, first, second)? {
            merged.push(second.clone());
            right = right_rest;
        } else {
            merged.push(first.clone());
            left = left_rest;
        }
    }
    merged.extend_from_slice(left);
    merged.extend_from_slice(right);
    Ok(())
}

/// Whether `first` belongs after `second`, according to the function.
fn comes_after(context: &NativeCallContext, by: &FnPtr, first: &Dynamic, second: &Dynamic) -> Fallible<bool> {
    let answer = by.call_raw(context, None, [first.clone(), second.clone()])?;
    match (answer.as_int(), answer.as_float(), answer.as_bool()) {
        (Ok(order), ..) => Ok(order > 0),
        (_, Ok(order), _) => Ok(order > 0.0),
        (_, _, Ok(before)) => Ok(!before),
        _ => Err(stop(format!(
            "a sort function must return true, false or a number (negative puts the first argument first), not {}",
            type_name(&answer)
        ))),
    }
}
