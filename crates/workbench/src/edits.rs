//! Edits while the game runs: of files, adopted at once or refused and shown until they are fixed, and numbers of the
//! tuning panel.

use super::*;
use hangtime_game::{Notice, summary};

/// The largest number of changed files that are listed.
const MAX_CHANGED: usize = 10;

/// The largest number of changes that are listed.
const MOST_CHANGES: usize = 4;

impl Workbench {
    /// Handles a notice of the reloader: adopts a new revision, also while the game is paused, or shows why
    /// the files cannot be used.
    pub fn notice(&mut self, notice: Notice) {
        let (running, at) = (self.line.latest().number, self.notice_time());
        match notice {
            Notice::Ready { revision, changed, took, kept } => {
                self.accept(revision, &changed, took.as_secs_f64() * 1000.0, &kept);
                #[cfg(feature = "disk")]
                self.level_was_read();
            }
            Notice::Broken(diagnostics) => self.notices.refuse(&diagnostics, running, at),
            Notice::Reverted => self.notices.revert(running, at),
        }
        self.notices.update_banner(&self.line.live);
    }

    fn accept(&mut self, revision: Arc<Revision>, changed: &[String], ms: f64, kept: &[Diagnostic]) {
        let running = self.line.latest().clone();
        let before = self.line.tuning.base().clone();
        let revision = self.line.tuning.rebase(revision, running.number);
        let mut what = vec![what_changed(&running, &revision, changed)];
        what.extend(self.line.tuning.still_hiding(&before));
        let what = what.join("; ");
        let text = format!("revision {}: {what}, {ms:.0} ms", revision.number);
        #[cfg(feature = "disk")]
        self.strip.notes.edit(revision.number, &text);
        self.notices.accept(&revision, text, kept, self.notice_time());
        self.adopt(revision);
        if self.notices.clear_faults() && self.pauses_on_error() {
            self.time.paused = false;
        }
    }

    /// Continues the shown tick under a new revision. What came after it is dropped, and its input is kept:
    /// steps forward play it again.
    pub(super) fn adopt(&mut self, revision: Arc<Revision>) {
        let later = self.line.later();
        if later > 0 {
            self.line.keep_input_ahead();
            self.cut();
            let time = self.line.seconds(later);
            self.note(format!("the {time:.1} s after this tick are dropped; steps forward play their input again"));
        }
        let old = self.line.adopt(revision);
        // Numbers that were in effect have been saved: the last comparison stays.
        if !self.line.latest().plays_like(&old) {
            self.comparison.run(&self.line, &old);
        } else {
            // The saved files may have changed.
            self.comparison.refer(&self.line);
        }
        self.find_picked();
        self.line.record_motion();
    }

    /// Numbers from the tuning panel, which replace the files' numbers from the next tick on. While numbers
    /// change quickly, only some of them take effect, and always the last ones.
    pub fn tune(&mut self, changes: Vec<TuningChange>) {
        self.line.tuning.request(changes);
        self.adopt_tuning();
    }

    /// Adopts numbers of the panel that are due.
    pub(super) fn adopt_tuning(&mut self) {
        let (now, running) = (self.time.now(), self.line.latest().number);
        let Some((revision, continues)) = self.line.tuning.due(now, running) else {
            return;
        };
        if continues {
            // What a slider passes on its way is not worth comparing.
            self.comparison.skip(running);
        }
        let text = format!("revision {}: {}", revision.number, self.line.tuning.described());
        #[cfg(feature = "disk")]
        self.strip.notes.edit(revision.number, &text);
        self.adopt(revision);
        // The log would fill with what a slider passes.
        self.notices.show_edit(text, now);
        if self.line.timeline.end() < u64::from(self.line.hz()) / 4 {
            // Numbers that another level had: there is nothing to compare yet.
            self.comparison.race.clear();
        }
    }
}

/// What an edit changed.
fn what_changed(old: &Revision, new: &Revision, changed: &[String]) -> String {
    let changes = new.changes_from(old);
    match changes.is_empty() {
        // Comments and spaces, or a file that another one includes.
        true => changed_files(changed),
        // The panel's numbers were saved: they are in effect already.
        false if new.plays_like(old) => format!("{} as in the panel", changed_files(changed)),
        false => summary(&changes, MOST_CHANGES),
    }
}

/// The names of the first changed files, and the number of the others.
fn changed_files(names: &[String]) -> String {
    let listed = names.iter().take(MAX_CHANGED).map(|name| printable_name(name));
    let listed = listed.collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MAX_CHANGED) {
        0 => listed,
        others => format!("{listed} and {others} more"),
    }
}
