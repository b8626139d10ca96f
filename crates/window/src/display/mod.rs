//! Connects to the display.
//!
//! The connection can be made only once in a process, so what to connect to is decided before.

#[cfg(all(unix, not(target_vendor = "apple"), not(target_os = "android")))]
mod unix;

use super::{error::reason, *};
use winit::event_loop::EventLoopBuilder;

/// Connects to the display.
///
/// # Errors
/// If there is no display, or it cannot be used.
pub fn connect() -> Result<EventLoop<()>, WindowError> {
    let mut builder = EventLoop::builder();
    let display = choose(&mut builder)?;
    let built = quietly(|| builder.build());
    let failed = match built {
        Ok(Ok(events)) => return Ok(events),
        Ok(Err(error)) => reason(&error),
        Err(panic) => panic,
    };
    Err(WindowError::Display { display, reason: with_remedy(failed) })
}

/// Calls a function of winit that may panic, when the display lacks something or a library is
/// missing. The panic's message is the error; it is not printed.
fn quietly<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(call));
    std::panic::set_hook(hook);
    result.map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
        let text = text.unwrap_or_else(|| "winit failed".into());
        text.trim_end_matches('.').to_string()
    })
}

/// Adds what to install to a reason that names a missing library.
fn with_remedy(reason: String) -> String {
    let packages = [
        ("xkbcommon-x11", "libxkbcommon-x11-0"),
        ("xkbcommon", "libxkbcommon0"),
        ("xlib's shared libraries", "libx11-6 libx11-xcb1 libxcursor1 libxi6"),
        ("wayland", "libwayland-client0"),
    ];
    let text = reason.to_lowercase();
    let missing = ["load", "library", "libraries"].iter().any(|word| text.contains(word));
    let package = packages.iter().find(|(name, _)| text.contains(name));
    match package.filter(|_| missing) {
        Some((_, package)) => {
            format!("{reason}; on Debian or Ubuntu, `apt install {package}` installs it")
        }
        None => reason,
    }
}

#[cfg(not(all(unix, not(target_vendor = "apple"), not(target_os = "android"))))]
fn choose(_: &mut EventLoopBuilder<()>) -> Result<String, WindowError> {
    Ok("of the system".into())
}

/// Chooses between Wayland and X11, and names the display for messages.
#[cfg(all(unix, not(target_vendor = "apple"), not(target_os = "android")))]
fn choose(builder: &mut EventLoopBuilder<()>) -> Result<String, WindowError> {
    use hangtime_game::terminal::tell;
    use winit::platform::{wayland::EventLoopBuilderExtWayland as _, x11::EventLoopBuilderExtX11 as _};

    let choice = unix::choose(&unix::Variables::read(), unix::answers)?;
    if let Some(stale) = &choice.stale {
        tell(format_args!("warning: {stale} does not answer, using {} instead", choice.display));
    }
    match choice.protocol {
        unix::Protocol::Wayland => builder.with_wayland(),
        unix::Protocol::X11 => builder.with_x11(),
    };
    Ok(choice.display)
}

#[cfg(test)]
#[path = "../../tests/unit/display.rs"]
mod tests;
