//! The texts of a game: with its mods, imports, maps, pictures and sounds, read once and hashed.

pub(crate) mod builtin;
pub(crate) mod game_hash;
pub(crate) mod imports;
pub(crate) mod level_names;
pub(crate) mod media;
pub(crate) mod mod_sources;
pub(crate) mod paths;
pub(crate) mod pictures;
pub(crate) mod referred;
pub(crate) mod sounds;
pub(crate) mod source;

use self::source::{SourceSet, read_bytes, read_named};
use crate::{
    Error,
    files::{
        FileWalk, GameFolder, MANIFEST, MOST_REFERENCES, MapParts, MediaFiles, ModStack, all_roots, is_map, level_file,
        levels_in, mod_folders, referred_files, split_level,
    },
};
use hangtime_core::sim::Sheet;
use hangtime_script::{BuildProgress, Diagnostic, Mistakes, Place, SourceFile, nearest, nearest_few, suggestion};
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::{Path, PathBuf},
    sync::Arc,
};
