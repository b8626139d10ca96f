//! What is wrong: refused edits and errors of running scripts, as the banner shows them.

use hangtime_game::Live;
use hangtime_script::{Fault, Tally};

/// The largest number of disabled scripts that the banner lists.
const MAX_DISABLED: usize = 3;

/// What is wrong with the files, or else with the running scripts.
#[derive(Default)]
pub struct Troubles {
    /// The errors in the files on disk, if the last edit was refused.
    refused: Option<String>,
    /// The script errors under the current revision.
    faults: Tally,
}

impl Troubles {
    /// The files have errors: they are shown until they are fixed.
    pub fn refuse(&mut self, errors: String) {
        self.refused = Some(errors);
    }

    /// The files are in order again.
    pub fn mend(&mut self) {
        self.refused = None;
    }

    /// Counts a script error. Returns whether it is the first at its place.
    pub fn count(&mut self, fault: &Fault) -> bool {
        self.faults.count(fault)
    }

    /// Counts script errors that are known by their number only.
    pub fn leave_out(&mut self, count: u64) {
        self.faults.leave_out(count);
    }

    /// Whether scripts have failed under the current revision.
    #[must_use]
    pub fn has_faults(&self) -> bool {
        !self.faults.is_empty()
    }

    /// Forgets the errors of scripts.
    pub fn clear_faults(&mut self) {
        self.faults.clear();
    }

    /// The text of the banner; empty if nothing is wrong.
    #[must_use]
    pub fn banner(&self, live: &Live) -> String {
        if let Some(refused) = &self.refused {
            return refused.clone();
        }
        let lines = self.faults.iter().map(|(fault, count)| {
            let text = fault.render(false);
            match count {
                1 => text,
                n => format!("{text}\n({n} times)"),
            }
        });
        let disabled = live.disabled().take(MAX_DISABLED);
        lines.chain(self.faults.left_out_text()).chain(disabled).collect::<Vec<_>>().join("\n")
    }
}
