//! Tests of `src/live/measure/durations.rs`.

use super::{BUCKETS, Durations, bucket_of, middle_of};

#[test]
fn a_bucket_holds_numbers_that_differ_by_at_most_a_sixteenth() {
    let mut last = 0;
    for power in 0..64 {
        for part in 0..64_u64 {
            let more = (u128::from(part) << power) >> 6;
            let number = (1_u64 << power) + more as u64;
            let bucket = bucket_of(number);
            assert!(bucket < BUCKETS && bucket >= last, "{number}");
            last = bucket;
            assert!(middle_of(bucket).abs_diff(number) <= number / 16, "{number}");
        }
    }
    assert_eq!(bucket_of(u64::MAX), BUCKETS - 1);
    for small in 0..32 {
        assert_eq!(middle_of(bucket_of(small)), small);
    }
}

#[test]
fn the_median_is_that_of_the_sorted_numbers() {
    let mut all = Durations::default();
    assert_eq!((all.median(), all.count, all.total), (0, 0, 0));
    for (number, count) in [(3, 4), (20, 5), (1_000_000, 4)] {
        (0..count).for_each(|_| all.add(number));
    }
    assert_eq!((all.median(), all.count), (20, 13));
    assert_eq!(all.total, 12 + 100 + 4_000_000);
    all.add(u64::MAX);
    assert_eq!((all.median(), all.total), (20, u64::MAX));
}
