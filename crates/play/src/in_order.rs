//! Work on several threads, with the results in order.

use super::*;
use hangtime_script::STACK;
use std::{
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc::channel,
    },
    thread::{Builder, scope},
};

/// Does `work` for the numbers from 0 on, on some threads that can run scripts, and passes the results to
/// `each` in order. Ends early if `each` returns false, or at the first `None`. One thread is the calling one, which
/// also does all the work if no other starts.
pub fn in_order<T: Send>(
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
#[path = "../tests/unit/in_order.rs"]
mod tests;
