//! winit does not report that a window was unmapped from an X11 display.

use super::*;
use winit::raw_window_handle::{HasWindowHandle as _, RawWindowHandle};
use x11rb::{
    protocol::xproto::{ConnectionExt as _, MapState},
    rust_connection::RustConnection,
};

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

    /// Whether the window and all windows around it are mapped; true if that is unknown.
    pub fn is_mapped(&self) -> bool {
        let Some((connection, id)) = &self.0 else {
            return true;
        };
        let reply = connection.get_window_attributes(*id).ok();
        let reply = reply.and_then(|cookie| cookie.reply().ok());
        reply.is_none_or(|reply| reply.map_state == MapState::VIEWABLE)
    }
}
