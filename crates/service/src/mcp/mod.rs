//! Tools for assistants that edit games, over the Model Context Protocol on stdin and stdout.
//!
//! `McpSession` in `session.rs` reads messages and answers them. It carries out the calls of tools one after another on the
//! thread that serves; another thread reads, answers everything else at once, and cancels. `TOOLS` in `tools.rs` lists the
//! tools, whose schemas are made from the types of their arguments. A tool sees only files that the game has, and each answer
//! has a limit and says how to get the rest.

mod answer;
mod check;
mod edit;
mod feel;
mod files;
mod lookup;
mod playing;
mod session;
mod tested;
mod tools;

use super::*;
use crate::{protocol::*, server::*};
use answer::*;
use check::*;
use edit::*;
use feel::*;
use files::*;
use hangtime_game::{Project, ending_scripts, now};
use hangtime_play::{Observer, calls::calls_of_tests};
use lookup::*;
use playing::*;
use schemars::JsonSchema;
use serde_json::{Value as Json, json};
use std::sync::atomic::{AtomicBool, Ordering};
use tested::*;
use tools::*;

pub use session::{MCP_VERSIONS, serve};
pub use tools::tool_table;

/// The game that tools read and edit.
pub struct McpGame {
    /// The game. Settings cannot raise script limits above its own.
    game: Arc<ServedGame>,
    /// Whether files may be written.
    writes: bool,
}

impl McpGame {
    fn project(&self) -> &Project {
        self.game.project()
    }

    fn folder(&self) -> &GameFolder {
        self.project().folder()
    }
}

/// When a call has to end.
#[derive(Clone)]
pub struct CallEnd {
    canceled: Arc<AtomicBool>,
    /// The latest moment.
    until: Duration,
}

/// The longest time that a call may take. Scripts that have not ended by then are stopped.
const LONGEST_CALL: Duration = LONGEST_CHECK;

impl CallEnd {
    fn new(canceled: Arc<AtomicBool>) -> Self {
        Self { canceled, until: now() + LONGEST_CALL }
    }

    fn is_canceled(&self) -> bool {
        self.canceled.load(Ordering::Relaxed)
    }

    /// Whether the call must end now.
    fn is_here(&self) -> bool {
        self.is_canceled() || now() > self.until
    }
}
