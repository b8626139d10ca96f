//! Lines of traces for clients that subscribe to a world.

use super::*;

/// The most events of skipped ticks that are kept for the next line.
const MOST_KEPT: usize = 10_000;

/// A client's subscription to a world.
pub struct Subscription {
    /// Its number, unique in the world.
    pub number: u64,
    filter: ObservationFilter,
    every: u64,
    /// Whether the world waits for a client that reads slowly.
    pub waits: bool,
    /// Whether its first line is sent.
    pub has_begun: bool,
    dropped: u64,
    /// The events of skipped ticks.
    kept: Vec<Event>,
}

impl Subscription {
    /// A subscription to every nth tick. If `waits` is set, the world waits for a client that reads slowly.
    pub fn new(number: u64, filter: ObservationFilter, every: u64, waits: bool) -> Self {
        Self { number, filter, every, waits, has_begun: false, dropped: 0, kept: Vec::new() }
    }

    /// Sends the line of the present tick, if it is due.
    pub fn follow(&mut self, world: u64, live: &Live, outbox: &Outbox) {
        self.filter.follow(live);
        let room = MOST_KEPT.saturating_sub(self.kept.len());
        self.kept.extend(self.filter.events(live).take(room).cloned());
        if live.world().ticks().is_multiple_of(self.every) {
            self.send(world, live, outbox);
        }
    }

    /// Sends the line of the present tick in any case, as traces begin.
    pub fn begin(&mut self, world: u64, live: &Live, outbox: &Outbox) {
        self.has_begun = true;
        self.filter.follow(live);
        self.kept = self.filter.events(live).cloned().collect();
        self.send(world, live, outbox);
    }

    fn send(&mut self, world: u64, live: &Live, outbox: &Outbox) {
        let line = self.filter.line(live, self.kept.iter());
        self.kept.clear();
        let notice = TraceNotice { world, subscription: self.number, dropped: self.dropped, line: &line };
        let notice = Notification::new("world.trace".into(), notice);
        let text = serde_json::to_vec(&notice).unwrap_or_default();
        if outbox.offer(text, self.waits) {
            self.dropped = 0
        } else {
            self.dropped += 1
        }
    }
}
