//! Building revisions from sources.

pub(crate) mod artwork;
pub(crate) mod broken_mods;
pub(crate) mod crossed_limits;
pub(crate) mod deadline;
pub(crate) mod density;
pub(crate) mod level_cache;
pub(crate) mod level_kinds;
pub(crate) mod placement;
pub(crate) mod retune;
pub(crate) mod revision;
pub(crate) mod roster;
pub(crate) mod variable_names;
pub(crate) mod variants;

use self::broken_mods::without_broken_mods;
use self::revision::Revision;
use self::roster::Roster;
use crate::Error;
use crate::files::content::level::LevelFile;
use crate::files::content::settings::FileTrees;
use crate::files::media::sounds::SoundTable;
use crate::files::tables::tree::{Node, Table};
use crate::files::tiled::name_objects;
use crate::files::{Config, ModStack, Provenance, SoundBank, SourceSet, TuningChange};
use hangtime_core::level::View;
use hangtime_core::models::ModelName;
use hangtime_core::sim::{Artwork, Profile, Stage, Start};
use hangtime_core::tuning::{Setting, Tunables};
use hangtime_script::text::printable_name;
use hangtime_script::{Behavior, BuildProgress, Diagnostic, Mistakes, Place, Scripts, SourceFile};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
