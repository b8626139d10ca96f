//! Mods: folders with the three folders of a game, whose files lie over the game's own.
//!
//! The files of a mod have names like all others, which begin with the mod's folder:
//! `mods/angry/config/entities/hero.toml`. So messages, recordings and reloads need to know nothing of mods. Which
//! mods there are, and in which order they lie over each other, follows from the files alone.

mod folders;
mod manifest;
mod merge;
mod stack;

pub(crate) use folders::{ModFolder, all_roots, mod_folders};
pub use manifest::ModLayer;
pub(crate) use manifest::{check_mod_name, read_version};
pub(crate) use merge::{lay_level_over, lay_over};
pub use stack::{LeftOutMod, ModStack};
pub(crate) use stack::{MANIFEST, ORDER};
