//! Which names will be in use for what is kept, once the scripts of a phase have run.

use super::*;
use std::collections::BTreeMap;

/// What the calls of a phase change about the names of what is kept. A failed call can be undone.
#[derive(Debug, Default)]
pub struct KeptLater {
    /// Whether each name that was kept or forgotten in this phase will be in use.
    there: BTreeMap<Arc<str>, bool>,
    /// How many more names will be in use than when the phase began.
    more: isize,
    /// Each change, with what was known of its name before.
    changes: Vec<NameChange>,
}

/// A name that was kept or forgotten.
#[derive(Debug)]
struct NameChange {
    name: Arc<str>,
    before: Option<bool>,
    /// What it has added to the number of names.
    more: isize,
}

impl KeptLater {
    /// Forgets all changes, at the start of a phase.
    pub fn clear(&mut self) {
        self.there.clear();
        self.changes.clear();
        self.more = 0;
    }

    /// How many changes there are.
    pub fn changes(&self) -> usize {
        self.changes.len()
    }

    /// Whether a name that is kept now is one more.
    pub fn adds(&self, kept: &KeptValues, name: &str) -> bool {
        !self.is_there(kept, name)
    }

    /// How many names will be in use.
    pub fn count(&self, kept: &KeptValues) -> usize {
        kept.len().saturating_add_signed(self.more)
    }

    /// Notes that a name is kept or forgotten.
    pub fn note(&mut self, kept: &KeptValues, name: &str, there: bool) {
        let more = isize::from(there) - isize::from(self.is_there(kept, name));
        let name: Arc<str> = name.into();
        let before = self.there.insert(name.clone(), there);
        self.more += more;
        self.changes.push(NameChange { name, before, more });
    }

    /// Takes back the last changes, `count` of them.
    pub fn undo(&mut self, count: usize) {
        let rest = self.changes.len().saturating_sub(count);
        while self.changes.len() > rest {
            let Some(NameChange { name, before, more }) = self.changes.pop() else {
                return;
            };
            self.more -= more;
            match before {
                Some(before) => self.there.insert(name, before),
                None => self.there.remove(&name),
            };
        }
    }

    fn is_there(&self, kept: &KeptValues, name: &str) -> bool {
        let noted = self.there.get(name).copied();
        noted.unwrap_or_else(|| kept.get(name).is_some())
    }
}
