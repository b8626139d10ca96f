//! Tests of `src/server/websocket.rs`.

use super::is_here;

#[test]
fn only_loopback_names_and_addresses_are_here() {
    for host in ["localhost", "localhost:80", "127.0.0.1:7777", "127.1.2.3", "[::1]:8", "[::1]"] {
        assert!(is_here(host), "{host}");
    }
    for host in ["", "example.com", "localhost.example.com", "127.0.0.1.example.com", "[::2]:1", "10.0.0.1"] {
        assert!(!is_here(host), "{host}");
    }
}
