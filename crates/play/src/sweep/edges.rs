//! The values at which runs begin and cease to pass.

use super::decimal::{MOST_PLACES, of_units, places, units};
use super::plan::SweepPlan;
use super::row::SweepRow;
use super::session::ParameterSweep;
use super::unaffected::unit_of_key;
use super::varied::{VariedKey, is_seed};
use crate::in_order::in_order;
use std::fmt::Write as _;

/// The largest number of edges that are narrowed down. The others are known to a step.
const MOST_NARROWED: usize = 100;

/// The largest number of edges that a text lists.
const MOST_SHOWN: usize = 20;

/// The part of a range to which an edge is found: one of this many.
const PARTS: i64 = 10_000;

/// Two neighboring values, of which one passes.
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
    /// The one of the two values that passes.
    pub fn passing(&self) -> f64 {
        if self.passes_above { self.above } else { self.below }
    }

    /// The one of the two values that fails.
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
    stopped: &(impl Fn() -> bool + Sync),
) -> Option<PassEdges> {
    let key = single_key(sweep.plan()).filter(|_| sweep.has_pass())?;
    let varied = &sweep.plan().keys()[key];
    let numbers = varied.numbers().filter(|n| n.len() == rows.len())?;
    let places = numbers.iter().filter_map(|n| places(*n)).max().unwrap_or(0);
    let passed = rows.iter().map(|row| row.passed == Some(true));
    let mut values: Vec<(f64, bool)> = numbers.into_iter().zip(passed).collect();
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (first, last) = (values.first()?, values.last()?);
    let search = EdgeSearch::new(sweep, key, (first.0, last.0), places);
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
    /// The decimal places of the values that are played.
    places: i32,
    /// The distance, in units of that, below which an edge is not narrowed further.
    finest: i64,
    whole: bool,
}

impl<'a> EdgeSearch<'a> {
    fn new(sweep: &'a ParameterSweep, key: usize, (first, last): (f64, f64), places: i32) -> Self {
        let varied = &sweep.plan().keys()[key];
        let whole = varied.is_whole() && !takes_fractions(sweep, key, first);
        let mut search = Self { sweep, key, places, finest: 1, whole };
        let range = |places: i32| Some(units(last, places)? - units(first, places)?);
        let is_short = |places: i32| range(places).is_some_and(|range| range < PARTS) && range(places + 1).is_some();
        while !whole && search.places < MOST_PLACES && is_short(search.places) {
            search.places += 1;
        }
        // The largest power of ten that is not above a part of the range.
        while search.finest * 10 * PARTS <= range(search.places).unwrap_or(0) {
            search.finest *= 10;
        }
        search
    }

    fn narrow(&self, mut edge: PassEdge, stopped: &impl Fn() -> bool) -> Option<PassEdge> {
        loop {
            let (Some(below), Some(above)) = (units(edge.below, self.places), units(edge.above, self.places)) else {
                return Some(edge);
            };
            // Played values are multiples of the finest distance, so they have few digits.
            let middle = (below + above).div_euclid(2 * self.finest) * self.finest;
            let middle = if middle > below { middle } else { middle + self.finest };
            let value = of_units(middle, self.places);
            if above - below <= self.finest || middle >= above {
                return Some(edge);
            }
            let key = &self.sweep.plan().keys()[self.key];
            let plan = self.sweep.plan().with(self.key, VariedKey::only(&key.key, value, self.whole));
            let row = self.sweep.run_of(&plan, 0, stopped)?;
            if (row.passed == Some(true)) == edge.passes_above {
                edge.above = value;
            } else {
                edge.below = value;
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

    /// Whether some value passes.
    pub fn any(&self) -> bool {
        self.passes_first || !self.edges.is_empty()
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

#[cfg(test)]
mod tests {
    use super::{PassEdge, PassEdges};

    fn number(text: &str) -> f64 {
        crate::sweep::decimal::decimal(text).expect("a number")
    }

    /// The edges of a range from 0 to 1 that passes in these stretches.
    fn edges(passes_first: bool, at: &[(&str, &str)]) -> PassEdges {
        let mut passes = passes_first;
        let edge = |(below, above): &(&str, &str)| {
            passes = !passes;
            PassEdge { below: number(below), above: number(above), passes_above: passes }
        };
        PassEdges {
            key: "a.b".into(),
            unit: "s",
            range: (number("0"), number("1")),
            passes_first,
            edges: at.iter().map(edge).collect(),
        }
    }

    #[test]
    fn sentences_name_the_passing_values() {
        let (a, b, c) = (("0.2", "0.3"), ("0.5", "0.6"), ("0.8", "0.9"));
        for (passes_first, at, right) in [
            (false, &[][..], "never passable from 0 to 1 s"),
            (true, &[], "always passable from 0 to 1 s"),
            (false, &[a], "passable from 0.3 s on"),
            (true, &[a], "passable up to 0.2 s"),
            (false, &[a, b], "passable from 0.3 to 0.5 s"),
            (true, &[a, b], "passable up to 0.2 s and from 0.6 s on"),
            (false, &[a, b, c], "passable from 0.3 to 0.5 s and from 0.9 s on"),
            (true, &[a, b, c], "passable up to 0.2 s and from 0.6 to 0.8 s"),
            (false, &[("0.2", "0.3"), ("0.3", "0.4")], "passable at 0.3 s"),
        ] {
            assert_eq!(edges(passes_first, at).sentence(), right);
        }
        let details = edges(true, &[a, b]).details();
        assert_eq!(details, "  0.3 s fails, 0.2 s passes\n  0.5 s fails, 0.6 s passes\n");
    }

    #[test]
    fn many_edges_are_counted() {
        let texts: Vec<(String, String)> = (0..80).map(|i| (format!("{}", i * 2), format!("{}", i * 2 + 1))).collect();
        let at: Vec<(&str, &str)> = texts.iter().map(|(a, b)| (&**a, &**b)).collect();
        let edges = edges(false, &at);
        assert_eq!(edges.passing().len(), 40);
        assert!(edges.sentence().ends_with(" and in 20 more stretches"), "{}", edges.sentence());
        assert_eq!(edges.details().lines().count(), 20);
    }
}
