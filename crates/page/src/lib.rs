//! The engine of the page: the part that plays.
//!
//! A [`PageEngine`] has the files of a game and plays one of its levels with the workbench, as the window does. The page
//! sends it [messages](PageEngine::handle), in which are keys, files and questions, and gets pixels, sounds and JSON. It is
//! the same engine in both places: in a worker of the browser, as WebAssembly, and in a service, behind a WebSocket. What
//! differs is its [`PageHost`].
//!
//! * `message` is how messages are written;
//! * `engine` carries them out;
//! * `files` holds the files, opens levels and checks files;
//! * `session` plays: frames, keys, the mouse and gamepads, saved files;
//! * `watched` shows a world that somebody else plays;
//! * `sounds` is what is heard;
//! * `moment` is a moment that is shared as a link;
//! * `panel` is the tuning panel as JSON;
//! * `state` is what the page shows next to the picture.

mod engine;
mod files;
mod host;
mod message;
mod moment;
mod panel;
mod session;
mod sounds;
mod state;
mod watched;

pub use engine::PageEngine;
pub use files::GameFiles;
pub use host::PageHost;

use files::{FileMessage, messages};
use glam::DVec2;
use hangtime_game::{Error, GameFolder, Live, Notice, Project, Revision, SourceSet};
use hangtime_workbench::{BenchFrame, WindowKey, Workbench, panel::Tuner};
use message::*;
use serde::{Deserialize, Serialize};
use session::PageSession;
use sounds::{HeardFrame, HeardNumbers, SoundSamples};
use state::{GameKeys, GameState};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};
use tiny_skia::Pixmap;
use watched::WatchedView;

/// A value as JSON.
fn json(value: &impl Serialize) -> String {
    // Everything that is passed out has text keys and finite numbers.
    serde_json::to_string(value).unwrap_or_default()
}
