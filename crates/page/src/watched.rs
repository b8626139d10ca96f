//! A world that somebody else plays.

use super::*;

/// Shows a world that somebody else plays. It only looks.
pub struct WatchedView {
    pub number: u64,
    frame: BenchFrame,
    live: Live,
}

impl WatchedView {
    pub fn new(number: u64, live: Live) -> Self {
        Self { number, frame: BenchFrame::new(live.revision().clone()), live }
    }

    /// Paints the world as it is now.
    pub fn paint(&mut self, live: Live, canvas: &mut Pixmap, now: f64) {
        if !Arc::ptr_eq(live.revision(), self.live.revision()) {
            self.frame = BenchFrame::new(live.revision().clone());
        }
        self.frame.resize((canvas.width(), canvas.height()));
        let bodies = live.views().collect();
        self.frame.follow(&live, bodies, now);
        self.frame.paint(canvas, &[], 0.0);
        self.live = live;
    }

    /// What the page shows next to the picture.
    pub fn state(&self) -> GameState<'_> {
        GameState::of_world(&self.live)
    }
}
