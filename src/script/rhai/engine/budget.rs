//! What a call may still use up, counted in operations.
//!
//! The count lies with the thread, not with the scripts: games that share compiled scripts may run
//! beside each other, and a test script has a count of its own while the behaviors of the level
//! that it plays have theirs. Callbacks of native functions count too, which Rhai's own counter
//! forgets; so does the size of what is copied, compared or sorted in one step.

use super::halt::{stop, too_long};
use crate::script::host::Limits;
use rhai::{Dynamic, EvalAltResult};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

/// Rhai forgets where it was stopped. A call that is out of operations is therefore first stopped
/// by the next variable that it looks at, which has a place, and only if there is none by force,
/// after this many operations more.
const TO_STOP_BY_FORCE: u64 = 200;

/// Most variables that closures may capture in one call.
const MOST_CAPTURED: usize = 1 << 15;

/// What Rhai sleeps before it says that a variable is in use, in operations: a tick has room for
/// little of that, since each takes 50 ms.
const SLEEP: u64 = 1_000_000;

/// Variables that closures have captured, each once.
struct Captured {
    all: Vec<Dynamic>,
    /// Where they lie. None of them goes before the call is over.
    places: BTreeSet<usize>,
}

impl Captured {
    const NONE: Self = Self {
        all: Vec::new(),
        places: BTreeSet::new(),
    };
}

thread_local! {
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
    static LEFT_IN_TICK: Cell<u64> = const { Cell::new(u64::MAX) };
    /// What the running call has in all, for messages, and whether it is tuned.
    static IN_ALL: Cell<(u64, bool)> = const { Cell::new((u64::MAX, false)) };
    /// Variables that closures have captured: see [`captured`].
    static CAPTURED: RefCell<Captured> = const { RefCell::new(Captured::NONE) };
}

/// The operations of one call, from here until it is dropped; then the count of whoever called
/// goes on.
#[must_use]
pub(in crate::script::rhai) struct Grant {
    granted: u64,
    left_outside: u64,
    in_all_outside: (u64, bool),
    captured_outside: Captured,
    /// Whether what was made stays after the call, as constants do.
    stays: bool,
}

/// Begins the count of evaluating the top level of a file.
pub(in crate::script::rhai) fn grant_top_level(limits: &Limits) -> Grant {
    let mut count = grant(limits);
    count.stays = true;
    count
}

/// Begins the count of one call.
pub(in crate::script::rhai) fn grant(limits: &Limits) -> Grant {
    let granted = limits.operations + TO_STOP_BY_FORCE;
    Grant {
        granted,
        left_outside: LEFT.replace(granted),
        in_all_outside: IN_ALL.replace((limits.operations, limits.tuned)),
        captured_outside: CAPTURED.replace(Captured::NONE),
        stays: false,
    }
}

impl Grant {
    /// Takes what was used off what the tick has.
    pub fn of_tick(&self) {
        let used = self.granted - LEFT.get().min(self.granted);
        LEFT_IN_TICK.set(LEFT_IN_TICK.get().saturating_sub(used));
    }
}

impl Drop for Grant {
    fn drop(&mut self) {
        // A captured variable that holds the closure which captured it would never be freed.
        let captured = CAPTURED.replace(std::mem::replace(
            &mut self.captured_outside,
            Captured::NONE,
        ));
        for mut variable in captured.all.into_iter().filter(|_| !self.stays) {
            if let Some(mut inside) = variable.write_lock::<Dynamic>() {
                let _ = std::mem::replace(&mut *inside, Dynamic::UNIT);
            }
        }
        LEFT.set(self.left_outside);
        IN_ALL.set(self.in_all_outside);
    }
}

/// Whether the call should stop.
pub(in crate::script::rhai) fn is_spent() -> bool {
    LEFT.get() < TO_STOP_BY_FORCE
}

/// Uses one up; false when there is none.
pub(in crate::script::rhai) fn spend() -> bool {
    let left = LEFT.get();
    LEFT.set(left.saturating_sub(1));
    left > 0
}

/// Counts work that is done in one step as so many operations.
///
/// # Errors
/// When there are no more.
pub(in crate::script::rhai) fn charge(operations: u64) -> Result<(), Box<EvalAltResult>> {
    let left = LEFT.get();
    if left >= operations.saturating_add(TO_STOP_BY_FORCE) {
        LEFT.set(left - operations);
        return Ok(());
    }
    // What catches this error comes to an end all the sooner.
    LEFT.set(left.min(TO_STOP_BY_FORCE) / 2);
    let (operations, tuned) = IN_ALL.get();
    Err(stop(too_long(operations, tuned)))
}

/// Remembers a variable that a closure has captured, so that the end of the call frees it.
///
/// # Errors
/// When there are too many. What is not remembered is freed by what holds it, and that by what holds
/// that: a long chain of closures would need more stack than there is.
pub(in crate::script::rhai) fn captured(variable: &Dynamic) -> Result<(), Box<EvalAltResult>> {
    // One that is in use is told of by who uses it.
    let Some(inside) = variable.read_lock::<Dynamic>() else {
        return Ok(());
    };
    let place = std::ptr::from_ref(&*inside).addr();
    drop(inside);
    CAPTURED.with_borrow_mut(|captured| {
        if !captured.places.insert(place) {
            return Ok(());
        }
        if captured.all.len() == MOST_CAPTURED {
            return Err(stop(format!(
                "closures capture more than {MOST_CAPTURED} variables in one call"
            )));
        }
        captured.all.push(variable.clone());
        Ok(())
    })
}

/// Plays a part of a tick in which calls of behaviors together have `left` operations, and takes off
/// that what they use.
pub(in crate::script::rhai) fn within_tick(left: &mut u64, play: impl FnOnce()) {
    // A test's script may play a level from within its own call.
    let outside = LEFT_IN_TICK.replace(*left);
    play();
    *left = LEFT_IN_TICK.replace(outside);
}

/// Counts work that is done around calls: for their events, and for what they keep.
pub(in crate::script::rhai) fn charge_tick(operations: u64) {
    LEFT_IN_TICK.set(LEFT_IN_TICK.get().saturating_sub(operations));
}

/// Counts that a variable was in use.
pub(in crate::script::rhai) fn charge_sleep() {
    charge_tick(SLEEP);
}

/// Whether the scripts of this tick have used up what they have together; the remaining turns are
/// skipped then.
pub(in crate::script::rhai) fn tick_is_spent() -> bool {
    LEFT_IN_TICK.get() == 0
}

/// What is said of that.
pub(in crate::script::rhai) fn tick_too_long(limits: &Limits) -> String {
    format!(
        "the scripts of this tick together were stopped after {} operations; the remaining turns \
         of the tick are skipped (`tick_operations` in [scripts] sets the budget)",
        limits.tick_operations
    )
}
