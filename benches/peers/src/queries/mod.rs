//! Single queries: where a body that moves is stopped, where it finds ground, and where it slides to.
//!
//! The places and the motions are those of the bare loop's characters, with the same keys, in several of its ticks. Every
//! engine is asked all of them, one after the other:
//!
//! * *sweep*: the first contact of the motion that a character wants;
//! * *probe*: the ground below where that has led it;
//! * *slide*: where the motion leads along what is in its way.
//!
//! hangtime and the prototype move the character's ellipse and answer with a normal. Box2D 3 casts its mover, a capsule
//! with the same width and height, and answers with a share of the motion alone; it slides as its sample does.
//! Parry casts the same capsule through Rapier's tree of colliders, with the settings of Rapier's controller, and slides
//! by the same rule as the prototype. One core. Engines alternate for several rounds; the medians are printed, and how many
//! answers are less than a pixel away from ours: a capsule touches corners and slopes earlier than an ellipse.

mod box2d;
mod ours;
mod parry;
mod prototype;

use crate::characters::{
    Engine,
    bare::{Bare, DT},
    level::{BODY, Keys, Layout, press},
};
use crate::report::{Comparison, Report};
use glam::{DVec2, dvec2};
use hangtime::level::slide;
use std::{hint::black_box, time::Instant};

/// A contact: the share of the motion until then, and the unit normal toward the body.
#[derive(Clone, Copy)]
struct Contact {
    time: f64,
    normal: DVec2,
}

/// An engine that answers queries.
trait Queries {
    fn name(&self) -> &'static str;
    /// The first contact of a motion.
    fn sweep(&self, from: DVec2, motion: DVec2) -> Option<Contact>;
    /// Where a motion leads that loses what is into the surfaces that it meets.
    fn slide(&self, from: DVec2, motion: DVec2) -> DVec2 {
        let (mut at, mut rest) = (from, motion);
        let mut normals = [DVec2::ZERO; MOST_BUMPS];
        for met in 0..MOST_BUMPS {
            if rest == DVec2::ZERO {
                break;
            }
            let Some(contact) = self.sweep(at, rest) else {
                return at + rest;
            };
            at += rest * contact.time;
            normals[met] = contact.normal;
            rest = clip(rest * (1.0 - contact.time), &normals[..=met]);
        }
        at
    }
}

/// As many surfaces deflect a slide of hangtime.
const MOST_BUMPS: usize = 4;

/// What is left of a motion along surfaces with these normals.
fn clip(motion: DVec2, normals: &[DVec2]) -> DVec2 {
    let along = normals.iter().fold(motion, |along, normal| along - *normal * along.dot(*normal).min(0.0));
    let wedged = normals.iter().any(|normal| along.dot(*normal) < -1e-9 * motion.length());
    if wedged { DVec2::ZERO } else { along }
}

/// A question: from where, and by which motion.
type Question = (DVec2, DVec2);

/// An engine that answers all questions of one kind: where the body ends.
trait Answers {
    fn name(&self) -> &'static str;
    fn answer(&self, slides: bool, questions: &[Question], ends: &mut Vec<DVec2>);
}

impl<Q: Queries> Answers for Q {
    fn name(&self) -> &'static str {
        Queries::name(self)
    }

    fn answer(&self, slides: bool, questions: &[Question], ends: &mut Vec<DVec2>) {
        let swept = |(from, motion): &Question| {
            let contact = black_box(self.sweep(*from, *motion));
            *from + *motion * contact.map_or(1.0, |contact| contact.time)
        };
        if slides {
            ends.extend(questions.iter().map(|(from, motion)| self.slide(*from, *motion)));
        } else {
            ends.extend(questions.iter().map(swept));
        }
    }
}

const CHARACTERS: usize = 1_000;
/// How many ticks of the bare loop questions are taken from, and how far apart those are.
const TICKS: u64 = 8;
const APART: u64 = 23;
const ROUNDS: usize = 15;

/// Runs all levels, or those of about this size; `alone` runs only hangtime.
pub fn run(only: &[usize], alone: bool, report: &mut Report) {
    println!("\nqueries: ns for one, median of {ROUNDS} rounds; one core");
    for edges in [1_000, 10_000] {
        if only.is_empty() || only.contains(&edges) {
            compare(&Layout::new(edges), alone, report);
        }
    }
}

fn compare(layout: &Layout, alone: bool, report: &mut Report) {
    let mut engines: Vec<Box<dyn Answers>> = vec![Box::new(ours::Ours::new(layout))];
    if !alone {
        engines.push(Box::new(prototype::Prototype::new(&crate::characters::ours::terrain(layout), BODY.half)));
        engines.push(Box::new(box2d::Box2d::new(layout)));
        engines.push(Box::new(parry::Parry::new(layout)));
    }
    let [motions, probes] = questions(layout);
    for (query, asked, slides) in [("sweep", &motions, false), ("probe", &probes, false), ("slide", &motions, true)] {
        println!("\n{} edges, {} of {query}", layout.edges, asked.len());
        println!("{:22}{:>10}{:>10}{:>10}", "", "ns", "to ours", "alike");
        let mut times = vec![Vec::new(); engines.len()];
        let mut ends = vec![Vec::with_capacity(asked.len()); engines.len()];
        for _ in 0..ROUNDS {
            for ((engine, times), ends) in engines.iter().zip(&mut times).zip(&mut ends) {
                ends.clear();
                let began = Instant::now();
                engine.answer(slides, asked, ends);
                times.push(began.elapsed().as_nanos() as f64 / asked.len() as f64);
            }
        }
        let mut medians = Vec::new();
        for ((engine, times), other) in engines.iter().zip(&mut times).zip(&ends) {
            times.sort_by(f64::total_cmp);
            medians.push((engine.name(), times[ROUNDS / 2]));
            let (ns, ours) = (times[ROUNDS / 2], medians[0].1);
            let alike = ends[0].iter().zip(other).filter(|(a, b)| a.distance(**b) < 1.0).count();
            let share = 100.0 * alike as f64 / asked.len() as f64;
            println!("{:22}{ns:>10.1}{:>10.2}{share:>9.1}%", engine.name(), ns / ours);
        }
        let of = Comparison::new("queries", layout.edges as f64, asked.len());
        report.add(Comparison { query: Some(query), ..of }, &medians);
    }
}

/// The motions that characters want, and the probes for ground where those have led them.
fn questions(layout: &Layout) -> [Vec<Question>; 2] {
    let terrain = crate::characters::ours::terrain(layout);
    let scenery = terrain.still();
    let mut loop_ = Bare::new(layout, &layout.starts(CHARACTERS));
    let mut keys = vec![Keys::default(); CHARACTERS];
    let (mut motions, mut probes) = (Vec::new(), Vec::new());
    for tick in 1..=TICKS * APART {
        press(&mut keys, tick);
        if tick.is_multiple_of(APART) {
            for (runner, key) in loop_.crowd().into_iter().flat_map(|crowd| &crowd.runners).zip(&keys) {
                let mut runner = *runner;
                runner.drive(key);
                let motion = runner.vel * DT;
                let reach = if runner.grounded { 20.0 } else { 0.5 };
                motions.push((runner.pos, motion));
                probes.push((slide(&scenery, BODY, runner.pos, motion, |_, _| false).pos, dvec2(0.0, -reach)));
            }
        }
        loop_.tick(&keys);
    }
    [motions, probes]
}
