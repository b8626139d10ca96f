//! The texts of a game: with its mods, imports, maps, pictures and sounds, read once and hashed.

pub(crate) mod builtin;
pub(crate) mod game_hash;
pub(crate) mod level_names;
pub(crate) mod media;
pub(crate) mod mod_sources;
pub(crate) mod paths;
pub(crate) mod pictures;
pub(crate) mod referred;
pub(crate) mod sounds;
pub(crate) mod source;
