//! Why a window could not be opened, or closed early.

use super::*;

/// Why the window could not be opened or drawn. On a machine without a display, run the level
/// without a window instead.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WindowError {
    /// There is no display. On Linux, `WAYLAND_DISPLAY` or `DISPLAY` names it.
    #[error("there is no display: neither WAYLAND_DISPLAY nor DISPLAY is set")]
    NoDisplay,
    /// The display does not answer, or a library that is needed to talk to it is missing.
    #[error("cannot use the display {display}: {reason}")]
    Display {
        /// What names the display, such as `DISPLAY=:0`.
        display: String,
        /// What failed, and what to install if something is missing.
        reason: String,
    },
    /// The display refused to open a window.
    #[error("the display cannot open a window: {0}")]
    Window(String),
    /// No graphics driver can draw in a window.
    #[error(
        "there is no graphics driver for Vulkan or OpenGL; on Debian or Ubuntu, `apt install \
         mesa-vulkan-drivers` installs one"
    )]
    NoDriver,
    /// The graphics driver refused to draw, or stopped again and again.
    #[error("the graphics driver cannot draw: {0}")]
    Driver(String),
    /// The graphics driver has no memory left.
    #[error("the graphics driver is out of memory")]
    OutOfMemory,
    /// The window was open, and then its pictures could not be shown any more.
    #[error("the window was closed: {0}")]
    Closed(Box<Self>),
    /// `[window]` sets a picture without pixels, or one that the graphics driver cannot hold.
    #[error("a picture of {0} × {1} px cannot be shown")]
    Picture(u32, u32),
    /// The window was closed as usual, but not everything that was played could be recorded.
    #[error("the recording is not complete")]
    Unrecorded,
    /// The system cannot start another thread.
    #[error("cannot start the game's thread: {0}")]
    Thread(#[from] io::Error),
}

/// The reason in a message of winit, without the place in winit's source where it arose.
pub fn reason(message: &dyn std::fmt::Display) -> String {
    let text = message.to_string();
    match text.strip_prefix("os error at ") {
        Some(rest) => rest.split_once(": ").map_or("the system refused", |(_, reason)| reason).to_string(),
        None => text,
    }
}

#[cfg(test)]
#[path = "../tests/unit/error.rs"]
mod tests;
