//! A running hash that is the same on every machine.

use glam::DVec2;
use xxhash_rust::xxh3::Xxh3;

/// A running hash of words, text and vectors. Equal input gives equal hashes on every machine.
#[derive(Clone)]
pub struct Digest(Xxh3);

impl Default for Digest {
    fn default() -> Self {
        Self::new()
    }
}

impl Digest {
    /// An empty digest.
    pub fn new() -> Self {
        Self(Xxh3::new())
    }

    /// Feeds one word.
    pub fn word(&mut self, word: u64) {
        self.0.update(&word.to_le_bytes());
    }

    /// Feeds several words.
    pub fn words(&mut self, words: &[u64]) {
        words.iter().for_each(|w| self.word(*w));
    }

    /// Feeds text, preceded by its length.
    pub fn text(&mut self, text: &str) {
        self.word(text.len() as u64);
        self.0.update(text.as_bytes());
    }

    /// Feeds a vector, bit for bit.
    pub fn vector(&mut self, v: DVec2) {
        self.words(&[v.x.to_bits(), v.y.to_bits()]);
    }

    /// The hash of everything fed so far.
    pub fn finish(&self) -> u64 {
        self.0.digest()
    }
}
