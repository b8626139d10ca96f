//! HTTP on the port of the service, and the page.

use crate::{
    folder::Folder,
    sockets::{Wire, command, listening, request, socket, told},
    worlds::counting,
};
use serde_json::json;
use std::{
    io::{Read, Write},
    net::{Shutdown, SocketAddr, TcpStream},
    time::Duration,
};
use tungstenite::client::IntoClientRequest as _;

/// A connection that fails instead of waiting forever.
fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).expect("it listens");
    let patience = Some(Duration::from_secs(60));
    stream.set_read_timeout(patience).expect("a timeout");
    stream
}

/// Everything that comes until the connection is closed.
fn rest_of(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8(bytes).expect("text")
}

/// The answer to some bytes.
fn answer(address: SocketAddr, sent: &str) -> String {
    let mut stream = connect(address);
    stream.write_all(sent.as_bytes()).expect("it reads");
    rest_of(stream)
}

/// The answer to a request without a body.
fn fetched(address: SocketAddr, method: &str, path: &str) -> String {
    let head = format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\n\r\n");
    answer(address, &head)
}

/// The status of an answer.
fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or(answer)
}

fn head_of(answer: &str) -> &str {
    answer.split("\r\n\r\n").next().expect("a head")
}

/// A game next to a page, which is as small as one can be.
fn with_page() -> Folder {
    let folder = counting();
    folder.write("page/index.html", "<p>page</p>\n");
    folder.write("page/page.js", "play()");
    folder.write("page/game.json", "null");
    folder
}

const WEB: [&str; 3] = ["--web", "--page", "page"];

#[test]
fn the_page_is_at_the_root_its_files_are_next_to_it_and_nothing_else_is_anywhere() {
    let folder = with_page();
    let (_program, address) = listening(&folder, &WEB);
    let page = fetched(address, "GET", "/");
    let (head, body) = page.split_once("\r\n\r\n").expect("a head");
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head}");
    assert!(head.contains("content-type: text/html; charset=utf-8\r\n"), "{head}");
    assert!(head.contains(&format!("content-length: {}", body.len())), "{head}");
    assert!(head.contains("frame-ancestors 'none'"), "{head}");
    assert_eq!(body, "<p>page</p>\n");
    assert_eq!(status(&fetched(address, "GET", "/?level=first")), "200");
    let program = fetched(address, "GET", "/page.js");
    assert!(program.contains("text/javascript") && program.ends_with("play()"), "{program}");
    assert!(fetched(address, "GET", "/game.json").ends_with(r#"{"service":{"writes":false}}"#));
    let head_only = fetched(address, "HEAD", "/");
    assert!(head_only.ends_with("\r\n\r\n"), "{head_only}");
    assert!(head_only.contains(&format!("content-length: {}", body.len())));
    assert_eq!(status(&fetched(address, "GET", "/favicon.ico")), "204");
    for path in [
        "/keys.js",
        "/page/page.js",
        "/levels/level.toml",
        "/../levels/level.toml",
        "/%2e%2e/levels/level.toml",
        "//",
        "/.",
        "*",
        "http://example.com/",
        "http://example.com/page.js",
    ] {
        let missing = fetched(address, "GET", path);
        assert_eq!(status(&missing), "404", "{path}: {missing}");
    }
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "X"] {
        let refused = fetched(address, method, "/");
        assert_eq!(status(&refused), "405", "{method}: {refused}");
        assert!(head_of(&refused).contains("allow: GET, HEAD"), "{refused}");
    }
    // A body that stays unread does not cost the answer.
    let body = "x".repeat(300_000);
    let post = format!("POST / HTTP/1.1\r\nContent-Length: 300000\r\n\r\n{body}");
    assert_eq!(status(&answer(address, &post)), "405");
}

#[test]
fn a_service_whose_page_is_not_built_says_so_and_can_be_watched() {
    let folder = counting();
    let (_program, address) = listening(&folder, &["--web", "--page", "nowhere"]);
    let missing = fetched(address, "GET", "/");
    assert!(status(&missing) == "404" && missing.contains("web/build"), "{missing}");
    let mut wire = Wire::to(address);
    assert_eq!(wire.tell(&request(1, "world.list", json!({})))["result"]["worlds"], json!([]));
}

#[test]
fn a_service_without_web_has_no_page_and_shows_no_worlds_of_others() {
    let folder = counting();
    let (_program, address) = listening(&folder, &[]);
    let missing = fetched(address, "GET", "/");
    assert_eq!(status(&missing), "404");
    assert!(missing.contains("--web"), "{missing}");
    let mut wire = Wire::to(address);
    for (method, params) in [("world.list", json!({})), ("world.watch", json!({"watched": 1}))] {
        let refused = wire.tell(&request(1, method, params));
        assert_eq!(refused["error"]["code"], -32601, "{refused}");
        let message = refused["error"]["message"].as_str().expect("text");
        assert!(message.contains("--web"), "{message}");
    }
    let about = wire.tell(&request(2, "initialize", json!({})));
    let methods = about["result"]["methods"].as_array().expect("methods");
    assert!(methods.contains(&json!("world.scene")));
    assert!(!methods.contains(&json!("world.watch")) && !methods.contains(&json!("world.list")));
}

#[test]
fn requests_that_are_long_slow_or_broken_end() {
    let folder = with_page();
    let (_program, address) = listening(&folder, &WEB);
    // While others take their time, clients are served.
    let mut slow = connect(address);
    slow.write_all(b"GET / HTTP/1.1\r\nHost: ").expect("it reads");
    let mut byte_by_byte = connect(address);
    let dripping = std::thread::spawn(move || {
        for _ in 0..200 {
            if byte_by_byte.write_all(b"G").is_err() {
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        rest_of(byte_by_byte)
    });
    let mut wire = Wire::to(address);
    let created = wire.tell(&request(1, "world.create", json!({"level": "level"})));
    assert_eq!(created["result"]["world"], 1);
    let long = format!("GET / HTTP/1.1\r\nA: {}\r\n\r\n", "a".repeat(40_000));
    assert_eq!(status(&answer(address, &long)), "431");
    let endless = format!("GET /{}", "a".repeat(40_000));
    assert_eq!(status(&answer(address, &endless)), "431");
    let many = format!("GET / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(101));
    assert_eq!(status(&answer(address, &many)), "431");
    for broken in
        ["GET\r\n\r\n", "HELLO\r\n\r\n", "GET / HTTP/7\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "G\0T / HTTP/1.1\r\n\r\n"]
    {
        assert_eq!(status(&answer(address, broken)), "400", "{broken:?}");
    }
    // A client that closes its direction early gets nothing, and its answer after a whole request.
    for (sent, wanted) in [("GET / HT", ""), ("GET / HTTP/1.1\r\n\r\n", "200")] {
        let mut half_closed = connect(address);
        half_closed.write_all(sent.as_bytes()).expect("it reads");
        half_closed.shutdown(Shutdown::Write).expect("half closed");
        assert_eq!(status(&rest_of(half_closed)), wanted, "{sent:?}");
    }
    assert_eq!(status(&rest_of(slow)), "408");
    // Its bytes may arrive after the end, and then the answer is lost.
    let dripped = dripping.join().expect("no panic");
    assert!(["408", "400", ""].contains(&status(&dripped)), "{dripped}");
    let step = wire.tell(&request(2, "world.step", json!({"world": 1})));
    assert_eq!(step["result"]["tick"], 1);
}

#[test]
fn the_page_may_open_a_websocket_and_pages_of_other_hosts_may_not() {
    let folder = counting();
    let (_program, address) = listening(&folder, &["--web"]);
    let from = |origin: &str, host: &str| {
        let mut request = format!("ws://{address}/").into_client_request().expect("a request");
        let headers = request.headers_mut();
        headers.insert("Origin", origin.parse().expect("a value"));
        headers.insert("Host", host.parse().expect("a value"));
        tungstenite::connect(request).map(drop).map_err(|error| error.to_string())
    };
    let own = address.to_string();
    assert_eq!(from(&format!("http://{own}"), &own), Ok(()));
    for (origin, host) in [
        ("http://example.com", own.as_str()),
        ("null", own.as_str()),
        // The name of another host that leads here.
        ("http://example.com:7777", "example.com:7777"),
        ("http://127.0.0.1.example.com", own.as_str()),
    ] {
        let refused = from(origin, host).expect_err("another host");
        assert!(refused.contains("403"), "{origin} {host}: {refused}");
    }
}

#[test]
fn the_page_needs_no_token_and_its_worlds_do() {
    let folder = with_page();
    let refused = command(&folder, &["--web", "--listen", "0.0.0.0:0"]).output();
    let refused = refused.expect("the program starts");
    assert_eq!(refused.status.code(), Some(2));
    let (_program, address) = listening(&folder, &[&WEB[..], &["--token", "secret"]].concat());
    assert_eq!(status(&fetched(address, "GET", "/")), "200");
    let mut page = socket(address);
    for method in ["world.list", "world.watch", "world.create"] {
        let refused = told(&mut page, &request(1, method, json!({"watched": 1})));
        assert_eq!(refused["error"]["code"], -32005, "{refused}");
    }
    let about = told(&mut page, &request(2, "initialize", json!({"token": "secret"})));
    assert_eq!(about["result"]["game"]["levels"], json!(["levels/level.toml"]));
    let listed = told(&mut page, &request(3, "world.list", json!({})));
    assert_eq!(listed["result"]["worlds"], json!([]));
}
