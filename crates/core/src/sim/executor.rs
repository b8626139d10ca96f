//! Dividing the work of a tick among threads, which belong to the caller.

use super::*;

/// Does two pieces of work, possibly at the same time.
///
/// A tick divides its work into pieces that neither read nor write what another one writes. So the results are
/// the same with every executor, bit for bit.
pub trait Executor: Sync {
    /// Does both pieces in any order, and returns when both have ended. If one of them panics, so must this.
    /// Pieces call it again for smaller ones.
    fn join(&self, left: &mut (dyn FnMut() + Send), right: &mut (dyn FnMut() + Send));

    /// The largest number of bodies in a piece, at least 1. As many as the default stay in the fastest memory
    /// of a processor from one phase to the next.
    fn chunk(&self) -> usize {
        64
    }
}

/// Does one piece after the other, on the thread of the caller.
#[derive(Clone, Copy, Debug, Default)]
pub struct Serial;

impl Executor for Serial {
    fn join(&self, left: &mut (dyn FnMut() + Send), right: &mut (dyn FnMut() + Send)) {
        left();
        right();
    }
}

/// An executor with pieces of another size.
pub struct InPieces<'a> {
    pub executor: &'a dyn Executor,
    /// The largest number of elements in a piece.
    pub most: usize,
}

impl Executor for InPieces<'_> {
    fn join(&self, left: &mut (dyn FnMut() + Send), right: &mut (dyn FnMut() + Send)) {
        self.executor.join(left, right);
    }

    fn chunk(&self) -> usize {
        self.most
    }
}

/// A sequence that can be cut in two.
pub trait Divisible: Send + Sized {
    /// The number of elements.
    fn length(&self) -> usize;
    /// The elements before an index, and the others.
    fn cut(self, at: usize) -> (Self, Self);
}

impl<T: Send> Divisible for &mut [T] {
    fn length(&self) -> usize {
        self.len()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        self.split_at_mut(at)
    }
}

impl<T: Sync> Divisible for &[T] {
    fn length(&self) -> usize {
        self.len()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        self.split_at(at)
    }
}

/// Numbers in a row.
impl Divisible for Range<usize> {
    fn length(&self) -> usize {
        self.len()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let middle = self.start + at;
        (self.start..middle, middle..self.end)
    }
}

/// Two sequences of the same length.
impl<A: Divisible, B: Divisible> Divisible for (A, B) {
    fn length(&self) -> usize {
        self.0.length()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let ((a, c), (b, d)) = (self.0.cut(at), self.1.cut(at));
        ((a, b), (c, d))
    }
}

/// An element for each chunk of another sequence.
pub struct OfChunks<'a, T> {
    list: &'a mut [T],
    chunk: usize,
}

impl<'a, T: Default> OfChunks<'a, T> {
    /// The elements for a sequence of this length. More are added if there are too few.
    pub fn new(executor: &dyn Executor, length: usize, list: &'a mut Vec<T>) -> Self {
        let chunk = executor.chunk().max(1);
        let count = length.div_ceil(chunk);
        if list.len() < count {
            list.resize_with(count, T::default);
        }
        let list = &mut list[..count];
        Self { list, chunk }
    }

    /// The element of the chunk to which all others have been cut off.
    pub fn of_one(self) -> &'a mut T {
        &mut self.list[0]
    }
}

impl<T: Send> Divisible for OfChunks<'_, T> {
    fn length(&self) -> usize {
        self.list.len() * self.chunk
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let chunk = self.chunk;
        let (left, right) = self.list.split_at_mut(at / chunk);
        (Self { list: left, chunk }, Self { list: right, chunk })
    }
}

/// Does `work` with each chunk of a sequence, and returns whether it was true for any of them.
#[inline]
pub fn any_chunk<S: Divisible>(executor: &dyn Executor, all: S, work: &(impl Fn(S) -> bool + Sync)) -> bool {
    if all.length() <= 1 {
        return all.length() == 1 && work(all);
    }
    any_half(executor, executor.chunk().max(1), all, work)
}

fn any_half<S: Divisible>(executor: &dyn Executor, chunk: usize, all: S, work: &(impl Fn(S) -> bool + Sync)) -> bool {
    if all.length() <= chunk {
        return work(all);
    }
    // Chunks begin at multiples of their size.
    let middle = all.length().div_ceil(chunk) / 2 * chunk;
    let (left, right) = all.cut(middle);
    let (mut left, mut right) = (Some(left), Some(right));
    let [mut in_left, mut in_right] = [false; 2];
    let of_half = |half: &mut Option<S>| {
        let half = half.take();
        half.is_some_and(|half| any_half(executor, chunk, half, work))
    };
    executor.join(&mut || in_left = of_half(&mut left), &mut || {
        in_right = of_half(&mut right);
    });
    in_left || in_right
}

#[cfg(test)]
#[path = "../../tests/unit/sim/executor.rs"]
mod tests;
