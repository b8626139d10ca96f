//! The values at which runs begin and cease to pass.

use super::*;
use crate::in_order::in_order;
use std::fmt::Write as _;

/// The largest number of edges that are narrowed down. The others are known to a step.
const MOST_NARROWED: usize = 100;

/// The largest number of edges that a text lists.
const MOST_SHOWN: usize = 20;

/// The part of a range to which an edge is found: one of this many.
const PARTS: f64 = 10_000.0;

/// The largest number of decimal places of values that are played.
const MOST_PLACES: i32 = 15;

/// Two neighboring values. One of them passes, the other fails.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassEdge {
    /// The smaller value.
    pub below: f64,
    /// The larger value.
    pub above: f64,
    /// Whether the larger one passes.
    pub passes_above: bool,
}

impl PassEdge {
    /// The value that passes.
    pub fn passing(&self) -> f64 {
        if self.passes_above { self.above } else { self.below }
    }

    /// The value that fails.
    pub fn failing(&self) -> f64 {
        if self.passes_above { self.below } else { self.above }
    }
}

/// Where a range of values passes.
#[derive(Clone, Debug, PartialEq)]
pub struct PassEdges {
    /// The varied key.
    pub key: String,
    /// Its unit; empty for none.
    pub unit: &'static str,
    /// The smallest and the largest value.
    pub range: (f64, f64),
    /// Whether the smallest one passes.
    pub passes_first: bool,
    /// The edges, by increasing value.
    pub edges: Vec<PassEdge>,
}

/// Finds the edges among the rows of all values of the only key, or of the only one with several values.
/// None if there is no such key or `--pass`, if its values are not numbers, or if `stopped` says so. The calling thread
/// needs a stack of [`STACK`](hangtime_script::STACK) bytes.
pub fn pass_edges(
    sweep: &ParameterSweep,
    rows: &[SweepRow],
    threads: usize,
    stopped: &(impl Fn() -> bool + Clone + Sync + 'static),
) -> Option<PassEdges> {
    let key = single_key(sweep.plan()).filter(|_| sweep.has_pass())?;
    let varied = &sweep.plan().keys()[key];
    let numbers = varied.numbers().filter(|n| n.len() == rows.len())?;
    let passed = rows.iter().map(|row| row.passed == Some(true));
    let mut values: Vec<(f64, bool)> = numbers.into_iter().zip(passed).collect();
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (first, last) = (values.first()?, values.last()?);
    let search = EdgeSearch::new(sweep, key, (first.0, last.0));
    let pairs: Vec<PassEdge> = values
        .windows(2)
        .filter(|pair| pair[0].1 != pair[1].1)
        .map(|pair| PassEdge { below: pair[0].0, above: pair[1].0, passes_above: pair[1].1 })
        .collect();
    let mut edges = Vec::new();
    let narrowed = |i: usize| {
        if i < MOST_NARROWED {
            search.narrow(pairs[i], stopped)
        } else {
            Some(pairs[i])
        }
    };
    in_order(pairs.len(), threads, narrowed, |edge| {
        edges.push(edge);
        true
    });
    // There are fewer if it was stopped.
    (edges.len() == pairs.len()).then(|| PassEdges {
        key: varied.key.clone(),
        unit: unit_of_key(&varied.key),
        range: (first.0, last.0),
        passes_first: first.1,
        edges,
    })
}

/// The only key with several values, or the only key.
fn single_key(plan: &SweepPlan) -> Option<usize> {
    let keys = plan.keys();
    let mut several = (0..keys.len()).filter(|i| keys[*i].len() > 1);
    match (several.next(), several.next()) {
        (Some(key), None) => Some(key),
        (None, _) if keys.len() == 1 => Some(0),
        _ => None,
    }
}

/// Narrows edges down by playing values between two neighbors.
struct EdgeSearch<'a> {
    sweep: &'a ParameterSweep,
    key: usize,
    /// The distance below which an edge is not narrowed further, a power of ten. Played values are multiples of it, so
    /// they have few digits.
    finest: f64,
    /// The decimal places of the values that are played.
    places: i32,
    whole: bool,
}

impl<'a> EdgeSearch<'a> {
    fn new(sweep: &'a ParameterSweep, key: usize, (first, last): (f64, f64)) -> Self {
        let varied = &sweep.plan().keys()[key];
        let whole = varied.is_whole() && !takes_fractions(sweep, key, first);
        // The largest power of ten that is not above a part of the range.
        let power = ((last - first) / PARTS).log10() + 1e-9;
        let power = (power.floor() as i32).max(if whole { 0 } else { -MOST_PLACES });
        Self { sweep, key, finest: with_places(10_f64.powi(power), MOST_PLACES), places: (-power).max(0), whole }
    }

    fn narrow(&self, mut edge: PassEdge, stopped: &(impl Fn() -> bool + Clone + Sync + 'static)) -> Option<PassEdge> {
        loop {
            let PassEdge { below, above, passes_above } = edge;
            let parts = ((below + above) / (2.0 * self.finest) + 1e-6).floor();
            let multiple = |parts: f64| with_places(parts * self.finest, self.places);
            let middle = multiple(parts);
            let middle = if middle > below { middle } else { multiple(parts + 1.0) };
            if above - below <= self.finest * (1.0 + 1e-6) || middle >= above {
                return Some(edge);
            }
            let key = &self.sweep.plan().keys()[self.key];
            let plan = self.sweep.plan().with(self.key, VariedKey::only(&key.key, middle, self.whole));
            let row = self.sweep.run(&plan, 0, stopped)?;
            if (row.passed == Some(true)) == passes_above {
                edge.above = middle;
            } else {
                edge.below = middle;
            }
        }
    }
}

/// Whether a key that was varied in whole numbers takes others, too. Variables of scripts do, but compute
/// otherwise with them.
fn takes_fractions(sweep: &ParameterSweep, key: usize, first: f64) -> bool {
    let name = &sweep.plan().keys()[key].key;
    if is_seed(name) || name.contains(".vars.") {
        return false;
    }
    sweep.accepts(key, &VariedKey::only(name, first + 0.5, false))
}

impl PassEdges {
    /// The stretches that pass, each from its first to its last value. None for an open end: the end of
    /// the range.
    pub fn passing(&self) -> Vec<(Option<f64>, Option<f64>)> {
        let mut found = Vec::new();
        let mut open = self.passes_first.then_some(None);
        for edge in &self.edges {
            if edge.passes_above {
                open = Some(Some(edge.above));
            } else if let Some(from) = open.take() {
                found.push((from, Some(edge.below)));
            }
        }
        found.extend(open.map(|from| (from, None)));
        found
    }

    /// A value with its unit.
    pub fn with_unit(&self, value: f64) -> String {
        match self.unit {
            "" => value.to_string(),
            unit => format!("{value} {unit}"),
        }
    }

    /// Where the range passes: `passable from 0.067 s on`.
    pub fn sentence(&self) -> String {
        let show = |value: f64| self.with_unit(value);
        let (first, last) = self.range;
        let stretches = self.passing();
        let all = format!("from {first} to {}", show(last));
        let all = if first == last { format!("at {}", show(last)) } else { all };
        if stretches.is_empty() {
            return format!("never passable {all}");
        }
        if stretches == [(None, None)] {
            return format!("always passable {all}");
        }
        let mut parts: Vec<String> = stretches
            .iter()
            .take(MOST_SHOWN)
            .map(|stretch| match stretch {
                (Some(from), Some(to)) if from == to => format!("at {}", show(*from)),
                (Some(from), Some(to)) => format!("from {from} to {}", show(*to)),
                (Some(from), None) => format!("from {} on", show(*from)),
                (None, Some(to)) => format!("up to {}", show(*to)),
                (None, None) => all.clone(),
            })
            .collect();
        if stretches.len() > MOST_SHOWN {
            parts.push(format!("in {} more stretches", stretches.len() - MOST_SHOWN));
        }
        let last = parts.pop().unwrap_or_default();
        let rest = parts.join(", ");
        let and = if rest.is_empty() { "" } else { " and " };
        format!("passable {rest}{and}{last}")
    }

    /// The two values at each edge, one line for each: how precisely it is known.
    pub fn details(&self) -> String {
        let mut text = String::new();
        for edge in self.edges.iter().take(MOST_SHOWN) {
            let (passing, failing) = (self.with_unit(edge.passing()), self.with_unit(edge.failing()));
            let _ = writeln!(text, "  {failing} fails, {passing} passes");
        }
        text
    }
}
