//! What TOML files say: settings, kinds, levels, entities, zones and expectations.

pub(crate) mod body;
pub(crate) mod camera;
pub(crate) mod config;
pub(crate) mod entities;
pub(crate) mod expect;
pub(crate) mod kind;
pub(crate) mod kind_layers;
pub(crate) mod level;
pub(crate) mod misplaced;
pub(crate) mod rotation;
pub(crate) mod script_variables;
pub(crate) mod settings;
pub(crate) mod stances;
pub(crate) mod surfaces;
pub(crate) mod tuning_home;

use crate::{
    files::{Data, Node, Provenance, SoundTable, Table, TableReader, lay_over, read_name, read_sounds},
    languages::LANGUAGES,
};
use glam::DVec2;
use hangtime_core::{
    geometry::{Collider, ColliderForm},
    level::View,
    models::{BodyShape, ModelName, ModelTunings},
    sim::Value,
    tuning::{MOST, Range, SimulationTuning, SurfaceTuning, range},
};
use hangtime_script::{BuildProgress, Mistakes, Place, suggestion};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::Arc,
};
