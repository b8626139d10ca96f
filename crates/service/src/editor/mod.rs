//! What a text editor asks for while a game is written, over the language server protocol.
//!
//! [`serve`] reads requests and writes answers. Messages are the same as `hangtime check` prints; completion, hover and
//! definitions come from the entries of the script reference and from the game's files. What the cursor is at is found in
//! the text of its line, because code that is being written seldom parses.

mod completion;
mod cursor;
mod definition;
mod fixes;
mod format;
mod hover;
mod inlay;
mod lexer;
mod location;
mod names;
mod references;
mod server;
mod signature;
mod symbols;
mod wire;
mod words;

use hangtime_game::GameCheck;
use hangtime_script::api::{ApiEntry, Names, Owner, Type};
use hangtime_script::{SourceFile, Spelling, TextFunction, find_hook, hooks};
use lsp_types::TextEdit;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use {
    completion::*, cursor::*, definition::*, fixes::*, format::*, hover::*, inlay::*, lexer::*, location::*, names::*,
    references::*, signature::*, symbols::*, wire::*, words::*,
};

pub use server::{ServerFailure, serve, serve_on};
