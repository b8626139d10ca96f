//! An executor that does pieces of work in the other order.

use hangtime_core::sim::Executor;

/// Pieces of this many, the later one first.
pub struct Backward(pub usize);

impl Executor for Backward {
    fn join(&self, left: &mut (dyn FnMut() + Send), right: &mut (dyn FnMut() + Send)) {
        right();
        left();
    }

    fn chunk(&self) -> usize {
        self.0
    }
}
