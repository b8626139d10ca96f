//! Work on several threads, with the results in order.

use hangtime_script::STACK;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread::{Builder, scope};

/// Does `work` for the numbers from 0 on, on some threads that can run scripts, and passes the results to
/// `each` in order. Ends early if `each` returns false, or at the first `None`. One thread is the calling one, which
/// also does all the work if no other starts.
pub(crate) fn in_order<T: Send>(
    count: usize,
    threads: usize,
    work: impl Fn(usize) -> Option<T> + Sync,
    mut each: impl FnMut(T) -> bool,
) {
    let (next, ended) = (AtomicUsize::new(0), AtomicBool::new(false));
    let threads = threads.clamp(1, count.max(1));
    scope(|scope| {
        let (post, results) = channel();
        let mut started = 0;
        for _ in 0..if threads > 1 && cfg!(feature = "disk") { threads } else { 0 } {
            let (post, next, ended, work) = (post.clone(), &next, &ended, &work);
            let worker = move || {
                while !ended.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count || post.send((number, work(number))).is_err() {
                        return;
                    }
                }
            };
            started += usize::from(Builder::new().stack_size(STACK).spawn_scoped(scope, worker).is_ok());
        }
        drop(post);
        if started == 0 {
            let _ = (0..count).all(|number| work(number).is_some_and(&mut each));
            return;
        }
        let mut waiting = BTreeMap::new();
        let mut expected = 0;
        'all: for (number, result) in results {
            waiting.insert(number, result);
            while let Some(result) = waiting.remove(&expected) {
                expected += 1;
                if !result.is_some_and(&mut each) {
                    break 'all;
                }
            }
        }
        ended.store(true, Ordering::Relaxed);
    });
}

#[cfg(test)]
mod tests {
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
}
