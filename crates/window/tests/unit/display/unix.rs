//! Tests of `src/display/unix.rs`.

use super::{Protocol, Variables, answers, choose};
use crate::error::WindowError;
use std::{os::unix::net::UnixListener, path::Path};

fn variables(wayland: &str, folder: &str, x11: &str) -> Variables {
    let set = |text: &str| (!text.is_empty()).then(|| text.to_string());
    Variables { wayland_socket: None, wayland_display: set(wayland), runtime_dir: set(folder), display: set(x11) }
}

#[test]
fn a_stale_wayland_display_gives_way_to_x11() {
    let choice = choose(&variables("wayland-0", "/run/me", ":0"), |_| false).unwrap();
    assert_eq!(choice.protocol, Protocol::X11);
    assert_eq!(choice.display, "DISPLAY=:0");
    assert_eq!(choice.stale.as_deref(), Some("WAYLAND_DISPLAY=wayland-0"));
}

#[test]
fn a_wayland_display_that_answers_is_preferred() {
    let at = |expected: &'static str| move |socket: &Path| socket == Path::new(expected);
    let named = variables("wayland-0", "/run/me", ":0");
    let choice = choose(&named, at("/run/me/wayland-0")).unwrap();
    assert_eq!(choice.protocol, Protocol::Wayland);
    let path = variables("/tmp/socket", "", "");
    let choice = choose(&path, at("/tmp/socket")).unwrap();
    assert_eq!(choice.protocol, Protocol::Wayland);
    // Without a runtime folder, a name leads nowhere.
    let lost = choose(&variables("wayland-0", "", ":0"), |_| true).unwrap();
    assert_eq!(lost.protocol, Protocol::X11);
}

#[test]
fn without_a_display_the_error_says_which_variables_are_missing() {
    let none = choose(&variables("", "/run/me", ""), |_| true).unwrap_err();
    assert!(matches!(none, WindowError::NoDisplay));
    let stale = choose(&variables("wayland-9", "/run/me", ""), |_| false).unwrap_err();
    let text = stale.to_string();
    assert!(text.contains("WAYLAND_DISPLAY=wayland-9") && text.contains("DISPLAY is not"));
}

#[test]
fn a_socket_whose_program_has_ended_does_not_answer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wayland-0");
    assert!(!answers(&path));
    let listener = UnixListener::bind(&path).unwrap();
    assert!(answers(&path));
    drop(listener);
    assert!(path.exists() && !answers(&path));
}
