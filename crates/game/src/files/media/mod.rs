//! PNG, WAV and OGG files decoded, and the tables that name them.

pub(crate) mod media_files;
pub(crate) mod png;
pub(crate) mod sound;
pub(crate) mod sounds;
pub(crate) mod sprites;
pub(crate) mod wav;
