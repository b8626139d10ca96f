//! Levels that scripts want to play.

use super::bench::Workbench;
use hangtime_core::sim::LevelOrder;
use std::sync::Arc;

impl Workbench {
    /// The level that a script wants to play from here on. None while time stands still or an earlier tick is shown.
    #[must_use]
    pub fn level_order(&self) -> Option<&LevelOrder> {
        let plays = !self.paused && self.at == self.line.end();
        self.live.world().level_order().filter(|_| plays)
    }

    /// Continues without the level that a script wants to play, and reports why.
    pub fn refuse_level(&mut self, name: &str, reason: &str) {
        self.live.refuse_level(name, reason);
        self.begin_chapter(Arc::new(self.live.world().clone()));
        self.report();
    }
}
