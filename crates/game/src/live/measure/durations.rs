//! How long something took, many times.

/// Each power of two has 2 to the power of this many buckets.
const FINE: u32 = 4;

/// The number of buckets: 16 for each power of two of 64 bits, and 16 for the smallest numbers.
const BUCKETS: usize = (64 - FINE as usize + 1) << FINE;

/// Durations, counted by their size: the median is exact to 6 %, whatever their number.
#[derive(Clone, Debug)]
pub struct Durations {
    buckets: Vec<u32>,
    pub count: u64,
    /// Their sum, ns.
    pub total: u64,
}

impl Default for Durations {
    fn default() -> Self {
        Self { buckets: vec![0; BUCKETS], count: 0, total: 0 }
    }
}

impl Durations {
    /// Adds a duration, ns.
    pub fn add(&mut self, nanos: u64) {
        self.count += 1;
        self.total = self.total.saturating_add(nanos);
        let bucket = &mut self.buckets[bucket_of(nanos)];
        *bucket = bucket.saturating_add(1);
    }

    /// The median, ns; 0 if there are none.
    pub fn median(&self) -> u64 {
        let counted: u64 = self.buckets.iter().map(|count| u64::from(*count)).sum();
        let mut before = 0;
        let middle = |count: &u32| {
            before += u64::from(*count);
            2 * before >= counted.max(1)
        };
        let bucket = self.buckets.iter().position(middle);
        bucket.filter(|_| counted > 0).map_or(0, middle_of)
    }
}

/// The bucket of a number: the numbers below 16 have one each, and each power of two from there has 16.
fn bucket_of(nanos: u64) -> usize {
    let bits = 64 - nanos.leading_zeros();
    let shift = bits.saturating_sub(FINE + 1);
    ((shift as usize) << FINE) + (nanos >> shift) as usize
}

/// The middle of a bucket's numbers.
fn middle_of(bucket: usize) -> u64 {
    let shift = (bucket >> FINE).saturating_sub(1);
    let least = ((bucket - (shift << FINE)) as u64) << shift;
    least + ((1 << shift) - 1) / 2
}

#[cfg(test)]
#[path = "../../../tests/unit/live/measure/durations.rs"]
mod tests;
