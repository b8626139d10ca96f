//! The budget of a call, in operations.
//!
//! The count belongs to the thread, not to the scripts: games that share compiled scripts can run side by side, and a
//! test script and the behaviors of the level that it plays have separate counts. Unlike Rhai's own counter it includes
//! callbacks of native functions and the size of values that are copied, compared or sorted in one step.

use super::halt::{stop, too_long};
use crate::script::host::Limits;
use rhai::{Dynamic, EvalAltResult};
use std::cell::Cell;
use std::collections::BTreeSet;

/// Rhai drops the position at which it is stopped by force. A call that is out of operations is therefore stopped by
/// the next variable it reads, which has a position; only if it reads none is it stopped by force, after this many more
/// operations.
const TO_STOP_BY_FORCE: u64 = 200;

/// The largest number of variables that closures can capture in one call.
const MOST_CAPTURED: usize = 1 << 15;

/// The cost, in operations, of the 50 ms that Rhai sleeps before it reports a locked variable: a tick of the default
/// budget cannot afford two, and one leaves something for the other scripts.
const SLEEP: u64 = 900_000;

/// Variables that closures have captured, each once.
#[derive(Default)]
struct CapturedVariables {
    all: Vec<Dynamic>,
    /// Their addresses. All of them live until the call ends.
    places: BTreeSet<usize>,
}

/// None in most calls.
type Captured = Option<Box<CapturedVariables>>;

thread_local! {
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
    static LEFT_IN_TICK: Cell<u64> = const { Cell::new(u64::MAX) };
    /// The whole budget of the running call, for messages, and whether `[scripts]` sets it.
    static TOTAL: Cell<(u64, bool)> = const { Cell::new((u64::MAX, false)) };
    /// Variables that closures have captured: see [`remember_captured`].
    static CAPTURED: Cell<Captured> = const { Cell::new(None) };
}

/// The budget of one call, from its creation until it is dropped. Then the count of the outer call continues.
#[must_use]
pub(in crate::script::rhai) struct CallBudget {
    granted: u64,
    left_outside: u64,
    total_outside: (u64, bool),
    captured_outside: Captured,
    /// Whether values made in the call outlive it, as constants do.
    values_stay: bool,
}

/// Begins the budget for evaluating the top level of a file.
pub(in crate::script::rhai) fn top_level_budget(limits: &Limits) -> CallBudget {
    let mut budget = call_budget(limits);
    budget.values_stay = true;
    budget
}

/// Begins the budget of one call.
pub(in crate::script::rhai) fn call_budget(limits: &Limits) -> CallBudget {
    let granted = limits.operations + TO_STOP_BY_FORCE;
    CallBudget {
        granted,
        left_outside: LEFT.replace(granted),
        total_outside: TOTAL.replace((limits.operations, limits.tuned)),
        captured_outside: CAPTURED.take(),
        values_stay: false,
    }
}

impl CallBudget {
    /// Subtracts the operations used so far from those that the tick has left.
    pub fn charge_to_tick(&self) {
        charge_tick(self.used());
    }

    /// The operations used so far.
    pub fn used(&self) -> u64 {
        self.granted - LEFT.get().min(self.granted)
    }
}

impl Drop for CallBudget {
    fn drop(&mut self) {
        // A captured variable that holds the closure that captured it would never be freed.
        let captured = CAPTURED.replace(self.captured_outside.take());
        if let Some(captured) = captured.filter(|_| !self.values_stay) {
            clear(*captured);
        }
        LEFT.set(self.left_outside);
        TOTAL.set(self.total_outside);
    }
}

/// Empties captured variables.
#[cold]
fn clear(captured: CapturedVariables) {
    for mut variable in captured.all {
        if let Some(mut inside) = variable.write_lock::<Dynamic>() {
            let _ = std::mem::replace(&mut *inside, Dynamic::UNIT);
        }
    }
}

/// Whether the running call is out of operations.
pub(in crate::script::rhai) fn is_spent() -> bool {
    LEFT.get() < TO_STOP_BY_FORCE
}

/// Uses one operation; false if none is left and the call has to be stopped by force.
pub(in crate::script::rhai) fn spend() -> bool {
    let left = LEFT.get();
    LEFT.set(left.saturating_sub(1));
    left > 0
}

/// Charges the running call for work that is done in one step.
///
/// # Errors
/// If the call is out of operations.
pub(in crate::script::rhai) fn charge(operations: u64) -> Result<(), Box<EvalAltResult>> {
    let left = LEFT.get();
    if left >= operations.saturating_add(TO_STOP_BY_FORCE) {
        LEFT.set(left - operations);
        return Ok(());
    }
    // A script that catches this error has even less left.
    LEFT.set(left.min(TO_STOP_BY_FORCE) / 2);
    let (operations, tuned) = TOTAL.get();
    Err(stop(too_long(operations, tuned)))
}

/// Remembers a variable that a closure has captured, so that the end of the call frees it.
///
/// # Errors
/// If there are too many. Freeing a long chain of closures one through the other would overflow the stack.
pub(in crate::script::rhai) fn remember_captured(
    variable: &Dynamic,
) -> Result<(), Box<EvalAltResult>> {
    // A locked variable is reported where the script uses it.
    let Some(inside) = variable.read_lock::<Dynamic>() else {
        return Ok(());
    };
    let place = std::ptr::from_ref(&*inside).addr();
    drop(inside);
    let mut captured = CAPTURED.take().unwrap_or_default();
    let new = captured.places.insert(place);
    let full = captured.all.len() == MOST_CAPTURED;
    if new && !full {
        captured.all.push(variable.clone());
    }
    CAPTURED.set(Some(captured));
    if new && full {
        return Err(stop(format!(
            "closures capture more than {MOST_CAPTURED} variables in one call"
        )));
    }
    Ok(())
}

/// Runs a part of a tick in which all calls of behaviors share `left` operations, and subtracts what they use.
pub(in crate::script::rhai) fn within_tick(left: &mut u64, play: impl FnOnce()) {
    // A test script plays a level from within its own call.
    let outside = LEFT_IN_TICK.replace(*left);
    play();
    *left = LEFT_IN_TICK.replace(outside);
}

/// Charges the tick for work done around calls: building their events and keeping their variables.
pub(in crate::script::rhai) fn charge_tick(operations: u64) {
    LEFT_IN_TICK.set(LEFT_IN_TICK.get().saturating_sub(operations));
}

/// Charges the tick for a report of a locked variable.
pub(in crate::script::rhai) fn charge_sleep() {
    charge_tick(SLEEP);
}

/// Whether the scripts of this tick have used up their shared budget. The remaining calls of the tick are then skipped.
pub(in crate::script::rhai) fn tick_is_spent() -> bool {
    LEFT_IN_TICK.get() == 0
}

/// The operations that the scripts of this tick have left together.
pub(in crate::script::rhai) fn left_in_tick() -> u64 {
    LEFT_IN_TICK.get()
}

/// The message for that. `most` is the script that has used the most operations, and how many.
pub(in crate::script::rhai) fn tick_too_long(limits: &Limits, (most, used): (&str, u64)) -> String {
    format!(
        "all scripts of this tick together were stopped after {} operations, {used} of them used by \
         `{most}`; the remaining calls of the tick are skipped. Entities that miss a call receive their own \
         events in the next tick, but not the events that scripts emitted (`tick_operations` in \
         [scripts] sets the budget)",
        limits.tick_operations
    )
}
