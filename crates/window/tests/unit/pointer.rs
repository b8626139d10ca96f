//! Tests of `src/pointer.rs`.

use super::{AIMS_FOR, Pointer};
use std::time::{Duration, Instant};

#[test]
fn a_mouse_that_rests_does_not_aim() {
    let (start, moment) = (Instant::now(), Duration::from_millis(1));
    let mut pointer = Pointer::default();
    assert_eq!(pointer.aim(start), None);
    pointer.move_to((3.0, 4.0), (640, 360), start);
    assert_eq!(pointer.aim(start + AIMS_FOR - moment), Some((3.0, 4.0)));
    assert_eq!(pointer.aim(start + AIMS_FOR), None);
    // It is still where it was.
    pointer.use_at(start + AIMS_FOR);
    assert_eq!(pointer.aim(start + AIMS_FOR + moment), Some((3.0, 4.0)));
    pointer.leave();
    assert_eq!(pointer.aim(start + AIMS_FOR + moment), None);
    assert_eq!(pointer.at(), Some((3.0, 4.0)));
}
