//! hangtime in a browser: the part of a page that plays.
//!
//! [`Engine`] has the files of a game and plays one of its levels with the workbench, as the window does. The page passes in
//! files, keys and the time; it takes out pixels and JSON. Nothing here knows the page: `page/` draws it, and its worker owns
//! the engine.
//!
//! * `engine` is what JavaScript calls;
//! * `game` holds the files, opens levels and checks files;
//! * `session` plays: frames, keys, the mouse and gamepads, saved files;
//! * `sounds` is what is heard;
//! * `moment` is a moment that is shared as a link;
//! * `panel` is the tuning panel as JSON;
//! * `state` is what the page shows next to the picture;
//! * `world` is what other pages use instead: a world without a picture.

mod engine;
mod game;
mod moment;
mod panel;
mod session;
mod sounds;
mod state;
mod world;

pub use engine::Engine;
pub use world::World;

use game::{GameFiles, Message, messages};
use glam::DVec2;
use hangtime_game::{GameFolder, Live, Notice, Project, Revision, SourceSet};
use hangtime_workbench::{BenchFrame, WindowKey, Workbench, panel::Tuner};
use serde::Serialize;
use session::Session;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};
use tiny_skia::Pixmap;
use wasm_bindgen::prelude::*;

/// A value as JSON.
fn json(value: &impl Serialize) -> String {
    // Everything that is passed out has text keys and finite numbers.
    serde_json::to_string(value).unwrap_or_default()
}
