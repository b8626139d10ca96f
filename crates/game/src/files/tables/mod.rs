//! TOML as trees of values that know their places, and reading tables key by key.

mod extent;
pub(crate) mod points;
pub(crate) mod provenance;
pub(crate) mod reader;
pub(crate) mod spelling;
pub(crate) mod tree;
