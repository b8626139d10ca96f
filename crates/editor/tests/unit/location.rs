//! Tests of `src/editor/location.rs`.

use super::{offset_at, path_of, position_at, uri_of};
use lsp_types::Position;
use std::path::Path;

#[test]
fn every_offset_has_a_position_that_leads_back_to_it() {
    let text = "let größe = 1;\n\n// 🪂 hang\nfn on_tick(me) {}";
    for (offset, _) in text.char_indices() {
        assert_eq!(offset_at(text, position_at(text, offset)), offset);
    }
    // The parachute takes two code units.
    assert_eq!(position_at(text, text.find(" hang").expect("text")), Position::new(2, 5));
    for beyond in [Position::new(0, 900), Position::new(900, 0)] {
        assert!(offset_at(text, beyond) <= text.len());
    }
    assert_eq!(offset_at(text, Position::new(0, 900)), text.find('\n').expect("a line"));
}

#[test]
fn paths_with_any_characters_survive_as_addresses() {
    for path in ["/games/a b/größe #1%.rhai", "/a", "/games/x+y&z.toml"] {
        let uri = uri_of(Path::new(path)).expect("an address");
        assert_eq!(path_of(&uri).as_deref(), Some(Path::new(path)), "{path}");
    }
}
