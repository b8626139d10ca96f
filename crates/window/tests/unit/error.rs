//! Tests of `src/error.rs`.

use super::reason;

#[test]
fn a_reason_does_not_name_a_file_of_a_library() {
    let place = "os error at /home/me/.cargo/winit-0.30.13/src/x11/mod.rs:747: no X server";
    assert_eq!(reason(&place), "no X server");
    assert_eq!(reason(&"Exit Failure: 1"), "Exit Failure: 1");
    assert_eq!(reason(&"os error at a.rs"), "the system refused");
}
