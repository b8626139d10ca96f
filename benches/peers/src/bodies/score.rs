//! The time of an engine, and how well its bodies stay on the ground.

use super::level::{Layout, pushes};
use super::{Bodies, DT};
use glam::DVec2;
use std::time::Instant;

/// Ticks before the measurement, until all have landed, and ticks per round.
const WARM_UP: u64 = 180;
pub const ROUND: u64 = 120;
pub const ROUNDS: u64 = 9;

/// Ticks between looks at the bodies.
const LOOK: u64 = 10;

/// Ticks until bodies come to rest, and ticks over which their creep is measured.
pub const REST: u64 = 600;
const CREEP: u64 = 300;

/// Bodies closer to the surface than this are in contact, px.
const CONTACT: f64 = 1.0;

/// The behavior of an engine's bodies, and its time.
pub struct Score {
    engine: Box<dyn Bodies>,
    nanoseconds: Vec<f64>,
    looks: f64,
    contacts: f64,
    /// The sum of distances moved between looks, the sum of overlaps, and the deepest, px.
    moved: f64,
    overlaps: f64,
    deepest: f64,
}

impl Score {
    pub fn new(engine: Box<dyn Bodies>) -> Self {
        Self { engine, nanoseconds: vec![], looks: 0.0, contacts: 0.0, moved: 0.0, overlaps: 0.0, deepest: 0.0 }
    }

    pub fn warm_up(&mut self, count: usize, push: f64) {
        for tick in 0..WARM_UP {
            self.engine.tick(&pushes(count, tick, push));
        }
    }

    pub fn round(&mut self, layout: &Layout, count: usize, push: f64, round: u64) {
        let from = WARM_UP + round * ROUND;
        let mut spent = 0.0;
        let mut before = self.engine.places();
        for first in (from..from + ROUND).step_by(LOOK as usize) {
            let lists: Vec<_> = (first..first + LOOK).map(|tick| pushes(count, tick, push)).collect();
            let began = Instant::now();
            for list in &lists {
                self.engine.tick(list);
            }
            spent += began.elapsed().as_nanos() as f64;
            let after = self.engine.places();
            self.look(layout, &before, &after);
            before = after;
        }
        self.nanoseconds.push(spent / (ROUND as f64 * count as f64));
    }

    fn look(&mut self, layout: &Layout, before: &[(DVec2, f64)], after: &[(DVec2, f64)]) {
        for ((from, _), (at, angle)) in before.iter().zip(after) {
            let gap = layout.box_gap(*at, *angle);
            self.looks += 1.0;
            self.contacts += f64::from(gap < CONTACT);
            self.moved += from.distance(*at);
            self.overlaps += (-gap).max(0.0);
            self.deepest = self.deepest.max(-gap);
        }
    }

    /// The name of the engine and its time.
    pub fn named_median(&mut self) -> (&'static str, f64) {
        (self.engine.name(), self.median())
    }

    fn median(&mut self) -> f64 {
        self.nanoseconds.sort_by(f64::total_cmp);
        self.nanoseconds[self.nanoseconds.len() / 2]
    }

    fn run(&mut self, ticks: u64) -> Vec<(DVec2, f64)> {
        for _ in 0..ticks {
            self.engine.tick(&[]);
        }
        self.engine.places()
    }
}

/// Compares times with the first engine's.
pub fn print(scores: &mut [Score]) {
    println!(
        "{:22}{:>10}{:>10}{:>9}{:>9}{:>12}{:>12}",
        "", "ns", "to first", "px/tick", "contact", "overlap px", "deepest px"
    );
    let first = scores.first_mut().map_or(1.0, Score::median);
    for score in scores {
        let median = score.median();
        println!(
            "{:22}{median:>10.1}{:>10.2}{:>9.2}{:>8.1}%{:>12.4}{:>12.4}",
            score.engine.name(),
            median / first,
            score.moved / score.looks / LOOK as f64,
            score.contacts / score.looks * 100.0,
            score.overlaps / score.contacts.max(1.0),
            score.deepest
        );
    }
}

/// Lets bodies come to rest and prints their distance from the surface and their remaining motion.
pub fn print_rest(layout: &Layout, scores: Vec<Score>) {
    println!("{:22}{:>12}{:>12}{:>12}{:>9}{:>12}", "", "error px", "overlap px", "gap px", "moving", "creep px");
    for mut score in scores {
        let before = score.run(REST - 1);
        let rest = score.run(1);
        let after = score.run(CREEP);
        let (mut error, mut overlap, mut widest) = (0.0, 0.0_f64, 0.0_f64);
        for (at, angle) in &rest {
            let gap = layout.box_gap(*at, *angle);
            error += gap.abs() / rest.len() as f64;
            overlap = overlap.max(-gap);
            widest = widest.max(gap);
        }
        let ways = |from: &[(DVec2, f64)], to: &[(DVec2, f64)]| -> Vec<f64> {
            let pairs = from.iter().zip(to);
            pairs.map(|(a, b)| a.0.distance(b.0)).collect()
        };
        let steps = ways(&before, &rest);
        let moving = steps.iter().filter(|way| **way > DT).count();
        let creep = ways(&rest, &after).into_iter().fold(0.0, f64::max);
        println!("{:22}{error:>12.4}{overlap:>12.4}{widest:>12.4}{moving:>9}{creep:>12.4}", score.engine.name());
    }
}
