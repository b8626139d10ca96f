//! Chance: how a seed decides what happens, and how a folder misbehaves.

/// How a folder and its watcher behave.
#[derive(Clone, Copy, Debug, Default)]
pub struct Temper {
    /// In percent: events that are lost, doubled, or late by up to half a second.
    pub lost: u64,
    pub doubled: u64,
    pub late: u64,
    /// In per mille: calls that take up to 50 ms.
    pub slow: u64,
}

/// A source of random numbers.
#[derive(Clone, Debug)]
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// A number from 0 to `below - 1`.
    pub fn below(&mut self, below: u64) -> u64 {
        self.roll() % below
    }

    pub fn percent(&mut self, chance: u64) -> bool {
        self.below(100) < chance
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}
