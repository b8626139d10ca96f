//! A hash of state that is the same on every machine.

use glam::DVec2;
use xxhash_rust::xxh3::Xxh3;

/// A running hash of words, text and vectors. Equal input gives equal hashes on every machine.
#[derive(Clone, Default)]
pub struct Digest(Xxh3);

impl Digest {
    /// An empty digest.
    pub fn new() -> Self {
        Self::default()
    }

    /// The hash of a text.
    pub fn of(text: &str) -> u64 {
        let mut digest = Self::default();
        digest.text(text);
        digest.finish()
    }

    /// Feeds one word.
    pub fn word(&mut self, word: u64) {
        self.0.update(&word.to_le_bytes());
    }

    /// Feeds several words.
    pub fn words(&mut self, words: &[u64]) {
        words.iter().for_each(|w| self.word(*w));
    }

    /// Feeds flags, the first one as the lowest bit of a word.
    pub fn flags(&mut self, flags: &[bool]) {
        self.word((0..).zip(flags).map(|(bit, flag)| u64::from(*flag) << bit).sum());
    }

    /// Feeds text, preceded by its length.
    pub fn text(&mut self, text: &str) {
        self.word(text.len() as u64);
        self.0.update(text.as_bytes());
    }

    /// Feeds a number, bit for bit.
    pub fn number(&mut self, number: f64) {
        self.word(number.to_bits());
    }

    /// Feeds a vector, bit for bit.
    pub fn vector(&mut self, v: DVec2) {
        self.number(v.x);
        self.number(v.y);
    }

    /// The hash of everything fed so far.
    pub fn finish(&self) -> u64 {
        self.0.digest()
    }
}
