//! Building revisions from sources.

pub(crate) mod artwork;
pub(crate) mod broken_mods;
pub(crate) mod deadline;
pub(crate) mod density;
pub(crate) mod level_kinds;
pub(crate) mod placement;
pub(crate) mod retune;
pub(crate) mod revision;
pub(crate) mod roster;
pub(crate) mod variable_names;
pub(crate) mod variants;
