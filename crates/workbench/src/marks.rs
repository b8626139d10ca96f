//! The marks A and B, and the loop between them.

use super::excerpt::Excerpt;
use hangtime_core::sim::World;
use hangtime_game::Revision;
use std::sync::Arc;

/// A marked moment, which can be restored whatever happens to the timeline.
pub struct MarkedWorld {
    /// Its position; `None` once that part of the timeline was dropped.
    pub position: Option<u64>,
    /// The world.
    pub world: Arc<World>,
    /// The revision of the world.
    pub revision: Arc<Revision>,
}

/// A stretch that is played again and again.
pub struct Looping {
    /// The stretch.
    pub excerpt: Arc<Excerpt>,
    /// Its first world under the newest revision that it was played under.
    pub opening: Option<(Arc<Revision>, Arc<World>)>,
    /// The position at which the current round began.
    pub began: u64,
    /// The number of rounds that have begun.
    pub rounds: u64,
}

/// The marks, and what they are used for.
#[derive(Default)]
pub struct Marks {
    /// Mark A.
    pub a: Option<MarkedWorld>,
    /// The stretch from mark A to mark B.
    pub stretch: Option<Arc<Excerpt>>,
    /// The loop, if it runs.
    pub looping: Option<Looping>,
}

impl Marks {
    /// The timeline was cut at a position.
    pub fn cut(&mut self, position: u64) {
        if let Some(mark) = &mut self.a {
            mark.position = mark.position.filter(|marked| *marked <= position);
        }
    }

    /// Marks the start of a stretch. The stretch marked before is forgotten.
    pub fn set_a(&mut self, mark: MarkedWorld) {
        *self = Self { a: Some(mark), ..Self::default() };
    }

    /// Starts the loop of the marked stretch.
    pub fn start_loop(&mut self) -> bool {
        let Some(excerpt) = self.stretch.clone() else {
            return false;
        };
        self.looping = Some(Looping { excerpt, opening: None, began: u64::MAX, rounds: 0 });
        true
    }
}
