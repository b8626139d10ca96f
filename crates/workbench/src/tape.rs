//! The input of consecutive ticks.

use hangtime_core::sim::Inputs;
use std::ops::Range;

/// The input of consecutive ticks. Equal inputs in a row are stored once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InputTape {
    /// The tick at which each run of equal inputs ends, counted from the start of the tape.
    runs: Vec<(u64, Inputs)>,
}

impl InputTape {
    /// The number of ticks.
    pub fn len(&self) -> u64 {
        self.runs.last().map_or(0, |(end, _)| *end)
    }

    /// Whether it has no ticks.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// The number of runs of equal inputs.
    pub fn runs(&self) -> usize {
        self.runs.len()
    }

    /// Adds a tick.
    pub fn push(&mut self, inputs: &Inputs) {
        match self.runs.last_mut() {
            Some((end, last)) if last == inputs => *end += 1,
            _ => self.runs.push((self.len() + 1, inputs.clone())),
        }
    }

    /// The input of tick `index`, counted from 0; `None` after the end.
    pub fn at(&self, index: u64) -> Option<&Inputs> {
        let run = self.runs.partition_point(|(end, _)| *end <= index);
        self.runs.get(run).map(|(_, inputs)| inputs)
    }

    /// Drops everything from tick `length` on.
    pub fn truncate(&mut self, length: u64) {
        let whole = self.runs.partition_point(|(end, _)| *end < length);
        self.runs.truncate(if length == 0 { 0 } else { whole + 1 });
        if let Some((end, _)) = self.runs.last_mut() {
            *end = (*end).min(length);
        }
    }

    /// A copy of some ticks; those after the end are left out.
    pub fn slice(&self, ticks: Range<u64>) -> Self {
        let first = self.runs.partition_point(|(end, _)| *end <= ticks.start);
        let mut part = Self::default();
        for (end, inputs) in &self.runs[first..] {
            let length = (*end).min(ticks.end).saturating_sub(ticks.start);
            if length > part.len() {
                part.runs.push((length, inputs.clone()));
            }
        }
        part
    }

    /// Adds the ticks of another tape.
    pub fn append(&mut self, other: &Self) {
        let length = self.len();
        for (end, inputs) in &other.runs {
            match self.runs.last_mut() {
                Some((last, same)) if same == inputs => *last = length + end,
                _ => self.runs.push((length + end, inputs.clone())),
            }
        }
    }
}
