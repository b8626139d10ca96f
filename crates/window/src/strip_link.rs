//! What passes between the timeline in the window and the game thread.

use super::*;
use hangtime_workbench::{StripFacts, StripOrder};
use std::ops::Range;

/// The most orders that wait for a frame; more are dropped.
const MOST_ORDERS: usize = 256;

/// The latest of both sides. Neither waits for the other.
#[derive(Default)]
pub struct StripLink(Mutex<StripData>);

#[derive(Default)]
struct StripData {
    /// The positions that an open timeline shows.
    view: Option<Range<u64>>,
    orders: Vec<StripOrder>,
    facts: Option<Arc<StripFacts>>,
}

impl StripLink {
    /// Tells the game which positions are shown. Returns what it last said about them.
    pub fn look(&self, view: Option<Range<u64>>) -> Option<Arc<StripFacts>> {
        let mut data = self.0.lock();
        data.view = view;
        data.facts.clone()
    }

    /// Passes an order on to the game. Of several positions that are to be shown, only the newest counts.
    pub fn order(&self, order: StripOrder) {
        let mut data = self.0.lock();
        if matches!((data.orders.last(), &order), (Some(StripOrder::Show(_)), StripOrder::Show(_))) {
            data.orders.pop();
        }
        if data.orders.len() < MOST_ORDERS {
            data.orders.push(order);
        }
    }

    /// Whether the timeline would show the same as with these facts.
    pub fn shows(&self, facts: Option<&Arc<StripFacts>>) -> bool {
        self.0.lock().facts.as_ref().map(Arc::as_ptr) == facts.map(Arc::as_ptr)
    }

    /// In the game thread: another level begins, which the orders were not for.
    pub fn open_level(&self) {
        let mut data = self.0.lock();
        (data.orders, data.facts) = Default::default();
    }

    /// In the game thread: does what was ordered, and says how things are.
    pub fn pass(&self, bench: &mut Workbench, folder: &GameFolder) {
        let (orders, view) = {
            let mut data = self.0.lock();
            (mem::take(&mut data.orders), data.view.clone())
        };
        for order in orders {
            bench.order(order, folder);
        }
        let facts = view.map(|view| bench.strip(view));
        let mut data = self.0.lock();
        // While nothing changes, the timeline need not be drawn again.
        if data.facts.as_deref() != facts.as_ref() {
            data.facts = facts.map(Arc::new);
        }
    }
}
