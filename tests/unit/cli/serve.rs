//! Tests of `src/cli/serve.rs`.

use super::listen_address;

#[test]
fn a_port_alone_is_one_of_this_machine() {
    for text in ["7777", ":7777", "localhost:7777", "127.0.0.1:7777"] {
        let address = listen_address(text).expect(text);
        assert_eq!(address.to_string(), "127.0.0.1:7777");
    }
    assert_eq!(listen_address("[::1]:0").expect("an address").to_string(), "[::1]:0");
    for text in ["", "localhost", "7777x", "example.com:1", "127.0.0.1", "70000", "-1"] {
        assert!(listen_address(text).is_err(), "{text}");
    }
}
