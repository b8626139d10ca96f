//! Layer 6: the window. The only module that uses winit, pixels, wgpu and egui.
//!
//! There are two threads. The game thread makes ticks at a fixed rate, on a stack that is large enough
//! for scripts, and adopts new revisions between ticks. The window's thread collects keys and draws the
//! state between the last two ticks. They share data behind locks that are held only to copy it.

mod display;
mod drawing;
mod error;
mod game;
#[cfg(feature = "gamepad")]
mod gamepads;
mod gpu;
mod hidden;
mod level_recordings;
#[cfg(all(unix, not(target_vendor = "apple"), not(target_os = "android")))]
mod mapped;
mod mouse;
mod opening;
mod panel;
mod pointer;
mod presenter;
mod recovery;
mod screen;
mod shared;
mod size;
#[cfg(feature = "sound")]
mod sound_output;
mod speakers;
mod spectacle;
mod tuning_link;
mod window;

pub use error::WindowError;
use game::GameThread;
use hangtime_game::terminal::tell;
use hangtime_game::{GameFolder, Revision, Threads};
use hangtime_workbench::SessionFiles;
use shared::SharedState;
use std::path::PathBuf;
use std::sync::Arc;

/// Plays a level in a window, reloads changed files, and returns when the window is closed. What happens goes
/// into the recording among `files`, if there is one; each other level that is opened gets a file next to it. The game shares
/// its ticks among `threads`.
///
/// # Errors
/// If the window cannot be opened or drawn, or what was played in it could not be recorded.
pub fn show(
    folder: GameFolder,
    level: PathBuf,
    revision: Arc<Revision>,
    files: SessionFiles,
    threads: Option<Arc<Threads>>,
) -> Result<(), WindowError> {
    let events = display::connect()?;
    let shared = Arc::new(SharedState::new(&revision));
    let levels = folder.clone();
    let panel = panel::PanelWindow::new(folder.clone(), revision.clone());
    let game = GameThread::start(folder, level, revision, shared.clone(), files, threads)?;
    let result = window::run(events, &shared, (panel, levels));
    let Some(end) = game.stop() else {
        return result;
    };
    if let Ok(()) | Err(WindowError::Closed(_)) = &result {
        tell(end.pace);
    }
    match result {
        Ok(()) if end.unrecorded => Err(WindowError::Unrecorded),
        _ => result,
    }
}
