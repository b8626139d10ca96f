//! Explanations over several ticks: a history for tests, and the panel of the window.

use crate::live::{build::revision::Revision, run::session::Live};
use hangtime_core::sim::why::{Watch, WhyEntry, WhyReport};
use hangtime_script::Reason;
use std::{collections::VecDeque, fmt::Write as _, sync::Arc};

/// The recent steps in which something other than plain motion moved a watched entity.
#[derive(Clone)]
pub struct WhyHistory {
    /// Shared, because snapshots clone the history.
    kept: VecDeque<(Arc<Revision>, Arc<WhyReport>)>,
    capacity: usize,
}

impl WhyHistory {
    /// An empty history. When it holds `capacity` steps, each new one replaces the oldest.
    pub fn new(capacity: usize) -> Self {
        Self { kept: VecDeque::new(), capacity }
    }

    /// Records the last step.
    pub fn record(&mut self, live: &Live) {
        for account in live.world().why() {
            if account.entries.iter().all(WhyEntry::is_plain) {
                continue;
            }
            if self.kept.len() == self.capacity {
                self.kept.pop_front();
            }
            self.kept.push_back((live.revision().clone(), Arc::new(account.clone())));
        }
    }

    /// The number of recorded steps.
    pub fn len(&self) -> u64 {
        self.kept.len() as u64
    }

    /// Whether nothing has been recorded.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// How many revisions it keeps, because steps that it has recorded ran under them.
    pub fn revisions(&self) -> u64 {
        let pairs = self.kept.iter().zip(self.kept.iter().skip(1));
        let changes = pairs.filter(|((before, _), (after, _))| !Arc::ptr_eq(before, after)).count();
        (changes + usize::from(!self.kept.is_empty())) as u64
    }

    /// Explains what moved an entity in the recorded steps, oldest first.
    pub fn of(&self, name: &str) -> Vec<Reason> {
        let accounts = self.kept.iter().filter(|(_, a)| &*a.name == name);
        accounts.flat_map(|(revision, account)| revision.reasons(account)).collect()
    }

    /// Forgets all recorded steps.
    pub fn clear(&mut self) {
        self.kept.clear();
    }
}

/// The text of the overlay that explains why an entity moves as it does: the last step, and recent
/// answers of rules and refusals.
pub struct WhyPanel {
    name: Arc<str>,
    /// Answers and refusals, each text once, the newest last.
    recent: VecDeque<Reason>,
}

/// The largest number of answers and refusals that the panel shows.
const MAX_RECENT: usize = 6;

impl WhyPanel {
    /// Starts watching the entity with this name.
    pub fn open(live: &mut Live, name: Arc<str>) -> Self {
        live.watch(Watch::Named(vec![name.clone()]));
        Self { name, recent: VecDeque::new() }
    }

    /// The name of the watched entity.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Stops watching.
    pub fn close(self, live: &mut Live) {
        live.watch(Watch::Off);
    }

    /// Records the last step.
    pub fn record(&mut self, live: &Live) {
        for reason in live.why(&self.name) {
            let decision = !reason.rule.is_empty() || !reason.refused.is_empty();
            if !decision || reason.plain {
                continue;
            }
            self.recent.retain(|other| other.text != reason.text);
            self.recent.push_back(reason);
            if self.recent.len() > MAX_RECENT {
                self.recent.pop_front();
            }
        }
    }

    /// The panel's lines: recent answers and refusals with their ticks, then everything else that moved
    /// the entity in the last step.
    pub fn text(&self, live: &Live) -> String {
        let mut text = format!("why {} moves, tick {}\n", self.name, live.world().ticks());
        for reason in &self.recent {
            let _ = writeln!(text, "{:>6}  {}", reason.tick, reason.text);
        }
        for reason in live.why(&self.name) {
            if reason.rule.is_empty() && reason.refused.is_empty() {
                let _ = writeln!(text, "{reason}");
            }
        }
        text
    }
}
