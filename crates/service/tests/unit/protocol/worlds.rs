//! Tests of `src/protocol/worlds.rs`.

use super::HashText;

#[test]
fn a_hash_is_written_as_the_formatter_writes_it() {
    for hash in [0, 1, 0x0123_4567_89ab_cdef, u64::MAX, 1 << 63] {
        let text = serde_json::to_string(&HashText(hash)).expect("JSON");
        assert_eq!(text, format!("\"{hash:016x}\""));
    }
}
