//! Checking files without running them.

mod actions;
pub(crate) mod boxes;
mod contracts;
mod file_kind;
mod game_check;
mod input_header;
mod known;
mod run;
mod unread;
mod unused;
mod variables;

use self::file_kind::FileKind;
pub(crate) use self::file_kind::is_definitions;
use crate::{
    files::{
        Config, GameFolder, InputScript, SourceSet,
        disk::endings::GAME_FOLDERS,
        media::sounds::SOUNDS,
        mods::all_roots,
        sources::{
            pictures::PICTURES,
            source::{list_in, read_text},
        },
        tables::tree::{Data, Node, Table, parse},
    },
    live::Revision,
};
use hangtime_core::{
    level::View,
    models::{Action, ModelName},
};
use hangtime_script::{
    BuildProgress, Diagnostic, GameNames, Mistakes, Place, SourceFile, Sources, TextFunction,
    names::{did_you_mean, nearest},
};
pub use run::{CheckReport, GameCheck, check};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::Arc,
};
