//! Choices made from bytes. Where the bytes end, every choice is the first one, so that short
//! inputs are simple ones.

/// Bytes that are used up choice by choice.
pub struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Everything that is left.
    pub fn rest(&self) -> &'a [u8] {
        self.0
    }

    /// The next byte; 0 after the last.
    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        *first
    }

    /// A number below `count`, which is at most 65,536.
    pub fn below(&mut self, count: usize) -> usize {
        let mut number = usize::from(self.byte());
        if count > 256 {
            number = number * 256 + usize::from(self.byte());
        }
        number % count.max(1)
    }

    pub fn of<'b, T>(&mut self, list: &'b [T]) -> &'b T {
        &list[self.below(list.len())]
    }

    /// Whether one of `count` possible choices is made; the first one is not.
    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == count - 1
    }

    /// A number from `low` to `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.below(1 << 16) as f64 / 65_535.0
    }

    /// A coordinate up to about this far from 0, px: most are round numbers, so that things meet
    /// exactly, some differ by a hair.
    pub fn coordinate(&mut self, far: f64) -> f64 {
        let step = far / 16.0;
        let round = (f64::from(self.byte()) - 128.0) / 8.0;
        match self.below(8) {
            0..=2 => round.round() * step,
            3 => round * step,
            4 => round.round() * step + self.between(-1e-5, 1e-5),
            5 => round.round() * step + self.of(&[1e-6, -1e-6, 1e-9, -1e-9, 1e-12, 1e-3, -0.01, 0.5]),
            _ => self.between(-far, far),
        }
    }
}
