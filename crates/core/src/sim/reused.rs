//! Lists that keep their items as memory for later.

/// A list whose items stay when it is cleared, so that the next ones can use their memory. It is
/// not state: a clone starts empty, and all are equal.
#[derive(Debug)]
pub(super) struct Reused<T> {
    /// The items in use, and after them those that are kept.
    items: Vec<T>,
    used: usize,
}

impl<T> Default for Reused<T> {
    fn default() -> Self {
        Self { items: Vec::new(), used: 0 }
    }
}

impl<T> Clone for Reused<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<T> PartialEq for Reused<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Reused<T> {
    /// Adds an item, to be overwritten: one that was in use before, or else a new one.
    pub fn add(&mut self, new: impl FnOnce() -> T) -> &mut T {
        if self.used == self.items.len() {
            self.items.push(new());
        }
        self.used += 1;
        &mut self.items[self.used - 1]
    }

    /// The items in use.
    pub fn items(&mut self) -> &mut [T] {
        &mut self.items[..self.used]
    }

    /// Ends the use of all items.
    pub fn clear(&mut self) {
        self.used = 0;
    }
}
