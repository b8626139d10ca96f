//! The requests of a client that have not been answered.

use super::*;

/// The requests of a client that have not been answered, with what cancels them and the memory that they take.
pub struct OpenRequests {
    list: Mutex<OpenList>,
    /// Notified when one is answered, if a thread waits for that.
    changed: Condvar,
    /// How many bytes may wait.
    most: usize,
}

#[derive(Default)]
struct OpenList {
    last: u64,
    /// By their numbers: nothing keeps a client from using an id twice.
    open: BTreeMap<u64, OpenRequest>,
    bytes: usize,
    /// How many threads wait for a change.
    waiting: usize,
    /// Whether new requests are canceled at once, because the client or the service ends.
    ends: bool,
}

struct OpenRequest {
    /// `None` for a notification.
    id: Option<RequestId>,
    canceled: Arc<AtomicBool>,
    bytes: usize,
}

/// About how many bytes a request takes until it is answered, in addition to its parameters.
const REQUEST_BYTES: usize = 1024;

impl OpenRequests {
    /// No requests yet. The next one is read only if all that wait have at most `most` bytes.
    pub fn new(most: usize) -> Self {
        Self { list: Mutex::default(), changed: Condvar::new(), most }
    }

    /// Opens a request with parameters of this length once there is room for it. Without others, there is room for any.
    /// Returns its number, and the flag that says that it is canceled.
    pub fn open(&self, id: Option<RequestId>, length: usize) -> (u64, Arc<AtomicBool>) {
        let bytes = REQUEST_BYTES + length;
        let mut list = self.list.lock();
        while list.bytes > 0 && list.bytes + bytes > self.most {
            list.waiting += 1;
            self.changed.wait(&mut list);
            list.waiting -= 1;
        }
        list.bytes += bytes;
        list.last += 1;
        let (number, canceled) = (list.last, Arc::new(AtomicBool::new(list.ends)));
        list.open.insert(number, OpenRequest { id, canceled: canceled.clone(), bytes });
        (number, canceled)
    }

    /// Closes a request that is answered.
    pub fn close(&self, number: u64) {
        let mut list = self.list.lock();
        if let Some(request) = list.open.remove(&number) {
            list.bytes -= request.bytes;
        }
        // Notifying costs a system call even if no thread waits.
        if list.waiting > 0 {
            self.changed.notify_all();
        }
    }

    /// Cancels the open requests with this id.
    pub fn cancel(&self, id: &RequestId) {
        for request in self.list.lock().open.values().filter(|request| request.id.as_ref() == Some(id)) {
            request.canceled.store(true, Ordering::Relaxed);
        }
    }

    /// Cancels all requests, also those to come.
    pub fn cancel_all(&self) {
        let mut list = self.list.lock();
        list.ends = true;
        for request in list.open.values() {
            request.canceled.store(true, Ordering::Relaxed);
        }
    }

    /// The number of requests that are not answered.
    pub fn count(&self) -> usize {
        self.list.lock().open.len()
    }

    /// Waits until at most `left` requests are open, or until `patience` is over.
    pub fn wait(&self, left: usize, patience: Duration) {
        let mut list = self.list.lock();
        list.waiting += 1;
        self.changed.wait_while_for(&mut list, |list| list.open.len() > left, patience);
        list.waiting -= 1;
    }
}

#[cfg(test)]
#[path = "../../tests/unit/server/requests.rs"]
mod tests;
