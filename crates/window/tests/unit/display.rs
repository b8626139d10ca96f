//! Tests of `src/display/mod.rs`.

use super::{quietly, with_remedy};

#[test]
fn a_panic_of_a_library_becomes_a_message() {
    let missing = quietly(|| -> () { panic!("Library libxkbcommon-x11.so could not be loaded.") });
    let text = with_remedy(missing.unwrap_err());
    assert!(text.contains("apt install libxkbcommon-x11-0"), "{text}");
    assert_eq!(quietly(|| 3), Ok(3));
}

#[test]
fn only_missing_libraries_have_a_remedy() {
    let text = "Failed to open connection to X server";
    assert_eq!(with_remedy(text.into()), text);
    let xlib = "Failed to load one of xlib's shared libraries";
    assert!(with_remedy(xlib.into()).contains("libx11-6"));
}
