//! Ctrl-C, and requests of the system to end.

use super::*;
use signal_hook::{
    consts::{SIGINT, SIGTERM},
    flag,
};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the program has been asked to end. Ends a run after a whole tick.
#[derive(Clone)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// From now on, the first signal only sets a flag. The second one ends the program at once.
    pub fn watch() -> Self {
        let asked = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first signal finds the flag unset. Where a handler cannot be
            // installed, the signal ends the program as usual.
            let code = INTERRUPTED.into();
            let _ = flag::register_conditional_shutdown(signal, code, asked.clone());
            let _ = flag::register(signal, asked.clone());
        }
        Self(asked)
    }

    /// Whether a signal has arrived.
    pub fn arrived(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Observer for Interrupt {
    fn observe(&mut self, _: &mut Live) -> io::Result<()> {
        if self.arrived() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        Ok(())
    }
}
