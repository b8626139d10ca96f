//! Checking files without running them.

mod actions;
mod contracts;
mod file_kind;
mod game_check;
mod input_header;
mod known;
mod run;
mod unread;
mod unused;
mod variables;

use self::file_kind::{FileKind, is_definitions};
use crate::files::disk::endings::GAME_FOLDERS;
use crate::files::media::sounds::SOUNDS;
use crate::files::mods::all_roots;
use crate::files::sources::pictures::PICTURES;
use crate::files::sources::source::{list_in, read_text};
use crate::files::tables::tree::{Data, Node, Table, parse};
use crate::files::{Config, GameFolder, InputScript, SourceSet};
use crate::live::Revision;
use hangtime_core::level::View;
use hangtime_core::models::{Action, ModelName};
use hangtime_script::names::{did_you_mean, nearest};
use hangtime_script::{BuildProgress, Diagnostic, GameNames, Mistakes, Place, SourceFile, Sources, TextFunction};
pub use run::{CheckReport, GameCheck, check};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
