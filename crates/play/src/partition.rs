//! Parts of a run for several machines: `--partition slice:2/7`.

use std::fmt;

/// Every Nth case of a run, beginning with the Kth. Cases are dealt out in turns, so that the parts
/// take about the same time, and every case is in exactly one part. A part may be empty: with more
/// parts than cases, the last ones have nothing to do, which is a success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partition {
    slice: u64,
    total: u64,
}

/// The largest number of parts of a run.
pub const MOST_SLICES: u64 = 1_000_000;

impl Partition {
    /// The part number `slice` of `total`, counted from 1; `None` unless 1 ≤ slice ≤ total.
    pub fn new(slice: u64, total: u64) -> Option<Self> {
        (1 <= slice && slice <= total && total <= MOST_SLICES).then_some(Self { slice, total })
    }

    /// Parses `slice:K/N` with 1 ≤ K ≤ N.
    ///
    /// # Errors
    /// What is wrong with it, and what to write.
    pub fn parse(text: &str) -> Result<Self, String> {
        let whole = |text: &str| text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten();
        let numbers = text.strip_prefix("slice:").and_then(|rest| rest.split_once('/'));
        let numbers = numbers.and_then(|(slice, total)| Some((whole(slice)?, whole(total)?)));
        let Some((slice, total)) = numbers else {
            return Err("write `slice:K/N`, such as `slice:2/7` for the second of seven parts".into());
        };
        Self::new(slice, total).ok_or_else(|| match total {
            0 => "a run has at least 1 part, not 0".into(),
            1..=MOST_SLICES => format!("parts are counted from 1 to {total}, so there is no part {slice}"),
            _ => format!("a run has at most {MOST_SLICES} parts, not {total}"),
        })
    }

    /// Whether the case at this place of the whole run, from 0, belongs to this part.
    pub fn keeps(self, index: u64) -> bool {
        self.with(index) == self
    }

    /// The part of the same division that has the case at this place.
    pub fn with(self, index: u64) -> Self {
        Self { slice: index % self.total + 1, total: self.total }
    }

    /// The number of this part, from 1.
    pub fn slice(self) -> u64 {
        self.slice
    }

    /// The number of parts.
    pub fn total(self) -> u64 {
        self.total
    }
}

impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "slice:{}/{}", self.slice, self.total)
    }
}
