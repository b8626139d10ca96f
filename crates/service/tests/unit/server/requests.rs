//! Tests of `src/server/requests.rs`.

use super::{OpenRequests, REQUEST_BYTES};
use std::{sync::mpsc::channel, thread};

#[test]
fn a_request_waits_until_those_before_it_have_made_room() {
    let all = OpenRequests::new(2 * REQUEST_BYTES + 100);
    let (long, _) = all.open(None, 10_000);
    let (told, heard) = channel();
    thread::scope(|scope| {
        scope.spawn(|| {
            for length in [60, 41] {
                told.send(all.open(None, length).0).expect("the test listens");
            }
        });
        assert!(heard.try_recv().is_err(), "the long one fills all room");
        all.close(long);
        let first = heard.recv().expect("it has room");
        assert_eq!(all.list.lock().bytes, REQUEST_BYTES + 60);
        all.close(first);
        let second = heard.recv().expect("it has room");
        all.close(second);
        assert_eq!(all.list.lock().bytes, 0);
        assert_eq!(all.count(), 0);
    });
}
