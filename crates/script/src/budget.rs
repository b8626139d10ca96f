//! The budget of a call, in operations.
//!
//! The count belongs to the thread, not to the scripts: games that share compiled scripts can run side by side, and a
//! test script and the behaviors of the level that it plays have separate counts. Every language charges its own steps
//! here, and the calls of the [table](super::calls) what they cost in addition.

use super::{
    Limits,
    refusal::{Accepted, CallRefusal},
};
use std::cell::{Cell, RefCell};

/// A language may not know the position at which it is stopped by force. A call that is out of operations is therefore
/// told so by its next step that has a position; only if none comes is it stopped by force, after this many more
/// operations.
const TO_STOP_BY_FORCE: u64 = 200;

/// How many operations a call gets at once, a twentieth of a second's. Between two such shares it can be
/// [interrupted](interruptible). No call has more by default.
const SHARE: u64 = 1_000_000;

thread_local! {
    /// What is left of the call's present share.
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
    /// What the call has in addition.
    static RESERVE: Cell<u64> = const { Cell::new(0) };
    /// What says that calls should end.
    static INTERRUPT: RefCell<Option<Box<dyn Fn() -> bool>>> = const { RefCell::new(None) };
    /// Whether there is anything that could.
    static INTERRUPTIBLE: Cell<bool> = const { Cell::new(false) };
    /// Whether it has said so.
    static INTERRUPTED: Cell<bool> = const { Cell::new(false) };
    static LEFT_IN_TICK: Cell<u64> = const { Cell::new(u64::MAX) };
    /// What calls that share the operations of one call have used of them.
    static USED_TOGETHER: Cell<u64> = const { Cell::new(0) };
    /// The whole budget of the running call, for messages, and whether `[scripts]` sets it.
    static TOTAL: Cell<(u64, bool)> = const { Cell::new((u64::MAX, false)) };
}

/// The operations of one call, from their creation until they are dropped. Then the count of the outer call continues.
#[derive(Debug)]
pub struct Allowance {
    granted: u64,
    left_outside: u64,
    reserve_outside: u64,
    total_outside: (u64, bool),
}

impl Allowance {
    /// Begins to count the operations of one call.
    pub fn begin(limits: &Limits) -> Self {
        let (left_outside, reserve_outside) = (LEFT.get(), RESERVE.get());
        let total_outside = TOTAL.replace((limits.operations, limits.tuned));
        Self { granted: begin_call(limits), left_outside, reserve_outside, total_outside }
    }

    /// Subtracts the operations used so far from those that the tick has left.
    pub fn charge_to_tick(&self) {
        charge_tick(self.used());
    }

    /// The operations used so far.
    pub fn used(&self) -> u64 {
        used_of(self.granted)
    }
}

/// Begins to count the operations of one call under an allowance with the same limits that lasts for many, in place of the
/// call before. Returns how many it has.
#[inline]
pub fn begin_call(limits: &Limits) -> u64 {
    let granted = limits.operations.saturating_sub(USED_TOGETHER.get()).saturating_add(TO_STOP_BY_FORCE);
    let share = if is_interrupted() { 0 } else { granted.min(SHARE + TO_STOP_BY_FORCE) };
    LEFT.set(share);
    RESERVE.set(granted - share);
    granted
}

/// How many operations the running call has used, which began with this many.
#[inline]
pub fn used_of(granted: u64) -> u64 {
    granted.saturating_sub(LEFT.get().saturating_add(RESERVE.get()))
}

impl Drop for Allowance {
    fn drop(&mut self) {
        LEFT.set(self.left_outside);
        RESERVE.set(self.reserve_outside);
        TOTAL.set(self.total_outside);
    }
}

/// Whether the running call is out of operations.
pub fn is_spent() -> bool {
    LEFT.get() < TO_STOP_BY_FORCE && !take_share()
}

/// Uses one operation; false if none is left and the call has to be stopped by force.
pub fn spend() -> bool {
    let is_left = LEFT.get() > 0 || take_share();
    LEFT.set(LEFT.get().saturating_sub(1));
    is_left
}

/// Charges the running call for work that is done in one step.
///
/// # Errors
/// If the call is out of operations.
#[inline]
pub fn charge(operations: u64) -> Accepted<()> {
    let left = LEFT.get();
    if left >= operations.saturating_add(TO_STOP_BY_FORCE) {
        LEFT.set(left - operations);
        return Ok(());
    }
    charge_reserve(operations)
}

#[cold]
fn charge_reserve(operations: u64) -> Accepted<()> {
    loop {
        let left = LEFT.get();
        if left >= operations.saturating_add(TO_STOP_BY_FORCE) {
            LEFT.set(left - operations);
            return Ok(());
        }
        if !take_share() {
            break;
        }
    }
    // A script that catches this error has even less left.
    LEFT.set(LEFT.get().min(TO_STOP_BY_FORCE) / 2);
    let (operations, tuned) = TOTAL.get();
    Err(CallRefusal::Spent { operations, tuned })
}

/// Adds the next share to what is left; false if there is none, or the call is interrupted.
#[cold]
fn take_share() -> bool {
    let reserve = RESERVE.get();
    if reserve == 0 || is_interrupted() {
        return false;
    }
    let share = reserve.min(SHARE);
    RESERVE.set(reserve - share);
    LEFT.set(LEFT.get() + share);
    true
}

/// Runs something in which scripts end soon once `asked` returns true: then running calls are out of operations, and so are
/// the calls that follow. Returns whether that has happened. What they leave behind depends on the moment, so it must
/// not be used any more.
pub fn interruptible<R>(asked: impl Fn() -> bool + 'static, run: impl FnOnce() -> R) -> (R, bool) {
    let outside = (INTERRUPT.replace(Some(Box::new(asked))), INTERRUPTED.replace(false), LEFT_IN_TICK.get());
    let before = INTERRUPTIBLE.replace(true);
    let result = run();
    INTERRUPT.set(outside.0);
    INTERRUPTIBLE.set(before);
    LEFT_IN_TICK.set(outside.2);
    (result, INTERRUPTED.replace(outside.1))
}

/// Whether calls should end, as [`interruptible`] has been asked.
#[inline]
pub fn is_interrupted() -> bool {
    INTERRUPTIBLE.get() && ask_whether_interrupted()
}

#[cold]
fn ask_whether_interrupted() -> bool {
    let asks = INTERRUPT.with_borrow(|asked| asked.as_ref().is_some_and(|asked| asked()));
    if asks {
        INTERRUPTED.set(true);
        LEFT_IN_TICK.set(0);
    }
    asks
}

/// Whether scripts have been ended in the [`interruptible`] that runs: what has been made since must not be used.
pub fn was_interrupted() -> bool {
    INTERRUPTED.get()
}

/// Whether a call that has used this many operations should end. Asks only calls that have used many.
#[inline]
pub fn is_interrupted_after(used: u64) -> bool {
    used > SHARE && is_interrupted()
}

/// The operations that the running call has been charged so far.
pub fn charged() -> u64 {
    let granted = TOTAL.get().0.saturating_add(TO_STOP_BY_FORCE);
    granted.saturating_sub(LEFT.get().saturating_add(RESERVE.get()))
}

/// The calls from now on share the operations of one call. Others have used `used` of them.
pub fn share_call(used: u64) {
    USED_TOGETHER.set(used);
}

/// Runs a part of a tick in which all calls of behaviors share `left` operations, and subtracts what they use.
pub fn within_tick(left: &mut u64, play: impl FnOnce()) {
    // A test script plays a level from within its own call.
    let outside = LEFT_IN_TICK.replace(*left);
    play();
    *left = LEFT_IN_TICK.replace(outside);
}

/// Charges the tick for work done around calls: building their events and keeping their variables.
pub fn charge_tick(operations: u64) {
    LEFT_IN_TICK.set(LEFT_IN_TICK.get().saturating_sub(operations));
}

/// Whether the scripts of this tick have used up their shared budget. The remaining calls of the tick are then skipped.
pub fn tick_is_spent() -> bool {
    LEFT_IN_TICK.get() == 0
}

/// The operations that the scripts of this tick have left together.
pub fn left_in_tick() -> u64 {
    LEFT_IN_TICK.get()
}

/// The message for a tick whose operations are used up. `most` is the script that has used the most operations, and
/// how many.
pub fn tick_too_long(limits: &Limits, (most, used): (&str, u64)) -> String {
    format!(
        "all scripts of this tick together were stopped after {} operations, {used} of them used by \
         `{most}`; the remaining calls of the tick are skipped. Entities that miss a call receive their own \
         events in the next tick, but not the events that scripts emitted (`tick_operations` in \
         [scripts] sets the budget)",
        limits.tick_operations
    )
}

#[cfg(test)]
#[path = "../tests/unit/budget.rs"]
mod tests;
