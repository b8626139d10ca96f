//! Tests of `src/editor/wire.rs`.

use super::{LONGEST_MESSAGE, MOST_HEADERS, read_message};

fn read(text: &str) -> Result<bool, String> {
    let read = read_message(&mut text.as_bytes());
    read.map(|message| message.is_some()).map_err(|error| error.to_string())
}

#[test]
fn messages_of_any_claimed_length_are_refused_or_read() {
    let notice = r#"{"jsonrpc":"2.0","method":"exit"}"#;
    assert_eq!(read(&format!("Content-Length: {}\r\n\r\n{notice}", notice.len())), Ok(true));
    assert_eq!(read(&format!("X: y\r\ncontent-length:{}\r\n\r\n{notice}", notice.len())), Ok(true));
    assert_eq!(read(""), Ok(false));
    for (text, part) in [
        ("Content-Length: 99999999999999\r\n\r\n", "99999999999999 bytes"),
        ("Content-Length: 99999999999999999999999\r\n\r\n", "not a whole number"),
        ("Content-Length: -1\r\n\r\n", "not a whole number"),
        (&format!("Content-Length: {LONGEST_MESSAGE}\r\n\r\n{{"), "ends within a message"),
        ("Content-Length: 2\r\n\r\n{}", "not JSON of the protocol"),
        ("\r\n", "no `Content-Length`"),
        ("GET / HTTP/1.1\r\n\r\n", "`NAME: VALUE`"),
        (&"x: y\r\n".repeat(MOST_HEADERS + 1), "lines before it"),
        (&"x".repeat(10_000), "`NAME: VALUE`"),
    ] {
        let error = read(text).expect_err(text);
        assert!(error.contains(part), "{error}");
    }
}
