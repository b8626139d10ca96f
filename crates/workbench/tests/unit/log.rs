//! Tests of `src/log.rs`.

use super::{LogKind, MOST_LINES, MOST_PER_SECOND, SHOWN_FOR, SessionLog};

#[test]
fn a_line_that_is_printed_in_every_tick_is_one_line_with_a_count() {
    let mut log = SessionLog::default();
    for tick in 0..600 {
        log.add(LogKind::Print, tick, "here", tick as f64 / 60.0);
    }
    let lines: Vec<_> = log.lines().collect();
    assert_eq!(lines.len(), 1);
    assert_eq!((lines[0].count, lines[0].tick), (600, 599));
    assert_eq!(lines[0].shown(), "   599  here (600 times)");
}

#[test]
fn two_lines_in_turns_are_counted_as_well() {
    let mut log = SessionLog::default();
    for tick in 0..100 {
        log.add(LogKind::Print, tick, ["left", "right"][tick as usize % 2], 0.0);
    }
    assert_eq!(log.lines().map(|l| l.count).collect::<Vec<_>>(), [50, 50]);
}

#[test]
fn different_lines_are_limited_in_rate_and_memory_and_notes_are_not_lost() {
    let mut log = SessionLog::default();
    for i in 0..100_000_u64 {
        log.add(LogKind::Print, i, &format!("n = {i}"), i as f64 / 1000.0);
    }
    // 100 seconds with a thousand lines each.
    assert_eq!(log.lines().len(), MOST_LINES);
    let left_out = format!("and {} more lines within a second", 1000 - MOST_PER_SECOND);
    let summaries = log.lines().filter(|line| line.text == left_out).count();
    // Each second has its lines and a summary.
    assert_eq!(summaries, MOST_LINES / (MOST_PER_SECOND as usize + 1));
    log.add(LogKind::Note, 0, "mark A", 99.9);
    assert_eq!(log.lines().last().map(|l| l.kind), Some(LogKind::Note));
}

#[test]
fn lines_leave_the_picture_after_some_seconds_and_stay_in_the_open_log() {
    let mut log = SessionLog::default();
    log.add(LogKind::Print, 1, "early", 0.0);
    log.add(LogKind::Print, 2, "late", SHOWN_FOR);
    let texts = |open| -> Vec<String> {
        let shown = log.shown(SHOWN_FOR, 10, open);
        shown.map(|line| line.text.clone()).collect()
    };
    assert_eq!(texts(false), ["late"]);
    assert_eq!(texts(true), ["early", "late"]);
}
