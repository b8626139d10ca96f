//! Why a window could not be opened, or closed early.

use std::io;

/// Why the window could not be opened or drawn. On a machine without a display, run the level
/// without a window instead.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WindowError {
    /// There is no display, or its event loop failed. Check `DISPLAY` or `WAYLAND_DISPLAY`.
    #[error(transparent)]
    EventLoop(#[from] winit::error::EventLoopError),
    /// The display refused to open a window.
    #[error(transparent)]
    Window(#[from] winit::error::OsError),
    /// There is no usable graphics driver, or it failed while drawing.
    #[error(transparent)]
    Graphics(#[from] pixels::Error),
    /// The window was resized to a size that the graphics driver does not support.
    #[error(transparent)]
    Resize(#[from] pixels::TextureError),
    /// `[window]` sets a picture without pixels.
    #[error("the window's width and height must be greater than 0")]
    EmptyWindow,
    /// The system cannot start another thread.
    #[error("cannot start the game's thread: {0}")]
    Thread(#[from] io::Error),
}
