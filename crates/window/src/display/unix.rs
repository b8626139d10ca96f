//! Which of the two protocols of Unix systems to use.

use crate::WindowError;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

#[derive(Debug, PartialEq, Eq)]
pub enum Protocol {
    Wayland,
    X11,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Choice {
    pub protocol: Protocol,
    /// What names the display.
    pub display: String,
    /// What names a display that was preferred, but does not answer.
    pub stale: Option<String>,
}

/// The environment variables that name displays; none of them is empty.
#[derive(Default)]
pub struct Variables {
    pub wayland_socket: Option<String>,
    pub wayland_display: Option<String>,
    pub runtime_dir: Option<String>,
    pub display: Option<String>,
}

impl Variables {
    pub fn read() -> Self {
        let read = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        Self {
            wayland_socket: read("WAYLAND_SOCKET"),
            wayland_display: read("WAYLAND_DISPLAY"),
            runtime_dir: read("XDG_RUNTIME_DIR"),
            display: read("DISPLAY"),
        }
    }

    /// The socket of the Wayland display. A name is relative to the runtime folder.
    fn socket(&self) -> Option<PathBuf> {
        let name = Path::new(self.wayland_display.as_ref()?);
        if name.is_absolute() {
            return Some(name.to_path_buf());
        }
        Some(Path::new(self.runtime_dir.as_ref()?).join(name))
    }
}

/// Whether something accepts connections at a socket. The file of a socket stays behind when
/// its program is killed.
pub fn answers(socket: &Path) -> bool {
    UnixStream::connect(socket).is_ok()
}

/// Prefers Wayland, unless its display does not answer.
pub fn choose(variables: &Variables, answers: impl Fn(&Path) -> bool) -> Result<Choice, WindowError> {
    let wayland = |display: String| Choice { protocol: Protocol::Wayland, display, stale: None };
    let mut stale = None;
    if let Some(socket) = &variables.wayland_socket {
        return Ok(wayland(format!("WAYLAND_SOCKET={socket}")));
    }
    if let Some(name) = &variables.wayland_display {
        let named = format!("WAYLAND_DISPLAY={name}");
        if variables.socket().is_some_and(|socket| answers(&socket)) {
            return Ok(wayland(named));
        }
        stale = Some(named);
    }
    match (&variables.display, stale) {
        (Some(display), stale) => Ok(Choice { protocol: Protocol::X11, display: format!("DISPLAY={display}"), stale }),
        (None, Some(display)) => Err(WindowError::Display {
            display,
            reason: "no Wayland compositor answers there, and DISPLAY is not set".into(),
        }),
        (None, None) => Err(WindowError::NoDisplay),
    }
}

#[cfg(test)]
mod tests {
    use super::{Protocol, Variables, answers, choose};
    use crate::error::WindowError;
    use std::os::unix::net::UnixListener;
    use std::path::Path;

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
}
