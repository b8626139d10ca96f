//! The revision that results from the files and the edits of the panel.

use crate::project::{Revision, TuningChange};
use std::sync::Arc;

/// Seconds between two changes of the numbers: a dragged slider makes a hundred of them a second, and each
/// is a revision with its own ghost.
const PAUSE: f64 = 0.1;

/// The files' revision, and what the panel changes about it.
#[derive(Debug)]
pub(in crate::workbench) struct LiveTuning {
    base: Arc<Revision>,
    changes: Vec<TuningChange>,
    /// Changes that wait until the last ones have been shown for a moment.
    waiting: Option<Vec<TuningChange>>,
    /// When the last changes took effect, in seconds of the session.
    since: f64,
}

impl LiveTuning {
    pub fn new(base: Arc<Revision>) -> Self {
        Self {
            base,
            changes: Vec::new(),
            waiting: None,
            since: f64::NEG_INFINITY,
        }
    }

    /// What the files say.
    pub fn base(&self) -> &Arc<Revision> {
        &self.base
    }

    /// A revision of the files with the panel's changes, numbered after the one that runs.
    fn combined(&self, after: u64) -> Arc<Revision> {
        if self.changes.is_empty() && self.base.number > after {
            return self.base.clone();
        }
        let number = after + 1;
        let tuned = self.base.retuned(number, &self.changes);
        // Numbers are checked before they get here; a kind may have changed in between.
        let tuned = tuned.or_else(|_| self.base.retuned(number, &[]));
        tuned.map_or_else(|_| self.base.clone(), Arc::new)
    }

    /// Changes that replace the present ones from the next tick on.
    pub fn request(&mut self, changes: Vec<TuningChange>) {
        self.waiting = Some(changes);
    }

    /// The revision with the requested changes, once the last ones have been shown for a moment.
    pub fn due(&mut self, now: f64, running: &Revision) -> Option<Arc<Revision>> {
        if now - self.since < PAUSE {
            return None;
        }
        let changes = self.waiting.take()?;
        if changes == self.changes {
            return None;
        }
        self.changes = changes;
        self.since = now;
        Some(self.combined(running.number))
    }

    /// Continues with other files.
    pub fn rebase(&mut self, base: Arc<Revision>, running: &Revision) -> Arc<Revision> {
        self.base = base;
        self.combined(running.number)
    }
}
