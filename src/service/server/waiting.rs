//! How much of a client's messages may wait to be carried out.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The messages of a client that have not been answered, by their length.
#[derive(Debug)]
pub(super) struct WaitingMessages {
    bytes: Mutex<usize>,
    /// Notified when there is more room.
    changed: Condvar,
    most: usize,
}

/// A message that waits. Once all of its requests are answered, this is dropped and makes room for others.
#[derive(Debug)]
pub(super) struct WaitingMessage {
    all: Arc<WaitingMessages>,
    bytes: usize,
}

impl WaitingMessages {
    /// Room for this many bytes.
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(Self {
            bytes: Mutex::new(0),
            changed: Condvar::new(),
            most,
        })
    }

    fn lock(&self) -> MutexGuard<'_, usize> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there is room for a message of this length. One alone always has room.
    pub fn enter(self: &Arc<Self>, bytes: usize) -> Arc<WaitingMessage> {
        let full = |waiting: &mut usize| *waiting > 0 && *waiting + bytes > self.most;
        let waited = self.changed.wait_while(self.lock(), full);
        *waited.unwrap_or_else(PoisonError::into_inner) += bytes;
        Arc::new(WaitingMessage {
            all: self.clone(),
            bytes,
        })
    }
}

impl Drop for WaitingMessage {
    fn drop(&mut self) {
        *self.all.lock() -= self.bytes;
        self.all.changed.notify_all();
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
            told.send(first).expect("somebody listens");
            let second = others.enter(41);
            told.send(second).expect("somebody listens");
        });
        assert!(heard.try_recv().is_err(), "the long one fills all room");
        drop(long);
        let first = heard.recv().expect("it has room");
        assert_eq!(*all.lock(), 60);
        drop(first);
        let second = heard.recv().expect("it has room");
        drop(second);
        assert_eq!(*all.lock(), 0);
        thread.join().expect("no panic");
    }
}
