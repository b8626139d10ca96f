//! The budget of a call in Rhai.
//!
//! The operations are counted by the host, for all languages. Unlike Rhai's own counter this includes callbacks of
//! native functions and the size of values that are copied, compared or sorted in one step. What is here belongs to
//! Rhai alone: variables that closures have captured, which the end of a call frees.

use super::halt::{Fallible, refused, stop};
use hangtime_script::{
    Limits,
    budget::{self, Allowance},
};
use rhai::Dynamic;
use std::{cell::Cell, collections::BTreeMap};

pub(crate) use hangtime_script::budget::{charge_tick, is_spent, left_in_tick, spend, within_tick};

/// The largest number of variables that closures can capture in one call.
const MOST_CAPTURED: usize = 1 << 15;

/// The cost, in operations, of the 50 ms that Rhai sleeps before it reports a locked variable: a tick of the default
/// budget cannot afford two, and one leaves something for the other scripts.
const SLEEP: u64 = 900_000;

/// Variables that closures have captured, by their addresses: all of them live until the call ends.
type Captured = BTreeMap<usize, Dynamic>;

thread_local! {
    /// Variables that closures have captured: see [`remember_captured`].
    static CAPTURED: Cell<Captured> = const { Cell::new(Captured::new()) };
}

/// The budget of one call, from its creation until it is dropped. Then the count of the outer call continues.
#[must_use]
pub(crate) struct CallBudget {
    allowance: Allowance,
    captured_outside: Captured,
    /// Whether values made in the call outlive it, as constants do.
    values_stay: bool,
}

/// Begins the budget for evaluating the top level of a file.
pub(crate) fn top_level_budget(limits: &Limits) -> CallBudget {
    let mut budget = call_budget(limits);
    budget.values_stay = true;
    budget
}

/// Begins the budget of one call.
pub(crate) fn call_budget(limits: &Limits) -> CallBudget {
    CallBudget { allowance: Allowance::begin(limits), captured_outside: CAPTURED.take(), values_stay: false }
}

impl CallBudget {
    /// Subtracts the operations used so far from those that the tick has left.
    pub fn charge_to_tick(&self) {
        self.allowance.charge_to_tick();
    }

    /// The operations used so far.
    pub fn used(&self) -> u64 {
        self.allowance.used()
    }
}

impl Drop for CallBudget {
    fn drop(&mut self) {
        // A captured variable that holds the closure that captured it would never be freed.
        let captured = CAPTURED.replace(std::mem::take(&mut self.captured_outside));
        for mut variable in captured.into_values().filter(|_| !self.values_stay) {
            if let Some(mut inside) = variable.write_lock::<Dynamic>() {
                drop(std::mem::take(&mut *inside));
            }
        }
    }
}

/// Charges the running call for work that is done in one step.
///
/// # Errors
/// If the call is out of operations.
#[inline]
pub(crate) fn charge(operations: u64) -> Fallible<()> {
    budget::charge(operations).map_err(refused)
}

/// Remembers a variable that a closure has captured, so that the end of the call frees it.
///
/// # Errors
/// If there are too many. Freeing a long chain of closures one through the other would overflow the stack.
pub(crate) fn remember_captured(variable: &Dynamic) -> Fallible<()> {
    // A locked variable is reported where the script uses it.
    let Some(inside) = variable.read_lock::<Dynamic>() else {
        return Ok(());
    };
    let place = std::ptr::from_ref(&*inside).addr();
    drop(inside);
    let mut captured = CAPTURED.take();
    let full = captured.len() == MOST_CAPTURED && !captured.contains_key(&place);
    if !full {
        captured.entry(place).or_insert_with(|| variable.clone());
    }
    CAPTURED.set(captured);
    if full {
        return Err(stop(format!("closures capture more than {MOST_CAPTURED} variables in one call")));
    }
    Ok(())
}

/// Charges the tick for a report of a locked variable.
pub(crate) fn charge_sleep() {
    charge_tick(SLEEP);
}
