//! The language server: what a text editor asks for while a game is written, over the language server protocol.
//!
//! [`serve`] reads requests and writes answers. Messages are the same as `hangtime check` prints; what is at the cursor is
//! found by `hangtime-editor`.

mod refresh;
mod server;
mod wire;

use super::*;
use hangtime_editor::*;
use hangtime_game::{GameCheck, ShownMoment};
use hangtime_play::calls::calls_of_tests;
use hangtime_script::{NameFix, fixes};
use lsp_server::{Connection, Message, Request};
use lsp_types::{TextEdit, Uri};
use refresh::*;
use serde_json::json;
use std::thread::Builder;
use wire::*;

pub use server::{ServerFailure, serve, serve_on};
