//! What a text editor asks for while a game is written: [`completions`], the [`hover`] text, [`definitions`], names.
//!
//! The language server of `hangtime-service` and the page in a browser ask the same functions. Completion, hover and
//! definitions come from the entries of the script reference and from the game's files. What the cursor is at is found in
//! the text of its line, because code that is being written seldom parses.
//!
//! The crate knows no connections and no disk.

mod completion;
mod cursor;
mod definition;
mod format;
mod hover;
mod inlay;
mod location;
mod names;
mod references;
mod signature;
mod symbols;
mod words;

pub use completion::completions;
pub use cursor::EditedFile;
pub use definition::definitions;
pub use format::formatted;
pub use hover::{hover, markdown};
pub use inlay::inlay_hints;
pub use location::{offset_at, path_of, range_in, uri_of};
pub use references::{name_at, references, rename};
pub use signature::signatures;
pub use symbols::{symbols_of_file, symbols_of_game};

use cursor::*;
use hangtime_game::{GameCheck, ShownMoment, is_of_map};
use hangtime_play::calls::calls_of_tests;
use hangtime_script::{
    Lexeme, LexemeKind, SourceFile, Spelling, TextFunction,
    api::{ApiEntry, ApiSet, EntryKind, Names, Owner, Type},
    find_hook, hooks, in_word, lexemes,
};
use location::*;
use lsp_types::{Documentation, Location, Position, TextEdit, Uri};
use names::*;
use serde_json::json;
use std::{
    collections::{BTreeMap, BTreeSet},
    mem,
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};
use words::*;
