//! Rigid bodies: the same terrain, the same boxes, the same pushes.
//!
//! Boxes that collide with the ground but not with each other are kept awake in every engine and
//! pushed to the side now and then, so the benchmark times bodies in contact. Next to the time is how
//! well they stay on the ground, measured from the geometry, the same way for all engines and outside
//! of the timed part. Then the pushes end, and the bodies come to rest. Engines have their own default
//! settings.

mod box2d;
mod level;
mod ours;
mod rapier;
mod score;

use crate::report::{Comparison, Report};
use glam::{DVec2, dvec2};
use level::Layout;
use score::Score;

/// An engine with boxes in it.
pub trait Bodies {
    fn name(&self) -> &'static str;
    /// Applies these changes of velocity along x, px/s, then plays one tick of 1/60 s.
    fn tick(&mut self, pushes: &[(usize, f64)]);
    /// Centers, px, and angles, radians.
    fn places(&self) -> Vec<(DVec2, f64)>;
}

/// Half the width and height of a box, px.
const HALF: DVec2 = dvec2(12.0, 8.0);

const DT: f64 = 1.0 / 60.0;

/// px/s², downward.
const GRAVITY: f64 = 3672.0;

const FRICTION: f64 = 0.8;
const RESTITUTION: f64 = 0.2;

/// Box2D and Rapier are tuned for meters: 100 px are one, and gravity is 36.72 m/s².
const METRES: f64 = 0.01;

/// The velocities of pushes, px/s: friction ends the first within a px; the second makes boxes slide
/// and tumble.
const PUSHES: [f64; 2] = [40.0, 400.0];

fn ours(layout: &Layout, count: usize) -> Vec<Box<dyn Bodies>> {
    vec![Box::new(ours::Ours::new(layout, count))]
}

fn peers(layout: &Layout, count: usize) -> Vec<Box<dyn Bodies>> {
    vec![Box::new(box2d::Box2d::new(layout, count)), Box::new(rapier::Rapier::new(layout, count))]
}

/// Whether Box2D is built with its assertions, which cost it time.
pub fn box2d_asserts() -> bool {
    box2d::asserts()
}

/// Runs all sets, or those with given numbers of bodies; `alone` runs only hangtime.
pub fn run(only: &[usize], alone: bool, report: &mut Report) {
    let layout = Layout::new();
    println!(
        "\nrigid bodies: ns for a body and tick, median of {} rounds of {} ticks; one core",
        score::ROUNDS,
        score::ROUND
    );
    println!(
        "{} solids of {} edges, {} of them surface, {:.0} px wide",
        layout.solids.len(),
        layout.edges,
        layout.surface.len() - 1,
        layout.width
    );
    if box2d::asserts() {
        println!("Box2D is built with its assertions; CFLAGS=-DNDEBUG builds it as for a release");
    }
    for push in PUSHES {
        for count in [1, 100, 1_000] {
            if only.is_empty() || only.contains(&count) {
                compare(&layout, count, push, alone, report);
            }
        }
    }
}

fn compare(layout: &Layout, count: usize, push: f64, alone: bool, report: &mut Report) {
    let mut engines = ours(layout, count);
    if !alone {
        engines.extend(peers(layout, count));
    }
    let mut scores: Vec<Score> = engines.into_iter().map(Score::new).collect();
    for score in &mut scores {
        score.warm_up(count, push);
    }
    for round in 0..score::ROUNDS {
        for score in &mut scores {
            score.round(layout, count, push, round);
        }
    }
    println!("\n{count} bodies, pushed by {push} px/s");
    score::print(&mut scores);
    let times: Vec<_> = scores.iter_mut().map(Score::named_median).collect();
    report.add(Comparison::new("bodies", push, count), &times);
    if count == 1_000 {
        println!("at rest, after {} ticks without a push", score::REST);
        score::print_rest(layout, scores);
    }
}
