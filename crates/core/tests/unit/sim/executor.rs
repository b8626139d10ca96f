//! Tests of `src/sim/executor.rs`.

use super::{Serial, any_chunk};
use crate::sim::backward::Backward;

#[test]
fn every_element_is_in_one_chunk() {
    for chunk in [0, 1, 2, 3, 7, 64] {
        for length in 0..=3 * chunk + 2 {
            let mut counts = vec![0; length];
            let mut sizes = vec![0; length];
            let all = (&mut counts[..], &mut sizes[..]);
            any_chunk(&Backward(chunk), all, &|(counts, sizes): (&mut [i32], &mut [usize])| {
                let size = counts.len();
                counts.iter_mut().for_each(|count| *count += 1);
                sizes.iter_mut().for_each(|found| *found = size);
                false
            });
            assert_eq!(counts, vec![1; length], "chunks of {chunk}");
            let chunk = chunk.max(1);
            let expected = |i: usize| chunk.min(length - i / chunk * chunk);
            let expected: Vec<usize> = (0..length).map(expected).collect();
            assert_eq!(sizes, expected, "chunks of {chunk}");
        }
    }
}

#[test]
fn the_result_is_true_if_it_is_for_any_chunk() {
    for length in [0, 1, 63, 64, 65, 129, 1000] {
        let mut numbers: Vec<usize> = (0..length).collect();
        for wanted in [0, 62, 63, 64, 128, 999, 1000] {
            let found = |numbers: &mut [usize]| numbers.contains(&wanted);
            let any = any_chunk(&Serial, &mut numbers[..], &found);
            assert_eq!(any, wanted < length, "{wanted} of {length}");
        }
    }
}
