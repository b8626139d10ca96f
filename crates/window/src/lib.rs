//! The window: a workbench on a screen, with keys, mouse, gamepads, sound and the tuning panel. The only crate that uses
//! winit, wgpu, egui, gilrs and rodio.
//!
//! It does not know how a game plays or what a picture shows: those are the workbench's. It makes frames at the right
//! time, passes events on, and gets pictures onto a screen whatever the graphics driver answers.
//!
//! There are two threads. The game thread (`game`) makes ticks at a fixed rate, on a stack that is large enough
//! for scripts, and adopts new revisions between ticks. The window's thread (`window`, `screen`) collects keys and draws the
//! state between the last two ticks. They share data (`shared`) behind locks that are held only to copy or change it.
//! `presenter` decides what follows from a driver's answers, `gpu` draws, and `panel` is the tuning panel in egui.
//!
//! ```no_run
//! use hangtime_window::{WindowError, show};
//! use hangtime_workbench::SessionFiles;
//! use std::sync::Arc;
//!
//! let root = hangtime_game::unpack_playground().expect("a copy of the playground");
//! let project = hangtime_game::Project::load(&*root).expect("a game folder");
//! let level = project.find_level("playground").expect("its level");
//! let revision = Arc::new(project.open(&level, &[]).expect("good files"));
//! match show(root.into(), level, revision, SessionFiles::default(), None) {
//!     Err(WindowError::NoDisplay) => eprintln!("`hangtime run` needs no display"),
//!     shown => shown.expect("the window works"),
//! }
//! ```

mod display;
mod error;
mod game;
#[cfg(feature = "gamepad")]
mod gamepads;
mod gpu;
mod hidden;
mod level_editing;
mod level_recordings;
#[cfg(all(unix, not(target_vendor = "apple"), not(target_os = "android")))]
mod mapped;
mod mouse;
#[cfg(feature = "sound")]
mod music_stream;
mod opening;
mod panel;
mod pointer;
mod presenter;
mod screen;
mod shared;
mod size;
#[cfg(feature = "sound")]
mod sound_output;
mod speakers;
mod strip_link;
mod tuning_link;
mod window;

pub use error::WindowError;

use game::GameThread;
use glam::DVec2;
use hangtime_game::{Error, GameFolder, Live, Project, Revision, Threads, TuningChange, terminal::tell};
use hangtime_workbench::{BenchFrame, RecordingOutput, SessionFiles, WindowKey, Workbench, panel::EntityFacts};
use panel::PanelWindow;
use parking_lot::Mutex;
use screen::Screen;
use shared::SharedState;
use size::{Placement, Size};
use std::{
    io, mem,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};
use tiny_skia::Pixmap;
use winit::{
    event::{MouseButton, WindowEvent},
    event_loop::{ActiveEventLoop, EventLoop},
    window::Window,
};

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
    let shared = Arc::new(SharedState::new(revision.clone()));
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
