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

use self::{broken_mods::without_broken_mods, revision::Revision, roster::Roster};
use crate::{
    Error,
    files::{
        Config, ModStack, Provenance, SoundBank, SourceSet, TuningChange,
        content::{level::LevelFile, settings::FileTrees},
        maps::name_objects,
        media::sounds::SoundTable,
        tables::tree::{Node, Table},
    },
};
use hangtime_core::{
    level::View,
    models::ModelName,
    sim::{Artwork, Profile, Stage, Start},
    tuning::{Setting, Tunables},
};
use hangtime_script::{
    Behavior, BuildProgress, Diagnostic, Mistakes, Place, Scripts, SourceFile, text::printable_name,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
