//! Tests of `src/in_order.rs`.

use super::in_order;

#[test]
fn results_arrive_in_order_on_any_number_of_threads() {
    for threads in [0, 1, 2, 7] {
        let mut seen = Vec::new();
        let work = |n: usize| {
            // The first of each ten is the slowest.
            let turns = if n.is_multiple_of(10) { 20_000 } else { 1 };
            Some((0..turns).fold(n, |x, _| std::hint::black_box(x)))
        };
        in_order(1000, threads, work, |n| {
            seen.push(n);
            true
        });
        assert_eq!(seen, (0..1000).collect::<Vec<_>>());
    }
}

#[test]
fn it_ends_early_with_a_whole_beginning() {
    for threads in [1, 3] {
        let mut seen = Vec::new();
        in_order(100_000, threads, Some, |n| {
            seen.push(n);
            n < 41
        });
        assert_eq!(seen, (0..=41).collect::<Vec<_>>());
        let mut seen = Vec::new();
        let work = |n| (n != 5).then_some(n);
        in_order(100_000, threads, work, |n| {
            seen.push(n);
            true
        });
        assert_eq!(seen, [0, 1, 2, 3, 4]);
    }
    in_order(0, 2, Some, |_: usize| panic!("nothing to do"));
}
