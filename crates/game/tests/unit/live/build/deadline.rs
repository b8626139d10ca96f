//! Tests of `src/live/build/deadline.rs`.

use super::Build;
use crate::Error;
use std::{
    sync::mpsc::channel,
    time::{Duration, Instant},
};

const HOUR: Duration = Duration::from_secs(3600);

#[test]
fn a_reading_that_hangs_does_not_keep_the_window_open() {
    let (release, released) = channel::<()>();
    let hanging = Build::start_for(HOUR, move || released.recv().is_err());
    let started = Instant::now();
    let waited = hanging.wait_while(HOUR, || started.elapsed() < Duration::from_millis(100));
    assert!(matches!(waited, Err(Error::CompileTimeout { .. })), "{waited:?}");
    assert!(started.elapsed() < HOUR / 100);
    // It can be waited for again.
    assert!(hanging.wait_while(Duration::ZERO, || true).is_err());
    drop(release);
    assert!(matches!(hanging.wait_while(HOUR, || true), Ok(true)));
}
