//! Finds out that the window is hidden, because then it is not drawn.

use std::time::{Duration, Instant};
use winit::window::Window;

/// How often the system is asked.
pub(super) const ASK: Duration = Duration::from_millis(250);

/// Whether the window is hidden, and when the system was last asked.
pub(super) struct Hidden {
    on_x11: OnX11,
    asked: Instant,
    last: bool,
    /// Whether the system has reported that other windows cover this one.
    pub covered: bool,
}

impl Hidden {
    pub fn new(window: &Window) -> Self {
        Self { on_x11: OnX11::new(window), asked: Instant::now(), last: false, covered: false }
    }

    /// Whether the window is minimized, unmapped, without pixels, or covered by other windows.
    pub fn check(&mut self, window: &Window) -> bool {
        if self.covered {
            return true;
        }
        if self.asked.elapsed() >= ASK {
            self.asked = Instant::now();
            let size = window.inner_size();
            let is_minimized = window.is_minimized() == Some(true);
            self.last = size.width == 0 || size.height == 0 || is_minimized || !self.on_x11.is_mapped();
        }
        self.last
    }
}

#[cfg(all(unix, not(target_vendor = "apple"), not(target_os = "android")))]
use x11::OnX11;

/// winit does not report that a window was unmapped from an X11 display.
#[cfg(all(unix, not(target_vendor = "apple"), not(target_os = "android")))]
mod x11 {
    use winit::raw_window_handle::{HasWindowHandle as _, RawWindowHandle};
    use winit::window::Window;
    use x11rb::protocol::xproto::{ConnectionExt as _, MapState};
    use x11rb::rust_connection::RustConnection;

    /// The window on its X11 display, if it is on one that answers.
    pub struct OnX11(Option<(RustConnection, u32)>);

    impl OnX11 {
        pub fn new(window: &Window) -> Self {
            let id = match window.window_handle().map(|handle| handle.as_raw()) {
                Ok(RawWindowHandle::Xlib(handle)) => u32::try_from(handle.window).ok(),
                Ok(RawWindowHandle::Xcb(handle)) => Some(handle.window.get()),
                _ => None,
            };
            Self(id.and_then(|id| Some((x11rb::connect(None).ok()?.0, id))))
        }

        /// Whether the window and all windows around it are mapped, as far as is known.
        pub fn is_mapped(&self) -> bool {
            let Some((connection, id)) = &self.0 else {
                return true;
            };
            let reply = connection.get_window_attributes(*id).ok();
            let reply = reply.and_then(|cookie| cookie.reply().ok());
            reply.is_none_or(|reply| reply.map_state == MapState::VIEWABLE)
        }
    }
}

/// Other systems report minimized windows.
#[cfg(not(all(unix, not(target_vendor = "apple"), not(target_os = "android"))))]
struct OnX11;

#[cfg(not(all(unix, not(target_vendor = "apple"), not(target_os = "android"))))]
impl OnX11 {
    fn new(_: &Window) -> Self {
        Self
    }

    fn is_mapped(&self) -> bool {
        true
    }
}
