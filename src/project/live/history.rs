//! Explanations over several ticks: a history for tests, and the panel of the window.

use super::revision::Revision;
use super::session::Live;
use crate::script::host::Reason;
use crate::sim::why::{Account, Entry, Watch};
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::Arc;

/// The recent steps in which something other than plain motion moved a watched entity.
#[derive(Clone)]
pub struct WhyHistory {
    /// Shared, because snapshots clone the history.
    kept: VecDeque<(Arc<Revision>, Arc<Account>)>,
    capacity: usize,
}

impl WhyHistory {
    /// An empty history. When it holds `capacity` steps, each new one replaces the oldest.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self {
            kept: VecDeque::new(),
            capacity,
        }
    }

    /// Records the last step.
    pub fn record(&mut self, live: &Live) {
        for account in live.world().why() {
            if account.entries.iter().all(Entry::is_plain) {
                continue;
            }
            if self.kept.len() == self.capacity {
                self.kept.pop_front();
            }
            self.kept
                .push_back((live.revision().clone(), Arc::new(account.clone())));
        }
    }

    /// Explains what moved an entity in the recorded steps, oldest first.
    #[must_use]
    pub fn of(&self, name: &str) -> Vec<Reason> {
        let accounts = self.kept.iter().filter(|(_, a)| &*a.name == name);
        accounts
            .flat_map(|(revision, account)| revision.reasons(account))
            .collect()
    }

    /// Forgets all recorded steps.
    pub fn clear(&mut self) {
        self.kept.clear();
    }
}

/// The text of the overlay that explains why the first player's entity moves as it does: the last
/// step, and recent answers of rules and refusals.
pub struct WhyPanel {
    name: Arc<str>,
    /// Answers and refusals, each text once, the newest last.
    recent: VecDeque<Reason>,
}

/// The largest number of answers and refusals that the panel shows.
const MAX_RECENT: usize = 6;

impl WhyPanel {
    /// Starts watching the first player's entity, or the level's first entity without a player.
    pub fn open(live: &mut Live) -> Self {
        let entities = live.world().entities();
        let first = entities.iter().find(|e| e.player == Some(1));
        let first = first.or(entities.first());
        let name = first.map_or_else(|| "".into(), |e| e.name.clone());
        live.watch(Watch::Named(vec![name.clone()]));
        Self {
            name,
            recent: VecDeque::new(),
        }
    }

    /// Stops watching.
    pub fn close(self, live: &mut Live) {
        live.watch(Watch::Nobody);
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
    #[must_use]
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
