//! Finds out that the window is hidden, because then it is not drawn.

#[cfg(all(unix, not(target_vendor = "apple"), not(target_os = "android")))]
use super::mapped::OnX11;
use super::*;

/// How often the system is asked.
pub const ASK: Duration = Duration::from_millis(250);

/// Whether the window is hidden, and when the system was last asked.
pub struct Hidden {
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

#[cfg(not(all(unix, not(target_vendor = "apple"), not(target_os = "android"))))]
use NotOnX11 as OnX11;

/// Other systems report minimized windows.
#[cfg(not(all(unix, not(target_vendor = "apple"), not(target_os = "android"))))]
struct NotOnX11;

#[cfg(not(all(unix, not(target_vendor = "apple"), not(target_os = "android"))))]
impl NotOnX11 {
    fn new(_: &Window) -> Self {
        Self
    }

    fn is_mapped(&self) -> bool {
        true
    }
}
