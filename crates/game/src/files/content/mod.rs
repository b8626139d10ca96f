//! What TOML files say: settings, kinds, levels, entities, zones and expectations.

pub(crate) mod body;
pub(crate) mod config;
pub(crate) mod entities;
pub(crate) mod expect;
pub(crate) mod kind;
pub(crate) mod kind_layers;
pub(crate) mod level;
pub(crate) mod misplaced;
pub(crate) mod script_variables;
pub(crate) mod settings;
pub(crate) mod surfaces;
pub(crate) mod tuning_home;
