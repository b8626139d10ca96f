//! Which of the two protocols of Unix systems to use.

use crate::WindowError;
use std::{
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
};

#[derive(Debug, PartialEq)]
pub enum Protocol {
    Wayland,
    X11,
}

#[derive(Debug)]
pub struct Choice {
    pub protocol: Protocol,
    /// What names the display.
    pub display: String,
    /// What names a display that was preferred, but does not answer.
    pub stale: Option<String>,
}

/// The environment variables that name displays; none of them is empty.
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
#[path = "../../tests/unit/display/unix.rs"]
mod tests;
