//! Finds out that the window is hidden, because then it is not drawn.

use std::time::{Duration, Instant};
use winit::window::Window;

/// How often the system is asked.
pub(super) const ASK: Duration = Duration::from_millis(250);

/// Whether the window is hidden, and when the system was last asked.
pub(super) struct Hidden {
    #[cfg(all(unix, not(target_vendor = "apple"), not(target_os = "android")))]
    mapped: super::mapped::Mapped,
    asked: Instant,
    last: bool,
    /// Whether the system has reported that other windows cover this one.
    pub covered: bool,
}

impl Hidden {
    #[cfg_attr(not(all(unix, not(target_vendor = "apple"), not(target_os = "android"))), expect(unused_variables))]
    pub fn new(window: &Window) -> Self {
        Self {
            #[cfg(all(unix, not(target_vendor = "apple"), not(target_os = "android")))]
            mapped: super::mapped::Mapped::new(window),
            asked: Instant::now(),
            last: false,
            covered: false,
        }
    }

    /// Whether the window is minimized, unmapped, without pixels, or covered by other windows.
    pub fn check(&mut self, window: &Window) -> bool {
        if self.covered {
            return true;
        }
        if self.asked.elapsed() >= ASK {
            self.asked = Instant::now();
            let size = window.inner_size();
            self.last = size.width == 0 || size.height == 0 || window.is_minimized() == Some(true) || !self.is_mapped();
        }
        self.last
    }

    /// Whether the window is on the screen, or would be without other windows.
    fn is_mapped(&self) -> bool {
        #[cfg(all(unix, not(target_vendor = "apple"), not(target_os = "android")))]
        return self.mapped.is_mapped();
        // Other systems report minimized windows.
        #[cfg(not(all(unix, not(target_vendor = "apple"), not(target_os = "android"))))]
        return true;
    }
}
