//! Tests of `src/language/printed.rs`.

use super::{MOST_PRINTED, MOST_PRINTED_BYTES, record_line, recording_prints};
use crate::text::printable;

#[test]
fn lines_are_kept_as_far_as_a_terminal_has_room_for_them() {
    // Three bytes that are written as eight.
    let line = "\u{202e}".repeat(1_000);
    let ((), recorded) = recording_prints(|| (0..60).for_each(|_| record_line(&line)));
    let bytes: usize = recorded.lines.iter().map(|line| printable(line).len()).sum();
    assert!(bytes <= MOST_PRINTED_BYTES && bytes + 8_000 > MOST_PRINTED_BYTES, "{bytes}");
    assert_eq!(recorded.lines.len() as u64 + recorded.left_out, 60);
    let ((), recorded) = recording_prints(|| (0..1_500).for_each(|i| record_line(&i.to_string())));
    assert_eq!((recorded.lines.len(), recorded.left_out), (MOST_PRINTED, 500));
}

#[test]
fn what_follows_a_line_that_is_left_out_is_left_out_as_well() {
    let ((), recorded) = recording_prints(|| {
        record_line("first");
        record_line(&"x".repeat(MOST_PRINTED_BYTES));
        record_line("last");
    });
    assert_eq!((recorded.lines, recorded.left_out), (vec!["first".into()], 2));
}
