//! Recordings with more in them than any game has are refused.

use hangtime_game::recording::{RecordedFiles, RecordingLine, RecordingReader};
use std::io::Cursor;

const HEADER: &str = "{\"run\":1,\"hangtime\":\"0.1.0\",\"level\":\"a.toml\",\"tick_hz\":1000,\"seed\":0}\n";

/// What is wrong with a recording that has this second line; empty if nothing is.
fn wrong_with(line: &str) -> String {
    let text = format!("{HEADER}{line}\n");
    let reader = RecordingReader::new("a.run", Box::new(Cursor::new(text)));
    let read = reader.expect("a header").next_line();
    read.err().map_or_else(String::new, |error| error.to_string())
}

/// A line of some ticks, each with these rows.
fn ticks(count: usize, rows: &str) -> String {
    let moved = vec![rows; count].join(",");
    let hashes = "0123456789abcdef".repeat(count);
    format!("{{\"from\":0,\"inputs\":[[{count},\"\"]],\"hashes\":\"{hashes}\",\"moved\":[{moved}]}}")
}

#[test]
fn more_ticks_rows_or_numbers_than_a_recorder_writes_are_refused() {
    let row = |numbers: usize| format!("[{}]", vec!["1"; numbers].join(","));
    let rows = |count: usize| format!("[{}]", vec![row(12); count].join(","));
    assert_eq!(wrong_with(&ticks(1000, "[]")), "");
    assert_eq!(wrong_with(&ticks(1, &rows(64))), "");
    for (line, most) in
        [(ticks(1001, "[]"), 1000), (ticks(1, &rows(65)), 64), (ticks(1, &format!("[{}]", row(13))), 12)]
    {
        let wrong = wrong_with(&line);
        assert!(wrong.contains(&format!("more than {most} items")), "{wrong}");
    }
}

#[test]
fn a_line_that_is_too_long_for_its_kind_is_not_read_to_its_end() {
    let spaces = |count: usize| " ".repeat(count);
    let wrong = wrong_with(&format!("{{\"end\":{}", spaces(70_000)));
    assert!(wrong.contains("a.run:2:1: error: this line is longer than 65536 bytes"), "{wrong}");
    let wrong = wrong_with(&format!("{{\"from\":{}", spaces(40 << 20)));
    assert!(wrong.contains("this line is longer than "), "{wrong}");
    let wrong = wrong_with(&spaces(100_000));
    assert!(wrong.contains("this line is longer than 65536 bytes"), "{wrong}");
}

#[test]
fn files_that_only_together_are_more_than_a_game_can_have_are_refused() {
    let reader = RecordingReader::new("a.run", Box::new(Cursor::new(HEADER)));
    let header = reader.expect("a header").header().clone();
    let mut files = RecordedFiles::default();
    for (name, fits) in [("b.toml", true), ("c.toml", false)] {
        let text = "#".repeat((48 << 20) + 1);
        let hash = blake3::hash(text.as_bytes()).to_hex();
        let line = format!(
            "{{\"revision\":1,\"tick\":0,\"hash\":\"0123456789abcdef\",\"start\":\"level\",\"settings\":[],\
             \"changes\":[],\"files\":{{\"{name}\":{{\"blake3\":\"{hash}\",\"text\":\"{text}\"}}}}}}"
        );
        let reader = RecordingReader::new("a.run", Box::new(Cursor::new(format!("{HEADER}{line}\n"))));
        let read = reader.expect("a header").next_line().expect("a line");
        let Some(RecordingLine::Revision(mut revision)) = read else {
            panic!("not a revision: {name}");
        };
        let built = files.build(&header, &mut revision);
        let wrong = built.err().map(|error| error.to_string());
        let wrong = wrong.expect("there is no level");
        let many = wrong.contains("more files than a game can have");
        assert_eq!(many, !fits, "{name}: {wrong}");
    }
}
