//! Tests of `src/server/web/request.rs`.

use super::parse;

#[test]
fn a_head_is_complete_at_its_empty_line() {
    let text = "GET /a?b=1 HTTP/1.1\r\nHost: localhost\r\nUpgrade: WebSocket\r\n\r\n";
    for length in 0..text.len() {
        assert!(matches!(parse(&text.as_bytes()[..length]), Ok(None)), "{length}");
    }
    let request = parse(format!("{text}more").as_bytes()).expect("a head").expect("a whole one");
    assert_eq!((request.method().as_str(), request.uri().path()), ("GET", "/a"));
    assert_eq!(request.headers()["upgrade"], "WebSocket");
    assert_eq!(request.body(), b"more");
}
