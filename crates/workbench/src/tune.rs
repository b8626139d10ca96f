//! Numbers from the tuning panel.

use super::bench::Workbench;
use hangtime_game::{Revision, TuningChange};
use std::sync::Arc;

impl Workbench {
    /// Numbers from the tuning panel, which replace those of the files from the next tick on. While numbers
    /// change quickly, only some of them take effect, and always the last ones.
    pub fn tune(&mut self, changes: Vec<TuningChange>) {
        self.tuning.request(changes);
        self.adopt_tuning();
    }

    /// Adopts numbers of the panel that are due.
    pub(super) fn adopt_tuning(&mut self) {
        if let Some((revision, continues)) = self.tuning.due(self.now, &self.latest) {
            if continues {
                // What a slider passes on its way is not worth comparing.
                self.ghosts.skip(self.latest.number);
            }
            let text = format!("revision {}: {}", revision.number, self.tuning.described());
            self.adopt(revision);
            // The log would fill with what a slider passes.
            self.last_edit = Some((text, self.now));
            if self.line.end() < u64::from(self.latest.stage.hz) / 4 {
                // Numbers that another level had: there is nothing to compare yet.
                self.ghosts.clear();
            }
            self.changed = true;
        }
    }

    /// What the files say, without the numbers of the panel.
    #[must_use]
    pub fn files_revision(&self) -> &Arc<Revision> {
        self.tuning.base()
    }
}
