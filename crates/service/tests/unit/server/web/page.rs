//! Tests of `src/server/web/page.rs`.

use super::{PROGRAM, STYLE, document};

#[test]
fn the_page_is_whole_and_loads_nothing_else() {
    let page = document("N0NCE");
    for part in PROGRAM.iter().chain([&STYLE]) {
        assert!(page.contains(part));
    }
    assert_eq!(page.matches("nonce=\"N0NCE\"").count(), 2);
    for outside in ["src=", "href=\"http", "url(", "@import", "import(", "innerHTML", "{nonce}"] {
        assert!(!page.contains(outside), "{outside}");
    }
}
