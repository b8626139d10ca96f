//! Giving up long computations whose results are no longer wanted.
//!
//! Building terrain can take minutes if thousands of outlines cross each other. A thread that waits for
//! it cannot stop it from outside; so the loops ask now and then whether to continue. What is given up
//! has an incomplete result, which the caller drops.

use std::cell::Cell;

thread_local! {
    static GIVE_UP: Cell<Option<fn() -> bool>> = const { Cell::new(None) };
}

/// Sets the question that long loops of the calling thread ask: whether to give up.
pub fn ask(question: fn() -> bool) {
    GIVE_UP.set(Some(question));
}

/// Whether to give up. Asks only in every 64th step, counted from 0; never unless [`ask`] was called.
pub fn gives_up(step: usize) -> bool {
    step.is_multiple_of(64) && GIVE_UP.get().is_some_and(|question| question())
}
