//! How much of a client's messages may wait to be carried out.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The messages and requests of a client that have not been answered, by the memory that they take.
#[derive(Debug)]
pub(super) struct WaitingMessages {
    state: Mutex<WaitingState>,
    /// Notified when there is more room, if somebody waits for it.
    changed: Condvar,
    most: usize,
}

#[derive(Debug, Default)]
struct WaitingState {
    bytes: usize,
    /// How many threads wait for room.
    patient: usize,
}

/// About how many bytes a request takes until it is answered, in addition to its message.
pub(super) const REQUEST_BYTES: usize = 1024;

/// A message or a request that waits. Once a request is answered, or all of a message's, this is dropped and makes room for
/// others.
#[derive(Debug)]
pub(super) struct WaitingShare {
    all: Arc<WaitingMessages>,
    bytes: usize,
}

impl WaitingMessages {
    /// Room for this many bytes.
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { state: Mutex::default(), changed: Condvar::new(), most })
    }

    fn lock(&self) -> MutexGuard<'_, WaitingState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there is room for this many bytes. If nothing else waits, there is room for any number.
    pub fn enter(self: &Arc<Self>, bytes: usize) -> WaitingShare {
        let mut state = self.lock();
        while state.bytes > 0 && state.bytes + bytes > self.most {
            state.patient += 1;
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
            state.patient -= 1;
        }
        state.bytes += bytes;
        WaitingShare { all: self.clone(), bytes }
    }
}

impl Drop for WaitingShare {
    fn drop(&mut self) {
        let mut state = self.all.lock();
        state.bytes -= self.bytes;
        if state.patient > 0 {
            self.all.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::WaitingMessages;
    use std::sync::mpsc::channel;

    #[test]
    fn a_message_waits_until_those_before_it_have_made_room() {
        let all = WaitingMessages::new(100);
        let long = all.enter(1000);
        let (told, heard) = channel();
        let others = all.clone();
        let thread = std::thread::spawn(move || {
            let first = others.enter(60);
            told.send(first).expect("the test listens");
            let second = others.enter(41);
            told.send(second).expect("the test listens");
        });
        assert!(heard.try_recv().is_err(), "the long one fills all room");
        drop(long);
        let first = heard.recv().expect("it has room");
        assert_eq!(all.lock().bytes, 60);
        drop(first);
        let second = heard.recv().expect("it has room");
        drop(second);
        assert_eq!(all.lock().bytes, 0);
        thread.join().expect("no panic");
    }
}
