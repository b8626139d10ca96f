//! Characters: the same level, the same characters, the same keys.
//!
//! Every engine moves characters that run and jump by the same rules through the same solids: hangtime by
//! a tick of the world; Box2D 3 by its mover, hovering on a probe as its own sample does; Rapier by
//! its character controller with sliding, autostep off and snapping to the ground; and a bare loop
//! with only hangtime's queries, a run, a jump and gravity. One core; nothing is hashed,
//! traced or drawn. Engines alternate for several rounds; the medians are printed.

pub mod bare;
pub mod box2d;
pub mod level;
pub mod ours;
pub mod rapier;

use crate::report::{Comparison, Report};
use bare::Crowd;
use glam::DVec2;
use level::{Keys, Layout};
use std::time::Instant;

/// An engine with characters in it.
pub trait Engine {
    fn name(&self) -> &'static str;
    /// Plays one tick of 1/60 s; `keys` returns the keys of a character.
    fn tick(&mut self, keys: &[Keys]);
    /// The characters, if [`Runner`](bare::Runner) moves them.
    fn crowd(&self) -> Option<&Crowd> {
        None
    }
    /// The centers of the characters.
    fn places(&self) -> Vec<DVec2> {
        let runners = self.crowd().map_or(&[][..], |c| &c.runners);
        runners.iter().map(|r| r.pos).collect()
    }
    /// The number of grounded characters.
    fn grounded(&self) -> usize {
        let runners = self.crowd().map_or(&[][..], |c| &c.runners);
        runners.iter().filter(|r| r.grounded).count()
    }
    /// The number of jumps started.
    fn jumps(&self) -> u64 {
        self.crowd().map_or(0, |c| c.jumps)
    }
}

/// Ticks before the measurement, and ticks per round.
const WARM_UP: u64 = 60;
const ROUND: u64 = 60;
const ROUNDS: usize = 9;

/// The behavior of an engine's characters, and its time.
struct Score {
    engine: Box<dyn Engine>,
    nanoseconds: Vec<f64>,
    moved: f64,
    moving: f64,
    leaning: f64,
    standing: f64,
    deepest: f64,
}

/// Runs all comparisons, or those with given numbers of characters; `alone` runs only hangtime.
pub fn run(only: &[usize], alone: bool, report: &mut Report) {
    println!("ns for a character and tick, median of {ROUNDS} rounds of {ROUND} ticks; one core");
    for edges in [1_000, 10_000] {
        let layout = Layout::new(edges);
        for characters in [1, 100, 1_000, 10_000] {
            if only.is_empty() || only.contains(&characters) {
                compare(&layout, characters, alone, report);
            }
        }
    }
}

fn compare(layout: &Layout, characters: usize, alone: bool, report: &mut Report) {
    let starts = layout.starts(characters);
    let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(ours::Ours::new(layout, &starts))];
    let others = || -> Vec<Box<dyn Engine>> {
        vec![
            Box::new(bare::Bare::new(layout, &starts)),
            Box::new(box2d::Box2d::new(layout, &starts)),
            Box::new(rapier::Rapier::new(layout, &starts)),
        ]
    };
    if !alone {
        engines.extend(others());
    }
    let mut scores: Vec<Score> = engines.into_iter().map(Score::new).collect();
    let mut keys = vec![Keys::default(); characters];
    for score in &mut scores {
        for tick in 0..WARM_UP {
            level::press(&mut keys, tick);
            score.engine.tick(&keys);
        }
    }
    for round in 0..ROUNDS {
        for score in &mut scores {
            score.round(layout, &mut keys, WARM_UP + round as u64 * ROUND);
        }
    }
    print(layout, characters, &mut scores);
    let times: Vec<_> = scores.iter_mut().map(|score| (score.engine.name(), score.median())).collect();
    report.add(Comparison::new("characters", layout.edges as f64, characters), &times);
}

impl Score {
    fn new(engine: Box<dyn Engine>) -> Self {
        Self { engine, nanoseconds: vec![], moved: 0.0, moving: 0.0, leaning: 0.0, standing: 0.0, deepest: 0.0 }
    }

    fn round(&mut self, layout: &Layout, keys: &mut [Keys], from: u64) {
        let mut spent = 0.0;
        for tick in from..from + ROUND {
            level::press(keys, tick);
            let looks = (tick - from) % 20 == 10;
            let before = if looks { self.engine.places() } else { vec![] };
            let began = Instant::now();
            self.engine.tick(keys);
            spent += began.elapsed().as_nanos() as f64;
            if looks {
                self.look(layout, &before);
            }
        }
        self.nanoseconds.push(spent / (ROUND as f64 * keys.len() as f64));
    }

    /// Examines the characters outside of the timed part.
    fn look(&mut self, layout: &Layout, before: &[DVec2]) {
        let after = self.engine.places();
        let share = 1.0 / (after.len() as f64 * ROUNDS as f64 * 3.0);
        self.standing += self.engine.grounded() as f64 * share;
        for (from, to) in before.iter().zip(&after) {
            let way = from.distance(*to);
            self.moved += way * share;
            self.moving += f64::from(way > 0.1) * share;
            let (leans, depth) = layout.contact(*to);
            self.leaning += f64::from(leans) * share;
            self.deepest = self.deepest.max(depth);
        }
    }

    fn median(&mut self) -> f64 {
        self.nanoseconds.sort_by(f64::total_cmp);
        self.nanoseconds[self.nanoseconds.len() / 2]
    }
}

fn print(layout: &Layout, characters: usize, scores: &mut [Score]) {
    println!("\n{} edges, {characters} characters", layout.edges);
    println!(
        "{:22}{:>10}{:>10}{:>9}{:>9}{:>9}{:>9}{:>8}{:>10}",
        "", "ns", "to ours", "px/tick", "moving", "leaning", "ground", "jumps", "inside px"
    );
    let ours = scores[0].median();
    for score in scores {
        let median = score.median();
        println!(
            "{:22}{median:>10.1}{:>10.2}{:>9.2}{:>8.0}%{:>8.0}%{:>8.0}%{:>8}{:>10.4}",
            score.engine.name(),
            median / ours,
            score.moved,
            score.moving * 100.0,
            score.leaning * 100.0,
            score.standing * 100.0,
            score.engine.jumps(),
            score.deepest
        );
    }
}
