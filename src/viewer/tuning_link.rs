//! What passes between the tuning panel and the game thread.

use crate::project::{Revision, TuningChange};
use crate::workbench::Workbench;
use crate::workbench::panel::EntityFacts;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The latest of both sides. Neither waits for the other.
#[derive(Default)]
pub(super) struct TuningLink(Mutex<LinkData>);

#[derive(Default)]
struct LinkData {
    /// Numbers that the game has not taken yet.
    changes: Option<Vec<TuningChange>>,
    /// Whether the panel is open, so that it needs facts.
    open: bool,
    facts: Option<Arc<EntityFacts>>,
    base: Option<Arc<Revision>>,
}

impl TuningLink {
    fn lock(&self) -> MutexGuard<'_, LinkData> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Passes numbers on to the game.
    pub fn send(&self, changes: Vec<TuningChange>) {
        self.lock().changes = Some(changes);
    }

    /// Tells the game whether the panel is open. Returns what it last said: the picked entity, and the
    /// revision of the files.
    pub fn look(&self, open: bool) -> (Option<Arc<EntityFacts>>, Option<Arc<Revision>>) {
        let mut data = self.lock();
        data.open = open;
        (data.facts.clone(), data.base.clone())
    }

    /// In the game thread: adopts numbers and says how things are.
    pub fn pass(&self, bench: &mut Workbench) {
        let (changes, open) = {
            let mut data = self.lock();
            (data.changes.take(), data.open)
        };
        if let Some(changes) = changes {
            bench.tune(changes);
        }
        let picked = bench.picked().filter(|_| open);
        let facts = picked.and_then(|name| EntityFacts::of(bench.live(), name));
        let base = bench.files_revision().clone();
        let mut data = self.lock();
        data.facts = facts.map(Arc::new);
        data.base = Some(base);
    }
}
