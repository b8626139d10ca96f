//! What a text editor asks for while a game is written, over the language server protocol.
//!
//! [`serve`] reads requests and writes answers; a program that has an editor itself calls [`completions`] and [`hover`].
//! Messages are the same as `hangtime check` prints; completion, hover and definitions come from the entries of the script
//! reference and from the game's files. What the cursor is at is found in the text of its line, because code that is being
//! written seldom parses.

mod completion;
mod cursor;
mod definition;
mod format;
mod hover;
#[cfg(feature = "serve")]
mod inlay;
mod lexer;
mod location;
mod names;
mod references;
#[cfg(feature = "serve")]
mod server;
mod signature;
mod symbols;
#[cfg(feature = "serve")]
mod wire;
mod words;

use super::*;
use cursor::*;
use definition::*;
use format::*;
use hangtime_game::{GameCheck, ShownMoment};
use hangtime_play::calls::calls_of_tests;
use hangtime_script::{
    NameFix, Spelling, TextFunction,
    api::{ApiEntry, ApiSet, EntryKind, Names, Owner, Type},
    find_hook, fixes, hooks,
};
use hover::*;
#[cfg(feature = "serve")]
use inlay::*;
use lexer::*;
use location::*;
#[cfg(feature = "serve")]
use lsp_server::{Connection, Message, Request};
use lsp_types::{Documentation, Location, Position, TextEdit, Uri};
use names::*;
use references::*;
use serde_json::json;
use signature::*;
use std::{ops::Range, thread::Builder};
use symbols::*;
#[cfg(feature = "serve")]
use wire::*;
use words::*;

pub use completion::completions;
pub use cursor::EditedFile;
pub use hover::hover;
#[cfg(feature = "serve")]
pub use server::{ServerFailure, serve, serve_on};
