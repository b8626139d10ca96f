//! Recordings as input files.

use hangtime_game::recording::RecordingReader;
use hangtime_play::RecordedInput;
use std::{fmt::Write as _, io::Cursor};

/// The longest recording that becomes a test.
const MOST_TICKS: u64 = 108_000;

/// Reads a recording of some ticks in which nothing is held.
fn read(ticks: u64) -> Result<RecordedInput, hangtime_game::Error> {
    let mut text = String::from(
        "{\"run\":1,\"hangtime\":\"0.1.0\",\"level\":\"a.toml\",\"tick_hz\":60,\"seed\":0}\n\
         {\"revision\":1,\"tick\":0,\"hash\":\"0123456789abcdef\",\"start\":\"level\",\"settings\":[],\
         \"changes\":[],\"files\":{}}\n",
    );
    for from in (0..ticks).step_by(1000) {
        let count = (ticks - from).min(1000);
        let hashes = "0".repeat(16 * count as usize);
        let moved = vec!["[]"; count as usize].join(",");
        let _ = writeln!(
            text,
            "{{\"from\":{from},\"inputs\":[[{count},\"\"]],\"hashes\":\"{hashes}\",\"moved\":[{moved}]}}"
        );
    }
    RecordedInput::read(RecordingReader::new("a.run", Box::new(Cursor::new(text)))?)
}

#[test]
fn a_recording_that_is_too_long_for_a_test_is_refused_while_it_is_read() {
    let longest = read(MOST_TICKS).expect("not too long");
    assert_eq!(longest.text, format!("level a.toml\n{MOST_TICKS}\n"));
    let wrong = read(MOST_TICKS + 1).expect_err("too long").to_string();
    assert!(wrong.contains("more than 108000 ticks"), "{wrong}");
}
