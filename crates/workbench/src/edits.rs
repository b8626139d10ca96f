//! Edits of files while the game runs: adopted at once, or refused and shown until they are mended.

use super::bench::{TerminalLine, Workbench};
use super::log::LogKind;
use hangtime_game::{Notice, Revision, summary};
use hangtime_script::text::printable_name;
use hangtime_script::{Diagnostic, render_all};
use std::sync::Arc;

/// The largest number of changed files that are listed.
const MAX_CHANGED: usize = 10;

/// The largest number of changes that are listed.
const MOST_CHANGES: usize = 4;

impl Workbench {
    /// Handles a notice of the reloader: adopts a new revision, also while the game is paused, or shows why
    /// the files cannot be used.
    pub fn notice(&mut self, notice: Notice) {
        match notice {
            Notice::Ready { revision, changed, took } => self.accept(revision, &changed, took.as_secs_f64() * 1000.0),
            Notice::Broken(wrong) => self.refuse(&wrong),
            Notice::Reverted => {
                let number = self.latest.number;
                let text = format!("files reverted: revision {number} keeps running");
                self.tell_edit(text);
                self.troubles.mend();
            }
        }
        self.update_banner();
    }

    fn accept(&mut self, revision: Arc<Revision>, changed: &[String], ms: f64) {
        let revision = self.tuning.rebase(revision, &self.latest);
        let what = what_changed(&self.latest, &revision, changed);
        self.tell_edit(format!("revision {}: {what}, {ms:.0} ms", revision.number));
        for warning in &revision.warnings {
            self.add_line(LogKind::Warning, &warning.headline());
        }
        if !revision.warnings.is_empty() {
            let rendered = render_all(&revision.warnings, self.color);
            self.terminal.push(TerminalLine::Rendered(rendered));
        }
        self.adopt(revision);
        self.troubles.mend();
        if self.troubles.has_faults() && self.pauses_on_error() {
            self.paused = false;
        }
        self.troubles.clear_faults();
    }

    /// Continues the shown tick under a new revision. What came after it is dropped, and its input is kept:
    /// steps forward play it again.
    pub(super) fn adopt(&mut self, revision: Arc<Revision>) {
        let later = self.line.end() - self.at;
        if later > 0 {
            self.keep_input_ahead();
            self.cut();
            let time = self.seconds(later);
            self.note(format!("the {time:.1} s after this tick are dropped; steps forward play their input again"));
        }
        let old = std::mem::replace(&mut self.latest, revision.clone());
        self.live.adopt(revision.clone());
        let world = Arc::new(self.live.world().clone());
        self.line.open_chapter(revision.clone(), world, true);
        if revision.plays_like(&old) {
            // Numbers that were in effect have been saved: the last comparison stays.
        } else if let (Some(stretch), Some(picked)) = (self.stretch(), self.picked.clone()) {
            let old = self.ghosts.before_skipped(&old);
            self.ghosts.run(&stretch, &picked, [&old, &revision]);
        } else {
            self.ghosts.clear();
        }
        self.find_picked();
        self.record_motion();
        self.moved = true;
    }

    fn refuse(&mut self, wrong: &[Diagnostic]) {
        let rendered = render_all(wrong, self.color);
        self.terminal.push(TerminalLine::Rendered(rendered));
        let number = self.latest.number;
        let keeps = format!("revision {number} keeps running");
        self.terminal.push(TerminalLine::Plain(keeps));
        if let Some(first) = wrong.first() {
            self.add_line(LogKind::Error, &first.headline());
        }
        self.troubles.refuse(render_all(wrong, false));
    }

    fn tell_edit(&mut self, text: String) {
        self.add_line(LogKind::Reload, &text);
        self.last_edit = Some((text.clone(), self.now));
        self.terminal.push(TerminalLine::Plain(text));
    }
}

/// What an edit changed.
fn what_changed(old: &Revision, new: &Revision, changed: &[String]) -> String {
    let changes = new.changes_from(old);
    match changes.is_empty() {
        // Comments and spaces, or a file that another one includes.
        true => changed_files(changed),
        false => summary(&changes, MOST_CHANGES),
    }
}

/// The names of the first changed files, and the number of the others.
fn changed_files(names: &[String]) -> String {
    let listed = names.iter().take(MAX_CHANGED);
    let listed = listed.map(|name| printable_name(name)).collect::<Vec<_>>();
    let others = names.len() - listed.len();
    let others = if others > 0 { format!(" and {others} more") } else { String::new() };
    format!("{}{others}", listed.join(", "))
}
