//! Projects of the LDtk editor: `levels/NAME.ldtk`, each with one level or several, which may be in other files.
//!
//! `json` reads parts of a file that know their places. `project` finds a level, `definitions` what all levels share.
//! `grids` makes fields of tiles of its layers, `entities` objects, and `fields` their properties.

mod definitions;
mod entities;
mod fields;
mod grids;
mod json;
mod project;
mod titles;

use self::{
    definitions::{Definitions, IdentifierStyle, Tileset},
    fields::PropertyReader,
    json::{Members, NUMBERS, Part, Read, SIDES, WHOLE},
};
use super::{MapParts, common::*};
use crate::files::{Data, Node, Table, TableKey};
use glam::DVec2;
use hangtime_script::{BuildProgress, Diagnostic, Mistakes, Place, SourceFile, suggestion};
pub(super) use project::{level_files, level_names, read_level};
use serde::Deserialize;
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    rc::Rc,
    sync::Arc,
};
pub(super) use titles::titles;
