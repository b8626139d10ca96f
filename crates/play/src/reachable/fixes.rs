//! Which number is short: the smallest changes with which the keys of a nearest miss reach the goal.

use super::*;
use crate::{in_order::in_order, tuned_number::TunedNumber};
use hangtime_game::Variants;
use hangtime_script::budget::interruptible;

/// The factors that are tried, and how often the interval between two of them is halved.
const FACTORS: [f64; 5] = [1.05, 1.1, 1.2, 1.4, 1.8];
const HALVINGS: u32 = 6;

/// A difference of less than this is none, px.
const SAME: f64 = 1e-9;

/// How many fixes of a goal are kept.
const MOST_FIXES: usize = 3;

/// A number with which a goal would be reached.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberFix {
    /// The number as it is.
    pub number: TunedNumber,
    /// The value with which the same keys reach the goal.
    pub to: f64,
}

/// A nearest miss, ready to be played again.
struct Miss<'a> {
    goal: &'a ReachGoal,
    shape: &'a GoalShape,
    distance: f64,
    world: World,
    keys: &'a [KeyStretch],
}

/// The numbers that are short, for each goal that is not reached: those with the smallest relative change first. The
/// last keys before the nearest miss are played again, with one number changed by at most 80 %.
pub fn fixes(
    search: &ReachSearch,
    variants: &Variants,
    threads: usize,
    stopped: &(impl Fn() -> bool + Clone + Sync + 'static),
) -> BTreeMap<ReachGoal, Vec<NumberFix>> {
    let subject = &search.subject;
    let missed = subject.goals.iter().zip(search.answers());
    let missed = missed.filter_map(|(shape, (goal, _, miss))| Some((shape, goal, miss?)));
    let misses: Vec<Miss<'_>> = missed
        .map(|(shape, goal, NearMiss { distance, way: (place, keys), .. })| Miss {
            goal,
            shape,
            distance: *distance,
            world: search.world_at(*place),
            keys,
        })
        .collect();
    let models = misses.iter().filter_map(|miss| subject.entity(&miss.world)).map(|entity| entity.model);
    let models: BTreeSet<_> = models.collect();
    let numbers = TunedNumber::of(&subject.revision, &subject.name, &models);
    let mut found: BTreeMap<ReachGoal, Vec<NumberFix>> = BTreeMap::new();
    let work = |index: usize| {
        let tuner = NumberTrial { subject, variants, number: &numbers[index], misses: &misses };
        let (fixes, is_cut) = interruptible(stopped.clone(), || tuner.fixes());
        (!is_cut).then_some(fixes)
    };
    in_order(numbers.len(), threads, work, |fixes| {
        for (goal, fix) in fixes {
            found.entry(goal.clone()).or_default().push(fix);
        }
        true
    });
    for fixes in found.values_mut() {
        let change = |fix: &NumberFix| {
            let factor = fix.to / fix.number.value;
            factor.max(factor.recip())
        };
        fixes.sort_by(|a, b| change(a).total_cmp(&change(b)));
        fixes.truncate(MOST_FIXES);
    }
    found
}

/// Tries values of one number.
struct NumberTrial<'a> {
    subject: &'a ReachSubject,
    variants: &'a Variants,
    number: &'a TunedNumber,
    misses: &'a [Miss<'a>],
}

impl<'a> NumberTrial<'a> {
    fn fixes(&self) -> Vec<(&'a ReachGoal, NumberFix)> {
        let mut found = Vec::new();
        for up in [true, false] {
            let mut open: Vec<&Miss<'_>> = self.misses.iter().collect();
            let mut before = 1.0;
            for factor in FACTORS {
                let factor = if up { factor } else { 1.0 / factor };
                let Some(distances) = self.distances(factor, &open) else { break };
                let reached = open.iter().zip(&distances).filter(|(_, distance)| **distance == 0.0);
                for (miss, _) in reached {
                    let to = self.number.value * self.least(miss, before, factor);
                    found.push((miss.goal, NumberFix { number: self.number.clone(), to }));
                }
                // Numbers without an effect are not tried on.
                let mut distances = distances.into_iter();
                open.retain(|miss| {
                    let distance = distances.next().unwrap_or(0.0);
                    distance > 0.0 && (distance - miss.distance).abs() > SAME
                });
                before = factor;
                if open.is_empty() {
                    break;
                }
            }
        }
        found
    }

    /// The factor nearest to 1 that was found between one that does not reach a goal and one that does.
    fn least(&self, miss: &Miss<'_>, mut fails: f64, mut does: f64) -> f64 {
        for _ in 0..HALVINGS {
            let middle = fails.midpoint(does);
            match self.distances(middle, &[miss]) {
                Some(distances) if distances == [0.0] => does = middle,
                _ => fails = middle,
            }
        }
        does
    }

    /// How near the keys of misses lead with the number times a factor; `None` if it is out of its range.
    fn distances(&self, factor: f64, misses: &[&Miss<'_>]) -> Option<Vec<f64>> {
        let revision = self.number.with(&self.subject.revision, self.variants, self.number.value * factor)?;
        let near = |miss: &&Miss<'_>| {
            let (mut world, mut rules) = (miss.world.clone(), revision.scripts.rules());
            world.adopt(&self.subject.revision.stage, &revision.stage);
            let mut nearest = f64::INFINITY;
            for (ticks, input) in miss.keys.iter().chain(&[(AFTER, PlayerInput::default())]) {
                for _ in 0..*ticks {
                    let inputs = self.subject.inputs(*input);
                    world.tick(&revision.stage, &inputs, &mut rules);
                    let Some(entity) = self.subject.entity(&world) else { return nearest };
                    let distance = miss.shape.distance(&revision.stage, &world, entity, nearest);
                    nearest = distance.unwrap_or(nearest);
                    if nearest == 0.0 {
                        return 0.0;
                    }
                }
            }
            nearest
        };
        Some(misses.iter().map(near).collect())
    }
}

/// How many ticks without keys follow the nearest miss: with another number it may be reached a little later.
const AFTER: u64 = 30;
