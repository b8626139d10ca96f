//! Floor 6: the window. The only place that knows winit and pixels.
//!
//! Two threads. The *game's* makes ticks at their fixed rate, on a stack that is large enough for
//! scripts, and adopts new revisions between them. The *window's* collects keys and draws what
//! the game last published, between the last two ticks. What they share lies under locks that are
//! held for copies only.

mod game;
mod latch;
mod shared;
mod window;

use crate::project::Revision;
use game::GameThread;
use shared::Shared;
use std::path::PathBuf;
use std::sync::Arc;
use winit::event_loop::EventLoop;

/// Plays a level in a window until it is closed.
///
/// # Errors
/// Why no window can be opened, with the revision handed back.
pub fn show(
    root: PathBuf,
    level: PathBuf,
    revision: Arc<Revision>,
) -> Result<(), (String, Arc<Revision>)> {
    let refuse = |why: String| (why, revision.clone());
    let events = EventLoop::new().map_err(|e| refuse(e.to_string()))?;
    let shared = Arc::new(Shared::new(&revision));
    let game = GameThread::start(root, level, revision.clone(), shared.clone())
        .map_err(|e| refuse(e.to_string()))?;
    let result = window::run(events, &shared);
    game.stop();
    result.map_err(refuse)
}
