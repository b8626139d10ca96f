//! Counting the ticks in which a script fails.

use super::Digest;
use serde::{Deserialize, Serialize};

/// A script that fails in this many consecutive ticks is disabled until the next reload.
pub const MOST_FAILURES: u8 = 10;

// `FailureCount::failures` is a u8.
const _: () = assert!(MOST_FAILURES < u8::MAX);

/// In how many ticks in a row a script has failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct FailureCount {
    /// Consecutive ticks in which it failed.
    pub failures: u8,
    /// The tick of the last failure plus 1, or 0 if there was none: first in the decide phase, then
    /// of a rule asked within a tick.
    pub failed_at: [u64; 2],
    /// Whether it is disabled until the next reload.
    pub quarantined: bool,
}

impl FailureCount {
    /// Records whether a script call in the tick `now` has failed, and returns whether that
    /// disables the script. Several failures in one tick count once. A successful decide phase
    /// resets the count, unless a rule asked within the same tick failed.
    pub fn count(&mut self, failed: bool, decided: bool, now: u64) -> bool {
        let [decided_at, asked_at] = self.failed_at;
        if failed {
            let counted = decided_at == now + 1 || asked_at == now + 1;
            self.failures += u8::from(!counted);
            self.failed_at[usize::from(!decided)] = now + 1;
        } else if decided && asked_at < now {
            self.failures = 0;
        }
        let over = self.failures >= MOST_FAILURES && !self.quarantined;
        self.quarantined |= over;
        over
    }

    /// Enables the script again.
    pub fn forgive(&mut self) {
        self.failures = 0;
        self.quarantined = false;
    }

    /// Feeds the count into a hash.
    pub fn digest(&self, digest: &mut Digest) {
        digest.word(u64::from(self.failures));
        digest.words(&self.failed_at);
    }
}
