//! The input of consecutive ticks.

use super::*;

/// The input of consecutive ticks. Equal inputs in a row are stored once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InputTape {
    /// The tick at which each run of equal inputs ends, counted from the start of the tape.
    runs: VecDeque<(u64, Inputs)>,
    /// The number of ticks at the start that were forgotten.
    forgotten: u64,
    /// About how much memory the runs take, bytes.
    bytes: u64,
}

/// How much memory a run takes besides its inputs, bytes: its end, and what the allocator needs.
const RUN_BYTES: u64 = 24;

fn weight(inputs: &Inputs) -> u64 {
    RUN_BYTES + inputs.memory()
}

impl InputTape {
    /// The number of ticks, including forgotten ones.
    pub fn len(&self) -> u64 {
        self.runs.back().map_or(self.forgotten, |(end, _)| *end)
    }

    /// Whether it has no ticks.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// The number of runs of equal inputs.
    pub fn runs(&self) -> usize {
        self.runs.len()
    }

    /// About how much memory it takes, bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Adds a tick.
    pub fn push(&mut self, inputs: &Inputs) {
        self.extend(self.len() + 1, inputs);
    }

    /// Adds the same input up to the tick `end`.
    pub(super) fn extend(&mut self, end: u64, inputs: &Inputs) {
        match self.runs.back_mut() {
            Some((last_end, last)) if last == inputs => *last_end = end,
            _ => {
                self.bytes += weight(inputs);
                self.runs.push_back((end, inputs.clone()));
            }
        }
    }

    /// The input of tick `index`, counted from 0; `None` after the end, and if it was forgotten.
    pub fn at(&self, index: u64) -> Option<&Inputs> {
        if index < self.forgotten {
            return None;
        }
        let run = self.runs.partition_point(|(end, _)| *end <= index);
        self.runs.get(run).map(|(_, inputs)| inputs)
    }

    /// The runs of equal inputs within some ticks, in their order, without forgotten ticks.
    pub fn runs_in(&self, ticks: Range<u64>) -> impl Iterator<Item = (Range<u64>, &Inputs)> {
        let mut from = ticks.start.max(self.forgotten);
        let first = self.runs.partition_point(|(end, _)| *end <= from);
        self.runs.range(first..).map_while(move |(end, inputs)| {
            let start = mem::replace(&mut from, (*end).min(ticks.end));
            (start < from).then_some((start..from, inputs))
        })
    }

    /// Drops everything from tick `length` on.
    pub fn truncate(&mut self, length: u64) {
        let whole = self.runs.partition_point(|(end, _)| *end < length);
        let kept = if length == 0 { 0 } else { whole + 1 };
        let dropped = self.runs.range(kept.min(self.runs.len())..);
        self.bytes -= dropped.map(|(_, inputs)| weight(inputs)).sum::<u64>();
        self.runs.truncate(kept);
        if let Some((end, _)) = self.runs.back_mut() {
            *end = (*end).min(length);
        }
    }

    /// The tick at which a run of equal inputs ends, counted from the oldest run that is kept.
    pub fn end_of_run(&self, run: usize) -> Option<u64> {
        self.runs.get(run).map(|(end, _)| *end)
    }

    /// Forgets everything before tick `start`.
    pub fn forget_before(&mut self, start: u64) {
        let gone = self.runs.partition_point(|(end, _)| *end <= start);
        self.bytes -= self.runs.drain(..gone).map(|(_, inputs)| weight(&inputs)).sum::<u64>();
        self.forgotten = self.forgotten.max(start);
    }

    /// A copy of some ticks, without forgotten ones and without ticks after the end.
    pub fn slice(&self, ticks: Range<u64>) -> Self {
        let start = ticks.start.max(self.forgotten);
        let first = self.runs.partition_point(|(end, _)| *end <= start);
        let mut part = Self::default();
        for (end, inputs) in self.runs.range(first..) {
            let length = (*end).min(ticks.end).saturating_sub(start);
            if length > part.len() {
                part.extend(length, inputs);
            }
        }
        part
    }

    /// Adds the ticks of another tape.
    pub fn append(&mut self, other: &Self) {
        let length = self.len();
        for (end, inputs) in &other.runs {
            self.extend(length + end, inputs);
        }
    }
}
