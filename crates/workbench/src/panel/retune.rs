//! The revision that results from the files and the edits of the panel.

use super::*;

/// Seconds between two changes of the numbers: a dragged slider makes a hundred of them a second, and each
/// is a revision with its own ghost.
const PAUSE: f64 = 0.1;

/// Seconds within which changes of the same number belong to one drag of a slider.
const DRAG: f64 = 1.0;

/// The files' revision, and what the panel changes about it.
pub struct LiveTuning {
    base: Arc<Revision>,
    changes: Vec<TuningChange>,
    /// Changes that wait until the last ones have been shown for a moment.
    waiting: Option<Vec<TuningChange>>,
    /// When the last changes took effect, in seconds of the session.
    since: f64,
    /// The number that the last changes were about, if it was only one.
    last: Option<TuningKey>,
}

impl LiveTuning {
    pub fn new(base: Arc<Revision>) -> Self {
        Self { base, changes: Vec::new(), waiting: None, since: f64::NEG_INFINITY, last: None }
    }

    /// What the files say.
    pub fn base(&self) -> &Arc<Revision> {
        &self.base
    }

    /// The panel's changes that are in effect.
    pub fn changes(&self) -> &[TuningChange] {
        &self.changes
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

    /// The revision with the requested changes, once the last ones have been shown for a moment, and whether
    /// it continues a drag of a slider.
    pub fn due(&mut self, now: f64, running: u64) -> Option<(Arc<Revision>, bool)> {
        if now - self.since < PAUSE {
            return None;
        }
        let changes = self.waiting.take()?;
        if changes == self.changes {
            return None;
        }
        let about = only_difference(&self.changes, &changes);
        let continues = about.is_some() && about == self.last && now - self.since < DRAG;
        self.last = about;
        self.changes = changes;
        self.since = now;
        Some((self.combined(running), continues))
    }

    /// What the last changes were about, in words.
    pub fn described(&self) -> String {
        let Some((home, group, name)) = &self.last else {
            return match self.changes.len() {
                0 => "all numbers as in the files".into(),
                1 => "1 number of the panel, not saved".into(),
                n => format!("{n} numbers of the panel, not saved"),
            };
        };
        let is = |c: &&TuningChange| (&c.home, &c.group, c.name) == (home, group, *name);
        let files = self.base.setting_at(home, group, name);
        let files = files.map_or_else(String::new, |(value, _)| format!(" {value}"));
        match self.changes.iter().find(is) {
            Some(change) => format!("{group}.{name}{files} → {}, not saved", change.value),
            None => format!("{group}.{name}{files}, as in the files"),
        }
    }

    /// Continues with other files. Changes that they contain are saved, and no longer changes.
    pub fn rebase(&mut self, base: Arc<Revision>, running: u64) -> Arc<Revision> {
        self.base = base;
        let base = &self.base;
        let is_saved = |change: &TuningChange| {
            let now = base.setting_at(&change.home, &change.group, change.name);
            now.is_some_and(|(now, _)| now == change.value)
        };
        for changes in self.waiting.iter_mut().chain([&mut self.changes]) {
            changes.retain(|change| !is_saved(change));
        }
        self.combined(running)
    }

    /// The changes that hide another value of the files than they did over the files before, in words.
    pub fn still_hiding(&self, before: &Revision) -> Vec<String> {
        let at = |files: &Revision, change: &TuningChange| {
            let found = files.setting_at(&change.home, &change.group, change.name);
            found.map(|(value, _)| value)
        };
        let hides = |change: &&TuningChange| {
            let now = at(&self.base, change);
            now.is_some() && now != at(before, change)
        };
        let told =
            |change: &TuningChange| format!("the panel keeps {} at {}", tuning_path(&key_of(change)), change.value);
        self.changes.iter().filter(hides).map(told).collect()
    }
}

/// Which number a change is about.
fn key_of(change: &TuningChange) -> TuningKey {
    (change.home.clone(), change.group.clone(), change.name)
}

/// The number that differs between two lists of changes, if it is only one.
fn only_difference(old: &[TuningChange], new: &[TuningChange]) -> Option<TuningKey> {
    let unlike = |list: &[TuningChange], other: &[TuningChange]| {
        let changed = list.iter().filter(|change| !other.contains(change));
        changed.map(key_of).collect::<Vec<TuningKey>>()
    };
    let mut about = unlike(old, new);
    about.extend(unlike(new, old));
    about.dedup();
    match about.len() {
        1 => about.pop(),
        _ => None,
    }
}
