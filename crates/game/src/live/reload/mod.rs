//! Watching a game folder and building the next revision.

pub(crate) mod calm;
pub(crate) mod changes;
#[cfg(feature = "disk")]
pub(crate) mod fingerprints;
#[cfg(feature = "disk")]
pub(crate) mod game_watch;
pub(crate) mod half;
pub(crate) mod machine;
#[cfg(feature = "disk")]
pub(crate) mod reloader;
#[cfg(feature = "disk")]
pub(crate) mod watch;

use self::watch::{Signal, Watcher};
use crate::Error;
use crate::background::spawn;
use crate::files::SourceSet;
use crate::files::disk::endings::MODS;
use hangtime_script::Diagnostic;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;
