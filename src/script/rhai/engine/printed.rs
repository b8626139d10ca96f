//! What scripts print, kept until a host shows it.

use super::budget::charge;
use rhai::Engine;
use std::cell::RefCell;
use std::sync::{Arc, Mutex, MutexGuard};

/// The largest number of lines that are kept. Without a limit, a script that prints in every tick would fill the
/// memory of a host that shows nothing.
const MOST_PRINTED: usize = 1000;

/// What a line costs, in operations, and how many of its bytes are kept for one.
const PER_LINE: u64 = 6;
const BYTES_IN_ONE: u64 = 48;

thread_local! {
    /// What is being printed on this thread, while that is recorded.
    static RECORDED: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// Runs something and also returns the lines that scripts print in it on this thread, or the first of very many.
pub fn recording_prints<R>(run: impl FnOnce() -> R) -> (R, Vec<String>) {
    let outside = RECORDED.replace(Some(Vec::new()));
    let result = run();
    let lines = RECORDED.replace(outside);
    (result, lines.unwrap_or_default())
}

/// What printing a line costs, in operations.
pub(in crate::script::rhai) const fn cost_of_line(line: &str) -> u64 {
    PER_LINE + line.len() as u64 / BYTES_IN_ONE
}

/// The lines that scripts have printed and the host has not taken yet.
#[derive(Clone, Debug, Default)]
pub(in crate::script::rhai) struct Printed(Arc<Mutex<Vec<String>>>);

impl Printed {
    fn lock(&self) -> MutexGuard<'_, Vec<String>> {
        self.0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn push(&self, line: String) {
        // A script that is out of operations is stopped by its next step.
        let _ = charge(cost_of_line(&line));
        self.keep(line);
    }

    /// Keeps a line that has been charged for.
    pub fn keep(&self, line: String) {
        // Control characters could move the cursor or change colors.
        let line = line.replace(|c: char| c.is_control() && c != '\n' && c != '\t', " ");
        RECORDED.with_borrow_mut(|recorded| {
            if let Some(lines) = recorded
                && lines.len() < MOST_PRINTED
            {
                lines.push(line.clone());
            }
        });
        let mut lines = self.lock();
        if lines.len() < MOST_PRINTED {
            lines.push(line);
        }
    }

    /// Takes the lines printed so far.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.lock())
    }

    /// Sends an engine's `print` and `debug` here.
    pub fn listen_to(&self, engine: &mut Engine) {
        let (print, debug) = (self.clone(), self.clone());
        engine.on_print(move |text| print.push(text.to_string()));
        engine.on_debug(move |text, source, pos| {
            let file = source.unwrap_or_default();
            debug.push(format!("{file}:{}: {text}", pos.line().unwrap_or(1)));
        });
    }
}
